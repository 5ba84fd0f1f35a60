import type { Part, PartOptions } from '@deadheat/engine';
import type { ContainerEngineName, Method } from '@deadheat/model';
import type { FleetRequest, Narrowing } from 'deadheat/internals';
import { isSetting, layerOfFlags, type SettingsLayer, UsageError } from 'deadheat/settings';
import { changedByResume } from '../../arguments/changed-by-resume.ts';
import { flagOf } from '../../arguments/flag-of.ts';
import type { OutputChoices } from '../../command/output-options.ts';
import { outputKeys } from '../../arguments/output-keys.ts';
import { readOutputChoices } from '../../arguments/output-options.ts';
import { limitedResources } from '../../command/output-options.ts';
import type { RawPlaintextOption } from '../../terminal/plaintext-option.ts';
import type { RawOutputOptions } from '../../arguments/raw-options.ts';
import type { RawWorkerOptions } from '../../arguments/worker-options.ts';

/** Options of `deadheat run` as commander hands them over. */
export interface RawRunOptions extends RawOutputOptions, RawPlaintextOption, RawWorkerOptions {
  readonly filter?: readonly string[];
  readonly method?: readonly Method[];
  readonly dryRun?: true;
  readonly output?: string;
  readonly resume?: string;
  readonly seed?: string;
  readonly maxTime?: number;
  readonly engine?: ContainerEngineName | 'slurm';
  readonly sbatch?: readonly string[];
  readonly showOutput?: true;
  readonly control?: true;
  readonly part?: Part;
  readonly experimentId?: string;
  readonly hostName?: string;
  readonly fleet?: string;
  readonly hosts?: number;
  readonly confirm?: number;
  readonly code?: string;
  readonly repository?: string;
  readonly detach?: true;
  readonly attach?: string;
}

interface Chosen extends Narrowing {
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
}

