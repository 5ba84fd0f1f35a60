import {
  type Command,
  defineCommand,
  exitCodes,
  flag,
  option,
  plaintextOptions,
  withPlaintext,
} from '@deadheat/cli/kit';
import { countOf, printable } from '@deadheat/report';
import { openHistory } from '../open-history.ts';
import { fromOption, parseAge } from './place-options.ts';

/** `deadheat history prune`: removes old recordings from a history. */
export const prune: Command = defineCommand({
  description:
    'Removes the recordings whose experiments began before a time from a history, each of them completely. In a folder, these are the folders of the recordings themselves. Nothing is removed unless this is called.',
  options: {
    olderThan: option('--older-than <TIME>', {
      help: 'age of the recordings to remove, such as 90d',
      parse: parseAge,
      required: '90d',
    }),
    from: fromOption,
    dryRun: flag('--dry-run', { help: 'show what would be removed, and remove nothing' }),
    ...plaintextOptions(),
  },
  act: async ({ olderThan, from, dryRun, ...plaintext }, _args, terminal) => {
    const { env } = withPlaintext(plaintext, terminal);
    const before = new Date(Date.now() - olderThan / 1e6).toISOString();
    const history = await openHistory(from, { forWriting: true, variables: env });
    try {
      const removed = await history.prune(before, { dryRun });
      for (const { id, project, startedAt } of removed) {
        terminal.stdout.write(`${startedAt} ${printable(project)} ${id}\n`);
      }
      const what = dryRun ? 'would be removed' : 'removed';
      terminal.stderr.write(`deadheat: ${countOf(removed.length, 'recording')} ${what} from ${history.place}\n`);
      return exitCodes.done;
    } finally {
      await history.close();
    }
  },
});
