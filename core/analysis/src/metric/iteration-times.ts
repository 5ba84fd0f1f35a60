import {
  counterSchema,
  isCount,
  isResourceMetric,
  methodFacts,
  type Counter,
  type Metric,
  type ResourceMetric,
  type Side,
  type SideResult,
} from '@deadheat/model';
import { quantile, winsorizeRun } from '@deadheat/stats';
import { joinedOf, SingleValues, type Lists } from '../internal/lists.ts';
import { firstValue, type MeasuredIterations } from '../columns/measured-runs.ts';
import { lengthsOf, type UsableRun } from '../pairing/select-runs.ts';

/** A quantity of an iteration: a metric that may decide, or the CPU time of the thread that did the work. */
export type Quantity = Metric | 'thread';

/** A run, as far as times are made of it. */
export type TimedRun = Pick<UsableRun, 'trial' | 'iterations' | 'processCpuNs'>;

/** The run with other iterations in the place of those that are judged. */
export function withIterations(
  { trial, processCpuNs }: UsableRun,
  { iterations }: Pick<UsableRun, 'iterations'>,
): TimedRun {
  return { trial, iterations, processCpuNs };
}

/** Time of one iteration and its invocations turned into ns an invocation; an iteration that does not say so holds one. */
function perInvocation(times: Float64Array, invocations: Float64Array | null): Float64Array {
  if (invocations === null) return times;
  for (let row = 0; row < times.length; row++) {
    const held = invocations[row]!;
    if (held > 1) times[row] = times[row]! / held;
  }
  return times;
}

function wallTimes(iterations: MeasuredIterations): Float64Array {
  const { startsNs, endsNs } = iterations;
  const own = iterations.metric('w');
  const times = new Float64Array(startsNs.length);
  for (let row = 0; row < times.length; row++) {
    const time = own === null || Number.isNaN(own[row]) ? endsNs[row]! - startsNs[row]! : own[row]!;
    times[row] = Math.max(1, time);
  }
  return times;
}

function cpuTimes(run: TimedRun, side: Side): Float64Array {
  const iterations = run.iterations[side];
  const recorded = iterations.metric('c');
  if (recorded?.some(Number.isNaN) === false) return recorded.slice();
  const ofProcess = run.processCpuNs[side] ?? Number.NaN;
  const times = new Float64Array(iterations.length).fill(ofProcess);
  recorded?.forEach((time, row) => {
    if (!Number.isNaN(time)) times[row] = time;
  });
  return times;
}

/**
 * Wall time without the time for which the iteration was ready to run and waited for a CPU; not a number where that is not known. Of a command it
 * is known of the first thread of its first process:`MetricFacts.hasUnknownWait` says where others waited.
 */
function undelayedTimes(iterations: MeasuredIterations): Float64Array {
  const times = wallTimes(iterations);
  const delays = iterations.metric('q');
  for (let row = 0; row < times.length; row++) times[row] = Math.max(1, times[row]! - (delays?.[row] ?? Number.NaN));
  return times;
}

/** A count of a run, one execution; not a number where it is not known. */
function anExecution({ iterations }: SideResult, count: number | null | undefined): number {
  return (count ?? Number.NaN) / Math.max(1, iterations.length);
}

function counted(counter: Counter): (side: SideResult) => number {
  return (side) => anExecution(side, side.counters?.[counter]);
}

/** Resources that a side used in a run: peak memory in bytes, and numbers an execution. */
const resourceIn: Readonly<Record<ResourceMetric, (side: SideResult) => number>> = {
  rss: ({ maxRssBytes }) => maxRssBytes ?? Number.NaN,
  faults: (side) => anExecution(side, side.pageFaults),
  switches: (side) =>
    anExecution(side, (side.voluntarySwitches ?? Number.NaN) + (side.involuntarySwitches ?? Number.NaN)),
  allocations: () => Number.NaN,
  ...(Object.fromEntries(counterSchema.options.map((counter) => [counter, counted(counter)])) as Record<
    Counter,
    (side: SideResult) => number
  >),
};

/** A resource of a run; work that valgrind counted stands before that of the processor, which counts its own instructions then. */
function resourceOf(side: SideResult, metric: ResourceMetric): number {
  const count = isCount(metric) ? side.counts?.[metric] : undefined;
  return count ?? resourceIn[metric](side);
}