/** What `deadheat run` was asked for. */
export type RunInvocation =
  | (Chosen &
      OutputChoices & {
        readonly kind: 'run';
        readonly output: string | null;
        /** `null` = all of the runs. */
        readonly part: PartOptions | null;
        /** `null` = here. */
        readonly fleet: FleetRequest | null;
        /** Whether the workers of the fleet are left alone with it. */
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

/** What only runs give; a plan can be exported as JSON. */
const withoutRuns = [
  'output',
  ...outputKeys.filter((key) => key !== 'export'),
  'showOutput',
  'part',
  'experimentId',
  'hostName',
  'fleet',
  'detach',
  'hosts',
  'sbatch',
] as const;

/** Checks what was typed behind `deadheat run`; refuses options that would do nothing. */
export function toRunInvocation(file: string | null, raw: RawRunOptions): RunInvocation {
  const choices = readOutputChoices(raw);
  const recording = raw.resume ?? raw.attach;
  if (recording !== undefined) {
    const flag = raw.resume === undefined ? '--attach' : '--resume';
    const { attach, ...rest } = raw;
    const other = changedByResume(raw.resume === undefined ? rest : raw);
    if (file !== null || other !== null) {
      const what = file !== null ? 'takes no file' : `cannot be changed by ${other}`;
      throw new UsageError('CONFLICT', `${flag} finishes an experiment as it was planned and ${what}`, {
        hint: `With ${flag} only the options of output and exit code can be given.`,
      });
    }
    return { kind: 'resume', recording, leaves: attach !== undefined, sbatch: raw.sbatch ?? null, ...choices };
  }
  const chosen: Chosen = {
    file,
    filter: raw.filter ?? [],
    methods: raw.method ?? [],
    seed: raw.seed ?? null,
    engine: raw.engine === 'slurm' ? null : (raw.engine ?? null),
    maxTimeNs: raw.maxTime ?? null,
    showOutput: raw.showOutput ?? false,
    control: raw.control ?? false,
    correction: raw.correction ?? null,
    strict: raw.strict ?? false,
    also: limitedResources(raw.failOn),
    settings: typedSettings(raw),
  };
  if (raw.dryRun === true) {
    const other = Object.keys(choices.exports).find((format) => format !== 'json');
    const key = withoutRuns.find((one) => raw[one] !== undefined);
    if (key === undefined && other === undefined)
      return { kind: 'plan', ...chosen, json: choices.exports['json'] ?? null };
    const idle = key === undefined ? `--export ${other}` : flagOf(key);
    throw new UsageError('CONFLICT', `${idle} does nothing with --dry-run, which runs nothing`, {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.showOutput === true && Object.values(choices.exports).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  return {
    kind: 'run',
    ...chosen,
    ...choices,
    output: raw.output ?? null,
    part: readPart(raw),
    fleet: toFleetRequest(raw),
    detaches: raw.detach ?? false,
    slurm: toSlurmRequest(raw),
  };
}

/** The typed settings that override those of the file; the time limit has an option of its own. */
function typedSettings(raw: RawRunOptions): SettingsLayer {
  const layer = Object.entries(layerOfFlags({ ...raw }));
  return Object.fromEntries(layer.filter(([key]) => isSetting(key) && key !== 'max-time'));
}

function readPart({ part, experimentId, hostName }: RawRunOptions): PartOptions | null {
  if (part !== undefined) return { ...part, experiment: experimentId ?? null, host: hostName ?? null };
  const idle = experimentId !== undefined ? '--experiment-id' : hostName !== undefined ? '--host-name' : null;
  if (idle === null) return null;
  throw new UsageError('CONFLICT', `${idle} does nothing without --part`, {
    hint: 'Say which part of the runs is made here: --part 1/4.',
  });
}

/** What only a fleet gives. */
const onlyFleet = ['confirm', 'label', 'code', 'repository', 'worker', 'priority', 'detach', 'allowPlaintext'] as const;

/** What `deadheat run` is asked of a fleet; `null` = it is not to take part. */
function toFleetRequest(raw: RawRunOptions): FleetRequest | null {
  const { fleet: url, hosts = null, confirm = null, label = [], code, repository = null, worker, priority } = raw;
  if (url === undefined) {
    const idle = onlyFleet.find((key) => raw[key] !== undefined);
    if (idle === undefined) return null;
    throw new UsageError('CONFLICT', `${flagOf(idle)} does nothing without --fleet`, {
      hint: 'Add --fleet URL, or leave it out.',
    });
  }
  if (raw.part !== undefined) {
    throw new UsageError('CONFLICT', '--part makes runs here, and --fleet elsewhere', {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.engine === 'slurm') {
    throw new UsageError('CONFLICT', '--engine slurm and --fleet are two ways to other machines', {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.showOutput === true) {
    throw new UsageError('CONFLICT', '--show-output does nothing with --fleet: the programs run elsewhere', {
      hint: 'Leave one of them out.',
    });
  }
  if (raw.detach === true && confirm !== null) {
    throw new UsageError('CONFLICT', '--confirm needs somebody who asks others, and --detach leaves', {
      hint: 'Leave one of them out.',
    });
  }
  if (code === 'here' && repository !== null) {
    throw new UsageError('CONFLICT', '--repository does nothing with --code here', { hint: 'Leave one of them out.' });
  }
  const what = code ?? (repository === null ? null : 'HEAD');
  const labels = Object.fromEntries(label);
  return {
    url,
    hosts,
    labels,
    code: what === null ? null : { what, repository },
    confirm,
    workers: worker ?? [],
    priority: priority ?? 0,
  };
}

/** How a cluster is asked. */
export interface SlurmRequest {
  /** How many nodes, each of which makes a part. */
  readonly hosts: number;
  /** Options of `sbatch`. */
  readonly options: readonly string[];
}

/** What `deadheat run` is asked of a cluster; `null` = it is not to take part. */
function toSlurmRequest(raw: RawRunOptions): SlurmRequest | null {
  const { engine, hosts, sbatch, part, showOutput, fleet } = raw;
  if (engine !== 'slurm') {
    if (sbatch !== undefined) {
      throw new UsageError('CONFLICT', '--sbatch does nothing without --engine slurm', { hint: 'Leave it out.' });
    }
    if (hosts === undefined || fleet !== undefined) return null;
    throw new UsageError('CONFLICT', '--hosts does nothing on this machine alone', {
      hint: 'Say where the others are: --fleet URL, or --engine slurm.',
    });
  }
  if (hosts === undefined) {
    throw new UsageError('CONFLICT', '--engine slurm has to know how many nodes are to be used', {
      hint: 'Add --hosts 4, for instance.',
    });
  }
  const [setting] = Object.keys(typedSettings(raw));
  if (setting !== undefined) {
    throw new UsageError('CONFLICT', `${setting} cannot be typed with --engine slurm, whose nodes read the file`, {
      hint: 'Write it into the file.',
    });
  }
  const other = part !== undefined ? '--part' : showOutput === true ? '--show-output' : null;
  if (other === null) return { hosts, options: sbatch ?? [] };
  throw new UsageError('CONFLICT', `${other} does nothing with --engine slurm, which makes every part on a node`, {
    hint: 'Leave one of them out.',
  });
}
