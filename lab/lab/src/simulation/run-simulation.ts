import { mapInWorkers } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import type { ImportOptions } from '@deadheat/readers';
import { csvRows } from '@deadheat/report';
import { distributionStudy, simulationStudy } from './simulation-study.ts';
import {
  dimensionText,
  type ExperimentDimension,
  mostRunsOf,
  type SimulatedDimension,
  type SimulationModel,
  simulationSeries,
  type SimulationSeries,
} from './simulation-model.ts';
import type { SimulatedBenchmark } from './simulation-figures.ts';
import {
  dimensionOfExperiment,
  drawExperiment,
  simulatedMethods,
  type SimulatedExperiments,
  type SimulationOptions,
} from './simulate-experiments.ts';
import { type MeasuredSource, readMeasured } from '../study/read-measured.ts';
import { type StudyOfRecordings, withNotes } from '../study/study-recordings.ts';
import { type SimulatedChunk, SimulationJournal, type SimulationTask } from './simulation-journal.ts';
import type { FitRequest, SimulationRequest } from './simulation-worker.ts';

/** Which dimensions are simulated: a list, or what the data have with one or the other number of one's own, or several of runs. */
export type DimensionChoice =
  | readonly SimulatedDimension[]
  | (Partial<Pick<ExperimentDimension, 'iterations'>> & { readonly runs?: readonly number[] });

/** Which artificial recordings are drawn, and how they are judged. */
export interface SimulationPlan extends Omit<SimulationOptions, 'seed'> {
  /** Recordings, result files of other tools, folders of either. */
  readonly paths: readonly string[];
  /** How files are read that do not say it themselves; absent = by their content. */
  readonly reading?: ImportOptions;
  readonly dimensions: DimensionChoice;
  /** Of each benchmark in each dimension; 0 = none, only what they would be drawn from. */
  readonly experiments: number;
  /** First iterations of every run to be left out. */
  readonly warmup: number;
  /** What one change costs where the data are cut into segments. */
  readonly penalty: FitRequest['penalty'];
  /** Whether effects are drawn from the means of the data as they are, as in the paper. */
  readonly rawMeans: boolean;
  /** `null` = that of the first recording. */
  readonly seed: string | null;
  /** Threads; `null` = one a processor. */
  readonly workers: number | null;
  /** File that keeps finished experiments; `null` = nowhere. */
  readonly output: string | null;
}

interface SimulateOptions {
  /** Ends the simulation early: the study is of the experiments that are finished. */
  readonly signal: AbortSignal;
  /** Told of work that begins, and gives what is told how far it is. */
  readonly onWork: (work: { readonly what: string; readonly total: number }) => {
    /** This many more pieces are done. */
    readonly advance: (pieces: number) => void;
    readonly close: () => void;
  };
}

/** What an iteration of the published series lasted. */
const publishedIterationNs = 1e8;

const module: URL = new URL('./simulation-worker.js', import.meta.url);

/** A study of artificial recordings, and what it was made of as pieces of CSV, each with its own header line first. */
interface SimulatedStudy extends StudyOfRecordings {
  /** Ends of the intervals of every experiment (`intervalRows`). */
  readonly intervals: () => Iterable<string>;
  /** Every measurement of every artificial recording (`recordingRows`), drawn again. */
  readonly artificial: () => Iterable<string>;
}

/**
 * Takes recordings apart, draws artificial ones that are like them, and counts how often the intervals of every method miss the
 * true mean. The result does not depend on the number of threads.
 *
 * @returns `null` when it was ended before an experiment was finished
 * @throws UsageError for data without a usable run, and for an `output` that holds something else
 */
export async function simulateRecordings(
  plan: SimulationPlan,
  control: SimulateOptions,
): Promise<SimulatedStudy | null> {
  const { sources, notes } = await readMeasured(plan.paths, plan.reading);
  const seed = plan.seed ?? sources.find((one) => one.seed !== null)?.seed ?? 'simulation';
  const { boundaries, replicates, confidence } = plan;
  const options = { seed, boundaries, replicates, confidence };

  const models = await fit(distinct(sources.flatMap((source) => seriesOf(source))), { plan, seed, control });
  if (control.signal.aborted) return null;
  const recordings = sources.map(({ id }) => id);
  if (plan.experiments === 0) {
    const study = withNotes(distributionStudy(models, options), notes);
    return {
      study,
      recordings,
      intervals: () => intervalRows([], options),
      artificial: () => recordingRows([], options),
    };
  }
  const tasks = models.flatMap((model) =>
    dimensionsOf(model, plan.dimensions).map((dimension) => ({ model, dimension })),
  );
  refuseUnfit(tasks);
  const journal = new SimulationJournal(plan.output, tasks, options);
  const chunks = [...journal.earlier, ...(await finishRest(tasks, journal, { plan, options, control }))];
  const simulated = tasks.flatMap((task, place) =>
    gather(
      task,
      chunks.filter((chunk) => chunk.task === place),
      plan,
    ),
  );
  if (simulated.length === 0) return null;
  return {
    study: withNotes(simulationStudy(simulated, options), notes),
    recordings,
    intervals: () => intervalRows(simulated, options),
    artificial: () => recordingRows(simulated, options),
  };
}

