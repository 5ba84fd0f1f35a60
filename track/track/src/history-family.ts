import type { Family } from '@deadheat/cli/kit';

/** `deadheat history`: recordings of years, and what can be learnt from them. */
export const history: Family = {
  description:
    'Stores recordings in a history, which is a folder or a PostgreSQL database, and shows how the performance changed over the commits (docs/history.md).',
  subcommands: [
    {
      name: 'push',
      summary: 'store recordings in a history',
      load: async () => (await import('@deadheat/history/command')).push,
    },
    {
      name: 'pull',
      summary: 'copy a recording from a history into a folder',
      load: async () => (await import('@deadheat/history/command')).pull,
    },
    {
      name: 'show',
      summary: 'show verdicts over commits, and the commits that changed the performance',
      load: async () => (await import('@deadheat/history/command')).show,
    },
    {
      name: 'serve',
      summary: 'show a history in the browser, and serve it as JSON',
      load: async () => (await import('@deadheat/dashboard/command')).serve,
    },
    {
      name: 'watch',
      summary: 'measure every new commit of a branch, and fill the gaps of its history',
      load: async () => (await import('@deadheat/watch')).watch,
    },
    {
      name: 'alert',
      summary: 'send what is new in a history and a fleet to a webhook or a mailbox',
      load: async () => (await import('@deadheat/dashboard/command')).alert,
    },
    {
      name: 'prune',
      summary: 'remove old recordings from a history',
      load: async () => (await import('@deadheat/history/command')).prune,
    },
  ],
};
