/** The element at a place that the caller knows to be filled; a `RangeError` where it is not. */
export function at<T>(list: ArrayLike<T>, place: number): T {
  const element = list[place];
  if (element === undefined) throw new RangeError(`nothing at place ${place} of ${list.length}`);
  return element;
}

/**
 * The values that each item has, one after the other, of which these alone are kept: a list for each of very many runs takes many times what it holds.
 *
 * @returns `null` where one has none.
 */
export function joinedOf<Item>(
  items: Iterable<Item> & { readonly length: number },
  valuesOf: (item: Item) => ArrayLike<number> | null,
): Float64Array | null {
  let all = new Float64Array(items.length);
  let end = 0;
  for (const item of items) {
    const values = valuesOf(item);
    if (values === null) return null;
    const start = end;
    end += values.length;
    if (end > all.length) {
      const longer = new Float64Array(Math.max(end, 2 * all.length));
      longer.set(all);
      all = longer;
    }
    // Most of very many lists have one value.
    if (values.length === 1) all[start] = values[0]!;
    else all.set(values, start);
  }
  return end === all.length ? all : all.slice(0, end);
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
