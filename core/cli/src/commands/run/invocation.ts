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
  readonly engine: unknown;
  readonly sbatch: readonly string[];
  readonly showOutput: unknown;
  readonly part: Part | null;
  readonly experimentId: string | null;
  readonly hostName: string | null;
  readonly fleet: string | null;
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

/** The request of `deadheat run`. */
export type RunInvocation =
  | (Chosen &
      OutputChoices & {
        readonly kind: 'run';
        readonly output: string | null;
        /** `null` = all of the runs. */
        readonly part: PartOptions | null;
        /** `null` = here. */
        readonly fleet: FleetRequest | null;
        /** True if the workers of the fleet are left alone with it. */
        readonly detaches: boolean;
        /** `null` = on this machine. */
        readonly slurm: SlurmRequest | null;
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
  const changes = typedChanges({ ...values, ...(values.engine === 'slurm' ? { engine: null } : {}) });
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
    fleet: toFleetRequest(values),
    detaches: values.detach,
    slurm: toSlurmRequest(values, changes),
  };
}

/** The request to a fleet; `null` = it does not take part. */
function toFleetRequest(values: RunValues): FleetRequest | null {
  const { fleet: url, hosts, confirm, label, code, repository, worker, priority } = values;
  if (url === null) return null;
  if (values.engine === 'slurm') {
    throw new UsageError('CONFLICT', '--engine slurm and --fleet are two ways to other machines', {
      hint: 'Leave one of them out.',
    });
  }
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
const carried: ReadonlySet<string> = new Set([
  'seed',
  'methods',
  'max-time',
  'control',
  'correction',
  'strict',
  'show-output',
]);

/** The request to a cluster; `null` = it does not take part. */
function toSlurmRequest(values: RunValues, { typed }: Changes): SlurmRequest | null {
  const { engine, hosts, sbatch, part, fleet } = values;
  if (engine !== 'slurm') {
    if (sbatch.length > 0) {
      throw new UsageError('CONFLICT', '--sbatch does nothing without --engine slurm', { hint: 'Leave it out.' });
    }
    if (hosts === null || fleet !== null) return null;
    throw new UsageError('CONFLICT', '--hosts does nothing on this machine alone', {
      hint: 'Say where the others are: --fleet URL, or --engine slurm.',
    });
  }
  if (hosts === null) {
    throw new UsageError('CONFLICT', '--engine slurm has to know how many nodes are to be used', {
      hint: 'Add --hosts 4, for instance.',
    });
  }
  const setting = Object.keys(typed).find((key) => !carried.has(key));
  if (setting !== undefined) {
    throw new UsageError(
      'CONFLICT',
      `${flagOfKey(setting)} cannot be typed with --engine slurm, whose nodes read the file`,
      {
        hint: 'Write it into the file.',
      },
    );
  }
  const other = part !== null ? '--part' : typed['show-output'] === true ? '--show-output' : null;
  if (other === null) return { hosts, options: sbatch };
  throw new UsageError('CONFLICT', `${other} does nothing with --engine slurm, which makes every part on a node`, {
    hint: 'Leave one of them out.',
  });
}
