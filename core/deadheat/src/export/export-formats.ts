import { nearestWord } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import { duetCsv, csv, parquet } from './iteration-formats.ts';
import type { ExportFormat, Exported } from './export-format.ts';
import { goBench } from './go-bench.ts';
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
import { analyseRecorded } from '@deadheat/engine';
import { findRecording, TrialRecords, writeNamedFile } from '@deadheat/recording';

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

/**
 * A recording in another format.
 *
 * @param path folder of a recording, or of recordings, which stands for its newest
 * @throws UsageError for a recording without a run that counts
 */
export async function exportRecording(path: string, format: ExportFormat): Promise<Exported> {
  const recording = await findRecording(path);
  const { directory, trials } = recording;
  if (!trials.some(({ status, phase }) => status === 'ok' && phase === 'measure')) {
    throw new UsageError('BAD_VALUE', `${path} holds no run that counts, so there is nothing to export`, {
      hint: `Finish it: deadheat --resume '${directory}'`,
    });
  }
  const records = await new TrialRecords(directory).read(trials);
  return format.make({ recording, records, report: () => analyseRecorded(directory) });
}

/**
 * Writes to a file what {@link exportRecording} gives.
 *
 * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
 */
export async function writeExported(path: string, { content }: Exported): Promise<void> {
  if (content.kind === 'file') return content.write(path);
  const { pieces } = content;
  await writeNamedFile(path, async (file) => {
    for (const piece of pieces) await file.writeFile(piece);
  });
}
