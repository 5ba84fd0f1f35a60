import { methodFacts, type Interval, type Method, type Side, type Trial } from '@deadheat/model';
import { mean, type Random, variance } from '@deadheat/stats';
import { iterationTimes, type Quantity } from '../metric/iteration-times.ts';
import type { RunsOfTimes } from '../pairing/paired-ratios.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import { sequentialRatioInterval, welchInterval } from '../interval/sequential-ratio-interval.ts';
import {
  fewestStudyRuns,
  hasRuns,
  studyGroups,
  studyLogRatios,
  studyTimes,
  studyRandom,
  type StudyOptions,
  type StudyBenchmark,
  type StudyGroup,
} from './study-group.ts';
import {
  explainedSpread,
  spreadRemoved,
  spreadWithin,
  type ExplainedSpread,
  type SpreadRemoved,
} from './explained-spread.ts';
import type { Ends, IntervalOptions } from '../interval/location.ts';

const confidenceOfEffects = 0.95;

/** A count of each run; `null` = not known. */
export interface RunCount<Name extends string = string> {
  readonly name: Name;
  readonly of: (trial: Trial) => number | null;
}

interface DisturbanceOptions<Name extends string> extends StudyOptions {
  readonly counts: readonly RunCount<Name>[];
  /** Programs whose CPU time is the same work at the speed of the core: they need neither caches nor memory. */
  readonly pure: (benchmark: StudyBenchmark['benchmark']) => boolean;
  /** True if a disturbance was avoided in a benchmark that is measured with it as well, `sequential` both. */
  readonly avoided: (benchmark: StudyBenchmark['benchmark']) => boolean;
}

/** A ratio of a benchmark with its interval of 95 %. */
interface BenchmarkRatio extends Ends {
  readonly benchmark: string;
  readonly ratio: number;
}

/** Disturbance of A/A runs of programs of a known, equal amount of work. Spreads are relative standard deviations. */
export interface Disturbances<Name extends string = string> {
  /** Between the processes of `runs` runs of a method on one core: of `tandem` that of CPU times, else of wall times. */
  readonly spreads: readonly {
    readonly benchmark: string;
    readonly method: Method;
    readonly runs: number;
    readonly spread: number | null;
  }[];
  /** Association of the times with every count that is known for some run: its mean over those runs, and their number. */
  readonly counts: readonly {
    readonly name: Name;
    readonly mean: number;
    readonly runs: number;
    readonly explained: ExplainedSpread | null;
  }[];
  /** Time in which a program that was ready did not run, as a part of its time; `null` = CPU time was not measured. */
  readonly waiting: { readonly mean: number; readonly explained: ExplainedSpread | null } | null;
  /** Spread of the CPU time of work that needs the core alone, one after the other. */
  readonly speed: { readonly spread: number; readonly runs: number } | null;
  /** CPU time beside a copy of itself over that alone; wall time where CPU time was not measured. */
  readonly sharing: readonly BenchmarkRatio[];
  /** Time on the CPU with the higher number over that on the other, from duets that traded them. */
  readonly places: readonly BenchmarkRatio[];
  readonly avoided: SpreadRemoved | null;
}

/**
 * Disturbances of A/A runs, by the counts of each and by runs under other conditions. Runs of `tandem` have a spread, and
 * show nothing else.
 *
 * @throws AnalysisError as `overlaps`.
 * `sharing`: Bulej et al., ICPE'20, section 4.4. The rest is ours: docs/doctor.md.
 */
export function measureDisturbances<Name extends string>(
  benchmarks: readonly StudyBenchmark[],
  options: DisturbanceOptions<Name>,
): Disturbances<Name> {
  const usual = studyGroups(benchmarks.filter(({ benchmark }) => !options.avoided(benchmark)));
  const avoiding = studyGroups(benchmarks.filter(({ benchmark }) => options.avoided(benchmark)));
  const all = levelsOf(usual);
  const levels = all.filter((level) => !isTandem(level));
  const pure = levelsOf(studyGroups(benchmarks.filter(({ benchmark }) => options.pure(benchmark))));
  return {
    spreads: [...by(all, ({ label, method }) => `${method} ${label}`).values()].map((runs) => ({
      benchmark: runs[0]?.label ?? '',
      method: runs[0]?.method ?? 'sequential',
      runs: runs.length,
      spread: spreadWithin(
        processesBy(runs, ({ logTime, logCpuTime }) => (runs.every(isTandem) ? logCpuTime : logTime)),
      ),
    })),
    counts: options.counts.flatMap((count) => countOf(levels, count)),
    waiting: waitingOf(levels),
    speed: speedOf(pure.filter(isAlone)),
    sharing: usual.flatMap((group) => sharingOf(group, options)),
    places: usual.flatMap((group) => placesOf(group)),
    avoided: spreadRemoved({
      with: processesBy(levels.filter(isAlone), ({ logTime }) => logTime),
      without: processesBy(levelsOf(avoiding).filter(isAlone), ({ logTime }) => logTime),
    }),
  };
}

