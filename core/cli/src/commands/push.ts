import type { Command } from 'commander';
import { openHistory } from '@deadheat/history';
import { type Side, sides } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import { completeRecording, findNamedCommits, type NamedCommits } from 'deadheat/internals';
import { badValue, parseText, UsageError } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawPushOptions extends RawPlaintextOption {
  readonly to?: string;
  readonly commit?: NamedCommits;
  readonly project?: string;
}

/** `deadheat push`: recordings into a history. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('push')
    .description(
      'Stores finished recordings in a history, which is a folder or a PostgreSQL database. A recording that is already stored is not changed. A recording is stored completely or not at all. The password of the database is read from PGPASSWORD or ~/.pgpass.',
    )
    .usage('RECORDING... --to PLACE [options]')
    .argument('<recordings...>')
    .action((paths: readonly string[], raw: RawPushOptions) => {
      const { to, commit: commits = {}, project = null } = raw;
      if (to === undefined) {
        throw new UsageError('MISSING_VALUE', 'push needs --to', {
          hint: 'Such as: --to /srv/deadheat, or --to postgres://host/name.',
        });
      }
      choose((terminal) => push({ paths, to, commits, project }, withPlaintext(raw, terminal)));
    });
  return addPlaintextOption(command)
    .option(
      '--to <PLACE>',
      'the history: a folder, or the address of a PostgreSQL database, postgres://user@host/name',
      parseText('--to', 'a folder or a URL'),
    )
    .option(
      '--commit <COMMITS>',
      'the commit of each side, if the recording does not contain it: A=v1.2,B=HEAD. Names of commits in this repository are resolved to hashes',
      parseCommits('--commit'),
    )
    .option(
      '--project <NAME>',
      'name of the project in the history (default: the name of the experiment)',
      parseText('--project', 'a name'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat push .deadheat --to postgres://ci@db.example.org/deadheat
      store the newest recording of this folder

  deadheat push nightly --to /srv/deadheat --project parser --commit A=v2.0,B=HEAD`,
    );
}

interface PushRequest {
  /** Folders of recordings; a folder of recordings stands for its newest. */
  readonly paths: readonly string[];
  /** A folder or a URL. */
  readonly to: string;
  readonly commits: NamedCommits;
  /** `null` = the name of the experiment. */
  readonly project: string | null;
}

/** `deadheat push`. An interruption ends the process: what was not stored whole then is not stored. Returns the exit code. */
export async function push({ paths, to, commits: typed, project }: PushRequest, terminal: Terminal): Promise<ExitCode> {
  const commits = await findNamedCommits(typed, process.cwd());
  const history = await openHistory(to, { forWriting: true, variables: terminal.env });
  try {
    for (const path of paths) {
      const { directory, experiment, trials } = await completeRecording(path);
      const outcome = await history.put({ directory, commits, project });
      const what = `${printable(experiment.config.name)} (${experiment.id})`;
      const runs = countOf(trials.filter(({ phase, status }) => phase === 'measure' && status === 'ok').length, 'run');
      terminal.stdout.write(
        outcome === 'added'
          ? `pushed ${what}, ${runs}, to ${history.place}\n`
          : `${what} is in ${history.place} already; nothing was changed\n`,
      );
    }
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

const allowed = 'A=COMMIT, B=COMMIT or both: A=v1.2,B=HEAD';

/** Parser of `A=COMMIT,B=COMMIT`; either may be left out. */
export function parseCommits(flag: string): (value: string) => NamedCommits {
  return (value) => {
    const commits: Partial<Record<Side, string>> = {};
    let offset = 0;
    for (const part of value.split(',')) {
      const [, side = '', commit = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
      const known = sides.find((name) => name === side);
      if (known === undefined || commit.trim() === '' || commits[known] !== undefined) {
        throw badValue(flag, value, { allowed, offset });
      }
      commits[known] = commit;
      offset += part.length + 1;
    }
    return commits;
  };
}
