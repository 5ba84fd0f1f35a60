import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ParserContext, ParserError } from './output-parser.ts';

export interface ModuleLimits {
  readonly timeMs: number;
  /** Size of its heap. */
  readonly memoryMiB: number;
}

/** Limits of the work of a user's parser on one text. */
export const moduleLimits: ModuleLimits = { timeMs: 30_000, memoryMiB: 512 };

/**
 * Has a user's parser read a text in a thread of its own, without the environment and the terminal of this process.
 *
 * @returns what it returned, unchecked
 * @throws ParserError `PARSER_NOT_LOADED`, `PARSER_FAILED`, `PARSER_TIMEOUT`, `PARSER_MEMORY` or `PARSER_RESULT`
 */
export async function runModule(
  path: string,
  { text, context }: { readonly text: string; readonly context: ParserContext },
  { timeMs, memoryMiB }: ModuleLimits = moduleLimits,
): Promise<unknown> {
  const request: ModuleRequest = { url: pathToFileURL(path).href, text, context };
  const worker = new Worker(new URL('./module-worker.js', import.meta.url), {
    workerData: request,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let timer: NodeJS.Timeout | undefined;
  try {
    const reply = await new Promise<ModuleReply>((resolve, reject) => {
      function fail(code: 'PARSER_TIMEOUT' | 'PARSER_MEMORY' | 'PARSER_FAILED', why: string): void {
        return reject(new ParserError(code, `the parser ${path} ${why}`));
      }
      timer = setTimeout(() => fail('PARSER_TIMEOUT', `took longer than ${timeMs / 1000} s`), timeMs);
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? fail('PARSER_MEMORY', `took more than ${memoryMiB} MiB of memory`)
          : fail('PARSER_FAILED', `threw ${String(error)}`),
      );
      worker.once('exit', () => fail('PARSER_FAILED', 'ended its thread without an answer'));
    });
    return valueOf(reply, path);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function valueOf(reply: ModuleReply, path: string): unknown {
  switch (reply.kind) {
    case 'parsed':
      return reply.value;
    case 'not-loaded':
      throw new ParserError(
        'PARSER_NOT_LOADED',
        `the parser ${path} cannot be used (${reply.message}); it has to be an ES module whose default export is a function`,
      );
    case 'failed':
      throw new ParserError('PARSER_FAILED', `the parser ${path} threw ${reply.message}`);
    case 'not-data':
      throw new ParserError('PARSER_RESULT', `the parser ${path} returned what is no plain data (${reply.message})`);
  }
}

/** The request to the thread of a user's parser. */
export interface ModuleRequest {
  /** URL of the module. */
  readonly url: string;
  readonly text: string;
  readonly context: ParserContext;
}

/** Its answer, exactly one. */
export type ModuleReply =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'not-loaded' | 'failed' | 'not-data'; readonly message: string };
