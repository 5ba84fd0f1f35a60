import type { Metric, Side } from '@deadheat/model';
import { winsorizeRun } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { UsableRun } from '../pairing/select-runs.ts';

/** What a time can be: a metric that may decide, or the CPU time of the thread that did the work. */
export type TimeMetric = Metric | 'thread';

/** Time of one iteration and its invocations turned into ns an invocation; an iteration that does not say so holds one. */
const perInvocation = (times: Float64Array, invocations: Float64Array | null): Float64Array => {
  if (invocations === null) return times;
  for (let row = 0; row < times.length; row++) {
    const held = invocations[row]!;
    if (held > 1) times[row] = times[row]! / held;
  }
  return times;
};

const wallTimes = (iterations: UsableRun['iterations']['A']): Float64Array => {
  const { startsNs, endsNs } = iterations;
  const told = iterations.metric('w');
  const times = new Float64Array(startsNs.length);
  for (let row = 0; row < times.length; row++) {
    const time = told === null || Number.isNaN(told[row]) ? endsNs[row]! - startsNs[row]! : told[row]!;
    times[row] = Math.max(1, time);
  }
  return times;
};

/** CPU time of the working thread; what others did for it, such as a garbage collector, is not in it. */
const threadTimes = (iterations: UsableRun['iterations']['A']): Float64Array =>
  iterations.metric('t')?.slice() ?? new Float64Array(iterations.length).fill(Number.NaN);

const cpuTimes = (run: UsableRun, side: Side): Float64Array => {
  const ofProcess = run.processCpuNs[side] ?? Number.NaN;
  const recorded = run.iterations[side].metric('c');
  const times = new Float64Array(run.iterations[side].length).fill(ofProcess);
  if (recorded !== null) {
    for (let row = 0; row < times.length; row++) {
      const time = recorded[row]!;
      if (!Number.isNaN(time)) times[row] = time;
    }
  }
  return times;
};

/** Wall time without the time for which the iteration was ready to run and waited for a CPU; not a number where that is not known. */
const undelayedTimes = (iterations: UsableRun['iterations']['A']): Float64Array => {
  const times = wallTimes(iterations);
  const delays = iterations.metric('q');
  for (let row = 0; row < times.length; row++) times[row] = Math.max(1, times[row]! - (delays?.[row] ?? Number.NaN));
  return times;
};

const timesIn: Readonly<Record<TimeMetric, (run: UsableRun, side: Side) => Float64Array>> = {
  time: (run, side) => wallTimes(run.iterations[side]),
  cpu: cpuTimes,
  undelayed: (run, side) => undelayedTimes(run.iterations[side]),
  thread: (run, side) => threadTimes(run.iterations[side]),
};

/** As `iterationTimes`, ns an iteration, however many invocations it holds. */
export const wholeIterationTimes = (run: UsableRun, side: Side, metric: TimeMetric): Float64Array | null => {
  const times = timesIn[metric](run, side);
  for (let row = 0; row < times.length; row++) if (!(times[row]! > 0)) return null;
  return times;
};

/**
 * What one side's measured iterations of a run took, ns an invocation. CPU time is the iteration's own, or the process's
 * where the run is a single execution of a command; CPU time of the thread is what the record says under `t`.
 *
 * @returns `null` when an iteration has no such time, or a CPU time of 0, which no ratio can hold. Wall time is at least 1 ns, the
 *   resolution of the clock.
 */
export const iterationTimes = (run: UsableRun, side: Side, metric: TimeMetric): Float64Array | null => {
  const times = wholeIterationTimes(run, side, metric);
  return times === null ? null : perInvocation(times, run.iterations[side].metric('n'));
};

/** Fewer iterations than this have no range that an outlier could stand out from. */
const FEWEST_FOR_WINSORIZING = 4;

/** The times that a comparison is made from, ns: a list a run, outliers moved. */
export interface JudgedTimes {
  readonly A: readonly Float64Array[];
  readonly B: readonly Float64Array[];
  /** Times that were moved. */
  readonly outliers: number;
}

/**
 * The times of all runs in one metric. In runs of at least four iterations at most one time a side that lies more than 20 %
 * of the others' range outside of it is moved to the nearest of the others.
 *
 * @returns `null` when the metric is not known for every iteration.
 * Source: Bulej et al., ICPE'20, section 4.
 */
export const judgedTimes = (runs: readonly UsableRun[], metric: TimeMetric): JudgedTimes | null => {
  let outliers = 0;
  const judged: Record<Side, Float64Array[]> = { A: [], B: [] };
  for (const run of runs) {
    for (const side of ['A', 'B'] as const) {
      const times = iterationTimes(run, side, metric);
      if (times === null) return null;
      if (times.length < FEWEST_FOR_WINSORIZING) {
        judged[side].push(times);
        continue;
      }
      const { values, replaced } = winsorizeRun(times);
      judged[side].push(values);
      if (replaced !== null) outliers++;
    }
  }
  return { ...judged, outliers };
};

/** The times of the pairs, ns: a list a run, A's and B's of one pair at the same place. */
export interface PairedTimes {
  readonly A: readonly Float64Array[];
  readonly B: readonly Float64Array[];
}

const pick = (times: Float64Array, rows: Int32Array): Float64Array => {
  const picked = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) picked[k] = times[rows[k]!]!;
  return picked;
};

/** Picks the times of every run's pairs; in `async-duet` an iteration may be in several. */
export const pairedTimes = (runs: readonly UsableRun[], times: JudgedTimes): PairedTimes => ({
  A: runs.map(({ pairs }, r) => pick(at(times.A, r), pairs.a)),
  B: runs.map(({ pairs }, r) => pick(at(times.B, r), pairs.b)),
});
