import { warmupBy } from '@deadheat/analysis';
import {
  configOf,
  sides,
  type Experiment,
  type ExperimentConfig,
  type Iteration,
  type Method,
  type Phase,
  type Side,
  type Trial,
  type Benchmark,
  type Params,
} from '@deadheat/model';
import type { RecordedTrials } from './trial-records.ts';
import type { RecordedBenchmark } from './workload-record/iteration-table.ts';

/** One row of the canonical table: one iteration of one side. Times are ns of CLOCK_MONOTONIC. */
export interface IterationRow {
  /** Id of the experiment. */
  readonly experiment: string;
  /** Name of the experiment. */
  readonly suite: string;
  readonly benchmark: string;
  /** The benchmark's parameters as JSON text. */
  readonly params: string;
  readonly method: Method;
  readonly run: number;
  readonly side: Side;
  readonly order: Trial['order'];
  readonly cpu: number;
  readonly iteration: number;
  readonly phase: Phase;
  readonly startNs: number;
  readonly endNs: number;
  readonly durationNs: number;
  readonly invocations: number;
  /** CPU time, whole ns; `null` = not measured. */
  readonly cpuNs: number | null;
  /** Time waited for a CPU, whole ns; `null` = not measured. */
  readonly runDelayNs: number | null;
  readonly involuntarySwitches: number | null;
  /** Further metrics that the workload wrote, by their own names; `null` = not in this iteration. */
  readonly metrics: Readonly<Record<string, number | null>>;
}

const knownKeys: ReadonlySet<string> = new Set(['i', 's', 'e', 'n', 'p', 'c', 'q', 'v']);

/** Names of the further metrics (numeric keys beyond the protocol's own) in trials that count, sorted. */
export function furtherMetrics(trials: Iterable<Trial>, records: RecordedTrials): readonly string[] {
  const names = new Set<string>();
  for (const { iteration } of countedIterations(trials, records)) {
    for (const key in iteration) {
      if (!knownKeys.has(key) && typeof iteration[key] === 'number') names.add(key);
    }
  }
  return [...names].toSorted();
}

/** True if the iterations of a trial stand in the table: those of failed runs and of pilot runs are in the journal alone. */
export function isCounted({ status, phase }: Trial): boolean {
  return status === 'ok' && phase !== 'pilot';
}

/**
 * Rows of the trials that count (`status` ok, no pilot runs), in the journal's order, A before B. An iteration is warm-up when its trial
 * is, when it is marked, or, where no iteration of its benchmark in that run carries a mark, by the rule of the settings.
 *
 * @param metrics Names of the further metrics; every row carries each of them.
 */
export function* iterationRows(
  trials: Iterable<Trial>,
  {
    experiment,
    metrics,
    records,
  }: { readonly experiment: Experiment; readonly metrics: readonly string[]; readonly records: RecordedTrials },
): Generator<IterationRow> {
  const { config } = experiment;
  let of: RecordedBenchmark | null | undefined;
  let benchmark = { name: '', params: '' };
  for (const counted of countedIterations(trials, records)) {
    const { trial, side, iteration, recorded } = counted;
    if (recorded !== of || recorded === null) {
      const entry = config.benchmarks[trial.benchmark];
      if (entry === undefined) {
        throw new RangeError(`trial ${trial.trial} names benchmark ${trial.benchmark} of ${config.benchmarks.length}`);
      }
      const { name, params } = recorded === null ? entry : reportedBenchmark(recorded, { entry, config });
      benchmark = { name, params: JSON.stringify(params) };
      of = recorded;
    }
    yield {
      experiment: experiment.id,
      suite: experiment.config.name,
      benchmark: benchmark.name,
      params: benchmark.params,
      method: trial.method,
      run: trial.run,
      side,
      order: trial.order,
      cpu: trial.sides[side].cpu,
      iteration: iteration.i,
      phase: phaseOf(counted, config),
      startNs: iteration.s,
      endNs: iteration.e,
      durationNs: iteration.e - iteration.s,
      invocations: iteration.n ?? 1,
      cpuNs: iteration.c === undefined ? null : Math.round(iteration.c),
      runDelayNs: iteration.q === undefined ? null : Math.round(iteration.q),
      involuntarySwitches: iteration.v ?? null,
      metrics: Object.fromEntries(metrics.map((name) => [name, numberOrNull(iteration[name])])),
    };
  }
}

interface CountedIteration {
  readonly trial: Trial;
  readonly side: Side;
  readonly iteration: Iteration;
  /** The benchmark that a program recorded; `null` for a program that the runner timed. */
  readonly recorded: RecordedBenchmark | null;
  /** Where the iteration stands among those of its benchmark, side and run. */
  readonly row: number;
}

function phaseOf({ trial, iteration, recorded, row }: CountedIteration, config: ExperimentConfig): Phase {
  if (trial.phase === 'warmup') return 'warmup';
  if (recorded === null || recorded.iterations.hasPhases) return iteration.p ?? 'measure';
  const { warmup } = configOf(config, config.benchmarks[trial.benchmark] ?? { own: {} });
  return row < warmupBy(warmup, recorded.iterations) ? 'warmup' : 'measure';
}

function* countedIterations(trials: Iterable<Trial>, records: RecordedTrials): Generator<CountedIteration> {
  for (const trial of trials) {
    if (!isCounted(trial)) continue;
    for (const side of sides) {
      for (const [row, iteration] of trial.sides[side].iterations.entries()) {
        yield { trial, side, iteration, recorded: null, row };
      }
      for (const recorded of records.get(trial.trial)?.[side] ?? []) {
        for (let row = 0; row < recorded.iterations.length; row++) {
          yield { trial, side, iteration: recorded.iterations.at(row), recorded, row };
        }
      }
    }
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/**
 * The name and parameters of a benchmark in reports: the program's own name and both kinds of parameters;
 * in an experiment of several programs the configured name stands before it.
 */
export function reportedBenchmark(
  recorded: { readonly benchmark: string; readonly params: Params },
  { entry, config }: { readonly entry: Benchmark; readonly config: Pick<ExperimentConfig, 'benchmarks'> },
): { readonly name: string; readonly params: Params } {
  const alone = config.benchmarks.every(({ name }) => name === entry.name);
  const name = alone || entry.name === recorded.benchmark ? recorded.benchmark : `${entry.name}/${recorded.benchmark}`;
  return { name, params: { ...entry.params, ...recorded.params } };
}
