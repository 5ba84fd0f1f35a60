/**
 * Refuses a sample with fewer than `min` values or with a value that is NaN or infinite.
 * `name` is the caller's argument; it opens the message of the `RangeError`. O(n).
 */
export const checkSample = (name: string, sample: ArrayLike<number>, min = 1): void => {
  const n = sample.length;
  if (!(n >= min)) {
    throw new RangeError(`${name} needs at least ${min} ${min === 1 ? 'value' : 'values'}, got ${n}`);
  }
  for (let i = 0; i < n; i++) {
    const value = sample[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new RangeError(`${name}[${i}] must be a finite number, got ${String(value)}`);
    }
  }
};
