import type { BenchmarkPoints, Report } from '@deadheat/model';
import { analyseRecorded } from './analyse-recorded.ts';
import { measureRecorded } from './measure-recorded.ts';
import { pointsOf, type PointsOptions } from './points-of.ts';
import { readReport } from '../record/index.ts';

/** A recording's report, and what was measured for it. */
export interface RecordedReport {
  readonly directory: string;
  readonly report: Report;
  readonly points: readonly BenchmarkPoints[];
}

/**
 * The report of a recording: the one that its experiment left, or where it left none a new one. A folder of recordings stands
 * for its newest.
 *
 * @throws RecordError as `readRecording` and `readReport`
 */
export async function reportRecorded(
  path: string,
  { segments }: Pick<PointsOptions, 'segments'>,
): Promise<RecordedReport> {
  const { directory, experiment, measured } = await measureRecorded(path);
  const report = (await readReport(directory)) ?? (await analyseRecorded(directory));
  return {
    directory,
    // The folder may have been moved since.
    report: { ...report, experiment: { ...report.experiment, recording: directory } },
    points: pointsOf(measured, { config: experiment.config, segments }),
  };
}
