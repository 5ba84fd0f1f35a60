import { stepsPerUnit } from './steps-per-unit.ts';

/**
 * A step: two multiplications and a subtraction of float64, each needing the one before (a chaotic logistic map, so that
 * no step can be foreseen); nothing leaves the registers.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @returns the number after the last step, between 0 and 1
 *
 * Source of the role: Bulej et al., ICPE'20, section 4.4.
 */
export function floatWork(amount: number): number {
  let x = 0.5;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) x = 3.7 * x * (1 - x);
  }
  return x;
}
