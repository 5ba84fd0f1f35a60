import { spawnSync } from 'node:child_process';
import { machine } from 'node:os';
import { join } from 'node:path';
import { measureDisturbances, type RunCount } from '@deadheat/analysis';
import { createStressProbe, type SessionResult, startExperiment, type Stress } from '@deadheat/engine';
import { measureRecorded, tool } from '@deadheat/recording';
import { configOf, type EngineEvent, type Failure, type Method, sides } from '@deadheat/model';
import { makeTemporaryFolder, monotonicNowNs, removeRegistered } from '@deadheat/sync';
import { workloadNames } from '@deadheat/workloads';
import { findExecutable } from '../draft/find-executable.ts';
import { sizeWorkloads } from './artificial-workloads.ts';
import { type CountName, type DoctorFacts, isPure } from './facts.ts';
import {
  doctorConfidence,
  doctorDraft,
  doctorIterations,
  type DoctorRequest,
  fitRuns,
  type FittedRuns,
  hasFixedLayout,
} from './request.ts';

/** Noise that one method measures with one workload on this machine. */
export interface MethodSight {
  readonly workload: string;
  readonly method: Method;
  /** Runs that count: of `async-duet` those in which executions overlapped. */
  readonly runs: number;
  /**
   * Smallest true slowdown that so many runs would have called slower with a probability of 80 %; 0.01 = 1 %. `null` = fewer
   * than two runs count, or not even four times the time would be seen.
   */
  readonly detectableSlowdown: number | null;
  /** Factor by which the interval would be wider without pairing; `null` for methods without pairs. */
  readonly pairingGain: number | null;
  /** Relative standard deviation between processes on one core; `null` = too few. */
  readonly spread: number | null;
}

/** Measurements and their extent. */
export interface DoctorMeasurement {
  readonly seed: string;
  /** Runs that were planned of each workload by each method. */
  readonly plannedRuns: number;
  /** Judged iterations of a side in a run, and what each was calibrated for. */
  readonly iterations: number;
  readonly iterationNs: number;
  readonly confidence: number;
  /** True if every planned run was made. */
  readonly complete: boolean;
  /** With calibration, ns. */
  readonly tookNs: number;
  readonly methods: readonly MethodSight[];
  /** Facts that the findings were judged by. */
  readonly disturbances: NonNullable<DoctorFacts['disturbances']>;
  /** Folder of the recording; `null` = it was not kept. */
  readonly recording: string | null;
}

/** A time that is left for runs in any case, ns. */
const leastTimeNs = 1e9;
/** For the last run, which begins inside the time, and for the evaluation, ns. */
const tailNs = 3e9;

/** Phase of the doctor: it calibrates the workloads, then it measures. */
export type DoctorStep =
  | { readonly kind: 'calibrating' }
  | {
      readonly kind: 'measuring';
      /** Runs by each method, and about how long all take, ns. */
      readonly runs: number;
      readonly expectedNs: number;
      /** After this time no run is begun, ns; `null` = no limit. */
      readonly limitNs: number | null;
    };

export interface MeasureMachineOptions {
  /** CPUs of sides A and B. */
  readonly cpus: readonly [number, number];
  /** Those that this machine can offer. */
  readonly methods: readonly Method[];
  /** Starts a command with a fixed layout of its memory; `null` = cannot be had here. */
  readonly fixLayout: readonly string[] | null;
  readonly signal: AbortSignal;
  /** Hears what is done next. */
  readonly onStep: (step: DoctorStep) => void;
  readonly onEvent: (event: EngineEvent) => void;
}

/** Outcome of the measuring. */
export type MeasuredMachine =
  | { readonly kind: 'done'; readonly measurement: DoctorMeasurement }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] };

/**
 * Measures artificial workloads against themselves by these methods, and what disturbs them meanwhile.
 *
 * @throws WorkloadError as `sizeWorkloads`; what `startExperiment` throws
 */
