import { Option } from 'commander';
import { parseCount, parseText } from 'deadheat/settings';
import { type Label, parseLabel } from './values/parse-label.ts';
import { several } from './values/several.ts';

/** What {@link labelOption}, {@link workerOption} and {@link priorityOption} read: which workers of a fleet execute an experiment, and when. */
export interface RawWorkerOptions {
  readonly label?: readonly Label[];
  readonly worker?: readonly string[];
  readonly priority?: number;
}

export function labelOption(): Option {
  return new Option('--label <NAME=VALUE>', 'use only workers with this label; may be repeated').argParser(
    several(parseLabel('--label')),
  );
}

export function workerOption(): Option {
  return new Option('--worker <ID>', 'use only this worker; may be repeated').argParser(
    several(parseText('--worker', 'the id of a worker')),
  );
}

export function priorityOption(): Option {
  return new Option(
    '--priority <N>',
    'workers take the runs of experiments with a higher number first (default: 0)',
  ).argParser(parseCount('--priority', 0));
}
