import type { Command } from 'commander';
import { join } from 'node:path';
import { openHistory, recordingFolderName, type StoredRecording } from '@deadheat/history';
import { parseText, UsageError } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawPullOptions extends RawPlaintextOption {
  readonly from?: string;
  readonly output?: string;
}

/** `deadheat pull`: a recording out of a history. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('pull')
    .description(
      'Copies a recording from a history into a folder. The copy is identical to what was pushed, and every subcommand can read it.',
    )
    .usage('EXPERIMENT --from PLACE [--output DIR]')
    .argument('<experiment>', 'id of the experiment, or how it begins')
    .action((id: string, raw: RawPullOptions) => {
      const { from, output = null } = raw;
      if (from === undefined) {
        throw new UsageError('MISSING_VALUE', 'pull needs --from', {
          hint: 'Such as: --from /srv/deadheat, or --from postgres://host/name.',
        });
      }
      choose((terminal) => pull({ id, from, output }, withPlaintext(raw, terminal)));
    });
  return addPlaintextOption(command)
    .option(
      '--from <PLACE>',
      'the history: a folder, or the address of a PostgreSQL database, postgres://user@host/name',
      parseText('--from', 'a folder or a URL'),
    )
    .option(
      '--output <DIR>',
      'folder to create (default: a new folder in .deadheat)',
      parseText('--output', 'a folder'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat pull 7af90dbb --from postgres://ci@db.example.org/deadheat
  deadheat history --recordings --from postgres://ci@db.example.org/deadheat
      lists the ids`,
    );
}

interface PullRequest {
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
    const directory = output ?? join('.deadheat', recordingFolderName({ id, startedAt }));
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
