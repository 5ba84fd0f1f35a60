import { at } from '../internal/at.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/** Refuses what cannot be paired: other shapes, empty runs, times that are not finite and above 0. */
export const checkPaired = (x: RunsOfTimes, y: RunsOfTimes): void => {
  if (x.length !== y.length) throw new RangeError(`x has ${x.length} runs and y has ${y.length}; pairs need as many`);
  for (let r = 0; r < x.length; r++) {
    const a = at(x, r);
    const b = at(y, r);
    if (a.length !== b.length || a.length === 0) {
      throw new RangeError(
        `run ${r} holds ${a.length} times of x and ${b.length} of y; pairs need as many, at least one`,
      );
    }
    for (let i = 0; i < a.length; i++) {
      const left = a[i]!;
      const right = b[i]!;
      if (!(left > 0 && left < Infinity && right > 0 && right < Infinity)) {
        throw new RangeError(`run ${r}, iteration ${i}: times must be finite and above 0, got ${left} and ${right}`);
      }
    }
  }
};
