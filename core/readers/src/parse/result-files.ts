import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { matchesStars, type Side } from '@deadheat/model';
import { ParserError } from './output-parser.ts';

/** A text has to fit into a string with room to spare. */
const mostBytes = 256 * 2 ** 20;

/** The files that a pattern finds, and something that changes with every writing of them. */
type ResultFiles = ReadonlyMap<string, string>;

/** A pattern of a configuration with what the program has in its variables. */
export function fillResults(pattern: string, { side, run }: { readonly side: Side; readonly run: number }): string {
  return pattern.replaceAll('$DEADHEAT_SIDE', side).replaceAll('$DEADHEAT_RUN', String(run));
}

/** Looks which files a pattern finds: `*` in the name of the file stands for any text. */
export function findResults(pattern: string): ResultFiles {
  const folder = dirname(pattern);
  const found = new Map<string, string>();
  for (const entry of namesIn(folder)) {
    if (!matchesStars(basename(pattern), entry)) continue;
    const path = join(folder, entry);
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile() === true) found.set(path, `${stat.ino} ${stat.size} ${stat.ctimeNs}`);
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The one file that a run wrote.
 *
 * @param before What `findResults` found before the run.
 * @throws ParserError `RESULTS_NOT_FOUND`, also when the file is there but older than the run, or `RESULTS_AMBIGUOUS`
 */
export function writtenResults(pattern: string, before: ResultFiles): string {
  const now = findResults(pattern);
  const [written, ...more] = [...now].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path);
  if (written === undefined) {
    const why = now.size === 0 ? 'there is none' : 'what is there is older than the run';
    throw new ParserError(
      'RESULTS_NOT_FOUND',
      `it wrote no file ${pattern}: ${why}; results has to name what the program writes`,
    );
  }
  if (more.length > 0) {
    const names = [written, ...more].map((path) => basename(path)).join(', ');
    throw new ParserError('RESULTS_AMBIGUOUS', `it wrote several files ${pattern}: ${names}; results has to find one`);
  }
  return written;
}

/**
 * The content of a file.
 *
 * @throws ParserError `RESULTS_TOO_LARGE` or `RESULTS_NOT_READABLE`
 */
export function readResults(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= mostBytes) return readFileSync(path);
  } catch (cause) {
    throw new ParserError('RESULTS_NOT_READABLE', `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new ParserError(
    'RESULTS_TOO_LARGE',
    `${path} is larger than ${mostBytes / 2 ** 20} MiB; have the program write less`,
  );
}
