import type { Benchmark, ExperimentConfig, MeasuredBenchmark, MeasuredRun, Method } from '@deadheat/model';
import { selectRuns, type Selection } from '../pairing/select-runs.ts';

/** What was measured of a benchmark, and the configuration that counts for it (`configOf`). */
export interface StudyBenchmark extends MeasuredBenchmark {
  readonly config: ExperimentConfig;
}

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
  /** Whether both sides are the same program, as the papers' evaluations assume. */
  readonly isSelf: boolean;
  readonly methods: ReadonlyMap<Method, StudyRuns>;
}

/** A benchmark by name and parameters. */
export const labelOf = ({ name, params }: Pick<Benchmark, 'name' | 'params'>): string =>
  [name, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');

const comparesItself = ({ commands, environment, workingDirectory }: Benchmark): boolean => {
  const sideOf = (side: 'A' | 'B'): string =>
    JSON.stringify([
      commands[side].argv,
      Object.entries(environment[side]).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      workingDirectory[side],
    ]);
  return sideOf('A') === sideOf('B');
};

const isSound = ({ trial }: MeasuredRun): boolean => trial.status === 'ok' && trial.phase === 'measure';

const byMethod = (parts: readonly StudyBenchmark[]): ReadonlyMap<Method, StudyRuns> => {
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
};

/**
 * Benchmarks with equal name and parameters brought together, in the order in which they first come: what several entries
 * or recordings measured of one benchmark by one method counts as one set of runs, by the settings of the first.
 *
 * @throws AnalysisError as `overlaps`.
 */
export const studyGroups = (benchmarks: readonly StudyBenchmark[]): readonly StudyGroup[] => {
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
};
