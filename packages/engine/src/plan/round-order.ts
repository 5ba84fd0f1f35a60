import { createRandom, shuffle } from '@deadheat/stats';

/**
 * Order in which the benchmarks that still need runs take their turn in a round: randomised interleaving (Abedi and
 * Brecht, ICPE 2017), so that a drift of the machine hits all of them.
 */
export function roundOrder(options: {
  readonly seed: string;
  readonly round: number;
  readonly benchmarks: readonly number[];
}): readonly number[] {
  return shuffle(options.benchmarks, createRandom(`${options.seed}/round/${options.round}`));
}
