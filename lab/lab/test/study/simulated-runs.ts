import type { Random } from '@deadheat/stats';
import type { TimeSpan } from '../../../../core/analysis/src/pairing/overlaps.ts';
import type { SpansOfRun } from '../../src/study/paired-run.ts';

const spansOf = (times: readonly number[], gap: number): TimeSpan[] => {
  let clock = 0;
  return times.map((time) => {
    const s = clock;
    clock = s + time + gap;
    return { s, e: s + time };
  });
};

/** What the runs are like: relative standard deviations, around a time of 1 000. */
interface Recipe {
  readonly runs: number;
  readonly iterations: number;
  /** Of a whole run of one side. */
  readonly ofSide: number;
  /** Of every iteration of either side. */
  readonly ofIteration: number;
}

/** A/A runs of iterations of about 1 000, normal in both their parts. */
export const simulatedRuns = (recipe: Recipe, random: Random): SpansOfRun[] => {
  const side = (): TimeSpan[] => {
    const level = 1000 * (1 + recipe.ofSide * random.normal());
    const times = Array.from({ length: recipe.iterations }, () => level * (1 + recipe.ofIteration * random.normal()));
    return spansOf(times, 2);
  };
  return Array.from({ length: recipe.runs }, () => ({ A: side(), B: side() }));
};
