import { basename } from 'node:path';
import type { ExperimentConfig } from '@deadheat/model';

/** What a configuration holds of the machine that runs it. */
export type MachineKey = 'cpus' | 'tandemCpus' | 'sequentialCpus' | 'lanes';

/**
 * A configuration as far as it is to be the same on every machine: without the cores and what pilot runs chose, and with `folder`, paths below it, and a
 * name that is its own told by a dot, so that clones in different places are equal.
 */
export function comparableConfig(
  config: Omit<ExperimentConfig, MachineKey> & { readonly [Key in MachineKey]?: unknown },
  folder: string | null,
): unknown {
  const { cpus: _, tandemCpus: _tandem, sequentialCpus: _sequential, lanes: _lanes, ...whole } = config;
  const rest = { ...whole, benchmarks: whole.benchmarks.map(({ chosen: _chosen, ...benchmark }) => benchmark) };
  if (folder === null || folder === '/') return rest;
  return withoutFolder({ ...rest, name: rest.name === basename(folder) ? '.' : rest.name }, folder);
}

function withoutFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') {
    return value === folder ? '.' : value.replaceAll(`${folder}/`, './');
  }
  if (Array.isArray(value)) return value.map((item) => withoutFolder(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFolder(item, folder)]));
}
