import {
  type Command,
  defineCommand,
  exitCodes,
  flag,
  type Option,
  option,
  plaintextOptions,
  type Terminal,
  text,
  withPlaintext,
} from '@deadheat/cli/kit';
import { parseAge } from '@deadheat/history/command';
import { countOf } from '@deadheat/report';
import { rolesSql } from '../database/fleet-schema.ts';
import { cancelExperiment, type FleetPlace, initFleet, pruneFleet, steerWorker } from '../operate-fleet.ts';

/** The option for the database of the fleet. */
export const fleetOption: Option<string> = option('--fleet <URL>', {
  help: 'database of the fleet: postgres://user@host/name',
  parse: text('a URL'),
  required: 'postgres://ci@db.example.org/deadheat',
});

const placeOptions = { fleet: fleetOption, ...plaintextOptions() };

/** `deadheat fleet init`: makes a database a fleet. */
export const init: Command = defineCommand({
  description: 'Creates the tables of a fleet. The owner of the database has to run it.',
  args: { '<url>': 'the database: postgres://owner@host/name' },
  options: {
    roles: flag('--roles', { help: 'also create the database roles of submitters, workers and readers' }),
    ...plaintextOptions(),
  },
  act: async ({ roles, ...plaintext }, { url }, terminal) =>
    report({ fleet: url, ...plaintext }, terminal, async ({ variables }) => {
      await initFleet(url, { roles, variables });
      return `${url} is a fleet${roles ? ' with the roles deadheat_submitter, deadheat_worker and deadheat_reader' : ''}`;
    }),
});

/** `deadheat fleet roles`: the SQL of the roles. */
export const roles: Command = defineCommand({
  description:
    'Prints the SQL that creates the database roles of submitters, workers and readers. Execute it with psql.',
  act: async (_values, _args, { stdout }) => {
    stdout.write(rolesSql);
    return exitCodes.done;
  },
});

/** `deadheat fleet cancel`: ends an experiment of a fleet. */
export const cancel: Command = defineCommand({
  description:
    'Cancels an experiment of a fleet. Runs that are being executed are stopped; results that are already stored are kept.',
  args: { '<experiment>': 'the id of an experiment, or its beginning' },
  options: placeOptions,
  act: async (values, { experiment }, terminal) =>
    report(values, terminal, async (place) => {
      const { id, wasRunning } = await cancelExperiment(place, experiment);
      return wasRunning ? `cancelled ${id}; what is in stays` : `${id} was over already`;
    }),
});

/** `deadheat fleet drain`: gives a worker no more runs, or runs again. */
export const drain: Command = defineCommand({
  description:
    'Gives a worker no more runs: it finishes the run that it executes, and the runs that wait for it go to other workers. It stays connected, and --undo gives it runs again.',
  args: { '<worker>': 'the id of a worker' },
  options: { fleet: fleetOption, undo: flag('--undo', { help: 'give it runs again' }), ...plaintextOptions() },
  act: async ({ undo, ...values }, { worker }, terminal) =>
    report(values, terminal, async (place) => {
      await steerWorker(place, worker, undo ? 'resume' : 'drain');
      return `${worker} takes ${undo ? 'runs again' : 'no more runs'}`;
    }),
});

/** `deadheat fleet forget`: removes a worker from the list. */
export const forget: Command = defineCommand({
  description:
    'Forgets a worker: it ends if it still runs, its runs go to others, and its id may enrol again with another secret, as after the loss of its disk. Workers of which results are left stay listed until those are pruned.',
  args: { '<worker>': 'the id of a worker' },
  options: placeOptions,
  act: async (values, { worker }, terminal) =>
    report(values, terminal, async (place) => {
      await steerWorker(place, worker, 'forget');
      return `${worker} is forgotten`;
    }),
});

const monthNs = 30 * 24 * 3600e9;

/** `deadheat fleet prune`: removes old experiments from the database. */
export const prune: Command = defineCommand({
  description:
    'Removes experiments that are over and were submitted before a time, with their runs and results, and workers that have not been seen since. The recordings are where the experiments were submitted, and stay. The owner of the database has to run it. Nothing is removed unless this is called.',
  options: {
    olderThan: option('--older-than <TIME>', {
      help: 'age of what is removed, such as 90d',
      parse: parseAge,
      fallback: '30d',
    }),
    ...placeOptions,
  },
  act: async ({ olderThan, ...values }, _args, terminal) =>
    report(values, terminal, async (place) => {
      const { experiments, workers } = await pruneFleet(place, olderThan ?? monthNs);
      return `removed ${countOf(experiments, 'experiment')} and ${countOf(workers, 'worker')}`;
    }),
});

/** Does something to the fleet that the options name, and writes the sentence that comes of it. */
async function report(
  { fleet: url, ...plaintext }: { readonly fleet: string } & Parameters<typeof withPlaintext>[0],
  terminal: Terminal,
  act: (place: FleetPlace) => Promise<string>,
): Promise<number> {
  const { env: variables, stdout } = withPlaintext(plaintext, terminal);
  stdout.write(`${await act({ url, variables })}\n`);
  return exitCodes.done;
}
