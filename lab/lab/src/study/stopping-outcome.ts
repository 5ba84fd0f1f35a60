import { methodFacts, type MeasuredRun, type Side } from '@deadheat/model';
import { hierarchicalBootstrap, percentileInterval, ratioReplicates, smallest } from '@deadheat/stats';
import {
  at,
  type IterationSample,
  invocationTimes,
  paperConfig,
  stabilityCriteria,
  type ReconfigurationConfig,
  type StabilityCriterion,
  type StoppingOptions,
  labelOf,
  type StudyBenchmark,
  studyRandom,
} from '@deadheat/analysis';
import { replayReconfiguration } from './replay-reconfiguration.ts';

/** Full-length measurements of one program. */
export interface StoppingSeries {
  /** What Table 3 sums up by: the project or recording that it belongs to. */
  readonly project: string;
  readonly label: string;
  /** `forks[f][i]`: what the iterations of each fork gave. */
  readonly forks: readonly (readonly IterationSample[])[];
  /** Time that each iteration took, ns. */
  readonly timesNs: readonly Float64Array[];
  /** What each fork took besides its iterations, ns: its start, fixtures, waits; absent = not known, and counted as nothing. */
  readonly besidesNs?: readonly number[];
}

/** A criterion, or several at once. */
export interface StoppingRule {
  readonly name: string;
  readonly criteria: readonly StabilityCriterion[];
  readonly combine: 'all' | 'any';
}

/** What replays depend on besides the measurements. */
export interface StoppingStudyOptions extends Required<Pick<StoppingOptions, 'seed' | 'like' | 'liftCaps'>> {
  /** Replicates of the A/A test, default 10 000. */
  readonly replicates?: number;
}

/** What one rule would have made of a benchmark. */
export interface RuleOutcome {
  readonly rule: string;
  /** Of every fork that it would have made. */
  readonly forks: readonly { readonly warmup: number; readonly stable: boolean }[];
  /** Whether the result was stable after the last one. */
  readonly stable: boolean;
  /** Ends of the 99 % interval of the ratio of means, replayed over static. */
  readonly low: number;
  readonly high: number;
  /** Distance of the ratio of means from 1, >= 0. */
  readonly change: number;
  /** Time that it would have taken, ns, of forks as recorded; what deciding costs is not in it. */
  readonly timeNs: number;
  /** Time of its warm-up iterations, ns. */
  readonly warmupNs: number;
}

/** A benchmark under all rules beside the static configuration. */
export interface StoppingOutcome {
  readonly project: string;
  readonly label: string;
  readonly staticTimeNs: number;
  /** Of all forks that were recorded, and all their iterations, ns. */
  readonly recordedTimeNs: number;
  readonly rules: readonly RuleOutcome[];
}

/** Each criterion alone, and all of them together. */
export const stoppingRules: readonly StoppingRule[] = [
  ...stabilityCriteria.map((name): StoppingRule => ({ name, criteria: [name], combine: 'all' })),
  { name: 'all', criteria: stabilityCriteria, combine: 'all' },
  { name: 'any', criteria: stabilityCriteria, combine: 'any' },
];

/** The most that deciding should cost, as a share of an iteration of 1 s; `npm run bench -- stopping` measures it. */
export const overheadBounds: Readonly<Record<StabilityCriterion, number>> = { cv: 0.002, rciw: 0.01, kld: 0.01 };

/** Section 5.3.2: of 100 iterations of each of five forks the second half. */
const replayed = { warmup: 50, measured: 50, forks: 5 };
const confidence = 0.99;
/** Fewest iterations and forks that can be replayed. */
const least = { iterations: 4, forks: 2 };

function lengthOf({ forks }: StoppingSeries): number {
  return smallest(forks.map((fork) => fork.length));
}

/** Whether a series is long enough to be replayed, and took any time at all. */
export function canReplay(series: StoppingSeries): boolean {
  return (
    series.forks.length >= least.forks &&
    lengthOf(series) >= least.iterations &&
    series.timesNs.some((times) => times.some((time) => time > 0))
  );
}

/** The paper's configuration, or what of it fits into shorter recordings; with the caps lifted as far as they reach. */
function fit(series: StoppingSeries, lift: number): ReconfigurationConfig {
  const length = lengthOf(series);
  const mi = Math.min(paperConfig.mi, Math.floor(length / 2));
  const wiMax = Math.min(Math.floor(paperConfig.wiMax * lift), length - mi);
  const fMax = Math.min(Math.floor(paperConfig.fMax * lift), series.forks.length);
  return {
    ...paperConfig,
    mi,
    wiMax,
    wiMin: Math.min(paperConfig.wiMin, wiMax),
    fMax,
    fMin: Math.min(paperConfig.fMin, fMax),
  };
}

