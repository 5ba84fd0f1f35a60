import { enoughRuns, enoughTimeNs, leastRuns, type StopRule } from '@deadheat/model';
import { stableStop } from 'deadheat/internals';
import type { RawCompareOptions } from './raw-options.ts';

/**
 * The stop rule that the options describe, `preset` where they describe none; `--max-runs` below the default minimum lowers the
 * minimum.
 */
export function readStopRule(options: RawCompareOptions, preset: StopRule | null): StopRule {
  const { runs, minRuns, maxRuns = null, precision } = options;
  if (runs !== undefined) return { kind: 'runs', runs };
  const rule =
    precision !== undefined
      ? 'precision'
      : (options.until ?? preset?.kind ?? (options.stable === undefined ? 'enough' : 'stable'));
  if (rule === 'stable') return stableStop(minRuns, maxRuns);
  const fewest = rule === 'decided' ? leastRuns : enoughRuns;
  const least = minRuns ?? Math.min(fewest, maxRuns ?? fewest);
  if (precision !== undefined) return { kind: 'precision', precision, minRuns: least, maxRuns };
  if (rule === 'decided') return { kind: 'decided', minRuns: least, maxRuns };
  if (preset?.kind === 'precision') return { ...preset, minRuns: least, maxRuns };
  return { kind: 'enough', minRuns: least, maxRuns, minTimeNs: enoughTimeNs };
}
