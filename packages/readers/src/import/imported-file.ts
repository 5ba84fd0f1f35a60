import type { Method, Params, Side, Warning } from '@deadheat/model';
import type { IterationList } from './iteration-list.ts';

/** One execution of a benchmark's process: a fork, a process execution, a page load. */
export interface ImportedRun {
  /** What the file calls it. Runs of both sides with the same label belong together where a file holds both. */
  readonly label: string;
  readonly iterations: IterationList;
}

/** What is left where a file has no single times. */
export interface ImportedSummary {
  readonly meanNs: number;
  readonly standardDeviationNs: number | null;
  /** Samples behind the mean. */
  readonly samples: number | null;
  readonly medianNs: number | null;
  readonly minNs: number | null;
  readonly maxNs: number | null;
}

export interface ImportedBenchmark {
  readonly name: string;
  readonly params: Params;
  /** The side that the file says it is; `null` = the file has one side, the one it is given as. */
  readonly side: Side | null;
  /** How the file says that it was measured; `null` = by itself. */
  readonly method: Method | null;
  readonly runs: readonly ImportedRun[];
  /** Set where there are no single times; `runs` is empty then. */
  readonly summary: ImportedSummary | null;
}

/** A result file of any tool, or a folder of them, read into deadheat's terms. Times are ns. */
export interface ImportedFile {
  /** Id of the adapter; of a folder those of its files, with commas. */
  readonly format: string;
  readonly path: string;
  readonly benchmarks: readonly ImportedBenchmark[];
  /** Whether the benchmarks are alternatives that were measured against each other, as hyperfine's commands. */
  readonly alternatives: boolean;
  /** Whether iterations of warm-up are among the others without a mark. */
  readonly holdsWarmup: boolean;
  /** What the file cannot support. */
  readonly limits: readonly Warning[];
  /** Name of the machine where the file tells it. */
  readonly hostname: string | null;
}
