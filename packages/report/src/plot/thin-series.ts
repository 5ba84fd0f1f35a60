import { median } from '@deadheat/stats';

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
  for (let group = 0; group < groups; group++) {
    const [from, to] = [group * each, Math.min(y.length, (group + 1) * each)];
    const values = y.subarray(from, to);
    thin.x[group] = ((x[from] ?? 0) + (x[to - 1] ?? 0)) / 2;
    thin.y[group] = median(values);
    low[group] = values.reduce((least, value) => Math.min(least, value), Infinity);
    high[group] = values.reduce((most, value) => Math.max(most, value), -Infinity);
  }
  return { each, ...thin, low, high };
}
