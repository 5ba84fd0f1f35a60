/** The element at a place that the caller knows to be filled; a `RangeError` where it is not. */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const element = list[place];
  if (element === undefined) throw new RangeError(`nothing at place ${place} of ${list.length}`);
  return element;
}