export async function measureMachine(
  request: DoctorRequest,
  { cpus, methods, fixLayout, signal, onStep, onEvent }: MeasureMachineOptions,
): Promise<MeasuredMachine> {
  const beganNs = monotonicNowNs();
  onStep({ kind: 'calibrating' });
  const { durationNs } = doctorIterations;
  const sized = await sizeWorkloads({ workloads: request.workloads, language: 'js', durationNs }, signal);
  if (sized === null) return { kind: 'interrupted' };
  const leftNs = Math.max(leastTimeNs, request.maxTimeNs - tailNs - (monotonicNowNs() - beganNs));
  const fitted = fitRuns({
    sized,
    methods,
    canFixLayout: fixLayout !== null,
    budgetNs: leftNs,
    wanted: request.runs,
  });
  const limitNs = request.runs === null ? leftNs : null;
  onStep({ kind: 'measuring', runs: fitted.runs, expectedNs: fitted.expectedNs, limitNs });
  const draft = doctorDraft(request, {
    sized,
    methods,
    runs: fitted.runs,
    limitNs,
    fixLayout: fitted.fixedLayout ? fixLayout : null,
  });
  const stresses = new Map<number, Stress>();
  const probe = createStressProbe({ cpus, nowNs: monotonicNowNs });
  const temporary = request.output === null ? makeTemporaryFolder('doctor') : null;
  try {
    const result = await startExperiment({
      draft,
      directory: request.output ?? join(temporary ?? '', 'recording'),
      parent: '.deadheat',
      tool,
      signal,
      onEvent: (event) => {
        if (event.kind === 'experiment-started') probe.look();
        if (event.kind === 'trial-finished') stresses.set(event.trial.trial, probe.look());
        onEvent(
          event.kind === 'experiment-started' && temporary !== null
            ? { ...event, directory: 'not kept (--output)' }
            : event,
        );
      },
    });
    const { outcome } = result;
    if (outcome.kind === 'failed') return { kind: 'failed', failures: outcome.failures };
    if (outcome.kind === 'interrupted') return { kind: 'interrupted' };
    const measurement = await evaluate(result, { request, fitted, stresses });
    return { kind: 'done', measurement: { ...measurement, tookNs: monotonicNowNs() - beganNs } };
  } finally {
    if (temporary !== null) removeRegistered(temporary);
  }
}

async function evaluate(
  { directory, report }: SessionResult,
  {
    request,
    fitted,
    stresses,
  }: {
    readonly request: DoctorRequest;
    readonly fitted: FittedRuns;
    readonly stresses: ReadonlyMap<number, Stress>;
  },
): Promise<Omit<DoctorMeasurement, 'tookNs'>> {
  const { experiment, measured, trials } = await measureRecorded(directory);
  const disturbances: NonNullable<DoctorFacts['disturbances']> = measureDisturbances(
    measured.map((one) => ({ ...one, config: configOf(experiment.config, one.benchmark) })),
    {
      seed: request.seed,
      counts: runCounts(stresses),
      pure: ({ name }) => workloadNames.some((workload) => workload === name && isPure(workload)),
      avoided: hasFixedLayout,
    },
  );
  const usual = experiment.config.benchmarks.filter((benchmark) => !hasFixedLayout(benchmark));
  const methods = usual.map(({ name: workload, own }): MethodSight => {
    const method = own.method ?? experiment.config.method;
    const isThis = (one: { readonly benchmark: string; readonly method: Method }): boolean =>
      one.benchmark === workload && one.method === method;
    const comparison = report.comparisons.find((one) => isThis(one) && !hasFixedLayout(one));
    return {
      workload,
      method,
      runs: comparison?.runs ?? 0,
      detectableSlowdown: sightOf(comparison?.minimalDetectableSlowdown ?? null),
      pairingGain: comparison?.pairingGain ?? null,
      spread: disturbances.spreads.find(isThis)?.spread ?? null,
    };
  });
  return {
    seed: request.seed,
    plannedRuns: fitted.runs,
    iterations: doctorIterations.count / 2,
    iterationNs: doctorIterations.durationNs,
    confidence: doctorConfidence,
    complete: trials.length >= experiment.config.benchmarks.length * fitted.runs,
    methods: levelledSights(methods),
    disturbances,
    recording: request.output,
  };
}

