import type { Part } from '@deadheat/engine';
import type { Narrowing } from 'deadheat/internals';
import type { FleetRequest } from '../../experiment/fleet-request.ts';
import { toFleetRequest } from './to-fleet-request.ts';
import { toSlurmRequest, type SlurmRequest } from './to-slurm-request.ts';
import { UsageError } from 'deadheat/settings';
import { changedByResume } from '../../arguments/changed-by-resume.ts';
import { flagOf } from '../../arguments/flag-of.ts';
import type { OutputChoices } from '../../arguments/invocation.ts';
import { outputKeys } from '../../arguments/output-keys.ts';
import type { RawRunOptions } from './raw-run-options.ts';
import { readOutputChoices } from '../../arguments/output-options.ts';

interface Chosen extends Narrowing {
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
}

/** One part of an experiment that is divided among machines. */
export interface ChosenPart extends Part {
  /** Id of the whole experiment; `null` = made from the configuration with its seed. */
  readonly experiment: string | null;
  /** `null` = by its name and its boot. */
  readonly host: string | null;
}

/** What `deadheat run` was asked for. */
export type RunInvocation =
  | (Chosen &
      OutputChoices & {
        readonly kind: 'run';
        readonly output: string | null;
        /** `null` = all of the runs. */
        readonly part: ChosenPart | null;
        /** `null` = here. */
        readonly fleet: FleetRequest | null;
        /** `null` = on this machine. */
        readonly slurm: SlurmRequest | null;
      })
  /** `--dry-run`; `json` is where the plan goes as data. */
  | (Chosen & { readonly kind: 'plan'; readonly json: string | null })
  | (OutputChoices & { readonly kind: 'resume'; readonly recording: string });

/** What only runs give; a plan can be exported as JSON. */
const withoutRuns = [
  'output',
  ...outputKeys.filter((key) => key !== 'exportJson'),
  'showOutput',
  'part',
  'experimentId',
  'hostName',
  'fleet',
  'hosts',
  'sbatch',
] as const;

/** Checks what was typed behind `deadheat run`; refuses options that would do nothing. */
export function toRunInvocation(file: string | null, raw: RawRunOptions): RunInvocation {
  const choices = readOutputChoices(raw);
  if (raw.resume !== undefined) {
    const other = changedByResume(raw);
    if (file !== null || other !== null) {
      const what = file !== null ? 'takes no file' : `cannot be changed by ${other}`;
      throw new UsageError('CONFLICT', `--resume finishes an experiment as it was planned and ${what}`, {
        hint: 'With --resume only the options of output and exit code can be given.',
      });
    }
    return { kind: 'resume', recording: raw.resume, ...choices };
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
  };
  if (raw.dryRun === true) {
    const idle = withoutRuns.find((key) => raw[key] !== undefined);
    if (idle === undefined) return { kind: 'plan', ...chosen, json: choices.exports.json };
    throw new UsageError('CONFLICT', `${flagOf(idle)} does nothing with --dry-run, which runs nothing`, {
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
    slurm: toSlurmRequest(raw),
  };
}

function readPart({ part, experimentId, hostName }: RawRunOptions): ChosenPart | null {
  if (part !== undefined) return { ...part, experiment: experimentId ?? null, host: hostName ?? null };
  const idle = experimentId !== undefined ? '--experiment-id' : hostName !== undefined ? '--host-name' : null;
  if (idle === null) return null;
  throw new UsageError('CONFLICT', `${idle} does nothing without --part`, {
    hint: 'Say which part of the runs is made here: --part 1/4.',
  });
}
