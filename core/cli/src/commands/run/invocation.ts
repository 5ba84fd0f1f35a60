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
import type { Cluster, WorkerValues } from '../../command/worker-options.ts';

/** Values of the options of `deadheat run`; those of the tables of settings are beside them. */
export interface RunValues extends OutputValues, ExitValues, WorkerValues, Omit<ExperimentValues, 'failOn'> {
  readonly dryRun: boolean;
  readonly output: string | null;
  readonly resume: string | null;
  readonly submitOption: readonly string[];
  readonly pod: string | null;
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
  readonly explain: boolean;
}

interface Chosen {
  readonly changes: Changes;
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
}

/** Place of the runs, with the request to its scheduler. */
type RequestedPlace =
  | { readonly name: 'here' }
  | { readonly name: 'cluster'; readonly request: ClusterRequest }
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
      /** Options for parts that are submitted again. */
      readonly submitOptions: readonly string[];
    });

/** The request of typed values. @throws UsageError for values that contradict each other */
export function toRunInvocation(file: string | null, values: RunValues): RunInvocation {
  const choices = toOutputChoices(values);
  const { resume, attach, submitOption } = values;
  const recording = resume ?? attach;
  if (recording !== null) {
    return {
      kind: 'resume',
      recording,
      leaves: attach !== null,
      submitOptions: submitOption,
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
const ofCluster = [...ofFleet, 'part', 'showOutput', 'explain'] as const;
const idleOn = {
  here: [...ofFleet, 'hosts', 'submitOption', 'pod'],
  slurm: [...ofCluster, 'pod'],
  gridengine: [...ofCluster, 'pod'],
  kubernetes: ofCluster,
  fleet: ['submitOption', 'pod', 'part', 'showOutput', 'explain'],
} as const;

/** The place with its request. @throws UsageError for options that do nothing there */
function toPlace(values: RunValues, changes: Changes): RequestedPlace {
  const place = values.on ?? { name: 'here' };
  const idle = idleOn[place.name].find((key) => isGiven(values[key]));
  if (idle !== undefined) {
    const flag = `--${idle.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new UsageError('CONFLICT', `${flag} does nothing with --on ${place.name}`, { hint: 'Leave it out.' });
  }
  if (place.name === 'here') return place;
  return place.name === 'fleet'
    ? { name: 'fleet', request: toFleetRequest(place.url, values), detaches: values.detach }
    : { name: 'cluster', request: toClusterRequest(place.name, { values, changes }) };
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
export interface ClusterRequest {
  readonly scheduler: Cluster;
  /** Number of nodes, each of which makes a part. */
  readonly hosts: number;
  /** Options of the scheduler's program. */
  readonly options: readonly string[];
  /** Path of the manifest of a pod; `null` = the scheduler has none. */
  readonly pod: string | null;
}

/** Keys of what may be typed for a cluster, which is typed again on every node. */
const carried: ReadonlySet<string> = new Set(['seed', 'methods', 'max-time', 'control', 'correction', 'strict']);

function toClusterRequest(
  scheduler: Cluster,
  { values, changes }: { readonly values: RunValues; readonly changes: Changes },
): ClusterRequest {
  const { hosts, submitOption: options, pod } = values;
  const on = `--on ${scheduler}`;
  if (hosts === null) {
    throw new UsageError('CONFLICT', `${on} needs a number of nodes`, { hint: 'Add --hosts 4, for instance.' });
  }
  if (scheduler === 'kubernetes' && pod === null) {
    throw new UsageError('CONFLICT', `${on} needs the manifest of a pod, which names the image`, {
      hint: 'Add --pod pod.yaml; docs/schedulers.md has an example.',
    });
  }
  const setting = Object.keys(changes.typed).find((key) => !carried.has(key));
  if (setting === undefined) return { scheduler, hosts, options, pod };
  throw new UsageError('CONFLICT', `${flagOfKey(setting)} cannot be typed with ${on}, whose nodes read the file`, {
    hint: 'Write it into the file.',
  });
}
