import type { Part, PartOptions } from '@deadheat/engine';
import type { Changes, FleetRequest } from 'deadheat/internals';
import { flagOfKey, UsageError } from 'deadheat/settings';
import {
  type ExitValues,
  type OutputChoices,
  type OutputValues,
  toOutputChoices,
} from '../../command/output-options.ts';
import { type ExperimentValues, typedChanges } from '../../command/typed-experiment.ts';
import type { WorkerValues } from '../../command/worker-options.ts';

/** Values of the options of `deadheat run`; those of the tables of settings are beside them. */
export interface RunValues extends OutputValues, ExitValues, WorkerValues, Omit<ExperimentValues, 'failOn'> {
  readonly dryRun: boolean;
  readonly output: string | null;
  readonly resume: string | null;
  readonly sbatch: readonly string[];
  readonly showOutput: unknown;
  readonly part: Part | null;
  readonly experimentId: string | null;
  readonly hostName: string | null;
  readonly hosts: number | null;
  readonly confirm: number | null;
  readonly code: string | null;
  readonly repository: string | null;
  readonly detach: boolean;
  readonly attach: string | null;
}

interface Chosen {
  readonly changes: Changes;
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
}

/** Place of the runs, with the request to its scheduler. */
type RequestedPlace =
  | { readonly name: 'here' }
  | { readonly name: 'slurm'; readonly request: SlurmRequest }
  /** `detaches`: the workers of the fleet are left alone with the experiment. */
  | { readonly name: 'fleet'; readonly request: FleetRequest; readonly detaches: boolean };

/** The request of `deadheat run`. */
export type RunInvocation =
  | (Chosen &
      OutputChoices & {
        readonly kind: 'run';
        readonly output: string | null;
        /** `null` = all of the runs. */
        readonly part: PartOptions | null;
        readonly on: RequestedPlace;
      })
  /** `--dry-run`; `json` is where the plan goes as data. */
  | (Chosen & { readonly kind: 'plan'; readonly json: string | null })
  | (OutputChoices & {
      readonly kind: 'resume';
      readonly recording: string;
      readonly leaves: boolean;
      /** Options of `sbatch` for parts that are submitted again; `null` = none were typed. */
      readonly sbatch: readonly string[] | null;
    });

/** The request of typed values. @throws UsageError for values that contradict each other */
export function toRunInvocation(file: string | null, values: RunValues): RunInvocation {
  const choices = toOutputChoices(values);
  const { resume, attach, sbatch } = values;
  const recording = resume ?? attach;
  if (recording !== null) {
    return {
      kind: 'resume',
      recording,
      leaves: attach !== null,
      sbatch: sbatch.length === 0 ? null : sbatch,
      ...choices,
    };
  }
  const changes = typedChanges({ ...values });
  const chosen: Chosen = { file, changes };
  const others = Object.keys(choices.exports).filter((format) => format !== 'json');
  if (values.dryRun) {
    if (others.length === 0) return { kind: 'plan', ...chosen, json: choices.exports['json'] ?? null };
    throw new UsageError('CONFLICT', `--export ${others[0]} does nothing with --dry-run, which runs nothing`, {
      hint: 'Leave one of them out.',
    });
  }
  if (changes.typed['show-output'] === true && Object.values(choices.exports).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  const { part, experimentId, hostName } = values;
  return {
    kind: 'run',
    ...chosen,
    ...choices,
    output: values.output,
    part: part === null ? null : { ...part, experiment: experimentId, host: hostName },
    on: toPlace(values, changes),
  };
}

/** Options that do nothing on a place. */
const ofFleet = ['confirm', 'label', 'code', 'repository', 'worker', 'priority', 'detach'] as const;
const idleOn = {
  here: [...ofFleet, 'hosts', 'sbatch'],
  slurm: [...ofFleet, 'part', 'showOutput'],
  fleet: ['sbatch', 'part', 'showOutput'],
} as const;

/** The place with its request. @throws UsageError for options that do nothing there */
function toPlace(values: RunValues, changes: Changes): RequestedPlace {
  const place = values.on ?? { name: 'here' };
  const idle = idleOn[place.name].find((key) => isGiven(values[key]));
  if (idle !== undefined) {
    const flag = idle === 'showOutput' ? '--show-output' : `--${idle}`;
    throw new UsageError('CONFLICT', `${flag} does nothing with --on ${place.name}`, { hint: 'Leave it out.' });
  }
  if (place.name === 'here') return place;
  return place.name === 'slurm'
    ? { ...place, request: toSlurmRequest(values, changes) }
    : { name: 'fleet', request: toFleetRequest(place.url, values), detaches: values.detach };
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
}

function toFleetRequest(
  url: string,
  { hosts, confirm, label, code, repository, worker, priority }: RunValues,
): FleetRequest {
  if (code === 'here' && repository !== null) {
    throw new UsageError('CONFLICT', '--repository does nothing with --code here', { hint: 'Leave one of them out.' });
  }
  const what = code ?? (repository === null ? null : 'HEAD');
  return {
    url,
    hosts,
    labels: Object.fromEntries(label),
    code: what === null ? null : { what, repository },
    confirm,
    workers: worker,
    priority: priority ?? 0,
  };
}

/** A request to a cluster. */
export interface SlurmRequest {
  /** Number of nodes, each of which makes a part. */
  readonly hosts: number;
  /** Options of `sbatch`. */
  readonly options: readonly string[];
}

/** Keys of what may be typed for a cluster, which is typed again on every node. */
const carried: ReadonlySet<string> = new Set(['seed', 'methods', 'max-time', 'control', 'correction', 'strict']);

function toSlurmRequest({ hosts, sbatch }: RunValues, { typed }: Changes): SlurmRequest {
  if (hosts === null) {
    throw new UsageError('CONFLICT', '--on slurm needs a number of nodes', {
      hint: 'Add --hosts 4, for instance.',
    });
  }
  const setting = Object.keys(typed).find((key) => !carried.has(key));
  if (setting === undefined) return { hosts, options: sbatch };
  throw new UsageError('CONFLICT', `${flagOfKey(setting)} cannot be typed with --on slurm, whose nodes read the file`, {
    hint: 'Write it into the file.',
  });
}
