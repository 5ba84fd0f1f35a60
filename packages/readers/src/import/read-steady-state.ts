import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ImportError } from './import-error.ts';

/** Long series of one benchmark in many processes, made to study its steady state. */
export interface SteadyStateBenchmark {
  /** Name as the file has it. */
  readonly name: string;
  /** What it belongs to: the part of the name before the first `#`, or the file's own name. */
  readonly project: string;
  /** `forks[f][i]`: mean time of an invocation in each iteration, ns. */
  readonly forks: readonly Float64Array[];
}

const nsPerSecond = 1e9;

function bad(path: string, what: string, cause?: unknown): ImportError {
  return new ImportError(
    'BAD_SERIES',
    `${path} ${what}. Expected is JSON, plain or packed with gzip: {"benchmark": NAME, "unit": "s", "series": [[SECONDS, …], …]}.`,
    { path, cause },
  );
}

function isSeries(name: string): boolean {
  return /\.json(\.gz)?$/.test(name) && !name.startsWith('index.json');
}

function forkOf(times: unknown, path: string, fork: number): Float64Array {
  if (!Array.isArray(times) || times.length === 0) throw bad(path, `has no times in series[${fork}]`);
  return Float64Array.from(times, (time: unknown, i) => {
    if (typeof time !== 'number' || !(time > 0 && time < Infinity)) {
      throw bad(path, `has ${JSON.stringify(time)} as series[${fork}][${i}], which is no time above 0`);
    }
    return time * nsPerSecond;
  });
}

function readFile(path: string): SteadyStateBenchmark {
  let content: unknown;
  try {
    const bytes = readFileSync(path);
    content = JSON.parse((bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString());
  } catch (error) {
    throw bad(path, 'cannot be read as JSON', error);
  }
  if (typeof content !== 'object' || content === null || !('series' in content) || !Array.isArray(content.series)) {
    throw bad(path, 'has no list "series"');
  }
  if ('unit' in content && content.unit !== 's')
    throw bad(path, `has the unit ${JSON.stringify(content.unit)}, not "s"`);
  const name = 'benchmark' in content && typeof content.benchmark === 'string' ? content.benchmark : basename(path);
  const forks = content.series.map((times: unknown, fork) => forkOf(times, path, fork));
  return { name, project: name.replace(/#.*$/s, '').replace('__', '/'), forks };
}

/**
 * Reads a file of series of steady-state data, or all of them in a folder, ordered by name.
 *
 * The format is that of a compact copy of the replication package of Traini et al., EMSE 28:13 (2022): seconds an invocation, a list a fork.
 *
 * @returns `null` where the path is none of this: a recording, or a folder without such files, or nothing at all.
 * @throws ImportError `BAD_SERIES` for a file that is not in the format.
 */
export function readSteadyState(path: string): readonly SteadyStateBenchmark[] | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isDirectory()) return isSeries(basename(path)) ? [readFile(path)] : null;
  const names = readdirSync(path).toSorted();
  if (names.includes('experiment.json')) return null;
  const files = names.filter((name) => isSeries(name));
  return files.length === 0 ? null : files.map((name) => readFile(join(path, name)));
}
