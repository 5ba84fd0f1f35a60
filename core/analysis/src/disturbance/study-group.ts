import {
  methodFacts,
  sides,
  type Side,
  type Benchmark,
  type ExperimentConfig,
  type MeasuredBenchmark,
  type MeasuredRun,
  type Method,
} from '@deadheat/model';
import { createRandom, mean, type Random } from '@deadheat/stats';
import { judgedTimes, pairedTimes, type Quantity } from '../metric/iteration-times.ts';
import { runLogRatios } from '../pairing/paired-ratios.ts';
import { selectRuns, type Selection } from '../pairing/select-runs.ts';

/** Measurements of a benchmark, and the configuration that counts for it (`configOf`). */
export interface StudyBenchmark extends MeasuredBenchmark {
  readonly config: ExperimentConfig;
  /** Under which circumstances it was measured; absent = nothing is known of them but what its parameters say. */
  readonly facets?: Readonly<Partial<Record<StudyFacet, string | null>>>;
}

/** Circumstances by which a study is divided: what was measured under different ones is not put together. */
export const studyFacets = ['machine', 'environment', 'suite', 'neighbour'] as const;
export type StudyFacet = (typeof studyFacets)[number];

/** The runs of one benchmark by one method, over all recordings. */
export interface StudyRuns {
  readonly config: ExperimentConfig;
  readonly selection: Selection;
  /** Sound measured runs as they are, warm-up inside them included. */
  readonly raw: readonly MeasuredRun[];
}

/** One benchmark by all methods that it was measured with. */
export interface StudyGroup {
  /** Name, with the parameters behind it. */
  readonly label: string;
  /** True if both sides are the same program, as the papers' evaluations assume. */
  readonly isSelf: boolean;
  readonly methods: ReadonlyMap<Method, StudyRuns>;
}

/** A benchmark by name and parameters. */
export function labelOf({ name, params }: Pick<Benchmark, 'name' | 'params'>): string {
  return [name, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');
}

function comparesItself({ commands, environment, workingDirectory }: Benchmark): boolean {
  const sideOf = (side: 'A' | 'B'): string =>
    JSON.stringify([
      commands[side].argv,
      Object.entries(environment[side]).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      workingDirectory[side],
    ]);
  return sideOf('A') === sideOf('B');
}

function isSound({ trial }: MeasuredRun): boolean {
  return trial.status === 'ok' && trial.phase === 'measure';
}

function byMethod(parts: readonly StudyBenchmark[]): ReadonlyMap<Method, StudyRuns> {
  const methods = new Map<Method, StudyRuns>();
  for (const method of new Set(parts.flatMap(({ runs }) => runs.filter(isSound).map(({ trial }) => trial.method)))) {
    const ofMethod = parts.filter(({ runs }) => runs.some((run) => isSound(run) && run.trial.method === method));
    const [first] = ofMethod;
    if (first === undefined) continue;
    const raw = ofMethod.flatMap(({ runs }) => runs.filter((run) => isSound(run) && run.trial.method === method));
    const { minimumOverlapRate, warmup } = first.config;
    const selection = selectRuns(raw, { method, minimumOverlapRate, warmup, workload: first.benchmark.workload });
    methods.set(method, { config: first.config, selection, raw });
  }
  return methods;
}

/**
 * Benchmarks with equal name and parameters brought together, in the order in which they first come: what several entries
 * or recordings measured of one benchmark by one method counts as one set of runs, by the settings of the first.
 *
 * @throws AnalysisError as `overlaps`.
 */
export function studyGroups(benchmarks: readonly StudyBenchmark[]): readonly StudyGroup[] {
  const parts = new Map<string, StudyBenchmark[]>();
  for (const part of benchmarks) {
    const label = labelOf(part.benchmark);
    parts.set(label, [...(parts.get(label) ?? []), part]);
  }
  return [...parts].map(([label, own]) => ({
    label,
    isSelf: own.every(({ benchmark }) => comparesItself(benchmark)),
    methods: byMethod(own),
  }));
}

/** Fewest runs of a method that carry an interval. */
export const fewestStudyRuns = 2;

/** True if a group has enough runs of a method. */
export function hasRuns({ methods }: StudyGroup, method: Method): boolean {
  return (methods.get(method)?.selection.runs.length ?? 0) >= fewestStudyRuns;
}

/** Times of runs, ns: a list a run; of a duet A's and B's of one pair at the same place. */
export type StudyTimes = Readonly<Record<Side, readonly Float64Array[]>>;

/**
 * The judged times of a method's runs, ns: of a duet those of its pairs, of `sequential` all of both sides.
 *
 * @returns `null` where the metric was not measured for every iteration.
 */
export function studyTimes({ selection: { method, runs } }: StudyRuns, metric: Quantity): StudyTimes | null {
  const found: { readonly A: Float64Array[]; readonly B: Float64Array[] } = { A: [], B: [] };
  // Run by run, so that of a duet the times of no more than one run are there beside those of the pairs.
  for (const run of runs) {
    const judged = judgedTimes([run], metric);
    if (judged === null) return null;
    const times = methodFacts[method].pairs === 'none' ? judged : pairedTimes([run], judged);
    for (const side of sides) found[side].push(times[side].at(0)!);
  }
  return found;
}

/** The logarithm of B / A of every run: of a duet the mean over its pairs, else that of the sides' means. */
export function studyLogRatios({ selection }: StudyRuns, times: StudyTimes): Float64Array {
  return methodFacts[selection.method].pairs === 'none'
    ? Float64Array.from(times.A, (run, r) => Math.log(mean(times.B.at(r)!) / mean(run)))
    : runLogRatios(times.B, times.A);
}

/** Parameters of a study's figures besides the measurements. */
export interface StudyOptions {
  /** All resampling is drawn from it; the same measurements and seed give the same study on every machine. */
  readonly seed: string;
}

/** The random stream of one figure of a study. */
export function studyRandom({ seed }: StudyOptions, ...purpose: readonly string[]): Random {
  return createRandom(JSON.stringify(['study', seed, ...purpose]));
}
