import type { Command } from 'commander';
import { initFleet, pruneFleet, rolesSql, steerWorker, type WorkerAction } from '@deadheat/fleet';
import { countOf } from '@deadheat/report';
import { parseText, UsageError } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../terminal/plaintext-option.ts';
import { parseAge } from '../arguments/values/parse-age.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawOperateOptions extends RawPlaintextOption {
  readonly fleet?: string;
  readonly undo?: true;
  /** ns. */
  readonly olderThan?: number;
}

/** Age of what `fleet prune` removes unless the user says otherwise: 30 days, ns. */
const usualAgeNs = 30 * 24 * 3600e9;

/** The URL of the fleet that a subcommand is about. */
function fleetOf({ fleet }: RawOperateOptions, name: string): string {
  if (fleet !== undefined) return fleet;
  throw new UsageError('MISSING_VALUE', `fleet ${name} needs --fleet`, {
    hint: 'Such as: --fleet postgres://ci@db.example.org/deadheat.',
  });
}

/** `deadheat fleet`: makes a database a fleet, and looks after it. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const fleet = create('fleet')
    .description(
      'Prepares a PostgreSQL database for a fleet, and looks after the fleet: the clients that submit experiments and the workers that execute them communicate through the database (docs/fleet.md).',
    )
    .usage('init URL [--roles] | roles | drain WORKER | forget WORKER | prune [--older-than TIME]')
    .helpOption('-h, --help', 'show this help');
  fleet.addCommand(
    addPlaintextOption(create('init'))
      .summary('create the tables of a fleet, or upgrade them to this version')
      .description(
        'Creates the tables of a fleet, or upgrades them to this version. The owner of the database has to run it.',
      )
      .usage('URL [--roles]')
      .argument('<url>', 'postgres://owner@host/name')
      .option('--roles', 'also create the database roles of submitters, workers and readers')
      .helpOption('-h, --help', 'show this help')
      .action((url: string, raw: RawPlaintextOption & { readonly roles?: boolean }) => {
        choose((terminal) => initialiseFleet({ url, roles: raw.roles ?? false }, withPlaintext(raw, terminal)));
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
  function operating(name: string): Command {
    return addPlaintextOption(create(name)).option(
      '--fleet <URL>',
      'database of the fleet: postgres://user@host/name',
      parseText('--fleet', 'a URL'),
    );
  }

  fleet.addCommand(
    operating('drain')
      .summary('give a worker no more runs')
      .description(
        'Gives a worker no more runs: it finishes the run that it executes, and the runs that wait for it go to other workers. It stays connected, and --undo gives it runs again.',
      )
      .usage('WORKER --fleet URL [--undo]')
      .argument('<worker>', 'its id')
      .option('--undo', 'give it runs again')
      .helpOption('-h, --help', 'show this help')
      .action((id: string, raw: RawOperateOptions) => {
        const url = fleetOf(raw, 'drain');
        const action = raw.undo === true ? 'resume' : 'drain';
        choose((terminal) => steer({ url, worker: id, action }, withPlaintext(raw, terminal)));
      }),
  );
  fleet.addCommand(
    operating('forget')
      .summary('remove a worker from the list')
      .description(
        'Forgets a worker: it ends if it still runs, its runs go to others, and its id may enrol again with another secret, as after the loss of its disk. Workers of which results are left stay listed until those are pruned.',
      )
      .usage('WORKER --fleet URL')
      .argument('<worker>', 'its id')
      .helpOption('-h, --help', 'show this help')
      .action((id: string, raw: RawOperateOptions) => {
        const url = fleetOf(raw, 'forget');
        choose((terminal) => steer({ url, worker: id, action: 'forget' }, withPlaintext(raw, terminal)));
      }),
  );
  fleet.addCommand(
    operating('prune')
      .summary('remove old experiments from the database')
      .description(
        'Removes experiments that are over and were submitted before a time, with their runs and results, and workers that have not been seen since. The recordings are where the experiments were submitted, and stay. The owner of the database has to run it. Nothing is removed unless this is called.',
      )
      .usage('[--older-than TIME] --fleet URL')
      .option('--older-than <TIME>', 'age of what is removed, such as 90d (default: 30d)', parseAge('--older-than'))
      .helpOption('-h, --help', 'show this help')
      .action((raw: RawOperateOptions) => {
        const url = fleetOf(raw, 'prune');
        const { olderThan = usualAgeNs } = raw;
        choose((terminal) => prune({ url, olderThan }, withPlaintext(raw, terminal)));
      }),
  );
  return fleet;
}

const told: Readonly<Record<WorkerAction, string>> = {
  drain: 'takes no more runs',
  resume: 'takes runs again',
  forget: 'is forgotten',
};

/** `deadheat fleet drain` and `forget`. Returns the exit code. */
async function steer(
  { url, worker, action }: { readonly url: string; readonly worker: string; readonly action: WorkerAction },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  await steerWorker({ url, variables: env }, worker, action);
  stdout.write(`${worker} ${told[action]}\n`);
  return exitCodes.done;
}

/** `deadheat fleet prune`. Returns the exit code. */
async function prune(
  { url, olderThan }: { readonly url: string; readonly olderThan: number },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  const { experiments, workers } = await pruneFleet({ url, variables: env }, olderThan);
  stdout.write(`removed ${countOf(experiments, 'experiment')} and ${countOf(workers, 'worker')}\n`);
  return exitCodes.done;
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
