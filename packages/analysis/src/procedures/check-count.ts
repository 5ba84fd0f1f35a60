/** Refuses what is no number of things, at least one. */
export const checkCount = (name: string, value: number): void => {
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw new RangeError(`${name} must be an integer >= 1, got ${value}`);
};
