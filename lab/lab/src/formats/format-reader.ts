import type { FormatReader } from '@deadheat/readers';
import { dacapoCsv, duetCsv, specCpu } from './duetbench-results.ts';
import { paCsv } from './pa-csv.ts';
import { krun, steadyState, steadyStateFormat, warmupStatsCsv } from './published-series.ts';

const readers: ReadonlyMap<string, FormatReader> = new Map([
  ['krun', krun],
  ['warmup-stats-csv', warmupStatsCsv],
  [steadyStateFormat, steadyState],
  ['pa-csv', paCsv],
  ['duet-csv', duetCsv],
  ['dacapo-csv', dacapoCsv],
  ['spec-cpu', specCpu],
]);

/**
 * Reads result files of research, by the id of a format that core recognises.
 *
 * @throws RangeError for a format of another package
 */
export function formatReader(id: string): FormatReader {
  const found = readers.get(id);
  if (found === undefined) throw new RangeError(`@deadheat/lab reads no files of the format ${id}`);
  return found;
}