function levelsOf(groups: readonly StudyGroup[]): readonly RunLevel[] {
  return groups.flatMap(({ label, methods }) =>
    [...methods].flatMap(([method, { selection }]) => selection.runs.map((run) => runLevel(run, { label, method }))),
  );
}

/** Its wall times are those of both sides, and its CPU times are made to feel nothing of what is looked for. */
function isTandem({ method }: RunLevel): boolean {
  return methodFacts[method].cpus === 'one-shared';
}

function isAlone({ method }: RunLevel): boolean {
  return !methodFacts[method].together;
}

function by<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** Processes that did the same in the same way on the same core. */
function processesBy(
  levels: readonly RunLevel[],
  value: (process: RunLevel['processes'][number]) => number | null,
): readonly (readonly number[])[] {
  const all = levels.flatMap(({ label, method, processes }) =>
    processes.map((process) => ({ key: `${method} ${process.cpu} ${label}`, value: value(process) })),
  );
  return [...by(all, ({ key }) => key).values()].map((group) => group.flatMap((one) => one.value ?? []));
}

function timeOf({ processes: [a, b] }: RunLevel): number {
  return (a.logTime + b.logTime) / 2;
}

function alike({ label, method }: RunLevel): string {
  return `${method} ${label}`;
}

function countOf<Name extends string>(
  levels: readonly RunLevel[],
  { name, of }: RunCount<Name>,
): Disturbances<Name>['counts'] {
  const known = levels.flatMap((level) => {
    const count = of(level.trial);
    return count === null ? [] : [{ level, count }];
  });
  if (known.length === 0) return [];
  const explained = explainedSpread(
    [...by(known, ({ level }) => alike(level)).values()].map((group) => ({
      logTimes: group.map(({ level }) => timeOf(level)),
      counts: group.map(({ count }) => count),
    })),
  );
  return [{ name, mean: mean(known.map(({ count }) => count)), runs: known.length, explained }];
}

function waitingOf(levels: readonly RunLevel[]): Disturbances['waiting'] {
  const known = levels.flatMap((level) => {
    const parts = level.processes.flatMap(({ logTime, logCpuTime }) =>
      logCpuTime === null ? [] : logTime - logCpuTime,
    );
    // Clocks of CPU time are read apart from that of the wall: a little less than nothing is nothing.
    return parts.length === 2 ? [{ level, waiting: Math.max(0, mean(parts)) }] : [];
  });
  if (known.length === 0) return null;
  return {
    mean: mean(known.map(({ waiting }) => 1 - Math.exp(-waiting))),
    explained: explainedSpread(
      [...by(known, ({ level }) => alike(level)).values()].map((group) => ({
        logTimes: group.map(({ level }) => timeOf(level)),
        counts: group.map(({ waiting }) => waiting),
      })),
    ),
  };
}

function speedOf(levels: readonly RunLevel[]): Disturbances['speed'] {
  const spread = spreadWithin(processesBy(levels, ({ logCpuTime }) => logCpuTime));
  return spread === null ? null : { spread, runs: levels.length };
}

function sharingOf(group: StudyGroup, options: StudyOptions): readonly BenchmarkRatio[] {
  const [duet, alone] = [group.methods.get('sync-duet'), group.methods.get('sequential')];
  if (duet === undefined || alone === undefined) return [];
  if (!hasRuns(group, 'sync-duet') || !hasRuns(group, 'sequential')) return [];
  // CPU time where it is known: other work on the machine makes everybody wait who needs both cores.
  const [concurrent, isolated] = (['thread', 'cpu', 'time'] as const)
    .map((metric) => [studyTimes(duet, metric), studyTimes(alone, metric)] as const)
    .find((both) => both.every((times) => times !== null)) ?? [null, null];
  if (concurrent === null || isolated === null) return [];
  const { estimate, low, high } = concurrencySlowdown(
    { concurrent: [...concurrent.A, ...concurrent.B], isolated: [...isolated.A, ...isolated.B] },
    { random: studyRandom(options, 'sharing', group.label), confidence: confidenceOfEffects },
  );
  return [{ benchmark: group.label, ratio: estimate, low, high }];
}

