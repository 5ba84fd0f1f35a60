import type { Family } from '@deadheat/cli/kit';

/** `deadheat fleet`: experiments on many machines. */
export const fleet: Family = {
  description:
    'Prepares a PostgreSQL database for a fleet, and looks after the fleet: the clients that submit experiments and the workers that execute them communicate through the database (docs/fleet.md).',
  subcommands: [
    {
      name: 'init',
      summary: 'create the tables of a fleet',
      load: async () => (await import('@deadheat/fleet/command')).init,
    },
    {
      name: 'roles',
      summary: 'print the SQL that creates the database roles',
      load: async () => (await import('@deadheat/fleet/command')).roles,
    },
    {
      name: 'worker',
      summary: 'execute runs for a fleet on this machine',
      load: async () => (await import('@deadheat/fleet/command')).worker,
    },
    {
      name: 'cancel',
      summary: 'cancel an experiment of a fleet',
      load: async () => (await import('@deadheat/fleet/command')).cancel,
    },
    {
      name: 'drain',
      summary: 'give a worker no more runs',
      load: async () => (await import('@deadheat/fleet/command')).drain,
    },
    {
      name: 'forget',
      summary: 'remove a worker from the list',
      load: async () => (await import('@deadheat/fleet/command')).forget,
    },
    {
      name: 'prune',
      summary: 'remove old experiments from the database',
      load: async () => (await import('@deadheat/fleet/command')).prune,
    },
  ],
};
