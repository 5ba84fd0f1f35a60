import { shuffle } from '@deadheat/stats';
import type { Random } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { pairTimes } from './pair-times.ts';
import type { PairedRun } from './paired-run.ts';

/** Deals the sides of all runs into new runs at random, paired by place: for sides that never ran together. */
export const regroupSides = (runs: readonly PairedRun[], random: Random): PairedRun[] => {
  const sides = shuffle(
    runs.flatMap(({ A, B }) => [A, B]),
    random,
  );
  return runs.map((_, r) => pairTimes({ A: at(sides, 2 * r), B: at(sides, 2 * r + 1) }));
};
