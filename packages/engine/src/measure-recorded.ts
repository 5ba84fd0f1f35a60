import type { Experiment, MeasuredBenchmark } from '@deadheat/model';
import { findRecording } from './find-recording.ts';
import { measure } from './measure.ts';
import { TrialRecords } from './record/index.ts';

/** What a recording holds, benchmark by benchmark. */
export interface MeasuredRecording {
  readonly directory: string;
  readonly experiment: Experiment;
  readonly measured: readonly MeasuredBenchmark[];
}

/**
 * Reads what a recording measured. A folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`, and for a record of a program that cannot be read; AnalysisError as
 *   `measuredRuns`.
 */
export async function measureRecorded(path: string): Promise<MeasuredRecording> {
  const { directory, experiment, trials } = await findRecording(path);
  const { config } = experiment;
  const records = await new TrialRecords(directory).read(trials);
  return { directory, experiment, measured: measure(trials, { config, records }) };
}