/** Of a histogram at most as many invocations are resampled: as many as an iteration of the paper has. */
const mostInvocations = 1000;

/** The times of an iteration; of a histogram those at equal steps of its cumulated counts, all of them where it holds no more than 1000. */
export function valuesOf(iteration: IterationSample): ArrayLike<number> {
  if (typeof iteration === 'number') return [iteration];
  if (!('counts' in iteration)) return iteration;
  const { values, counts } = iteration;
  const total = totalOf(counts);
  const size = Math.min(total, mostInvocations);
  const drawn = new Float64Array(size);
  let [place, below] = [0, counts[0] ?? 0];
  for (let k = 0; k < size; k++) {
    while (((k + 0.5) / size) * total > below && place + 1 < values.length) below += counts[++place] ?? 0;
    drawn[k] = values[place] ?? 0;
  }
  return drawn;
}

function totalOf(counts: ArrayLike<number>): number {
  return Array.prototype.reduce.call(counts, (sum: unknown, count: number) => (sum as number) + count, 0) as number;
}

type Measured = readonly (readonly IterationSample[])[];

/** Mean over all invocations; every one of a histogram counts. */
export function meanOf(forks: Measured): number {
  let sum = 0;
  let size = 0;
  for (const one of forks.flat()) {
    const counts = typeof one === 'object' && 'counts' in one ? one.counts : null;
    const values = typeof one === 'number' ? [one] : 'counts' in one ? one.values : one;
    for (let i = 0; i < values.length; i++) {
      const count = counts?.[i] ?? 1;
      sum += values[i]! * count;
      size += count;
    }
  }
  return sum / size;
}

function sumBetween(times: Float64Array, from: number, end: number): number {
  return times.subarray(from, end).reduce((sum, time) => sum + time, 0);
}

/** Where some replicates of the baseline are 0 their ratio has no bounds. */
export function intervalOf(above: Float64Array, below: Float64Array): { readonly low: number; readonly high: number } {
  return below.includes(0) ? { low: 0, high: Infinity } : percentileInterval(ratioReplicates(above, below), confidence);
}

/**
 * Replays every rule on a benchmark and sets what it would have measured beside the static configuration: a 99 % interval of the ratio of
 * means by hierarchical bootstrap over forks, iterations and invocations, without removing outliers.
 *
 * @param series long enough (`canReplay`); shorter than the paper's 5 forks of 100 iterations, the configurations are cut to what fits.
 * @throws RangeError for a series that is too short, and as `replayReconfiguration`.
 * Source: FSE'20, sections 5.3 and 5.4.
 */
export function stoppingOutcome(series: StoppingSeries, options: StoppingStudyOptions): StoppingOutcome {
  if (!canReplay(series)) {
    throw new RangeError(`${series.label} needs ${least.forks} forks of ${least.iterations} iterations to be replayed`);
  }
  const { seed, like, liftCaps, replicates = 10_000 } = options;
  const config = fit(series, liftCaps);
  const length = lengthOf(series);
  const warmup = Math.min(replayed.warmup, Math.floor(length / 2));
  const end = Math.min(length, warmup + replayed.measured);
  const staticForks = series.forks.slice(0, replayed.forks);
  const baseline = staticForks.map((fork) => fork.slice(warmup, end));
  const draw = (forks: Measured, purpose: string): Float64Array => {
    const random = studyRandom({ seed }, 'stopping', series.project, series.label, purpose);
    const values = forks.map((fork) => fork.map((one) => valuesOf(one)));
    return hierarchicalBootstrap(values, { replicates, random, weights: 'pooled' });
  };
  const besides = (fork: number): number => series.besidesNs?.[fork] ?? 0;
  const below = draw(baseline, 'static');
  const mean = meanOf(baseline);
  const outcome = ({ name, criteria, combine }: StoppingRule): RuleOutcome => {
    // Caps that are lifted are caps that are higher: a fork is only longer while it is not stable.
    const replay = replayReconfiguration([series.forks], {
      criteria,
      combine,
      seed: `${seed} ${series.label}`,
      like,
      config,
    });
    const measured = replay.forks.map((fork, f) => at(series.forks, f).slice(fork.warmup, fork.warmup + config.mi));
    const sum = (timeOf: (warmup: number, fork: number) => number): number =>
      replay.forks.reduce((total, { warmup }, f) => total + timeOf(warmup, f), 0);
    const { low, high } = intervalOf(draw(measured, name), below);
    return {
      rule: name,
      forks: replay.forks.map((fork) => ({ warmup: fork.warmup, stable: fork.stable ?? true })),
      stable: replay.stable,
      low,
      high,
      change: Math.abs(meanOf(measured) / mean - 1),
      timeNs: sum((warmup, f) => besides(f) + sumBetween(at(series.timesNs, f), 0, warmup + config.mi)),
      warmupNs: sum((warmup, f) => sumBetween(at(series.timesNs, f), 0, warmup)),
    };
  };
  return {
    project: series.project,
    label: series.label,
    staticTimeNs: staticForks.reduce((sum, _, f) => sum + besides(f) + sumBetween(at(series.timesNs, f), 0, end), 0),
    recordedTimeNs: series.timesNs.reduce((sum, times, f) => sum + besides(f) + sumBetween(times, 0, times.length), 0),
    rules: stoppingRules.map((rule) => outcome(rule)),
  };
}

