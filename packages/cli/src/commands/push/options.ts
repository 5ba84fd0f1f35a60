import { parseCommits, type TypedCommits } from '../../arguments/values/parse-commits.ts';
import { parseText, UsageError } from 'deadheat/settings';
import { push } from './push.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawPushOptions {
  readonly to?: string;
  readonly commit?: TypedCommits;
  readonly project?: string;
}

/** `deadheat push`: recordings into a history. */
export const pushSubcommand: Subcommand = ({ create, choose }) => {
  const command = create('push')
    .summary('put recordings into a history: a folder, or PostgreSQL')
    .description(
      'Puts finished recordings into a history: a folder, or a PostgreSQL database. What was put before stays as it is, and a ' +
        'recording is stored whole or not at all. The password of a database comes from PGPASSWORD or ~/.pgpass.',
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
      choose((terminal) => push({ paths, to, commits, project }, terminal));
    });
  return command
    .option(
      '--to <PLACE>',
      'the history: a folder, or postgres://user@host/name',
      parseText('--to', 'a folder or a URL'),
    )
    .option(
      '--commit <COMMITS>',
      'the commit of each side, where the recording does not say: A=v1.2,B=HEAD; names of this repository become hashes',
      parseCommits('--commit'),
    )
    .option(
      '--project <NAME>',
      'what it is filed under (default: the name of the experiment)',
      parseText('--project', 'a name'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat push .deadheat --to postgres://ci@db.example.org/deadheat
      the newest recording here
  deadheat push nightly --to /srv/deadheat --project parser --commit A=v2.0,B=HEAD`,
    );
};
