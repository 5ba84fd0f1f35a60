import type { Family } from '@deadheat/cli/kit';

/** `deadheat lab`: the methods of measuring themselves, and programs to test them with. */
export const lab: Family = {
  description:
    'Evaluates the methods of measuring, and the programs that are measured: studies of published papers, simulations, warm-up, the workload protocol, artificial workloads (docs/guides/research.md).',
  subcommands: [
    {
      name: 'study',
      summary: 'evaluate the methods of measuring as published papers do',
      load: async () => (await import('./study/command.ts')).study,
    },
    {
      name: 'simulate',
      summary: 'measure how often confidence intervals miss, by simulation from your recordings',
      load: async () => (await import('./simulation/command.ts')).simulate,
    },
    {
      name: 'warmup',
      summary: 'find out when a Node or Java program is warm',
      load: async () => (await import('./warmup/command.ts')).warmup,
    },
    {
      name: 'protocol',
      summary: 'check that a program follows the workload protocol',
      load: async () => (await import('./conformance/command.ts')).protocol,
    },
    {
      name: 'workload',
      summary: 'run artificial workloads with a known amount of work, or a load',
      load: async () => (await import('./workload/command.ts')).workload,
    },
  ],
};