const sides: readonly Side[] = ['A', 'B'];

/**
 * A side of a benchmark in one recording: what is known of the invocations of each iteration, a list, a histogram or their mean; of a
 * tandem CPU time as far as it was recorded.
 */
function seriesOf(
  runs: readonly MeasuredRun[],
  side: Side,
  { besides, ...name }: Pick<StoppingSeries, 'project' | 'label'> & { readonly besides: Besides },
): StoppingSeries {
  const timesNs = runs.map((run) => timesOf(run, side));
  const forks = runs.map(({ trial, iterations: { [side]: own } }) => {
    const timeOf = invocationTimes(own, methodFacts[trial.method].ownTime === 'cpu' ? 'cpu' : 'time');
    return Array.from({ length: own.length }, (_, row) => timeOf(row));
  });
  return { ...name, forks, timesNs, besidesNs: runs.map((run) => besides(run, side)) };
}

/** On one core the wall time of a side is that of others as well. */
function timesOf({ trial, iterations }: MeasuredRun, side: Side): Float64Array {
  const own = iterations[side];
  const { startsNs, endsNs } = own;
  const cpuNs = methodFacts[trial.method].ownTime === 'cpu' ? own.metric('c') : null;
  return endsNs.map((end, i) => cpuNs?.[i] || end - startsNs[i]!);
}

type Besides = (run: MeasuredRun, side: Side) => number;

/**
 * What a run took besides iterations, ns, for a side of one benchmark: of a duet, whose sides are there all the time, what the side's own
 * iterations leave, of others what those of both leave, in halves; and in equal parts where a program has several benchmarks.
 */
function besidesOf(benchmarks: readonly StudyBenchmark[]): Besides {
  const known = new Map<MeasuredRun['trial'], { benchmarks: number; readonly usedNs: Record<Side, number> }>();
  for (const { runs } of benchmarks) {
    for (const run of runs) {
      const facts = known.get(run.trial) ?? { benchmarks: 0, usedNs: { A: 0, B: 0 } };
      facts.benchmarks += 1;
      for (const side of sides) facts.usedNs[side] += timesOf(run, side).reduce((sum, time) => sum + time, 0);
      known.set(run.trial, facts);
    }
  }
  return ({ trial }, side) => {
    const { benchmarks: count, usedNs } = known.get(trial)!;
    const isDuet = methodFacts[trial.method].together && methodFacts[trial.method].cpus === 'one-each';
    const leftNs = isDuet ? trial.wallNs - usedNs[side] : (trial.wallNs - usedNs.A - usedNs.B) / 2;
    return Math.max(0, leftNs) / count;
  };
}

/**
 * Every side of every benchmark of a recording, as far as it can be replayed: sound measured runs with at least four iterations, warm-up
 * included.
 *
 * @param project what the recording is called.
 */
export function stoppingSeries(
  benchmarks: readonly StudyBenchmark[],
  project: string,
): { readonly series: readonly StoppingSeries[]; readonly tooShort: readonly string[] } {
  const besides = besidesOf(benchmarks);
  const all = benchmarks.flatMap(({ benchmark, runs }) => {
    const sound = runs.filter(({ trial }) => trial.status === 'ok' && trial.phase === 'measure');
    const methods = [...new Set(sound.map(({ trial }) => trial.method))];
    return methods.flatMap((method) =>
      sides.map((side) =>
        seriesOf(
          sound.filter(({ trial, iterations }) => trial.method === method && iterations[side].length > 0),
          side,
          { project, besides, label: [labelOf(benchmark), ...(methods.length > 1 ? [method] : []), side].join(' ') },
        ),
      ),
    );
  });
  const measured = all.filter(({ forks }) => forks.length > 0);
  return {
    series: measured.filter((one) => canReplay(one)),
    tooShort: measured.filter((one) => !canReplay(one)).map(({ label }) => label),
  };
}
