import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { runCommand, type CommandResult } from './run-command.ts';
import { type Call, tools, usualSeconds } from './tools.ts';

/** Surroundings of a server. */
export interface ServerOptions {
  /** Folder in which the tools work (default: the current one). */
  readonly cwd?: string;
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/**
 * The server of the tools `compare`, `attempt`, `explain` and `history`. It opens no connection, and writes nothing itself: the command that it calls writes recordings
 * and the ledger below `.deadheat`, and folders of versions in the user's cache. One call measures at a time, since two would disturb each other.
 */
export function createServer({ cwd = process.cwd() }: ServerOptions = {}): McpServer {
  const server = new McpServer({ name: 'deadheat', version });
  let before: Promise<unknown> = Promise.resolve();
  for (const { name, description, shape, readsOnly, toCall } of tools) {
    const config = { description, inputSchema: shape, annotations: { readOnlyHint: readsOnly, openWorldHint: false } };
    server.registerTool(name, config, async (given, { signal, _meta, sendNotification }) => {
      const values = given as Readonly<Record<string, unknown>>;
      const seconds = (values['timeLimitSeconds'] as number | undefined) ?? usualSeconds;
      const progressToken = _meta?.progressToken;
      const onProgress = (elapsedMs: number, message: string): void => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress: elapsedMs / 1000, total: seconds, message };
        // A client that is gone needs no progress.
        sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
      };
      const call = toCall(values);
      const turn = before.then(async () =>
        runCommand(call.args, { cwd, timeLimitMs: seconds * 1000, signal, onProgress }),
      );
      before = turn.catch(() => undefined);
      return toAnswer(await turn, call);
    });
  }
  return server;
}

function toAnswer(result: CommandResult, { answers, read }: Call): CallToolResult {
  const { status, stdout, stderr, interrupted } = result;
  if (interrupted === null && status !== null && answers.includes(status)) {
    const answer = { exitCode: status, result: read(stdout) };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  }
  const why =
    interrupted === 'time-limit'
      ? 'The time limit of the call passed (timeLimitSeconds).\n'
      : interrupted === 'cancelled'
        ? 'The call was cancelled.\n'
        : '';
  return {
    isError: true,
    content: [{ type: 'text', text: `${why}${stderr.trimEnd()}\nexit code ${status ?? 'none'}` }],
  };
}
