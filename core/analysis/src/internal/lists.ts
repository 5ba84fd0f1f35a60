/** The element at a place that the caller knows to be filled; a `RangeError` where it is not. */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const element = list[place];
  if (element === undefined) throw new RangeError(`nothing at place ${place} of ${list.length}`);
  return element;
}

/** All values of several lists, one after the other. */
export function joined(lists: readonly ArrayLike<number>[]): Float64Array {
  const values = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const list of lists) {
    values.set(list, place);
    place += list.length;
  }
  return values;
}
