import type { Family } from '@deadheat/cli/kit';

type Subcommand = Family['subcommands'][number];

/** A subcommand whose module is loaded when it is called. */
function later<Name extends string>(
  module: () => Promise<Readonly<Record<Name, Awaited<ReturnType<Subcommand['load']>>>>>,
  name: Name,
  summary: string,
): Subcommand {
  return { name, summary, load: async () => (await module())[name] };
}

const packages = {
  history: () => import('@deadheat/history/command'),
  dashboard: () => import('@deadheat/dashboard/command'),
  fleet: () => import('@deadheat/fleet/command'),
};

/** `deadheat history`: recordings of years, and what can be learnt from them. */
export const history: Family = {
  description:
    'Stores recordings in a history, which is a folder or a PostgreSQL database, and shows how the performance changed over the commits (docs/history.md).',
  subcommands: [
    later(packages.history, 'push', 'store recordings in a history'),
    later(packages.history, 'pull', 'copy a recording from a history into a folder'),
    later(packages.history, 'show', 'show verdicts over commits, and the commits that changed the performance'),
    later(packages.dashboard, 'serve', 'show a history in the browser, and serve it as JSON'),
    later(
      () => import('@deadheat/watch'),
      'watch',
      'measure every new commit of a branch, and fill the gaps of its history',
    ),
    later(packages.dashboard, 'alert', 'send what is new in a history and a fleet to a webhook or a mailbox'),
    later(packages.history, 'prune', 'remove old recordings from a history'),
  ],
};

/** `deadheat fleet`: experiments on many machines. */
export const fleet: Family = {
  description:
    'Prepares a PostgreSQL database for a fleet, and looks after the fleet: the clients that submit experiments and the workers that execute them communicate through the database (docs/fleet.md).',
  subcommands: [
    later(packages.fleet, 'init', 'create the tables of a fleet'),
    later(packages.fleet, 'roles', 'print the SQL that creates the database roles'),
    later(packages.fleet, 'worker', 'execute runs for a fleet on this machine'),
    later(packages.fleet, 'cancel', 'cancel an experiment of a fleet'),
    later(packages.fleet, 'drain', 'give a worker no more runs'),
    later(packages.fleet, 'forget', 'remove a worker from the list'),
    later(packages.fleet, 'prune', 'remove old experiments from the database'),
  ],
};
