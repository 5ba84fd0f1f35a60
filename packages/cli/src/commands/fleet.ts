import type { Command } from 'commander';
import { initFleet, rolesSql } from '@deadheat/fleet';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

/** `deadheat fleet`: makes a database a fleet. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const fleet = create('fleet')
    .description(
      'Makes a PostgreSQL database the place where submitters and workers meet; docs/fleet.md begins with it.',
    )
    .usage('init URL [--roles] | roles')
    .helpOption('-h, --help', 'show this help');
  fleet.addCommand(
    create('init')
      .summary('make the tables of a fleet, or bring them to this version')
      .description(
        'Makes the tables of a fleet, or brings them to this version. To be done by the owner of the database.',
      )
      .usage('URL [--roles]')
      .argument('<url>', 'postgres://owner@host/name')
      .option('--roles', 'also make the roles of submitters, workers and readers')
      .helpOption('-h, --help', 'show this help')
      .action((url: string, { roles = false }: { readonly roles?: boolean }) => {
        choose((terminal) => initialiseFleet({ url, roles }, terminal));
      }),
  );
  fleet.addCommand(
    create('roles')
      .summary('print the SQL of the roles')
      .description(
        'Prints the SQL that makes the roles of submitters, workers and readers, to be read and executed by psql.',
      )
      .usage('')
      .helpOption('-h, --help', 'show this help')
      .action(() => choose(printRoles)),
  );
  return fleet;
}

/** `deadheat fleet init`. Returns the exit code. */
async function initialiseFleet(
  { url, roles }: { readonly url: string; readonly roles: boolean },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  await initFleet(url, { roles, variables: env });
  const made = roles ? ' with the roles deadheat_submitter, deadheat_worker and deadheat_reader' : '';
  stdout.write(`${url} is a fleet${made}\n`);
  return exitCodes.done;
}

/** `deadheat fleet roles`. Returns the exit code. */
async function printRoles({ stdout }: Terminal): Promise<ExitCode> {
  stdout.write(rolesSql);
  return exitCodes.done;
}
