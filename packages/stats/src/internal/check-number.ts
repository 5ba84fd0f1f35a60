/**
 * Refuses a number that is NaN, infinite, or outside the closed range [min, max].
 * `name` is the caller's argument; it opens the message of the `RangeError`.
 */
export const checkNumber = (name: string, value: number, min: number = -Infinity, max: number = Infinity): number => {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new RangeError(`${name} must be a finite number, got ${String(value)}`);
  }
  if (value < min || value > max) {
    throw new RangeError(`${name} must lie in [${min}, ${max}], got ${value}`);
  }
  return value;
};

/** Refuses a number that is not strictly between `low` and `high`: probabilities, confidence levels. */
export const checkOpen = (name: string, value: number, low: number = 0, high: number = 1): number => {
  checkNumber(name, value);
  if (!(value > low && value < high)) {
    throw new RangeError(`${name} must lie strictly between ${low} and ${high}, got ${value}`);
  }
  return value;
};

/** Refuses anything but a safe integer in [min, max]. */
export const checkInteger = (
  name: string,
  value: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number => {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer in [${min}, ${max}], got ${String(value)}`);
  }
  return value;
};

/** Refuses anything but one of the given words. */
export const checkChoice = <T extends string | number>(name: string, value: T, choices: readonly T[]): T => {
  if (choices.includes(value)) return value;
  const words = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice)));
  throw new RangeError(`${name} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}, got ${String(value)}`);
};
