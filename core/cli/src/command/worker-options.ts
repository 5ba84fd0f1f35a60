import { badValue } from 'deadheat/settings';
import { count, option, type OptionsFor, several, text } from './option.ts';

/** A label of a machine: a name and its value. */
export type Label = readonly [name: string, value: string];

/** Values of {@link workerOptions}. */
export interface WorkerValues {
  readonly label: readonly Label[];
  readonly worker: readonly string[];
  readonly priority: number | null;
}

/** The options that choose the workers of a fleet for an experiment, and its priority. */
export const workerOptions: OptionsFor<WorkerValues> = {
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

/** Parser of `NAME=VALUE`. */
export function parseLabel(flag: string): (typed: string) => Label {
  return (typed) => {
    const [, name, value] = /^([^=\s]+)=(.+)$/s.exec(typed) ?? [];
    if (name === undefined || value === undefined)
      throw badValue(flag, typed, { allowed: 'NAME=VALUE, such as region=eu' });
    return [name, value];
  };
}
