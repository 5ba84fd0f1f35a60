import {
  methodFacts,
  sharesCore,
  isResourceMetric,
  metricKinds,
  sides,
  type ExperimentConfig,
  type Metric,
  type Side,
  type TimeMetric,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { mean, median, quantile } from '@deadheat/stats';
import { joinedOf } from '../internal/lists.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import { iterationTimes, joinSingle, timesOfAll, type TimedRun, wholeIterationTimes } from './iteration-times.ts';

/** With fewer samples neither the share nor the mean number says anything. */
const fewestSamples = 5;

/** Of a run whose threads ended between two samples with more of its CPU time, it is not known how many computed at once. */
const leastSeen = 0.5;

/**
 * A side that neither computes nor waits for a CPU most of the time, and computes for less than this share of the time without such waits, is seen in the few looks at
 * the programs that it starts: pinned to one core it would be later by less than this, however many threads it has.
 */
const leastComputing = 0.1;

/** A sample stands for this much of the wall time, ns. */
const sampleNs = 4_000_000;

/** Above this mean number of threads that compute or wait for a CPU, a program would use several cores. */
export const severalThreads = 1.5;

/** Observed use of CPUs by one side, over its observed runs. */
export interface ObservedThreads {
  readonly samples: number;
  /** Share of the time in which any of its threads computed or waited for a CPU, 0..1. */
  readonly runnable: number;
  /** Mean number of threads that compute at once; `null` when samples with any were fewer than five, or the side hardly computes. */
  readonly threads: number | null;
}

/**
 * Sums up what was seen of all threads of a side.
 *
 * @param runs the results of one side; those that were not observed say nothing
 * @returns `null` with fewer than five samples
 */
export function observedThreads(runs: Iterable<SideResult>): ObservedThreads | null {
  let [samples, runnable, known, threads, cpuNs, idleNs] = [0, 0, 0, 0, 0, 0];
  for (const { observed, userNs, systemNs } of runs) {
    if (observed === undefined) continue;
    samples += observed.samples;
    const busy = observed.samples * observed.runnable;
    runnable += busy;
    const usedNs = (userNs ?? 0) + (systemNs ?? 0);
    cpuNs += usedNs;
    idleNs += usedNs === 0 ? 0 : (observed.samples - busy) * sampleNs;
    if (observed.seenNs !== undefined && observed.seenNs < leastSeen * usedNs) continue;
    known += busy;
    threads += busy * observed.tasks;
  }
  if (samples < fewestSamples) return null;
  const isIdle = runnable < samples / 2 && cpuNs < leastComputing * (cpuNs + idleNs);
  return { samples, runnable: runnable / samples, threads: known < fewestSamples || isIdle ? null : threads / known };
}

/** The metric that decides, and why in words. */
export interface MetricChoice<Chosen extends Metric = Metric> {
  readonly metric: Chosen;
  readonly reason: string;
}

/** A side that works, or waits for its core, for this share of the wall time is CPU-bound ... */
const bound = 0.9;
/** ... and one whose CPU time is above this share of the wall time kept more than one core busy, so that CPU time is not what a user waits for. */
const oneCore = 1.1;
/** CPU time is reported in microseconds: below this a time in ns has too few of them. */
const shortestNs = 1_000_000;

/** Display name of the metric `undelayed`. */
const undelayed = 'wall time without waiting for a CPU';

/** Why the metric `undelayed` is not there for programs that start others. */
const unknownWait = 'how long the processes and threads that a side started waited for a CPU is not known';

function share(value: number): string {
  return value.toFixed(2);
}

/**
 * Decides between wall time and CPU time. Asked for one of them, that one; CPU time only where it was measured. `auto`
 * takes CPU time when both sides are CPU-bound on one core (working or waiting for the core for at least 0.9 of the wall
 * time, CPU time at most 1.1 of it, in undisturbed executions), neither is shorter than 1 ms and CPU time is not reported in
 * coarse steps, because then CPU time is the wall time without what others took of the core; and where a side waits for other things and
 * all executions know how long they waited for a CPU, the wall time without that. Runs on one core have CPU time alone, or the wall time that the program prints. Asked for a
 * resource, it is the time that `auto` takes.
 */
export function chooseMetric(asked: ExperimentConfig['metric'], facts: MetricFacts): MetricChoice<TimeMetric> {
  const { cpuShares, busyShares, hasUnknownWait, medianNs, coarseStepNs, isByCpu, isTandem } = facts;
  const waitsForOthers = facts.waitsForOthers && !hasUnknownWait;
  if (isByCpu) {
    return {
      metric: 'cpu',
      reason: isTandem
        ? 'CPU time: both sides share one core, where the wall time of each is that of both'
        : 'CPU time: it leaves out what others took of the core on which each side runs alone',
    };
  }
  if (isTandem) {
    return {
      metric: 'time',
      reason:
        'wall time: of a run the lower quartile of its iterations, most of which hold no turn of the other side on the core',
    };
  }
  if (asked === 'time') return { metric: 'time', reason: 'wall time, as asked' };
  if (asked === 'undelayed') {
    return waitsForOthers
      ? { metric: 'undelayed', reason: `${undelayed}, as asked` }
      : {
          metric: 'time',
          reason: hasUnknownWait
            ? `wall time: ${unknownWait}`
            : 'wall time: how long a side waited for a CPU, and for whom, is not known for every execution',
        };
  }
  if (cpuShares === null || busyShares === null) {
    const reason = 'wall time: CPU time was not measured for every execution';
    return { metric: 'time', reason: asked === 'cpu' ? `${reason}, though it was asked for` : reason };
  }
  const doing = facts.isWaitRecorded ? 'works or waits for its core' : 'works for';
  const both = `of its wall time A ${doing} ${share(busyShares.A)}, B ${share(busyShares.B)}`;
  if (asked === 'cpu') return { metric: 'cpu', reason: `CPU time, as asked; ${both}` };
  if (Math.min(medianNs.A, medianNs.B) < shortestNs) {
    return {
      metric: 'time',
      reason: `wall time: an execution is shorter than 1 ms, too short for CPU clocks; ${both}`,
    };
  }
  if (coarseStepNs !== null) {
    return {
      metric: 'time',
      reason: `wall time: CPU time is reported in steps of ${coarseStepNs / 1e6} ms here, too coarse; ${both}`,
    };
  }
  const low = Math.min(busyShares.A, busyShares.B);
  const high = Math.max(cpuShares.A, cpuShares.B);
  if (high > oneCore && low >= bound) {
    return { metric: 'time', reason: `wall time: a side keeps more than one core busy; ${both}` };
  }
  if (low < bound) {
    if (!facts.isWaitRecorded) {
      const unknown = 'how long they waited for a core was not recorded';
      return {
        metric: 'time',
        reason: `wall time: it is not known if both sides are CPU-bound, because ${unknown}; ${both}`,
      };
    }
    return waitsForOthers && high <= oneCore
      ? { metric: 'undelayed', reason: `${undelayed}: not both sides are CPU-bound; ${both}` }
      : {
          metric: 'time',
          reason: `wall time: not both sides are CPU-bound${hasUnknownWait ? `, and ${unknownWait}` : ''}; ${both}`,
        };
  }
  return {
    metric: 'cpu',
    reason: `CPU time: both sides are CPU-bound, and it leaves out what others took of the cores; ${both}`,
  };
}

/** The metric that decides: a resource if it was asked for and is known for both sides of every run, else a time by `chooseMetric`. */
export function chooseDeciding(
  asked: ExperimentConfig['metric'],
  { facts, runs }: { readonly facts: MetricFacts; readonly runs: readonly UsableRun[] },
): MetricChoice {
  return isResourceMetric(asked) && isKnown(runs, asked)
    ? { metric: asked, reason: `${metricKinds[asked].name}, as asked` }
    : chooseMetric(asked, facts);
}

function isKnown(runs: readonly UsableRun[], metric: Metric): boolean {
  return runs.every((run) => iterationTimes(run, 'A', metric) !== null && iterationTimes(run, 'B', metric) !== null);
}

/** Facts that the choice of the metric depends on. */
export interface MetricFacts {
  /**
   * CPU time over wall time of each side's undisturbed executions: the 90th percentile over its measured ones, since a
   * disturbed execution waits and so has a smaller share. `null` when CPU time is not known for all.
   */
  readonly cpuShares: Readonly<Record<Side, number>> | null;
  /**
   * Share of the wall time in which each side was working or waiting for its core, at most 1: like `cpuShares`, with the time
   * added for which the program was runnable and another one ran. That takes the disturbance out of the question
   * whether a program is CPU-bound. Without that time: `cpuShares`. The kernel counts it for the first process alone: where all
   * threads of a side were observed often enough, the share of samples in which one was running or waiting for a CPU counts if it is larger.
   */
  readonly busyShares: Readonly<Record<Side, number>> | null;
  /**
   * True if the wait of every execution for a CPU while ready to run is known, and was for others than its own threads: where CPU time and that wait
   * are together longer than the wall time, a program waits for itself, which is no disturbance.
   */
  readonly waitsForOthers: boolean;
  /** False if nothing says how long a side waited for a CPU: `busyShares` are its shares of CPU time then. */
  readonly isWaitRecorded: boolean;
  /**
   * True if a side waited for a CPU longer than was measured: the kernel counts that of the first thread of the first process alone, and all
   * threads of the side were seen running or waiting more often than its CPU time and that wait explain.
   */
  readonly hasUnknownWait: boolean;
  /** Median wall time of one execution, ns. */
  readonly medianNs: Readonly<Record<Side, number>>;
  /** Median CPU time of one invocation, ns; `null` when it is not known for all executions. */
  readonly medianCpuNs: Readonly<Record<Side, number>> | null;
  /** The step in which this machine counts CPU time, ns, where it is too coarse for these iterations; else `null`. */
  readonly coarseStepNs: number | null;
  /** True if the method compares CPU times alone. */
  readonly isByCpu: boolean;
  /** True if the sides shared one core, so that the wall time of each is that of both. */
  readonly isTandem: boolean;
}

/** Ticks of kernels and sandboxes that do not account precisely (HZ of 100, 250, 1000). */
const ticksNs = [10_000_000, 4_000_000, 1_000_000];
/** A step is coarse above this share of the median: half of it is already an error of 0.25 % in a single time. */
const coarse = 0.005;
/** Fewer times could be multiples of a tick by chance: one in a thousand each. */
const fewestTimes = 3;

function coarseStep(times: Float64Array): number | null {
  if (times.length < fewestTimes) return null;
  const step = ticksNs.find((tick) => times.every((time) => time % tick === 0));
  return step !== undefined && step > coarse * median(times) ? step : null;
}

/** An execution this much into the upper tail of the shares counts as undisturbed. */
const undisturbedQuantile = 0.9;

/** CPU time and waiting may be this share of the wall time together, by the errors of three clocks. */
const whole = 1.02;

interface Shares {
  /** CPU time and waiting for a CPU over wall time; not a number where waiting is not known. */
  readonly together: Float64Array;
  readonly cpu: Float64Array;
  readonly busy: Float64Array;
}

/** `null` when CPU time is not known for all iterations. */
function sharesOf(runs: readonly UsableRun[], side: Side): Shares | null {
  const [times, wall] = [timesOfAll(runs, { side, metric: 'cpu' }), timesOfAll(runs, { side, metric: 'time' })];
  return sharesBy(times, wall, waitsOf(joinSingle(runs), side));
}

function sharesBy(times: Float64Array | null, wall: Float64Array | null, delays: Float64Array): Shares | null {
  if (times === null || wall === null) return null;
  const [cpu, busy, together] = [times.slice(), new Float64Array(times.length), new Float64Array(times.length)];
  for (let row = 0; row < cpu.length; row++) {
    const time = cpu[row]!;
    const waited = delays[row]!;
    const delay = waited || 0;
    together[row] = (time + waited) / wall[row]!;
    cpu[row] = time / wall[row]!;
    busy[row] = Math.min(1, (time + delay) / wall[row]!);
  }
  return { cpu, busy, together };
}

/** Time for which each iteration waited for a CPU, ns an invocation; not a number where it is not known. */
function waitsOf(runs: readonly TimedRun[], side: Side): Float64Array {
  return joinedOf(runs, ({ iterations }) => {
    const own = iterations[side];
    const [waits, invocations] = [own.metric('q'), own.metric('n')];
    const waited = waits?.slice() ?? new Float64Array(own.length).fill(Number.NaN);
    if (invocations !== null) for (let row = 0; row < waited.length; row++) waited[row]! /= invocations[row]! || 1;
    return waited;
  })!;
}

function medianOf(runs: readonly UsableRun[], side: Side): number {
  const walls = joinedOf(joinSingle(runs), ({ iterations }) => {
    const { startsNs, endsNs } = iterations[side];
    return endsNs.map((end, row) => end - startsNs[row]!);
  });
  return median(walls!);
}

/** With fewer samples the share of them that is busy says little: ten of a program that waits for 40 % of its time are all busy in 0.6 % of cases. */
const fewestBusySamples = 10;

/**
 * The runs of which looks say more than times: not those whose iterations, timed by the program itself, know their own wait for a CPU, as looks are of its
 * start, too, which computes even where the iterations do nothing but wait.
 */
export function lookedAt(runs: readonly UsableRun[], side: Side): readonly UsableRun[] {
  return runs.filter(({ trial, iterations }) => trial.sides[side].record === null || !iterations[side].metric('q'));
}

/** Usage of a side in each run: an array of these, where trials are packed, would keep an object of each. */
export function* sideResults(side: Side, trials: Iterable<Trial>): Generator<SideResult> {
  for (const trial of trials) yield trial.sides[side];
}

/** Samples are too few, and clocks too coarse, to show a smaller difference between two shares of the wall time. */
const leastUnknownShare = 0.1;
const unknownWaitDeviations = 3;

/** `MetricFacts.hasUnknownWait` of one side, over the runs in which its threads were observed. */
function isWaitUnknown(looked: readonly UsableRun[], side: Side): boolean {
  let [samples, seen, counted] = [0, 0, 0];
  for (const run of looked) {
    const { observed } = run.trial.sides[side];
    if (observed === undefined || observed.samples === 0) continue;
    const times = (metric: TimeMetric): Float64Array | null => iterationTimes(run, side, metric);
    const shares = sharesBy(times('cpu'), times('time'), waitsOf([run], side));
    if (shares === null) continue;
    samples += observed.samples;
    seen += observed.samples * observed.runnable;
    counted += observed.samples * mean(shares.busy);
  }
  if (samples < fewestBusySamples) return false;
  const share = counted / samples;
  const deviation = Math.sqrt((share * (1 - share)) / samples);
  return seen / samples - share > Math.max(leastUnknownShare, unknownWaitDeviations * deviation);
}

/** Gathers the facts from at least one usable run. */
export function metricFacts(runs: readonly UsableRun[]): MetricFacts {
  const shares = { A: sharesOf(runs, 'A'), B: sharesOf(runs, 'B') };
  const waitsForOthers = [shares.A, shares.B].every(
    (side) =>
      side !== null && !side.together.some(Number.isNaN) && quantile(side.together, undisturbedQuantile) <= whole,
  );
  const undisturbed = (kind: 'cpu' | 'busy'): Readonly<Record<Side, number>> | null =>
    shares.A === null || shares.B === null
      ? null
      : { A: quantile(shares.A[kind], undisturbedQuantile), B: quantile(shares.B[kind], undisturbedQuantile) };
  const cpuTimes = (read: typeof iterationTimes): Readonly<Record<Side, Float64Array>> | null => {
    const [A, B] = sides.map((side) => timesOfAll(runs, { side, metric: 'cpu', read }));
    return A == null || B == null ? null : { A, B };
  };
  const busyByTimes = undisturbed('busy');
  const looked = { A: lookedAt(runs, 'A'), B: lookedAt(runs, 'B') };
  const shareOf = (side: Side): number => {
    const trials = looked[side].map(({ trial }) => trial);
    const { samples = 0, runnable = 0 } = observedThreads(sideResults(side, trials)) ?? {};
    return samples < fewestBusySamples ? 0 : runnable;
  };
  /** Shares of samples in which a thread of a side was running or waiting for a CPU; 0 where they are too few. */
  const observed = { A: shareOf('A'), B: shareOf('B') };
  const isRecorded = (side: Side): boolean =>
    observed[side] > 0 || shares[side]?.together.every(Number.isNaN) === false;
  const ofInvocations = cpuTimes(iterationTimes);
  const hasInvocations = joinSingle(runs).some(({ iterations }) =>
    sides.some((side) => iterations[side].metric('n') !== null),
  );
  // The clock is read at the ends of an iteration, not of an invocation.
  const ofIterations = hasInvocations ? cpuTimes(wholeIterationTimes) : ofInvocations;
  return {
    medianCpuNs: ofInvocations === null ? null : { A: median(ofInvocations.A), B: median(ofInvocations.B) },
    coarseStepNs: ofIterations === null ? null : (coarseStep(ofIterations.A) ?? coarseStep(ofIterations.B)),
    isByCpu: runs[0] !== undefined && methodFacts[runs[0].trial.method].ownTime === 'cpu',
    isTandem: runs[0] !== undefined && sharesCore(runs[0].trial.method),
    waitsForOthers,
    isWaitRecorded: isRecorded('A') && isRecorded('B'),
    hasUnknownWait: isWaitUnknown(looked.A, 'A') || isWaitUnknown(looked.B, 'B'),
    cpuShares: undisturbed('cpu'),
    busyShares:
      busyByTimes === null
        ? null
        : {
            A: Math.max(busyByTimes.A, observed.A),
            B: Math.max(busyByTimes.B, observed.B),
          },
    medianNs: { A: medianOf(runs, 'A'), B: medianOf(runs, 'B') },
  };
}
