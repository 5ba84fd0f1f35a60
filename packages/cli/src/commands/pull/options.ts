import { parseText, UsageError } from 'deadheat/settings';
import { pull } from './pull.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawPullOptions {
  readonly from?: string;
  readonly output?: string;
}

/** `deadheat pull`: a recording out of a history. */
export const pullSubcommand: Subcommand = ({ create, choose }) => {
  const command = create('pull')
    .summary('get a recording out of a history')
    .description(
      'Writes a recording of a history into a folder, as it was pushed, to be analysed or reported like any other.',
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
      choose((terminal) => pull({ id, from, output }, terminal));
    });
  return command
    .option(
      '--from <PLACE>',
      'the history: a folder, or postgres://user@host/name',
      parseText('--from', 'a folder or a URL'),
    )
    .option('--output <DIR>', 'folder to be made (default: a new one in .deadheat)', parseText('--output', 'a folder'))
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat pull 7af90dbb --from postgres://ci@db.example.org/deadheat
  deadheat history --recordings --from postgres://ci@db.example.org/deadheat
      lists the ids`,
    );
};