/** Of published series whole forks, of which `warmup` is taken away like of all others. */
function seriesOf({ benchmarks, steady }: MeasuredSource): readonly SimulationSeries[] {
  return steady === null
    ? simulationSeries(benchmarks)
    : steady.map(({ name, forks }) => ({ label: name, unit: 'ns', runs: forks, iterationNs: publishedIterationNs }));
}

/** Series whose names differ: another of the same name gets a number. */
function distinct(series: readonly SimulationSeries[]): readonly SimulationSeries[] {
  if (series.length === 0) {
    throw new UsageError('UNREADABLE_INPUT', 'no benchmark of the data has a usable run', {
      hint: 'Record at least two runs of it (--runs).',
    });
  }
  const seen = new Map<string, number>();
  return series.map((one) => {
    const times = (seen.get(one.label) ?? 0) + 1;
    seen.set(one.label, times);
    return times === 1 ? one : { ...one, label: `${one.label} (${times})` };
  });
}

interface Context {
  readonly plan: SimulationPlan;
  readonly control: SimulateOptions;
}

function threadsOf({ workers }: SimulationPlan): { threads?: number } {
  return workers === null ? {} : { threads: workers };
}

async function fit(
  series: readonly SimulationSeries[],
  { plan, seed, control: { signal, onWork } }: Context & { readonly seed: string },
): Promise<readonly SimulationModel[]> {
  const progress = onWork({ what: 'benchmarks taken apart', total: series.length });
  try {
    return await mapInWorkers<FitRequest, SimulationModel>({
      module,
      requests: series.map((one) => ({
        kind: 'fit',
        series: one,
        warmup: plan.warmup,
        penalty: plan.penalty,
        rawMeans: plan.rawMeans,
        seed,
      })),
      ...threadsOf(plan),
      signal,
      onResult: () => progress.advance(1),
    });
  } finally {
    progress.close();
  }
}

/** @throws UsageError for a duration that a benchmark does not fit into */
function refuseUnfit(tasks: readonly SimulationTask[]): void {
  for (const { model, dimension } of tasks) {
    const durations = 'mix' in dimension ? dimension.mix : 'totalNs' in dimension ? [dimension] : [];
    try {
      for (const duration of durations) mostRunsOf(duration, model);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError('BAD_VALUE', `--durations does not fit ${error.message}`, {
        hint: 'Name other durations, or say --dimensions RUNSxITERATIONS.',
      });
    }
  }
}

function dimensionsOf({ seen }: SimulationModel, choice: DimensionChoice): readonly SimulatedDimension[] {
  if (isList(choice)) return choice;
  const { runs = [seen.runs], iterations = Math.max(2, Math.round(seen.measurements / seen.runs)) } = choice;
  return runs.map((one) => ({ runs: one, iterations }));
}

function isList(choice: DimensionChoice): choice is readonly SimulatedDimension[] {
  return Array.isArray(choice);
}

/** Experiments that are computed and kept together: seconds of work. */
function chunkSize({ boundaries, replicates }: SimulationOptions): number {
  return replicates > 0 ? 5 : boundaries === 'detected' ? 20 : 100;
}

/** Simulates what no earlier chunk holds; benchmarks take turns, so that an early end leaves something of all. */
async function finishRest(
  tasks: readonly SimulationTask[],
  journal: SimulationJournal,
  { plan, options, control: { signal, onWork } }: Context & { readonly options: SimulationOptions },
): Promise<readonly SimulatedChunk[]> {
  const size = chunkSize(options);
  const done = new Map(
    journal.earlier.map(({ task, from, experiments }) => [`${task} ${from}`, experiments.grandMeans.length]),
  );
  const chunks: SimulatedChunk[] = [];
  const places = new Map<SimulationRequest, number>();
  for (let from = 0; from < plan.experiments; from += size) {
    const count = Math.min(size, plan.experiments - from);
    tasks.forEach(({ model, dimension }, task) => {
      if ((done.get(`${task} ${from}`) ?? 0) >= count) return;
      places.set({ kind: 'simulate', model, dimension, range: { from, count }, options }, task);
    });
  }
  const requests = [...places.keys()];
  if (requests.length === 0) return [];
  const total = requests.reduce((sum, { range }) => sum + range.count, 0);
  const progress = onWork({ what: 'simulated experiments', total });
  try {
    await mapInWorkers<SimulationRequest, SimulatedExperiments>({
      module,
      requests,
      ...threadsOf(plan),
      signal,
      onResult: (experiments, request) => {
        const { from, count } = request.range;
        const chunk = { task: places.get(request) ?? 0, from, experiments };
        journal.add(chunk);
        chunks.push(chunk);
        progress.advance(count);
      },
    });
  } finally {
    progress.close();
  }
  return chunks;
}

