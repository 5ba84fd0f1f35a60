import {
  fitExperiment,
  obstacleHere,
  pendingRestore,
  readPressure,
  settingFiles,
  tuningDirectory,
} from '@deadheat/engine';
import type { Counter, Machine, Method } from '@deadheat/model';
import { counterObstacles } from '@deadheat/sync';
import { tool } from '@deadheat/recording';
import { type DoctorFacts, type Finding, measureClock } from './facts.ts';
import { clock, coresDiffer, coreSpeed, frequency, heat, sharedCore, sharedMemory, smt } from './findings-of-cores.ts';
import { cpuQuota, drift, load, memoryLayout, memoryPressure, noDuet, steal } from './findings-of-surroundings.ts';
import {
  type DoctorMeasurement,
  layoutFixer,
  type MeasuredMachine,
  measureMachine,
  type MeasureMachineOptions,
  type MethodSight,
} from './measure.ts';
import { doctorDraft, doctorMethods, type DoctorRequest } from './request.ts';

/** The findings of `deadheat doctor`, as `--export json:FILE` writes them. */
export interface Diagnosis {
  readonly schema: 'deadheat.doctor/1';
  readonly tool: { readonly name: string; readonly version: string };
  readonly machine: Machine;
  readonly cpus: readonly [number, number];
  readonly pressure: DoctorFacts['pressure'];
  readonly clock: DoctorFacts['clock'];
  readonly measured: DoctorMeasurement | null;
  /** Those with a measured effect first, by its size. */
  readonly findings: readonly Finding[];
  /** Why a hardware counter is not counted here, such as `EACCES`; `null` = it is. */
  readonly counters: Readonly<Record<Counter, string | null>>;
  /** File with the former values of settings that `--apply` changed and `--restore` has not put back yet. */
  readonly tuned: string | null;
}

/** The method that sees the smallest slowdowns over all workloads (geometric mean); `null` where nothing was measured. */
export function sharpestMethod(sights: readonly MethodSight[]): Method | null {
  const logs = new Map<Method, number[]>();
  for (const { method, detectableSlowdown } of sights) {
    if (detectableSlowdown === null) continue;
    logs.set(method, [...(logs.get(method) ?? []), Math.log(Math.max(detectableSlowdown, Number.MIN_VALUE))]);
  }
  const most = Math.max(...[...logs.values()].map(({ length }) => length));
  const [best] = [...logs]
    .filter(([, own]) => own.length === most)
    .map(([method, own]) => ({ method, level: own.reduce((sum, log) => sum + log, 0) / own.length }))
    .toSorted((left, right) => left.level - right.level);
  return best?.method ?? null;
}

/** Without a measured effect they stand in this order: the worse as a rule first. */
const finders: readonly ((facts: DoctorFacts) => Finding | null)[] = [
  noDuet,
  cpuQuota,
  sharedCore,
  load,
  steal,
  memoryPressure,
  heat,
  frequency,
  coreSpeed,
  drift,
  clock,
  sharedMemory,
  coresDiffer,
  smt,
  memoryLayout,
];

const rank = { spread: 0, shift: 1, none: 2 } as const;

/**
 * Disturbances of this machine: first what makes runs differ, then what shifts them, each by the size of its measured effect, then
 * what is there without a measured effect.
 */
export function findDisturbances(facts: DoctorFacts): readonly Finding[] {
  return finders
    .map((find) => find(facts))
    .filter((finding) => finding !== null)
    .toSorted(
      (left, right) =>
        rank[left.effect?.kind ?? 'none'] - rank[right.effect?.kind ?? 'none'] ||
        (right.effect?.share ?? 0) - (left.effect?.share ?? 0),
    );
}

/** Outcome of an examination: a diagnosis, or the outcome of its measuring. */
export type Examination =
  { readonly kind: 'done'; readonly diagnosis: Diagnosis } | Exclude<MeasuredMachine, { readonly kind: 'done' }>;

export interface ExamineOptions extends Pick<MeasureMachineOptions, 'signal' | 'onStep' | 'onEvent'> {
  /** True if workloads are measured; else the machine is only inspected. */
  readonly measures: boolean;
  /** The environment; programs are looked for in its `PATH`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Examines this machine: what it says of itself, read before anything of ours disturbs it, which slowdowns each method sees, and
 * what disturbs it.
 *
 * @throws what `fitExperiment` and `measureMachine` throw
 */
export async function examineMachine(
  request: DoctorRequest,
  { measures, variables, ...options }: ExamineOptions,
): Promise<Examination> {
  const look = await lookAround(request);
  const result = measures
    ? await measureMachine(request, { ...options, ...look, fixLayout: layoutFixer(variables) })
    : null;
  if (result !== null && result.kind !== 'done') return result;
  const measured = result?.measurement ?? null;
  const { machine, cpus, pressure, clock } = look;
  const diagnosis: Diagnosis = {
    schema: 'deadheat.doctor/1',
    tool,
    machine,
    cpus,
    pressure,
    clock,
    measured,
    findings: findDisturbances({ ...look, disturbances: measured?.disturbances ?? null }),
    counters: counterObstacles(),
    tuned: pendingRestore(settingFiles(), { directory: tuningDirectory }),
  };
  return { kind: 'done', diagnosis };
}

/** The facts that nothing has to be measured for, and the methods that this machine can offer. */
async function lookAround(
  request: DoctorRequest,
): Promise<Omit<DoctorFacts, 'disturbances'> & { readonly methods: readonly Method[] }> {
  const pressure = { cpu: readPressure('cpu')?.share10 ?? null, memory: readPressure('memory')?.share10 ?? null };
  const nothing = doctorDraft(request, { sized: [], methods: [], runs: 1, limitNs: null, fixLayout: null });
  const { machine, config } = await fitExperiment(nothing);
  const methods = doctorMethods.filter((method) => obstacleHere(method, request.cpus) === null);
  const obstacle = obstacleHere('sync-duet', request.cpus);
  return { machine, cpus: config.cpus, pressure, clock: measureClock(), obstacle, methods };
}
