import type { ExperimentConfig, Method } from '@deadheat/model';
import type { JudgedTimes } from '../metric/judged-times.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';
import { anytimeRatio, type AnytimeRatio } from './anytime-ratio.ts';
import { logRatiosOfRuns } from './log-ratios-of-runs.ts';

/**
 * The anytime-valid ratio of a benchmark's usable runs, at least two. Where the sides traded cores in blocks the two
 * assignments of the cores are its conditions.
 */
export const anytimeRatioOfRuns = (
  runs: readonly UsableRun[],
  options: Pick<ExperimentConfig, 'confidence'> & {
    readonly method: Method;
    readonly times: JudgedTimes;
    readonly units: ResamplingUnits;
  },
): AnytimeRatio => {
  const { confidence, units } = options;
  return anytimeRatio(logRatiosOfRuns(runs, options), {
    confidence,
    conditions: units.unit === 'traded-block' ? runs.map(({ trial }) => trial.sides.A.cpu < trial.sides.B.cpu) : null,
  });
};
