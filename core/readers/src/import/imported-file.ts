import type { TimesSummary } from '@deadheat/analysis';
import type { Method, Params, Side, Warning } from '@deadheat/model';
import { studentTQuantile } from '@deadheat/stats';
import { checkRuns } from './import-error.ts';
import { IterationList, type ImportedIteration } from './iteration-list.ts';
import type { JsonNode } from './json/read-json.ts';
import { nsPer } from '../grammar/units.ts';

/** One execution of a benchmark's process: a fork, a process execution, a page load. */
export interface ImportedRun {
  /** The file's name of the run. Runs of both sides with the same label belong together where a file holds both. */
  readonly label: string;
  readonly iterations: IterationList;
}

/** A summary of which only the mean need be known. */
export function summaryOf(known: Pick<TimesSummary, 'meanNs'> & Partial<Omit<TimesSummary, 'meanNs'>>): TimesSummary {
  return { standardDeviationNs: null, samples: null, medianNs: null, minNs: null, maxNs: null, ...known };
}

/** Standard deviations in a median absolute deviation, the distance of the quartiles and that of one of them from the median, of normal values. */
export const perNormal: Readonly<Record<'absolute' | 'quartiles' | 'quartile', number>> = {
  absolute: 1.4826,
  quartiles: 1 / 1.349,
  quartile: 1.4826,
};

/** A summary of an object with `mean` and where they are known `stddev`, `median`, `min` and `max`, in seconds, as of so many samples. */
export function summaryInSeconds(statistics: JsonNode, samples: number | null): TimesSummary {
  function nsOf(name: string): number | null {
    return statistics.get(name).scaledOrNull(nsPer.s);
  }
  return {
    meanNs: statistics.get('mean').amount() * nsPer.s,
    standardDeviationNs: nsOf('stddev'),
    samples,
    medianNs: nsOf('median'),
    minNs: nsOf('min'),
    maxNs: nsOf('max'),
  };
}

/** Degrees of freedom from which the tables of these tools have the quantile of the normal distribution. */
const mostInTable = 30;
const normalQuantile = 1.96;

/**
 * The standard deviation behind the margin of error that benchmark.js and tinybench print, `±1.23%`: half the width of a 95 % t interval, in
 * percent of the mean. A rounding error counts as the largest possible one, so that `±0.00%` is not "no scatter".
 *
 * @param percent as it is printed
 * @param options.mean in any unit, which is that of the result
 * @returns `null` with fewer than two samples
 * Source: benchmark.js, `tTable` and `evaluate`; tinybench's `utils.ts` has the same.
 */
export function deviationOfMargin(
  percent: string,
  { mean, samples }: { readonly mean: number; readonly samples: number },
): number | null {
  if (samples < 2) return null;
  const decimals = percent.split('.')[1]?.length ?? 0;
  const margin = (Number(percent) + 10 ** -decimals / 2) / 100;
  const quantile = samples - 1 > mostInTable ? normalQuantile : studentTQuantile(0.975, samples - 1);
  return (margin * mean * Math.sqrt(samples)) / quantile;
}

/** A number as a parameter, and no parameter for 1. */
export function paramUnlessOne(name: string, value: number): Params {
  return value === 1 ? {} : { [name]: String(value) };
}

/** Values of a quantity that is no time, where they are not columns of the iterations. */
export interface ImportedQuantity {
  readonly name: string;
  readonly unit: string | null;
  /** One value a run, or of a single run one an iteration. */
  readonly values: readonly number[];
}

export interface ImportedBenchmark {
  readonly name: string;
  readonly params: Params;
  /** The side that the file says it is; `null` = the file has one side, the one it is given as. */
  readonly side: Side | null;
  /** The method by which the file says that it was measured; `null` = by itself. */
  readonly method: Method | null;
  /** The tool's word for the meaning of a time (JMH's `avgt`), also among `params`: two modes are never compared. `null` = it has none. */
  readonly mode: string | null;
  /** Circumstances in which sides may differ on purpose, as arguments of a virtual machine; reported where they do. */
  readonly conditions: Params;
  /** Number of files that its runs are from. */
  readonly files: number;
  /** The metric that is compared unless the user asks for one; `null` = the one that the times themselves suggest. */
  readonly timedBy: 'cpu' | null;
  /** Standard deviation between runs of such programs, on the log scale, where it is not that of most; `null` = it is. */
  readonly deviationOfRuns: number | null;
  readonly runs: readonly ImportedRun[];
  /** Set where there are no single times; `runs` is empty then. */
  readonly summary: TimesSummary | null;
  /** Quantities beside time and beside the columns of `runs`; absent = none. */
  readonly quantities?: readonly ImportedQuantity[];
}

/** A result file of any tool, or a folder of them, read into deadheat's terms. Times are ns. */
export interface ImportedFile {
  /** Id of the adapter; of a folder those of its files, with commas. */
  readonly format: string;
  readonly path: string;
  readonly benchmarks: readonly ImportedBenchmark[];
  /** `true` = the benchmarks are alternatives that were measured against each other, as hyperfine's commands. */
  readonly alternatives: boolean;
  /** `true` = alternatives were measured one after the other, all of the first and then all of the second. */
  readonly inBlocks: boolean;
  /** `true` = iterations of warm-up are among the others without a mark. */
  readonly holdsWarmup: boolean;
  /** Warnings about the limits of the file. */
  readonly limits: readonly Warning[];
  /** Name of the machine where the file gives it. */
  readonly hostname: string | null;
}

const empty = {
  params: {},
  side: null,
  method: null,
  mode: null,
  conditions: {},
  files: 1,
  timedBy: null,
  deviationOfRuns: null,
  runs: [],
  summary: null,
} as const satisfies Partial<ImportedBenchmark>;

/** A benchmark of a file with what is known of it, of one side unless it says so. Files may hold a million of them, which share the empty fields. */
export function oneSided(facts: Pick<ImportedBenchmark, 'name'> & Partial<ImportedBenchmark>): ImportedBenchmark {
  return { ...empty, ...facts };
}

/** A run from its values in order; `read` makes an iteration of each, so that those need not be kept. */
export function runOf<Value>(
  label: string,
  values: Iterable<Value>,
  read: (value: Value, index: number) => ImportedIteration,
): ImportedRun {
  const iterations = new IterationList();
  let index = 0;
  for (const value of values) iterations.push(read(value, index++));
  return { label, iterations };
}

/**
 * Runs of one iteration each, called by their numbers from 0.
 *
 * @throws ImportError `TOO_LARGE` for more than 1 Mi
 */
export function singleRuns(timesNs: readonly number[], path: string): readonly ImportedRun[] {
  checkRuns(timesNs.length, path);
  return timesNs.map((durationNs, index) => runOf(String(index), [durationNs], () => ({ durationNs })));
}

/** Name of a benchmark that a file gives none: the same in every file, so that two such files match. */
export const unnamed = 'benchmark';
