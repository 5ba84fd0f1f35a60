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
    // Most of very many lists have one value.
    if (list.length === 1) this.#values[this.#length] = list[0]!;
    else this.#values.set(list, this.#length);
    this.#length = length;
  }

  /** All of them, one after the other. */
  toArray(): Float64Array {
    return this.#length === this.#values.length ? this.#values : this.#values.slice(0, this.#length);
  }
}

/** The values that each item has, one after the other; `null` where one has none. */
export function joinedOf<Item>(
  items: Iterable<Item> & { readonly length: number },
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
export function joined(lists: Lists<ArrayLike<number>>): Float64Array {
  return lists instanceof SingleValues ? lists.values.slice() : joinedOf(lists, (list) => list)!;
}

/** A list of values of each run, as an array of arrays has them. */
export interface Lists<List extends ArrayLike<number> = Float64Array> extends Iterable<List> {
  readonly length: number;
  at(list: number): List | undefined;
  map<Made>(make: (values: List, list: number) => Made): Made[];
}

/** Lists of one value each that lie in one array: an array for each of very many runs takes ten times what it holds. */
export class SingleValues implements Lists {
  readonly values: Float64Array;

  constructor(values: Float64Array) {
    this.values = values;
  }

  get length(): number {
    return this.values.length;
  }

  at(list: number): Float64Array | undefined {
    return list < this.length ? this.values.subarray(list, list + 1) : undefined;
  }

  map<Made>(make: (values: Float64Array, list: number) => Made): Made[] {
    return Array.from(this, make);
  }

  *[Symbol.iterator](): Generator<Float64Array, undefined> {
    for (let list = 0; list < this.length; list++) yield this.values.subarray(list, list + 1);
    return undefined;
  }
}

/** A number of each list; `Float64Array.from` has all lists in memory at once. */
export function numbersOf<List extends ArrayLike<number>>(
  lists: Lists<List>,
  make: (values: List, list: number) => number,
): Float64Array {
  const numbers = new Float64Array(lists.length);
  let place = 0;
  for (const values of lists) numbers[place] = make(values, place++);
  return numbers;
}
