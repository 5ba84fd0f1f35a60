/** Values at places on an axis, ascending by place. */
export interface Series {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** A series as it is drawn: every value, or groups of consecutive ones. */
export interface ThinSeries extends Series {
  /** Values that one mark stands for; 1 = every value is drawn, and `low` and `high` are `y`. */
  readonly each: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Values that one mark stands for, so that a picture has at most `most` marks. */
export function valuesAMark(values: number, most: number): number {
  return Math.max(1, Math.ceil(values / most));
}

/** Groups of `each` consecutive values: median, smallest and largest at the middle of their places. */
export function thinSeries({ x, y }: Series, each: number): ThinSeries {
  if (each <= 1) return { each: 1, x, y, low: y, high: y };
  const groups = Math.ceil(y.length / each);
  const thin = { x: new Float64Array(groups), y: new Float64Array(groups) };
  const low = new Float64Array(groups);
  const high = new Float64Array(groups);
  const buffer = new Float64Array(each);
  for (let group = 0; group < groups; group++) {
    const [from, to] = [group * each, Math.min(y.length, (group + 1) * each)];
    const values = sorted(y.subarray(from, to), buffer);
    const middle = values.length >> 1;
    thin.x[group] = ((x[from] ?? 0) + (x[to - 1] ?? 0)) / 2;
    thin.y[group] = ((values[middle] ?? Number.NaN) + (values[values.length - 1 - middle] ?? Number.NaN)) / 2;
    low[group] = values[0] ?? Number.NaN;
    high[group] = values.at(-1) ?? Number.NaN;
  }
  return { each, ...thin, low, high };
}

/** So few are put in order faster by hand: a page has a hundred thousand groups. */
const mostByHand = 40;

/** Values in order, in the first places of a buffer. */
function sorted(values: Float64Array, buffer: Float64Array): Float64Array {
  const found = buffer.subarray(0, values.length);
  found.set(values);
  if (found.length > mostByHand) return found.sort();
  for (let i = 1; i < found.length; i++) {
    const value = found[i] ?? 0;
    let place = i;
    for (; place > 0 && (found[place - 1] ?? 0) > value; place--) found[place] = found[place - 1] ?? 0;
    found[place] = value;
  }
  return found;
}
