import type { IterationSample } from './iteration-sample.ts';

/**
 * The time that all measurements so far took with these, too; `null` where they differ.
 *
 * @param level of those before; NaN: there were none.
 */
export const levelWith = (level: number | null, samples: readonly IterationSample[]): number | null => {
  let common = level;
  for (const sample of samples) {
    if (common === null) return null;
    const times = typeof sample === 'number' ? [sample] : Array.from('values' in sample ? sample.values : sample);
    for (const time of times) {
      if (Number.isNaN(common)) common = time;
      else if (time !== common) return null;
    }
  }
  return common;
};