/** All experiments of a task in order, as many as asked for; none where none is finished. */
function gather(
  task: SimulationTask,
  chunks: readonly SimulatedChunk[],
  { experiments: wanted }: SimulationPlan,
): readonly NumberedBenchmark[] {
  // The longest of each place: a chunk that an earlier, smaller simulation cut short was made anew.
  const byPlace = new Map<number, SimulatedExperiments>();
  for (const { from, experiments } of chunks) {
    if ((byPlace.get(from)?.grandMeans.length ?? 0) < experiments.grandMeans.length) byPlace.set(from, experiments);
  }
  const parts = [...byPlace]
    .filter(([from]) => from < wanted)
    .toSorted(([left], [right]) => left - right)
    .map(([from, part]) => ({ from, part, count: Math.min(part.grandMeans.length, wanted - from) }));
  const [first] = parts;
  if (first === undefined) return [];
  const join = (pick: (part: SimulatedExperiments) => readonly number[]): number[] =>
    parts.flatMap(({ part, count }) => pick(part).slice(0, count));
  const intervals = first.part.intervals.map((_, m) => ({
    missed: join((part) => part.intervals[m]?.missed ?? []),
    widths: join((part) => part.intervals[m]?.widths ?? []),
    lows: join((part) => part.intervals[m]?.lows ?? []),
  }));
  const numbers = parts.flatMap(({ from, count }) => Array.from({ length: count }, (_, k) => from + k));
  return [{ ...task, numbers, experiments: { intervals, grandMeans: join(({ grandMeans }) => grandMeans) } }];
}

/** Simulated experiments of one benchmark in one dimension, with their numbers: an interrupted simulation leaves some out. */
interface NumberedBenchmark extends SimulatedBenchmark {
  readonly numbers: readonly number[];
}

/**
 * The interval of each method in each experiment as CSV: ends over the true mean, so that 1 is the true mean; an end that an earlier
 * version of the program did not keep is empty.
 */
function* intervalRows(simulated: readonly NumberedBenchmark[], options: SimulationOptions): Generator<string, void> {
  yield csvRows([
    ['benchmark', 'dimension', 'experiment', 'runs', 'iterations', 'segments', 'quantiles', 'low', 'high', 'missed'],
  ]);
  const methods = simulatedMethods(options);
  for (const { model, dimension, numbers, experiments } of simulated) {
    for (const [place, k] of numbers.entries()) {
      const { own } = dimensionOfExperiment({ model, dimension }, k, options);
      const common = [model.benchmark, dimensionText(dimension), k + 1, own.runs, own.iterations];
      yield csvRows(
        methods.map(({ segments, kind }, m) => {
          const { lows = [], widths = [], missed = [] } = experiments.intervals[m] ?? {};
          const low = lows[place] ?? Number.NaN;
          const ends = Number.isNaN(low) ? [null, null] : [low, low + (widths[place] ?? 0)];
          return [...common, segments, kind, ...ends, missed[place] ?? null];
        }),
      );
    }
  }
}

/**
 * Every measurement of every artificial recording as CSV, a run a piece: times in ns, or ratios B / A, with the segment that they were
 * drawn in.
 */
function* recordingRows(
  simulated: readonly NumberedBenchmark[],
  options: Pick<SimulationOptions, 'seed'>,
): Generator<string, void> {
  yield csvRows([['benchmark', 'dimension', 'experiment', 'run', 'segment', 'iteration', 'time_ns', 'ratio']]);
  for (const { model, dimension, numbers } of simulated) {
    for (const k of numbers) {
      const { own, random } = dimensionOfExperiment({ model, dimension }, k, options);
      const { values, offsets } = drawExperiment(model, own, random);
      const [runStarts = [], segmentStarts = []] = offsets;
      for (let run = 0; run < own.runs; run++) {
        const rows: (string | number | null)[][] = [];
        let segment = 0;
        for (let iteration = 0; iteration < own.iterations; iteration++) {
          const at = run * own.iterations + iteration;
          while (at >= (segmentStarts[(runStarts[run] ?? 0) + segment + 1] ?? Infinity)) segment++;
          const value = values[at] ?? 0;
          const told = model.unit === 'ns' ? [value, null] : [null, Math.exp(value)];
          rows.push([model.benchmark, dimensionText(dimension), k + 1, run + 1, segment + 1, iteration + 1, ...told]);
        }
        yield csvRows(rows);
      }
    }
  }
}
