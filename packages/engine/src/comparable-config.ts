import { basename } from 'node:path';
import type { ExperimentConfig } from '@deadheat/model';

/**
 * A configuration as far as it is to be the same on every machine: without the cores, and with `folder`, paths below it, and a
 * name that is its own told by a dot, so that clones in different places are equal.
 */
export function comparableConfig(
  config: Omit<ExperimentConfig, 'cpus'> & { readonly cpus?: unknown },
  folder: string | null,
): unknown {
  const { cpus: _, ...rest } = config;
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
