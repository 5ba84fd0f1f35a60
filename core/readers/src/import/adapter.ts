import type { TimeUnit, Warning } from '@deadheat/model';
import type { FileHead, ImportSource } from './import-source.ts';
import type { ImportedBenchmark } from './imported-file.ts';
import type * as readerTools from './reader-tools.ts';

export type ReaderTools = typeof readerTools;

/** Facts from the user about a file that does not hold them itself. */
export interface ReadOptions {
  /** Which column of a generic table is what; `null` for every other format. */
  readonly columns: ColumnMap | null;
  /** Unit of times in a generic table. */
  readonly unit: TimeUnit;
  /** `true` = histograms of invocations are kept where a file has them (JMH's sample mode), and not their means alone; default `false`. */
  readonly histograms?: boolean;
}

/** The result of an adapter; the rest of an `ImportedFile` follows from it. */
export interface Reading {
  readonly benchmarks: readonly ImportedBenchmark[];
  /** `true` = the benchmarks are alternatives that were measured against each other; `false` when absent. */
  readonly alternatives?: boolean;
  /** Same as in `ImportedFile`; `false` when absent. */
  readonly inBlocks?: boolean;
  /** Limits that the benchmarks themselves do not show; warnings that they show are added by `importFile`. */
  readonly limits?: readonly Warning[];
  /** Name of the machine where the file gives it. */
  readonly hostname?: string | null;
}

/** A format of result files, and how a file of it is recognised. */
export interface Format {
  /** Stable name for `--format`. */
  readonly id: string;
  /** The tool and the kind of file, for people. */
  readonly describe: string;
  /** True if a file's beginning looks like this format. */
  readonly detect: (head: FileHead) => boolean;
}

/** Reads the files of one format. */
export interface FormatReader {
  /** The parts of a file that become a run and an iteration, for the documentation. */
  readonly reads: string;
  /** The limits of files of this kind: every warning that reading one may give. */
  readonly cannot: readonly Warning['code'][];
  /** Iterations of warm-up are among the others without a mark, so that the first half of a run is left out. */
  readonly holdsWarmup?: true;
  /**
   * Reads a file; throws `ImportError` for whatever is wrong with it.
   *
   * @param tools readers of texts and builders of results; a reader of another package makes its errors and lists by them, so that they
   *   are those of the caller
   */
  readonly read: (source: ImportSource, options: ReadOptions, tools: ReaderTools) => Promise<Reading>;
}

/** A format that core reads itself. */
export interface Adapter extends Format, FormatReader {}

/** A format whose reader a package brings, as the result of its function `formatReader` for the id. */
export interface PackagedFormat extends Format {
  /** Name of the package. */
  readonly package: string;
}

/** Roles of the columns of a generic table. `time` is the one that is needed. */
export const columnRoles = ['time', 'run', 'benchmark', 'side', 'start', 'invocations'] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The name of the column, or of the key of JSON lines, that plays each role; a role that is not played is absent. */
export type ColumnMap = Readonly<Partial<Record<ColumnRole, string>>> & { readonly time: string };
