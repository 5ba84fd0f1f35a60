import { basename } from 'node:path';
import type { ExperimentConfig } from '@deadheat/model';

/** Keys of a configuration that depend on the machine that runs it. */
export type MachineKey = 'cpus' | 'tandemCpus' | 'sequentialCpus' | 'lanes' | 'workerLanes';

/**
 * A configuration as far as it is to be the same on every machine: without the cores and what pilot runs chose, and with `folder`, paths below it, and a
 * name that is its own written as a dot, so that clones in different places are equal.
 */
export function comparableConfig(
  config: Omit<ExperimentConfig, MachineKey> & { readonly [Key in MachineKey]?: unknown },
  folder: string | null,
): unknown {
  const {
    cpus: _,
    tandemCpus: _tandem,
    sequentialCpus: _sequential,
    lanes: _lanes,
    workerLanes: _workerLanes,
    ...whole
  } = config;
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

/** Where two values are not the same. */
interface Difference {
  /** Keys from the outermost, joined by dots. */
  readonly path: string;
  /** The value as JSON; `nothing` = absent. */
  readonly left: string;
  readonly right: string;
}

const longest = 120;

/** The first place at which two JSON values differ, in the order of keys; `null` = they are the same. */
export function firstDifference(left: unknown, right: unknown, path: readonly string[] = []): Difference | null {
  if (isGroup(left) && isGroup(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    for (const key of keys) {
      const found = firstDifference(left[key], right[key], [...path, key]);
      if (found !== null) return found;
    }
    return null;
  }
  return Object.is(left, right) ? null : { path: path.join('.'), left: shown(left), right: shown(right) };
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
