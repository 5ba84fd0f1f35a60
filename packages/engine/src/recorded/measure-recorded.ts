import type { Recording } from '@deadheat/model';
import { findRecording } from './find-recording.ts';
import { measure, type MeasuredEntry } from './measure.ts';
import { TrialRecords, type RecordedTrials } from '../record/index.ts';

/** What a recording holds, benchmark by benchmark. */
export interface MeasuredRecording extends Recording {
  readonly measured: readonly MeasuredEntry[];
  /** What programs recorded themselves. */
  readonly records: RecordedTrials;
}

/**
 * Reads what a recording measured. A folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`, and for a record of a program that cannot be read; AnalysisError as
 *   `measuredRuns`.
 */
export async function measureRecorded(path: string): Promise<MeasuredRecording> {
  const recording = await findRecording(path);
  const records = await new TrialRecords(recording.directory).read(recording.trials);
  return {
    ...recording,
    records,
    measured: measure(recording.trials, { config: recording.experiment.config, records }),
  };
}
