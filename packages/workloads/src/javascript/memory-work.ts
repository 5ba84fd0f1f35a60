import { stepsPerUnit } from './steps-per-unit.ts';

/** Bytes of the walk where nobody says. */
const defaultBytes = 64 * 2 ** 20;

/**
 * What {@link memoryWork} walks over: `bytes`, a power of two, in slots of four, each holding the number of the next. The walk
 * visits every slot before it comes back: it is a linear congruential generator with full period.
 */
export function createMemoryData(bytes: number = defaultBytes): Uint32Array {
  const next = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < next.length; i++) next[i] = (Math.imul(i, 1664525) + 1013904223) & (next.length - 1);
  return next;
}

/**
 * A step: a load from a slot that only the load before names, somewhere in the data; of 64 MiB it mostly misses every cache.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @param next from {@link createMemoryData}; not changed
 * @param from slot to begin at
 * @returns the slot after the last step
 *
 * Source of the role and the size: Bulej et al., ICPE'20, section 4.4. Of the constants: Press et al., Numerical Recipes,
 * 3rd ed., section 7.1; the period: Hull and Dobell, SIAM Review 4:3 (1962).
 */
export function memoryWork(amount: number, next: Uint32Array, from: number = 0): number {
  let at = from;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) at = next[at] as number;
  }
  return at;
}
