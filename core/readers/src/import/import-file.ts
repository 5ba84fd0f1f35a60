import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countCalls } from '../grammar/lines.ts';
import { BenchmarkSet } from './benchmark-set.ts';
import { recordingFiles, type Warning } from '@deadheat/model';
import { quoteWord } from '@deadheat/model/text';
import { loadPackage } from '@deadheat/recording';
import type { Adapter, FormatReader, PackagedFormat, ReadOptions } from './adapter.ts';
import { formats } from './formats.ts';
import { parquet } from './adapters/parquet.ts';
import { readHead, type FileHead, type ImportSource } from './import-source.ts';
import { ImportError } from './import-error.ts';
import type { ImportedBenchmark, ImportedFile } from './imported-file.ts';
import { readJson } from './json/read-json.ts';
import { noRunVariance, noTimestamps, summaryOnly } from './limits.ts';
import * as tools from './reader-tools.ts';

/** Settings for reading a file; absent ones are taken from the file. */
export interface ImportOptions extends Partial<ReadOptions> {
  /** Id of the adapter; `null` = known by its content. */
  readonly format?: string | null;
}

/**
 * Reads a result file; `format` names the tool that wrote it, or else its content shows it.
 *
 * @throws ImportError `UNKNOWN_FORMAT`, with the formats that were tried; `FILE_OF_DEADHEAT`; `NOTHING_TO_IMPORT`; and the adapter's errors
 * @throws DeadheatError `PACKAGE_MISSING` for a format of a package that is not installed
 */
export async function importFile(source: ImportSource, options: ImportOptions = {}): Promise<ImportedFile> {
  const { format = null, columns = null, unit = 'ns', histograms = false } = options;
  const { path } = source;
  const known = format === null ? await recognise(source, columns !== null) : named(format, path);
  const reader = 'read' in known ? known : await loadReader(known, path);
  const reading = await reader.read(source, { columns, unit, histograms }, tools);
  const callOf = countCalls();
  const measured = reading.benchmarks.filter(({ runs, summary }) => runs.length > 0 || summary !== null);
  const benchmarks = measured.map((one) => {
    const call = callOf(BenchmarkSet.idOf(one));
    return 'call' in call ? { ...one, params: { ...one.params, ...call } } : one;
  });
  if (benchmarks.length === 0) {
    const what = `${path} is ${known.describe}, but holds no measurement`;
    throw new ImportError('NOTHING_TO_IMPORT', `${what}. Measure again, and look at what the tool printed.`, { path });
  }
  return {
    format: known.id,
    path,
    benchmarks,
    alternatives: reading.alternatives ?? false,
    inBlocks: reading.inBlocks ?? false,
    holdsWarmup: reader.holdsWarmup === true,
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

async function loadReader({ id, package: name }: PackagedFormat, path: string): Promise<FormatReader> {
  const formatReader = await loadPackage<(format: string) => FormatReader>(name, {
    exported: 'formatReader',
    user: `${path}, a file of the format ${id},`,
  });
  return formatReader(id);
}

async function recognise(source: ImportSource, hasColumns: boolean): Promise<Adapter | PackagedFormat> {
  const head = await readHead(source);
  if (hasColumns && !parquet.detect(head)) return named(head.first === '{' ? 'json-lines' : 'csv', source.path);
  const found = formats.find(({ detect }) => detect(head));
  if (found !== undefined) return found;
  await refuseOwn(source, head);
  const why = head.first === '' ? 'is empty' : 'is in no format that is known by its content';
  throw new ImportError(
    'UNKNOWN_FORMAT',
    `${source.path} ${why}. These are read:${list()}\nName the format of the file, or, for a table of times, its columns.`,
    { path: source.path },
  );
}

/** Refuses what deadheat wrote itself, a report or a file of a recording, and names what to analyse in its place. */
async function refuseOwn(source: ImportSource, { path, first }: FileHead): Promise<void> {
  const root = first === '{' ? await readJson(source, { advice: '' }).catch(() => null) : null;
  const isReport = root?.maybe('schema')?.textOrNull()?.startsWith('deadheat.report/') === true;
  const isRecorded = existsSync(join(dirname(path), recordingFiles.experiment));
  if (!isReport && !isRecorded) return;
  const files = root?.maybe('experiment', 'files')?.items() ?? [];
  const recording = isRecorded ? dirname(path) : (root?.maybe('experiment', 'recording')?.textOrNull() ?? 'RECORDING');
  const sources = files.length > 0 ? files.map((file) => quoteWord(file.text())).join(' ') : quoteWord(recording);
  const what = isReport ? 'a report of deadheat, which holds no single times' : 'a file of a recording';
  const next =
    files.length > 0
      ? `Analyse the files that it was made of: deadheat analyse ${sources}.`
      : `Analyse the recording: deadheat analyse ${sources}. Its page is made by: deadheat report ${sources}.`;
  throw new ImportError('FILE_OF_DEADHEAT', `${path} is ${what}. ${next}`, { path });
}

function named(format: string, path: string): Adapter | PackagedFormat {
  const found = formats.find(({ id }) => id === format);
  if (found !== undefined) return found;
  throw new ImportError(
    'UNKNOWN_FORMAT',
    `There is no format '${format}'. These are read:${list()}\nName one of them.`,
    { path },
  );
}

/** A line for each format. */
function list(): string {
  const width = Math.max(...formats.map(({ id }) => id.length));
  return formats.map(({ id, describe }) => `\n  ${id.padEnd(width)}  ${describe}`).join('');
}