/** Resources are known of a whole run: each of its iterations stands for it. */
function resourceValues(run: TimedRun, side: Side, metric: ResourceMetric): Float64Array {
  return new Float64Array(run.iterations[side].length).fill(resourceOf(run.trial.sides[side], metric));
}

const timesIn: Readonly<Record<Exclude<Quantity, ResourceMetric>, (run: TimedRun, side: Side) => Float64Array>> = {
  time: (run, side) => wallTimes(run.iterations[side]),
  cpu: cpuTimes,
  undelayed: (run, side) => undelayedTimes(run.iterations[side]),
  // Without a collector.
  thread: ({ iterations }, side) =>
    iterations[side].metric('t')?.slice() ?? new Float64Array(iterations[side].length).fill(Number.NaN),
};

function isResource(metric: Quantity): metric is ResourceMetric {
  return metric !== 'thread' && isResourceMetric(metric);
}

/** `iterationTimes` in ns an iteration, however many invocations it holds. */
export function wholeIterationTimes(run: TimedRun, side: Side, metric: Quantity): Float64Array | null {
  const times = isResource(metric) ? resourceValues(run, side, metric) : timesIn[metric](run, side);
  for (let row = 0; row < times.length; row++) if (!(times[row]! > 0)) return null;
  return times;
}

/**
 * Times of one side's measured iterations of a run, ns an invocation. CPU time is the iteration's own, or the process's
 * where the run is a single execution of a command; CPU time of the thread is what the record says under `t`.
 *
 * A resource has the amount that the side used in the run, the same for each iteration: bytes, or a number an execution.
 *
 * @returns `null` when an iteration has no such time, or a CPU time of 0, which no ratio can hold. Wall time is at least 1 ns, the
 *   resolution of the clock.
 */
export function iterationTimes(run: TimedRun, side: Side, metric: Quantity): Float64Array | null {
  const times = wholeIterationTimes(run, side, metric);
  return times === null || isResource(metric) ? times : perInvocation(times, run.iterations[side].metric('n'));
}

/** Values of which so many are kept for those who ask again. */
const mostKept = 2 ** 21;
const kept = new WeakMap<readonly UsableRun[], Map<string, Float64Array | null>>();

/** True where each run has one iteration of a side. */
export function areSingle(runs: readonly UsableRun[], side: Side): boolean {
  return lengthsOf(runs)[side].every((length) => length === 1);
}

/** Keys of the record that times are made of. */
const timeKeys = ['s', 'e', 'w', 'c', 'q', 'n', 't'];

/** The only iterations of many runs, in columns. */
function joinIterations(runs: readonly UsableRun[], side: Side): MeasuredIterations {
  const columns = timeKeys.map((key) => [key, new Float64Array(runs.length)] as const);
  for (const [r, { iterations }] of runs.entries()) {
    const own = iterations[side];
    for (const [key, values] of columns) values[r] = firstValue(own, key);
  }
  const [[, startsNs], [, endsNs]] = columns as [(typeof columns)[number], (typeof columns)[number]];
  const known = new Map(columns.filter(([, values]) => !values.every(Number.isNaN)));
  const metric = (key: string): Float64Array | null => known.get(key) ?? null;
  return { length: runs.length, indices: new Float64Array(0), startsNs, endsNs, metric };
}

const joinedRuns = new WeakMap<readonly UsableRun[], readonly TimedRun[]>();

/**
 * The runs, or where each has one iteration of each side a single one with all of these, in columns: columns of each run take many times as long. It
 * has no indices, no resources and no CPU time of a process.
 */
export function joinSingle(runs: readonly UsableRun[]): readonly TimedRun[] {
  const [first] = runs;
  if (first === undefined || !areSingle(runs, 'A') || !areSingle(runs, 'B')) return runs;
  const iterations = () => ({ A: joinIterations(runs, 'A'), B: joinIterations(runs, 'B') });
  const joined = joinedRuns.get(runs) ?? [
    { trial: first.trial, iterations: iterations(), processCpuNs: { A: null, B: null } },
  ];
  joinedRuns.set(runs, joined);
  return joined;
}

/**
 * What `read` gives of each run, one after the other; not to be changed.
 *
 * @returns `null` where it gives none of a run.
 */
