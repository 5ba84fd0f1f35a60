import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Warning } from '@deadheat/model';
import { loadPackage } from '@deadheat/recording';
import { mean } from '@deadheat/stats';
import { BenchmarkSet } from './benchmark-set.ts';
import { ImportError } from './import-error.ts';
import { importFile, limitsOf, type ImportOptions } from './import-file.ts';
import { fileSource, readingFailure } from './import-source.ts';
import { type ImportedBenchmark, type ImportedFile, type ImportedQuantity, runOf } from './imported-file.ts';
import { summaryOnly } from './limits.ts';

const mostFiles = 100_000;
/** Files that tools write beside their results; no warning is needed that one was not read. */
const companions = /\.(svg|html|png|md)$/;
/** criterion.rs lays estimates and the like beside it. */
const samplesOfCriterion = 'sample.json';
/** Warnings that are given once for all files together. */
const codesOfAllFiles = new Set(['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY']);

/**
 * Reads every result file below a folder as further runs of the same benchmarks. Files in no known format are left out and
 * reported. Where criterion.rs keeps `base` beside `new`, only `new` is read. Names of asynchronous-duet's results hold suite,
 * benchmark, run and side.
 *
 * @throws ImportError like `importFile`, `NOTHING_TO_IMPORT` when no file is in a known format
 */
export async function importFolder(path: string, options: ImportOptions): Promise<ImportedFile> {
  const files: ImportedFile[] = [];
  const unknown: string[] = [];
  for (const file of filesBelow(path)) {
    try {
      files.push(await withDuetName(await importFile({ ...fileSource(file), folder: path }, options)));
    } catch (error) {
      const isUnread = error instanceof ImportError && /^(UNKNOWN_FORMAT|FILE_OF_DEADHEAT)$/.test(error.code);
      if (!isUnread || options.format != null) throw error;
      if (!companions.test(basename(file))) unknown.push(file);
    }
  }
  if (files.length === 0) {
    const what = `${path} is a folder that holds no result file in a known format`;
    const next = 'Name the file itself to see what is tried, or a folder with result files.';
    throw new ImportError('NOTHING_TO_IMPORT', `${what}. ${next}`, { path });
  }
  const benchmarks = merged(files, path);
  const areMeans =
    files.some((file) => file.benchmarks.some(({ summary }) => summary !== null)) &&
    benchmarks.every(({ summary }) => summary === null);
  return {
    format: [...new Set(files.map(({ format }) => format))].join(','),
    path,
    benchmarks,
    alternatives: files.length === 1 && files.every(({ alternatives }) => alternatives),
    inBlocks: files.length === 1 && files.every(({ inBlocks }) => inBlocks),
    holdsWarmup: files.some(({ holdsWarmup }) => holdsWarmup),
    limits: [
      ...limitsOf(benchmarks, path),
      ...(areMeans ? [summaryOnly(path)] : []),
      ...files.flatMap(({ limits }) => limits).filter(({ code }) => !codesOfAllFiles.has(code)),
      ...filesIgnored(unknown),
    ],
    hostname: files.find(({ hostname }) => hostname !== null)?.hostname ?? null,
  };
}

function filesBelow(path: string): readonly string[] {
  const found: string[] = [];
  function look(folder: string): void {
    const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isCriterion = existsSync(join(folder, 'new', samplesOfCriterion));
    const isSamples = entries.some(({ name }) => name === samplesOfCriterion);
    for (const entry of entries) {
      if (isSamples && entry.isFile() && entry.name !== samplesOfCriterion) continue;
      if (entry.name.startsWith('.') || (isCriterion && entry.name === 'base')) continue;
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) look(inside);
      else if (entry.isFile() || (entry.isSymbolicLink() && isFile(inside))) found.push(inside);
      if (found.length > mostFiles) {
        const what = `${path} holds more than ${mostFiles} files`;
        throw new ImportError('NOTHING_TO_IMPORT', `${what}. Name the folder below that holds the results.`, { path });
      }
    }
  }
  try {
    look(path);
  } catch (error) {
    throw readingFailure(error, path);
  }
  return found;
}

