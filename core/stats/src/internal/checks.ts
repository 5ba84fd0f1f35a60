/**
 * Refuses a number that is NaN, infinite, or outside the closed range [min, max].
 * `name` is the caller's argument; it opens the message of the `RangeError`.
 */
export function checkNumber(name: string, value: number, min: number = -Infinity, max: number = Infinity): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new RangeError(`${name} must be a finite number, got ${String(value)}`);
  }
  if (value < min || value > max) {
    throw new RangeError(`${name} must lie in [${min}, ${max}], got ${value}`);
  }
  return value;
}

/** Refuses a number that is not strictly between `low` and `high`: probabilities, confidence levels. */
export function checkOpen(name: string, value: number, low: number = 0, high: number = 1): number {
  checkNumber(name, value);
  if (!(value > low && value < high)) {
    throw new RangeError(`${name} must lie strictly between ${low} and ${high}, got ${value}`);
  }
  return value;
}

/** Refuses anything but a safe integer in [min, max]. */
export function checkInteger(name: string, value: number, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer in [${min}, ${max}], got ${String(value)}`);
  }
  return value;
}

/** Refuses anything but one of the given words. */
export function checkChoice<T extends string | number>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const words = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice)));
  throw new RangeError(`${name} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}, got ${String(value)}`);
}

/**
 * Refuses a sample with fewer than `min` values or with a value that is NaN or infinite.
 * `name` is the caller's argument; it opens the message of the `RangeError`. O(n).
 */
export function checkSample(name: string, sample: ArrayLike<number>, min = 1): void {
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
}