export function timesOfAll(
  runs: readonly UsableRun[],
  { side, metric, read = iterationTimes }: { side: Side; metric: Quantity; read?: typeof iterationTimes },
): Float64Array | null {
  const known = kept.get(runs) ?? new Map<string, Float64Array | null>();
  kept.set(runs, known);
  const key = `${side} ${metric} ${read.name}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const joined = joinSingle(runs);
  const hasOwn = metric !== 'cpu' || joined[0]?.iterations[side].metric('c')?.some(Number.isNaN) === false;
  const all = joinedOf(hasOwn && !isResource(metric) ? joined : runs, (run) => read(run, side, metric));
  if (all === null || all.length <= mostKept) known.set(key, all);
  return all;
}

/** Fewer iterations than this have no range that an outlier could stand out from. */
const fewestForWinsorizing = 4;

/** The times that a comparison is made from, ns: a list a run, outliers moved. */
export interface JudgedTimes {
  readonly A: Lists;
  readonly B: Lists;
  /** Times that were moved. */
  readonly outliers: number;
}

/**
 * The times of all runs in one metric. In runs of at least four iterations at most one time a side that lies more than 20 %
 * of the others' range outside of it is moved to the nearest of the others. Of an `async-tandem` each run has one time, the lower quartile: most
 * iterations that are shorter than a turn of the scheduler (3 ms) hold no turn of the other side.
 *
 * @param asMeasured nothing is moved, as where the sides were measured apart: one far time of A would be, and of B's eight none.
 * @returns `null` when the metric is not known for every iteration.
 * Source: Bulej et al., ICPE'20, section 4.
 */
export function judgedTimes(runs: readonly UsableRun[], metric: Quantity, asMeasured = false): JudgedTimes | null {
  const [A, B] = [sideTimes(runs, { side: 'A', metric }), sideTimes(runs, { side: 'B', metric })];
  if (A === null || B === null) return null;
  if (asMeasured) return { A, B, outliers: 0 };
  return { A, B, outliers: moveOutliers(A) + moveOutliers(B) };
}

/** Leaves out iterations of few invocations: Go fills its time with a first one that met a stall. */
function filledTimes(times: Float64Array, invocations: Float64Array | null): Float64Array {
  if (invocations === null) return times;
  const few = quantile(invocations, 0.9) / 10;
  return times.filter((_, row) => !(invocations[row]! < few));
}

function sideTimes(
  runs: readonly UsableRun[],
  { side, metric }: { readonly side: Side; readonly metric: Quantity },
): Float64Array[] | SingleValues | null {
  const all = timesOfAll(runs, { side, metric });
  if (all === null) return null;
  if (areSingle(runs, side)) return new SingleValues(all);
  let end = 0;
  return runs.map(({ iterations, trial }) => {
    const start = end;
    end += iterations[side].length;
    const times = all.subarray(start, end);
    const isOfQuartile = methodFacts[trial.method].valueOfRun === 'lower-quartile' && times.length > 0;
    return isOfQuartile ? Float64Array.of(quantile(filledTimes(times, iterations[side].metric('n')), 0.25)) : times;
  });
}

/** Moves outliers of the runs in place; gives their number. */
function moveOutliers(runs: Float64Array[] | SingleValues): number {
  if (runs instanceof SingleValues) return 0;
  let moved = 0;
  for (const [r, times] of runs.entries()) {
    if (times.length < fewestForWinsorizing) continue;
    const { values, replaced } = winsorizeRun(times);
    runs[r] = values;
    if (replaced !== null) moved++;
  }
  return moved;
}

/** The times of the pairs, ns: a list a run, A's and B's of one pair at the same place. */
export type PairedTimes = Pick<JudgedTimes, Side>;

function pick(times: Float64Array, rows: Int32Array): Float64Array {
  if (times.length === 1 && rows.length === 1) return times;
  const picked = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) picked[k] = times[rows[k]!]!;
  return picked;
}

/** Picks the times of every run's pairs; in `async-duet` an iteration may be in several. */
export function pairedTimes(runs: readonly UsableRun[], { A, B }: JudgedTimes): PairedTimes {
  if (A instanceof SingleValues && B instanceof SingleValues && runs.every(({ pairs }) => pairs.length === 1)) {
    return { A, B };
  }
  return {
    A: runs.map(({ pairs }, r) => pick(A.at(r)!, pairs.a)),
    B: runs.map(({ pairs }, r) => pick(B.at(r)!, pairs.b)),
  };
}
