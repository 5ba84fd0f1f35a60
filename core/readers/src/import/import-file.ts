import type { Warning } from '@deadheat/model';
import type { Adapter, ReadOptions } from './adapter.ts';
import { adapters } from './adapters.ts';
import { parquet } from './adapters/parquet.ts';
import { readHead, type ImportSource } from './import-source.ts';
import { ImportError } from './import-error.ts';
import type { ImportedBenchmark, ImportedFile } from './imported-file.ts';
import { noRunVariance, noTimestamps, summaryOnly } from './limits.ts';

/** Settings for reading a file; absent ones are taken from the file. */
export interface ImportOptions extends Partial<ReadOptions> {
  /** Id of the adapter; `null` = known by its content. */
  readonly format?: string | null;
}

/**
 * Reads a result file; `format` names the tool that wrote it, or else its content shows it.
 *
 * @throws ImportError `UNKNOWN_FORMAT`, with the formats that were tried; `NOTHING_TO_IMPORT`; and the adapter's errors
 */
export async function importFile(source: ImportSource, options: ImportOptions = {}): Promise<ImportedFile> {
  const { format = null, columns = null, unit = 'ns', histograms = false } = options;
  const { path } = source;
  const adapter = format === null ? await recognise(source, columns !== null) : named(format, path);
  const reading = await adapter.read(source, { columns, unit, histograms });
  const benchmarks = reading.benchmarks.filter(({ runs, summary }) => runs.length > 0 || summary !== null);
  if (benchmarks.length === 0) {
    const what = `${path} is ${adapter.describe}, but holds no measurement`;
    throw new ImportError('NOTHING_TO_IMPORT', `${what}. Measure again, and look at what the tool printed.`, { path });
  }
  return {
    format: adapter.id,
    path,
    benchmarks,
    alternatives: reading.alternatives ?? false,
    inBlocks: reading.inBlocks ?? false,
    holdsWarmup: adapter.holdsWarmup,
    limits: [...limitsOf(benchmarks, path), ...(reading.limits ?? [])],
    hostname: reading.hostname ?? null,
  };
}

/** The limits that the benchmarks themselves show. */
export function limitsOf(benchmarks: readonly ImportedBenchmark[], path: string): readonly Warning[] {
  const timed = benchmarks.filter(({ summary }) => summary === null);
  return [
    ...(timed.length < benchmarks.length ? [summaryOnly(path)] : []),
    ...(timed.some(({ runs }) => runs.length < 2) ? [noRunVariance(path)] : []),
    ...(timed.some(({ runs }) => runs.some(({ iterations }) => !iterations.hasTimestamps)) ? [noTimestamps(path)] : []),
  ];
}

async function recognise(source: ImportSource, hasColumns: boolean): Promise<Adapter> {
  const head = await readHead(source);
  if (hasColumns && !parquet.detect(head)) return named(head.first === '{' ? 'json-lines' : 'csv', source.path);
  const found = adapters.find((adapter) => adapter.detect(head));
  if (found !== undefined) return found;
  const why = head.first === '' ? 'is empty' : 'is in no format that is known by its content';
  throw new ImportError(
    'UNKNOWN_FORMAT',
    `${source.path} ${why}. These are read:${list()}\nName the format of the file, or, for a table of times, its columns.`,
    { path: source.path },
  );
}

function named(format: string, path: string): Adapter {
  const found = adapters.find(({ id }) => id === format);
  if (found !== undefined) return found;
  throw new ImportError(
    'UNKNOWN_FORMAT',
    `There is no format '${format}'. These are read:${list()}\nName one of them.`,
    { path },
  );
}

/** A line for each format. */
function list(): string {
  const width = Math.max(...adapters.map(({ id }) => id.length));
  return adapters.map(({ id, describe }) => `\n  ${id.padEnd(width)}  ${describe}`).join('');
}