/** From this slowdown on a method says nothing of a machine. */
const blind = 3;

function sightOf(slowdown: number | null): number | null {
  return slowdown !== null && slowdown < blind ? slowdown : null;
}

/** Variance of the logarithm of a detectable slowdown from n runs, times n - 1: twice that of a standard deviation of normal values, by simulation. */
const chance = 1;

/**
 * The detectable slowdowns of each workload, drawn towards those of the other methods by as much as so few runs let them differ by chance: else the
 * smallest of several, which is the one that is named, would promise more than its method sees.
 *
 * Source: B. Efron, C. Morris, JASA 68 (1973), 117-130, on logarithms; `npm run bench -- truth doctor` holds it against experiments.
 */
export function levelledSights<T extends Pick<MethodSight, 'workload' | 'runs' | 'detectableSlowdown'>>(
  sights: readonly T[],
): readonly T[] {
  const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logOf = ({ detectableSlowdown: slowdown }: T): number => Math.log(slowdown ?? 0);
  const hasLog = ({ detectableSlowdown: slowdown }: T): boolean =>
    slowdown !== null && slowdown > 0 && slowdown < Number.MAX_VALUE;
  return sights.map((sight) => {
    const all = sights.filter((one) => one.workload === sight.workload && hasLog(one));
    if (all.length < 2 || !hasLog(sight)) return sight;
    const centre = average(all.map(logOf));
    const seen = (average(all.map((one) => (logOf(one) - centre) ** 2)) * all.length) / (all.length - 1);
    const differing = Math.max(0, seen - average(all.map(({ runs }) => chance / (runs - 1))));
    const kept = differing / (differing + chance / (sight.runs - 1));
    return { ...sight, detectableSlowdown: Math.exp(centre + kept * (logOf(sight) - centre)) };
  });
}

/** Counts of every run, from its journal line and from the inspection after it, by number of the trial. */
export function runCounts(stresses: ReadonlyMap<number, Stress>): readonly RunCount<CountName>[] {
  const stress =
    (key: keyof Stress): RunCount['of'] =>
    ({ trial }) =>
      stresses.get(trial)?.[key] ?? null;
  return [
    {
      name: 'steal',
      of: ({ noise, wallNs, sides: own }) => {
        const cpus = new Set(sides.flatMap((side) => own[side].cpus ?? [own[side].cpu])).size;
        return noise.stealNs === null ? null : noise.stealNs / Math.max(1, cpus * wallNs);
      },
    },
    {
      name: 'throttled',
      of: ({ noise, wallNs }) => (noise.throttledNs === null ? null : noise.throttledNs / Math.max(1, wallNs)),
    },
    { name: 'cpu-pressure', of: stress('cpuPressure') },
    { name: 'memory-pressure', of: stress('memoryPressure') },
    { name: 'heat', of: stress('heatThrottles') },
    {
      name: 'frequency',
      of: (trial) => {
        const hertz = stress('frequencyHz')(trial);
        return hertz === null || hertz <= 0 ? null : Math.log(hertz);
      },
    },
    { name: 'time', of: ({ trial }) => trial },
  ];
}

/**
 * Program and arguments that start a command without address space layout randomisation, which takes no root: setarch(8).
 * `null` where there is none, or where it is forbidden, as by the system call filter of many containers.
 */
export function layoutFixer(variables: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  const located = findExecutable('setarch', { path: variables['PATH'] ?? '', cwd: process.cwd() });
  if (located.kind !== 'found') return null;
  const options = [machine(), '-R'];
  const { status } = spawnSync(located.path, [...options, process.execPath, '-e', ''], { stdio: 'ignore' });
  return status === 0 ? [located.path, ...options] : null;
}
