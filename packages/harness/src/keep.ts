const sink: unknown[] = [undefined];

/**
 * Keeps a value, so that the compiler cannot leave out what computes it.
 *
 * @returns the value
 */
export function keep<T>(value: T): T {
  // An element of an array: a store to a variable would be left out where another one follows at once.
  sink[0] = value;
  return value;
}
