/** Refuses what is no finite number above 0. */
export const checkPositive = (name: string, value: number): void => {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be finite and above 0, got ${value}`);
};
