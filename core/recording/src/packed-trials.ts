import { type Trial, trialSchema } from '@deadheat/model';
import { GrowingFloats } from './columns.ts';

/** Trials of more numbers stay as they are: a column for each would take more. */
const mostNumbers = 96;
/** Trials of further shapes stay as they are. */
const mostShapes = 256;

/** A value of a shape: the columns of its numbers are filled by `read`, and it is made again by `at`. */
interface Part {
  /** True for a value of this shape, of which it appends the numbers. */
  readonly read: (value: unknown, numbers: number[]) => boolean;
  readonly at: (row: number) => unknown;
}

/** The place of a view's numbers; no name, which a metric might have. */
const rowKey = Symbol('row');

function partOf(example: unknown, columns: GrowingFloats[]): Part {
  if (typeof example === 'number') {
    const column = new GrowingFloats();
    columns.push(column);
    return {
      read: (value, numbers) => typeof value === 'number' && numbers.push(value) > 0,
      at: (row) => column.at(row),
    };
  }
  if (typeof example !== 'object' || example === null) return { read: (value) => value === example, at: () => example };
  const before = columns.length;
  const fields = Object.entries(example).map(
    ([key, value]: [string, unknown]) => [key, partOf(value, columns)] as const,
  );
  const [keys, parts] = [fields.map(([key]) => key), fields.map(([, part]) => part)];
  const isList = Array.isArray(example);
  return {
    read: (value, numbers) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) !== isList) return false;
      let place = 0;
      for (const key in value) {
        if (key !== keys[place] || parts[place]?.read((value as Record<string, unknown>)[key], numbers) !== true) {
          return false;
        }
        place++;
      }
      return place === keys.length;
    },
    at:
      columns.length === before
        ? () => example
        : lastKept(isList ? (row) => parts.map(({ at }) => at(row)) : viewOf(fields)),
  };
}

/** Gives what was made of a row again until another row is asked for: who goes through trials asks for many fields of each. */
function lastKept(make: Part['at']): Part['at'] {
  let [lastRow, last]: [number, unknown] = [-1, null];
  return (row) => {
    if (row !== lastRow) [lastRow, last] = [row, make(row)];
    return last;
  };
}

/** Makes objects whose fields are made when they are asked for. */
function viewOf(fields: readonly (readonly [string, Part])[]): Part['at'] {
  class View {
    declare readonly [rowKey]: number;
    constructor(row: number) {
      this[rowKey] = row;
    }
    toJSON(): unknown {
      return Object.fromEntries(fields.map(([key, { at }]) => [key, at(this[rowKey])]));
    }
  }
  Object.defineProperty(View.prototype, 'toJSON', { enumerable: false });
  for (const [key, { at }] of fields) {
    const property: PropertyDescriptor & ThisType<View> = {
      enumerable: true,
      get() {
        return at(this[rowKey]);
      },
    };
    Object.defineProperty(View.prototype, key, property);
  }
  return (row) => new View(row);
}

/** True if the schema allows the trial with this number in the place of each of its own. */
function isTrialWith(trial: Trial, number: number): boolean {
  const changed: unknown = JSON.parse(JSON.stringify(trial), (_, value: unknown) =>
    typeof value === 'number' ? number : value,
  );
  return trialSchema.safeParse(changed).success;
}

/**
 * Trials that differ in their numbers alone. Where the schema allows 0 and the largest whole number in all places, it allows what lies between: its limits
 * of a number hold of that number alone.
 */
class Shape {
  readonly #columns: GrowingFloats[] = [];
  readonly #part: Part;
  readonly #isFree: boolean;
  #rows = 0;

  constructor(example: Trial) {
    this.#part = partOf(example, this.#columns);
    this.#isFree = [0, Number.MAX_SAFE_INTEGER].every((number) => isTrialWith(example, number));
  }

  get isSmall(): boolean {
    return this.#columns.length <= mostNumbers;
  }

  /** `null` = it is of another shape, or it was not `checked` by the schema and that is not known to allow its numbers. */
  take(trial: unknown, checked: boolean): Trial | null {
    if (!checked && !this.#isFree) return null;
    const numbers: number[] = [];
    if (!this.#part.read(trial, numbers)) return null;
    if (!checked && !numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return null;
    for (let place = 0; place < numbers.length; place++) this.#columns[place]?.push(numbers[place] ?? Number.NaN);
    return this.#part.at(this.#rows++) as Trial;
  }
}

/**
 * Trials in little memory, for very many of them: those that differ in their numbers alone, as most do, keep these in columns, about 100 bytes a run of two
 * commands where objects take 2 kB. The fields of a packed trial, and of what is in it, are read as those of any trial, and JSON is written of it; but they are not its
 * own, so that it cannot be spread or listed.
 */
export class PackedTrials {
  readonly #shapes: Shape[] = [];

  /** The same trial, packed; one that is unlike too many others as it is. */
  pack(trial: Trial): Trial {
    const packed = this.#take(trial, true);
    if (packed !== null) return packed;
    if (this.#shapes.length >= mostShapes) return trial;
    const shape = new Shape(trial);
    if (!shape.isSmall) return trial;
    this.#shapes.push(shape);
    return shape.take(trial, true) ?? trial;
  }

  /** The trial that a value is, packed, where one like it was packed before, so that no schema has to be asked, which takes most of the time of reading; else `null`. */
  packAlike(value: unknown): Trial | null {
    return this.#take(value, false);
  }

  #take(trial: unknown, checked: boolean): Trial | null {
    for (const [place, shape] of this.#shapes.entries()) {
      const packed = shape.take(trial, checked);
      if (packed === null) continue;
      // Neighbours are mostly of a few shapes.
      if (place > 0) this.#shapes.splice(place - 1, 2, shape, ...this.#shapes.slice(place - 1, place));
      return packed;
    }
    return null;
  }
}
