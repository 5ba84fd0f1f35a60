import { join } from 'node:path';
import {
  type Command,
  defineCommand,
  exitCodes,
  option,
  plaintextOptions,
  recordingOptions,
  text,
  UsageError,
  withPlaintext,
} from '@deadheat/cli/kit';
import type { StoredRecording } from '../history.ts';
import { openHistory } from '../open-history.ts';
import { recordingFolderName } from '../recording/read-folder.ts';

/** `deadheat history pull`: a recording out of a history. */
export const pull: Command = defineCommand({
  description:
    'Copies a recording from a history into a folder. The copy is identical to what was pushed, and every subcommand can read it.',
  args: { '<experiment>': 'the id of an experiment, or its beginning' },
  options: {
    from: option('--from <PLACE>', {
      help: 'the history: a folder, or the address of a PostgreSQL database, postgres://user@host/name',
      parse: text('a folder or a URL'),
      required: '/srv/deadheat, or --from postgres://host/name',
    }),
    ...recordingOptions,
    ...plaintextOptions(),
  },
  act: async ({ from, output, ...plaintext }, { experiment: typed }, terminal) => {
    const history = await openHistory(from, { forWriting: false, variables: withPlaintext(plaintext, terminal).env });
    try {
      const { id, startedAt } = findOne(await history.list(), { typed, from: history.place });
      const directory = output ?? join('.deadheat', recordingFolderName({ id, startedAt }));
      await history.pull(id, directory);
      terminal.stdout.write(`${directory}\n`);
      return exitCodes.done;
    } finally {
      await history.close();
    }
  },
  examples: `
Examples:
  deadheat history pull 7af90dbb --from postgres://ci@db.example.org/deadheat
  deadheat history show --recordings --from postgres://ci@db.example.org/deadheat
      lists the ids`,
});

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
    { hint: `deadheat history show --recordings --from '${from}' lists what it holds.` },
  );
}
