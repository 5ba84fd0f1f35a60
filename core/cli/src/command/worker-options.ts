import { badValue } from 'deadheat/settings';
import { count, option, type OptionsFor, several, text } from './option.ts';

/** A label of a machine: a name and its value. */
export type Label = readonly [name: string, value: string];

/** Schedulers of clusters, which execute parts of an experiment. */
const clusters = ['slurm', 'gridengine', 'kubernetes'] as const;
export type Cluster = (typeof clusters)[number];

/** Place where runs are executed. */
export type Place =
  { readonly name: 'here' } | { readonly name: Cluster } | { readonly name: 'fleet'; readonly url: string };

/** Values of {@link workerOptions}. */
export interface WorkerValues {
  readonly on: Place | null;
  readonly label: readonly Label[];
  readonly worker: readonly string[];
  readonly priority: number | null;
}

/** The options that choose the place of an experiment, the workers of a fleet for it, and its priority. */
export const workerOptions: OptionsFor<WorkerValues> = {
  on: option('--on <PLACE>', {
    help: 'place where the runs are executed: here, slurm, gridengine or kubernetes = the nodes of a cluster, or fleet:postgres://user@host/name = the workers of a fleet',
    parse: parsePlace,
    fallback: 'here',
  }),
  label: several('--label <NAME=VALUE>', {
    help: 'use only workers with this label; may be repeated',
    parse: parseLabel,
  }),
  worker: several('--worker <ID>', {
    help: 'use only this worker; may be repeated',
    parse: text('the id of a worker'),
  }),
  priority: option('--priority <N>', {
    help: 'workers take the runs of experiments with a higher number first',
    parse: count(0),
    fallback: '0',
  }),
};

function parsePlace(flag: string): (typed: string) => Place {
  return (typed) => {
    const cluster = clusters.find((name) => name === typed);
    if (typed === 'here' || cluster !== undefined) return { name: cluster ?? 'here' };
    const url = /^fleet:(.+)$/.exec(typed)?.[1];
    if (url !== undefined) return { name: 'fleet', url };
    const allowed = `here, ${clusters.join(', ')}, or fleet:postgres://user@host/name`;
    throw badValue(flag, typed, { allowed });
  };
}

/** Parser of `NAME=VALUE`. */
export function parseLabel(flag: string): (typed: string) => Label {
  return (typed) => {
    const [, name, value] = /^([^=\s]+)=(.+)$/s.exec(typed) ?? [];
    if (name === undefined || value === undefined)
      throw badValue(flag, typed, { allowed: 'NAME=VALUE, such as region=eu' });
    return [name, value];
  };
}
