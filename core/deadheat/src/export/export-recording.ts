import { analyseRecorded } from '@deadheat/engine';
import { findRecording, TrialRecords, writeNamedFile } from '@deadheat/recording';
import { UsageError } from '../errors/usage-error.ts';
import type { Exported, ExportFormat } from './export-format.ts';

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
