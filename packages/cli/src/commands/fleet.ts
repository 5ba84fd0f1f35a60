import type { Command } from 'commander';
import { initFleet, rolesSql } from '@deadheat/fleet';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

/** `deadheat fleet`: makes a database a fleet. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const fleet = create('fleet')
    .description(
      'Prepares a PostgreSQL database for a fleet: the clients that submit experiments and the workers that execute them communicate through it (docs/fleet.md).',
    )
    .usage('init URL [--roles] | roles')
    .helpOption('-h, --help', 'show this help');
  fleet.addCommand(
    create('init')
      .summary('create the tables of a fleet, or upgrade them to this version')
      .description(
        'Creates the tables of a fleet, or upgrades them to this version. The owner of the database has to run it.',
      )
      .usage('URL [--roles]')
      .argument('<url>', 'postgres://owner@host/name')
      .option('--roles', 'also create the database roles of submitters, workers and readers')
      .helpOption('-h, --help', 'show this help')
      .action((url: string, { roles = false }: { readonly roles?: boolean }) => {
        choose((terminal) => initialiseFleet({ url, roles }, terminal));
      }),
  );
  fleet.addCommand(
    create('roles')
      .summary('print the SQL that creates the database roles')
      .description(
        'Prints the SQL that creates the database roles of submitters, workers and readers. Execute it with psql.',
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