/** True if a link leads to a file; one that leads nowhere is none. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * The benchmarks of all files: those of one name, parameters, side and method are one, with the runs of all. Means of
 * several files are the means of as many runs.
 */
function merged(files: readonly ImportedFile[], path: string): readonly ImportedBenchmark[] {
  const set = new BenchmarkSet(path);
  const all = new Map<string, ImportedBenchmark[]>();
  const taken = new Map<string, number>();
  for (const benchmark of files.flatMap(({ benchmarks }) => benchmarks)) {
    const id = BenchmarkSet.idOf(benchmark);
    const same = all.get(id);
    if (same === undefined) all.set(id, [benchmark]);
    else same.push(benchmark);
    for (const { label, iterations } of benchmark.runs) {
      // Files that each hold a run "0" hold different runs; sides of one run have the same label in their own lists.
      const copies = taken.get(`${id} ${label}`) ?? 0;
      taken.set(`${id} ${label}`, copies + 1);
      set.add(benchmark, copies === 0 ? label : `${label} #${copies + 1}`, iterations);
    }
  }
  const alone: ImportedBenchmark[] = [];
  for (const same of all.values()) {
    const means = same.filter(({ summary }) => summary !== null);
    if (means.length === 1) alone.push(...means);
    for (const [index, benchmark] of means.length === 1 ? [] : means.entries()) {
      const { iterations } = runOf('', [benchmark.summary?.meanNs ?? 0], (durationNs) => ({ durationNs }));
      set.add(benchmark, `mean ${index}`, iterations);
    }
  }
  const timed = set.benchmarks().map((benchmark) => {
    const same = all.get(BenchmarkSet.idOf(benchmark)) ?? [];
    return {
      ...benchmark,
      files: same.reduce((sum, one) => sum + one.files, 0),
      timedBy: same.findLast((one) => one.timedBy !== null)?.timedBy ?? null,
      quantities: joined(same.flatMap(({ quantities = [] }) => quantities)),
    };
  });
  return [...timed, ...alone];
}

/** The quantities of several files: a file is a run, so that it gives the mean of its values. */
function joined(quantities: readonly ImportedQuantity[]): readonly ImportedQuantity[] {
  const byName = new Map<string, ImportedQuantity>();
  const files = new Map<string, number[]>();
  for (const one of quantities) {
    const key = JSON.stringify([one.name, one.unit]);
    byName.set(key, one);
    files.set(key, [...(files.get(key) ?? []), mean(one.values)]);
  }
  return Array.from(byName, ([key, one]) => {
    const means = files.get(key) ?? [];
    return means.length === 1 ? one : { ...one, values: means };
  });
}

/** `suite.benchmark.runid.type.order.side.file`. Source: asynchronous-duet, `duet/constants.py`. */
const duetName = /^[^.]+\..+\.[^.]+\.(duet|syncduet|seqn?\d*)\.(AB|BA|None)\.[AB]\./;

/** A file whose name is one of asynchronous-duet's: its benchmarks are one side of one run, which its name holds. */
async function withDuetName(file: ImportedFile): Promise<ImportedFile> {
  if (!duetName.test(basename(file.path)) || file.benchmarks.some(({ side }) => side !== null)) return file;
  const readDuetName = await loadPackage<(imported: ImportedFile) => ImportedFile>('@deadheat/lab', {
    exported: 'readDuetName',
    user: `${file.path}, which is named as a result of duetbench,`,
  });
  return readDuetName(file);
}

function filesIgnored(paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 3).join(', ');
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  const message = `${shown}${more}: in no known format, so left out. To read such a file, name it alone, with its format.`;
  return [{ code: 'FILES_IGNORED', message }];
}

/**
 * Reads a result file, or all of a folder as one.
 *
 * @throws ImportError as `importFile` and `importFolder`
 */
export async function importPath(path: string, options: ImportOptions = {}): Promise<ImportedFile> {
  return isFolder(path) ? importFolder(path, options) : importFile(fileSource(path), options);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw readingFailure(error, path);
  }
}
