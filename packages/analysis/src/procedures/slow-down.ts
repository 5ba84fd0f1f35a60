import type { TimeSpan } from '../pairing/time-span.ts';

/**
 * The iterations of one run as they would have been, had each taken `factor` times as long: durations grow, the gaps between
 * iterations stay, so every start moves by the delay that has gathered before it. The first start stays.
 *
 * @param iterations one after the other, any unit of time.
 * @param factor 1.05 makes them take 5 % longer, 0.95 shorter; finite and above 0.
 * @returns start and end alone: CPU time and counters of an iteration say nothing about a slowdown that did not happen.
 * @throws RangeError for another factor.
 * Source: Drozdik 2023, section 4.4.
 */
export const slowDown = (iterations: readonly TimeSpan[], factor: number): TimeSpan[] => {
  if (!(factor > 0 && factor < Infinity)) throw new RangeError(`factor must be finite and above 0, got ${factor}`);
  let before: { readonly measured: TimeSpan; readonly moved: TimeSpan } | null = null;
  return iterations.map((measured) => {
    // Built from the gap, not from the summed delay: rounding then never makes neighbours overlap.
    const s: number = before === null ? measured.s : before.moved.e + (measured.s - before.measured.e);
    const moved = { s, e: s + (measured.e - measured.s) * factor };
    before = { measured, moved };
    return moved;
  });
};
