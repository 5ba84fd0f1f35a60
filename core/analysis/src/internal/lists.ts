/** The element at a place that the caller knows to be filled; a `RangeError` where it is not. */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const element = list[place];
  if (element === undefined) throw new RangeError(`nothing at place ${place} of ${list.length}`);
  return element;
}

/** Lists that come one by one, of which the values alone are kept: a list for each of very many runs takes many times what it holds. */
export class Joining {
  #values: Float64Array;
  #length = 0;

  /** @param expected about how many values there will be */
  constructor(expected: number) {
    this.#values = new Float64Array(expected);
  }

  add(list: ArrayLike<number>): void {
    const length = this.#length + list.length;
    if (length > this.#values.length) {
      const longer = new Float64Array(Math.max(length, 2 * this.#values.length));
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values.set(list, this.#length);
    this.#length = length;
  }

  /** All of them, one after the other. */
  toArray(): Float64Array {
    return this.#length === this.#values.length ? this.#values : this.#values.slice(0, this.#length);
  }
}

/** The values that each item has, one after the other; `null` where one has none. */
export function joinedOf<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => ArrayLike<number> | null,
): Float64Array | null {
  const all = new Joining(items.length);
  for (const item of items) {
    const values = valuesOf(item);
    if (values === null) return null;
    all.add(values);
  }
  return all.toArray();
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