function placesOf({ label, methods }: StudyGroup): readonly BenchmarkRatio[] {
  const runs = methods.get('sync-duet');
  const times = runs === undefined ? null : studyTimes(runs, 'time');
  if (runs === undefined || times === null) return [];
  const logRatios = studyLogRatios(runs, times);
  const levels: [number[], number[]] = [[], []];
  for (const [r, { trial }] of runs.selection.runs.entries()) {
    const { A, B } = trial.sides;
    if (A.cpu !== B.cpu) levels[A.cpu < B.cpu ? 0 : 1].push(logRatios[r] ?? 0);
  }
  if (levels.some(({ length }) => length < fewestStudyRuns)) return [];
  return [{ benchmark: label, ...placeEffect(levels, { confidence: confidenceOfEffects }) }];
}

/** Time of one process of a run. */
interface ProcessLevel {
  readonly cpu: number;
  /** Logarithm of the mean wall time of its judged iterations, ns. */
  readonly logTime: number;
  /** The same of the CPU time of the thread that did the work, or of the process; `null` = not measured. */
  readonly logCpuTime: number | null;
}

/** One run of an A/A comparison. */
interface RunLevel {
  /** Benchmark with its parameters. */
  readonly label: string;
  readonly method: Method;
  readonly trial: Trial;
  readonly processes: readonly [ProcessLevel, ProcessLevel];
}

/** Outliers stay as they are: to find what brings them about is the question here. */
function runLevel(run: UsableRun, { label, method }: { readonly label: string; readonly method: Method }): RunLevel {
  return {
    label,
    method,
    trial: run.trial,
    processes: [processLevel(run, 'A'), processLevel(run, 'B')],
  };
}

function processLevel(run: UsableRun, side: Side): ProcessLevel {
  const logOf = (metric: Quantity): number | null => {
    const times = iterationTimes(run, side, metric);
    return times === null || times.length === 0 ? null : Math.log(mean(times));
  };
  return {
    cpu: run.trial.sides[side].cpu,
    // Wall times are there for every iteration, and a usable run has some.
    logTime: logOf('time') ?? 0,
    logCpuTime: logOf('thread') ?? logOf('cpu'),
  };
}

/**
 * Half of the distance between two kinds of runs on the log scale, as a ratio: of runs that have it the one way against runs
 * that have it the other way, such as who sits on which core.
 *
 * @param levels logarithms of B / A of the runs of either kind, at least two of each.
 * @returns the ratio with Welch's interval.
 */
export function placeEffect(
  levels: readonly [readonly number[], readonly number[]],
  { confidence }: { readonly confidence: number },
): Ends & { readonly ratio: number } {
  const [first, second] = levels;
  const half = (mean(first) - mean(second)) / 2;
  const parts = levels.map((logRatios) => ({
    squaredError: variance(logRatios) / logRatios.length / 4,
    n: logRatios.length,
  }));
  const { low, high } = welchInterval(half, { parts, confidence });
  return { ratio: Math.exp(half), low: Math.exp(low), high: Math.exp(high) };
}

/** Parameters of the interval whose width is meant; the defaults are ICPE'20's: `percentile`, 99 %, 10 000 replicates. */
export interface WidthOptions extends Partial<Omit<IntervalOptions, 'random'>> {
  readonly random: Random;
}

/** The options with the defaults filled in. */
export function widthOptions(options: WidthOptions): IntervalOptions {
  return {
    kind: options.kind ?? 'percentile',
    confidence: options.confidence ?? 0.99,
    replicates: options.replicates ?? 10_000,
    random: options.random,
  };
}

/**
 * Slowdown of the same work by a copy of itself beside it: mean time in an A/A duet over mean time alone.
 * Near 1: the sides do not get into each other's way. Between 1 and 2: they share a core's resources, as hyperthreads do.
 * Above 2: something holds back whoever uses both cores, as a quota does. Every run weighs the same.
 *
 * @param times.concurrent of one or both sides of an A/A duet, at least two runs.
 * @param times.isolated of the same work by itself, at least two runs, in the same unit.
 * @returns the ratio with its interval; defaults as `WidthOptions`.
 * @throws RangeError as `sequentialRatioInterval`.
 * Source: Bulej et al., ICPE'20, section 4.4 and figure 7.
 */
export function concurrencySlowdown(
  times: { readonly concurrent: RunsOfTimes; readonly isolated: RunsOfTimes },
  options: WidthOptions,
): Interval {
  return sequentialRatioInterval(
    times.isolated.map((run) => mean(run)),
    times.concurrent.map((run) => mean(run)),
    widthOptions(options),
  ).ratio;
}
