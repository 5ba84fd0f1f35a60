import { enoughRuns, enoughTimeNs, type StopRule } from '@deadheat/model';
import type { RawCompareOptions } from './raw-options.ts';

/** The stop rule that the options describe; `--max-runs` below the default minimum lowers the minimum. */
export function readStopRule(options: RawCompareOptions): StopRule {
  const { runs, minRuns, maxRuns = null, precision } = options;
  if (runs !== undefined) return { kind: 'runs', runs };
  const least = minRuns ?? Math.min(enoughRuns, maxRuns ?? enoughRuns);
  if (precision !== undefined) return { kind: 'precision', precision, minRuns: least, maxRuns };
  return { kind: 'enough', minRuns: least, maxRuns, minTimeNs: enoughTimeNs };
}
