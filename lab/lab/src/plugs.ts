import type { Family } from '@deadheat/cli/kit';
import type { FormatReader } from '@deadheat/readers';
import type { DuetbenchReader } from 'deadheat/internals';
import { dacapoCsv, duetCsv, specCpu } from './formats/duetbench-results.ts';
import { paCsv } from './formats/pa-csv.ts';
import { krun, steadyState, steadyStateFormat, warmupStatsCsv } from './formats/published-series.ts';
import type * as studies from './study/command.ts';

/*
 * Exports that core loads by name. Large modules are loaded when they are called, because a call needs one of them.
 */

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
      name: 'archive',
      summary: 'write recordings as one bundle that a paper can publish',
      load: async () => (await import('./archive/command.ts')).archive,
    },
    {
      name: 'replay',
      summary: 'measure a bundle again on this machine, both results side by side',
      load: async () => (await import('./archive/command.ts')).replay,
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

/** Shows the classes of the runs of one side, for `deadheat analyse --segments`. Returns the exit code. */
export async function showSteady(...asked: Parameters<typeof studies.showSteady>): Promise<number> {
  return (await import('./study/command.ts')).showSteady(...asked);
}

/** Reads a file of duetbench. */
export const readDuetbenchSpec: DuetbenchReader = async (...asked) =>
  (await import('./formats/duetbench-file.ts')).readDuetbenchSpec(...asked);

const readers: ReadonlyMap<string, FormatReader> = new Map([
  ['krun', krun],
  ['warmup-stats-csv', warmupStatsCsv],
  [steadyStateFormat, steadyState],
  ['pa-csv', paCsv],
  ['duet-csv', duetCsv],
  ['dacapo-csv', dacapoCsv],
  ['spec-cpu', specCpu],
]);

/**
 * Reads result files of research, by the id of a format that core recognises.
 *
 * @throws RangeError for a format of another package
 */
export function formatReader(id: string): FormatReader {
  const found = readers.get(id);
  if (found === undefined) throw new RangeError(`@deadheat/lab reads no files of the format ${id}`);
  return found;
}
