import { nearestWord } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import { duetCsv } from './duet-csv.ts';
import type { ExportFormat } from './export-format.ts';
import { goBench } from './go-bench.ts';
import { csv, parquet } from './iteration-formats.ts';
import { junit } from './junit.ts';
import {
  asciidoc,
  bmf,
  githubActionBenchmark,
  hyperfine,
  json,
  markdown,
  org,
  sidesCsv,
  summary,
} from './report-formats.ts';

/** Every format that a recording can be taken to, in the order of the help. */
export const exportFormats: readonly ExportFormat[] = [
  json,
  sidesCsv,
  markdown,
  asciidoc,
  org,
  summary,
  hyperfine,
  csv,
  parquet,
  bmf,
  githubActionBenchmark,
  goBench,
  junit,
  duetCsv,
];

/**
 * The format of this name.
 *
 * @param flag what named it, for the message.
 * @throws UsageError `BAD_VALUE` where there is none.
 */
export function formatOf(id: string, flag: string): ExportFormat {
  const ids = exportFormats.map((format) => format.id);
  const format = exportFormats.find((one) => one.id === id);
  if (format !== undefined) return format;
  const nearest = nearestWord(id.toLowerCase(), ids);
  throw new UsageError('BAD_VALUE', `there is no format '${id}'`, {
    hint: nearest === null ? `There are ${ids.join(', ')}.` : `Did you mean ${flag} ${nearest}?`,
  });
}
