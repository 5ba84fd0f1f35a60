import {
  badValue,
  type Command,
  defineCommand,
  exitCodes,
  option,
  plaintextOptions,
  text,
  withPlaintext,
} from '@deadheat/cli/kit';
import { type Side, sides } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import { completeRecording, findNamedCommits } from 'deadheat/internals';
import { openHistory } from '../open-history.ts';

/** `deadheat history push`: recordings into a history. An interruption ends the process: a recording is stored whole or not at all. */
export const push: Command = defineCommand({
  description:
    'Stores finished recordings in a history, which is a folder or a PostgreSQL database. A recording that is already stored is not changed. A recording is stored completely or not at all. The password of the database is read from PGPASSWORD or ~/.pgpass.',
  args: { '<recordings...>': 'the folder of a recording; a folder of recordings stands for its newest' },
  options: {
    to: option('--to <PLACE>', {
      help: 'the history: a folder, or the address of a PostgreSQL database, postgres://user@host/name',
      parse: text('a folder or a URL'),
      required: '/srv/deadheat, or --to postgres://host/name',
    }),
    commit: option('--commit <COMMITS>', {
      help: 'the commit of each side, if the recording does not contain it: A=v1.2,B=HEAD. Names of commits in this repository are resolved to hashes',
      parse: parseCommits,
    }),
    project: option('--project <NAME>', {
      help: 'name of the project in the history',
      parse: text('a name'),
      fallback: 'the name of the experiment',
    }),
    ...plaintextOptions(),
  },
  act: async ({ to, commit, project, ...plaintext }, { recordings }, terminal) => {
    const commits = await findNamedCommits(commit ?? {}, process.cwd());
    const history = await openHistory(to, { forWriting: true, variables: withPlaintext(plaintext, terminal).env });
    try {
      for (const path of recordings) {
        const { directory, experiment, trials } = await completeRecording(path);
        const outcome = await history.put({ directory, commits, project });
        const what = `${printable(experiment.config.name)} (${experiment.id})`;
        const measured = trials.filter(({ phase, status }) => phase === 'measure' && status === 'ok');
        terminal.stdout.write(
          outcome === 'added'
            ? `pushed ${what}, ${countOf(measured.length, 'run')}, to ${history.place}\n`
            : `${what} is in ${history.place} already; nothing was changed\n`,
        );
      }
      return exitCodes.done;
    } finally {
      await history.close();
    }
  },
  examples: `
Examples:
  deadheat history push .deadheat --to postgres://ci@db.example.org/deadheat
      store the newest recording of this folder

  deadheat history push nightly --to /srv/deadheat --project parser --commit A=v2.0,B=HEAD`,
});

const allowed = 'A=COMMIT, B=COMMIT or both: A=v1.2,B=HEAD';

/** Parser of `A=COMMIT,B=COMMIT`; either may be left out. */
export function parseCommits(flag: string): (value: string) => Parameters<typeof findNamedCommits>[0] {
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
