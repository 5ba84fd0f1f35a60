import { stepsPerUnit } from './steps-per-unit.ts';

/**
 * A step: three shifts and three exclusive ors of one 32-bit integer, each needing the one before; nothing leaves the
 * registers.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @returns the integer after the last step, from 0 to 2^32 - 1
 *
 * Source of the role: Bulej et al., ICPE'20, section 4.4. Of the step: Marsaglia, "Xorshift RNGs", J. Stat. Soft. 8:14 (2003).
 */
export function integerWork(amount: number): number {
  let x = 2463534242;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
    }
  }
  return x >>> 0;
}
