import type { BenchmarkPoints, RunPoints } from '@deadheat/model';
import { geometricMean } from '@deadheat/stats';
import type { Axis, Mark, PictureOptions } from './drawing.ts';
import { path, tenth } from './element.ts';

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

/** Up to this number of values insertion sort is faster; a page has a hundred thousand groups. */
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

/** The place of one run on the axis of all iterations. */
interface RunPlace {
  readonly points: RunPoints;
  /** Place of its first iteration, warm-up included. */
  readonly start: number;
  readonly warmup: number;
  /** Places that it takes, at least 1. */
  readonly length: number;
}

/** Ratios of the pairs of one run at their places; without pairs that of the run's means. */
function ratiosOf({ points, start, warmup, length }: RunPlace): Series {
  const { A, B } = points.sides;
  const { a, b } = points.pairs;
  if (a.length === 0) {
    if (A.timesNs.length === 0 || B.timesNs.length === 0) return { x: new Float64Array(0), y: new Float64Array(0) };
    const y = Float64Array.of(geometricMean(B.timesNs) / geometricMean(A.timesNs));
    return { x: Float64Array.of(length === 1 ? start : start + length / 2), y };
  }
  const shift = length === 1 ? 0 : 0.5;
  const x = new Float64Array(a.length);
  const y = new Float64Array(a.length);
  for (let k = 0; k < a.length; k++) {
    x[k] = start + warmup + (a[k] ?? 0) + shift;
    y[k] = (B.timesNs[b[k] ?? 0] ?? Number.NaN) / (A.timesNs[a[k] ?? 0] ?? Number.NaN);
  }
  return { x, y };
}

/** One run at its place. */
export interface PlacedRun extends RunPlace {
  /** Ratio of its pairs, at their places; without pairs that of the means. */
  readonly ratios: Series;
}

export interface RunLayout {
  readonly runs: readonly PlacedRun[];
  readonly length: number;
  /** Every run is a single iteration. */
  readonly single: boolean;
}

/** Lays runs side by side, each as long as its longer side. */
export function runLayout({ runs }: Pick<BenchmarkPoints, 'runs'>): RunLayout {
  const placed: PlacedRun[] = [];
  let start = 0;
  for (const points of runs) {
    const { A, B } = points.sides;
    const warmup = Math.max(A.warmupNs.length, B.warmupNs.length);
    const length = Math.max(1, warmup + Math.max(A.timesNs.length, B.timesNs.length));
    const place = { points, start, warmup, length };
    placed.push({ ...place, ratios: ratiosOf(place) });
    start += length;
  }
  return { runs: placed, length: Math.max(1, start), single: placed.every(({ length }) => length === 1) };
}

/** Margins and width of all pictures whose axis is that of the runs, so that they line up. */
export const wideFrame = { width: 1040, marginLeft: 64, marginRight: 16 } as const;

const mostLabels = 16;
/** With more runs than this their bands would be finer than a pixel or two. */
const mostBands = 250;

/** The scale of all iterations of all runs. */
export function runScale({ length, single }: RunLayout): Axis {
  return { domain: single ? [-0.7, length - 0.3] : [0, length] };
}

/** The scale with the numbers of runs below their middle. */
export function runAxis(layout: RunLayout, { label }: Pick<Axis, 'label'> = {}): Axis {
  const step = niceStep(layout.runs.length / mostLabels);
  const labelled = layout.runs.filter((_, index) => (index + 1) % step === 0 || layout.runs.length === 1);
  const names = new Map(labelled.map((run) => [middleOf(run, layout), String(run.points.run + 1)]));
  return {
    ...runScale(layout),
    name: 'runs',
    ticks: [...names.keys()],
    tickFormat: (place) => names.get(place) ?? '',
    ...(label === undefined ? {} : { label }),
  };
}

/** Every second run shaded. */
export function runBands({ runs, single }: RunLayout): Mark {
  return ({ x, top, bottom }) => {
    if (single || runs.length > mostBands) return '';
    const bands = runs
      .filter((_, index) => index % 2 === 1)
      .map(({ start, length }) => {
        const [from, to] = [tenth(x(start)), tenth(x(start + length))];
        return `M${from},${top}H${to}V${bottom}H${from}z`;
      });
    return path('band', bands.join(''));
  };
}

/** The frame of a picture for the page's script: its edges in pixels, then the values at its edges. */
export function frameOf({
  width,
  height,
  marginLeft,
  marginRight,
  marginTop,
  marginBottom,
  x,
  y,
}: PictureOptions): string {
  const ends = [...x.domain, ...y.domain];
  return [marginLeft, width - marginRight, marginTop, height - marginBottom, ...ends].map(String).join(' ');
}

/** Where runs begin; empty with more of them than a page should list. */
export function startsOf({ runs, single }: RunLayout): string {
  return single || runs.length > mostBands ? '' : runs.map(({ start }) => start).join(' ');
}

function middleOf({ start, length }: RunLayout['runs'][number], { single }: RunLayout): number {
  return single ? start : start + length / 2;
}

function niceStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
  }
}
