import { join } from 'node:path';
import { openHistory, type StoredRecording } from '@deadheat/history';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import type { Terminal } from '../../terminal/terminal.ts';

export interface PullRequest {
  /** Id of an experiment, or how it begins. */
  readonly id: string;
  readonly from: string;
  /** Folder to be made; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
}

/** `deadheat pull`. Returns the exit code. */
export async function pull({ id: typed, from, output }: PullRequest, terminal: Terminal): Promise<ExitCode> {
  const history = await openHistory(from, { forWriting: false, variables: terminal.env });
  try {
    const { id, startedAt } = findOne(await history.list(), { typed, from: history.place });
    const stamp = `${startedAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    const directory = output ?? join('.deadheat', `${stamp}-${id}`);
    await history.pull(id, directory);
    terminal.stdout.write(`${directory}\n`);
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

function findOne(
  recordings: readonly StoredRecording[],
  { typed, from }: { readonly typed: string; readonly from: string },
): StoredRecording {
  const exact = recordings.find(({ id }) => id === typed);
  if (exact !== undefined) return exact;
  const [found, ...more] = recordings.filter(({ id }) => id.startsWith(typed));
  if (found !== undefined && more.length === 0) return found;
  throw new UsageError(
    'BAD_VALUE',
    found === undefined
      ? `${from} holds no experiment ${typed}`
      : `${typed} is how the ids of ${more.length + 1} experiments in ${from} begin`,
    { hint: `deadheat history --recordings --from '${from}' lists what it holds.` },
  );
}
