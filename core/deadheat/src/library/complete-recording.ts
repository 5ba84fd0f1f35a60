import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { analyseRecorded } from '@deadheat/engine';
import { findRecording, openRecording, TrialRecords } from '@deadheat/recording';
import { type Experiment, type Recording, recordingFiles } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';

/**
 * Makes anew what a history needs of a recording beside what was measured, where it is missing: the table of iterations and the
 * report.
 *
 * @param path folder of the recording; a folder of recordings stands for its newest
 * @throws UsageError for a part of an experiment; RecordError as `openRecording`
 */
export async function completeRecording(path: string): Promise<Recording> {
  const found = await findRecording(path);
  refusePart(path, found.experiment);
  await finishRecording(found.directory);
  return found;
}

/** A history holds an experiment once: a part would keep the whole out. */
function refusePart(path: string, { parts }: Experiment): void {
  if (parts === undefined || parts.taken.length === parts.count) return;
  throw new UsageError('CONFLICT', `${path} holds ${parts.taken.length} of ${parts.count} parts of an experiment`, {
    hint: 'Bring all of them together with deadheat ci merge, and push what comes out.',
  });
}

async function finishRecording(directory: string): Promise<void> {
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
