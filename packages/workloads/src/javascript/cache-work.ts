import { stepsPerUnit } from './steps-per-unit.ts';

/** Bytes of the walk where nobody says. */
const defaultBytes = 4 * 2 ** 20;
/** One cache line of 64 bytes further. */
const stride = 16;

/** What {@link cacheWork} walks over: `bytes`, a power of two. */
export function createCacheData(bytes: number = defaultBytes): Uint32Array {
  const data = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < data.length; i++) data[i] = Math.imul(i, 2654435761);
  return data;
}

/**
 * A step: a load from the next cache line, which of 4 MiB mostly hits in the last level cache; after the last line the
 * first comes again.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @param data from {@link createCacheData}; not changed
 * @returns a sum over what was loaded, from 0 to 2^32 - 1
 *
 * Source of the role and the size: Bulej et al., ICPE'20, section 4.4.
 */
export function cacheWork(amount: number, data: Uint32Array): number {
  const mask = data.length - 1;
  let at = 0;
  let sum = 0;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) {
      sum = (sum + ((data[at] as number) ^ unit)) | 0;
      at = (at + stride) & mask;
    }
  }
  return sum >>> 0;
}
