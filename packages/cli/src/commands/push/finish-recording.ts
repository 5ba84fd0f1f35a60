import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { analyseRecorded, openRecording, TrialRecords } from '@deadheat/engine';
import { recordingFiles } from '@deadheat/model';

/**
 * Makes anew what a history needs of a recording beside what was measured, where it is missing: the table of iterations and the
 * report.
 *
 * @throws RecordError as `openRecording`
 */
export async function finishRecording(directory: string): Promise<void> {
  const isMissing = (name: string): boolean => !existsSync(join(directory, name));
  if (!isMissing(recordingFiles.iterations) && !isMissing(recordingFiles.report)) return;
  const { recording, writer } = await openRecording(directory);
  try {
    const { trials, experiment } = recording;
    if (!trials.some(({ status, phase }) => status === 'ok' && phase === 'measure')) return;
    if (isMissing(recordingFiles.iterations)) {
      const records = await new TrialRecords(directory).read(trials);
      await writer.writeIterations({ trials, experiment, records });
    }
    if (isMissing(recordingFiles.report)) await writer.writeReport(await analyseRecorded(directory));
  } finally {
    writer.close();
  }
}
