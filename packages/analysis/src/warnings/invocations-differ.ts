import type { Side, Warning } from '@deadheat/model';
import type { UsableRun } from '../pairing/select-runs.ts';

/** Invocations in every measured iteration of a side; `null` = not always the same number. */
const constantCount = (runs: readonly UsableRun[], side: Side): number | null => {
  let count: number | null = null;
  for (const { iterations } of runs) {
    const held = iterations[side].metric('n');
    for (let row = 0; row < iterations[side].length; row++) {
      const own = held?.[row] || 1;
      if (count !== null && own !== count) return null;
      count = own;
    }
  }
  return count;
};

/**
 * INVOCATIONS_DIFFER: each side has a fixed number of invocations an iteration, and not the same. Times are those of one
 * invocation, so that the ratio holds; where the number changes by itself, as in iterations of a fixed length, nothing is
 * to be done.
 */
export const invocationsDiffer = (runs: readonly UsableRun[]): Warning[] => {
  const [a, b] = [constantCount(runs, 'A'), constantCount(runs, 'B')];
  if (a === null || b === null || a === b) return [];
  return [
    {
      code: 'INVOCATIONS_DIFFER',
      message:
        `an iteration holds ${a} invocations on side A and ${b} on side B; the ratio is that of one invocation and holds, but ` +
        'the sides do not share the same stretch of time and pay unequally for what surrounds an invocation: give both the ' +
        'same number',
    },
  ];
};
