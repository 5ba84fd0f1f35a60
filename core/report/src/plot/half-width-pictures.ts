import { type Comparison, sides } from '@deadheat/model';
import {
  gridKde,
  median,
  minimalDetectableRatio,
  quantiles,
  silvermanBandwidth,
  varianceComponents,
} from '@deadheat/stats';
import { chooseTimeUnit } from '../text/numbers.ts';
import { type BenchmarkView, type Mark, picture, type PictureOptions, robustDomain } from './drawing.ts';
import { element, linePath, path, tenth } from './element.ts';
import type { RunLayout } from './run-axis.ts';
import { joined, within } from './times-picture.ts';

/** Width of pictures of which two stand side by side. */
const halfFrame = { width: 512, marginLeft: 16, marginRight: 16 } as const;

const height = 190;
/** Points of a curve; fewer where a page has many of them. */
const points = { many: 240, few: 120 } as const;
/** Beyond this many values they are binned before they are smoothed; less than 0.1 % of the peak is lost. */
const binAbove = 500;
/** Bins are at most this many bandwidths wide. */
const binWidth = 0.1;
/** Distance in bandwidths beyond which a kernel is invisibly small. */
const cutoff = 6;
/** The tails beyond these quantiles are not drawn. */
const shown = [0.005, 0.995] as const;

/** A smoothed distribution on the axis that it shares with others. */
interface Density {
  readonly name: string;
  readonly heights: Float64Array;
  readonly middle: number;
}

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly points: number;
}

/** Picture of the distributions of both sides' times; `null` when there are too few. */
export function timeDensities(view: BenchmarkView): string | null {
  const samples = sides.map((side) => joined(view.points.runs.map((run) => run.sides[side].timesNs)));
  if (samples.some(({ length }) => length < 3)) return null;
  const unit = chooseTimeUnit(median(samples[0] ?? [1]) / 1e9);
  const scaled = samples.map((ns) => ns.map((value) => (value / 1e9) * unit.perSecond).sort());
  const axis = axisOf(view, scaled);
  const densities = scaled.map((values, index) => densityOf(values, { axis, name: index === 0 ? 'a' : 'b' }));
  return densityPicture(densities, {
    axis,
    label: `time, ${unit.name}`,
    words: 'Smoothed distributions of the times of A and B',
    marks: [],
  });
}

/** Picture of the distribution of the ratios, with the deciding interval; `null` when there are too few. */
export function ratioDensity(view: BenchmarkView, layout: RunLayout): string | null {
  const ratios = joined(layout.runs.map(({ ratios }) => ratios.y));
  if (ratios.length < 3) return null;
  const percents = ratios.map((ratio) => (ratio - 1) * 100).sort();
  const { low, high } = view.comparison.interval;
  const [from, to] = [(low - 1) * 100, (high - 1) * 100];
  const axis = axisOf(view, [percents], [0, from, to < 1e6 ? to : 0]);
  return densityPicture([densityOf(percents, { axis, name: 'ratio' })], {
    axis,
    label: 'B / A − 1, %',
    words: 'Smoothed distribution of the ratios, and the interval that decides',
    marks: [
      ({ x, top, bottom }) => {
        const [left, right] = [x(Math.max(axis.low, from)), x(Math.min(axis.high, to))];
        const frame = { y: top, width: Math.max(1, right - left), height: bottom - top };
        return element('rect', { class: 'ci', x: left, ...frame });
      },
      ({ x, top, bottom }) => path('zero', `M${tenth(x(0))},${top}V${bottom}`),
    ],
  });
}

function axisOf({ mostMarks }: BenchmarkView, samples: readonly Float64Array[], include: readonly number[] = []): Axis {
  const ends = samples.map((values) => quantiles(values, shown));
  const low = Math.min(...include, ...ends.map(([least = 0]) => least));
  const high = Math.max(...include, ...ends.map(([, most = 1]) => most));
  const pad = (high - low || Math.abs(high) * 0.01 || 1) * 0.08;
  return { low: low - pad, high: high + pad, points: mostMarks >= 1000 ? points.many : points.few };
}

function densityOf(
  sorted: Float64Array,
  { axis: { low, high, points }, name }: { readonly axis: Axis; readonly name: string },
): Density {
  const step = (high - low) / (points - 1);
  // Narrower than the picture can show, a peak would fall between its points.
  const bandwidth = Math.max(silvermanBandwidth(sorted), 1.5 * step);
  // Where points lie too far apart for bins, those between them are not drawn.
  const finer = sorted.length > binAbove ? Math.ceil(step / (binWidth * bandwidth)) : 1;
  const grid = { low, step: step / finer, points: (points - 1) * finer + 1 };
  const heights = gridKde(sorted, { ...grid, bandwidth, binAbove, cutoff }).filter((_, place) => place % finer === 0);
  return { name, heights, middle: median(sorted) };
}

function densityPicture(
  densities: readonly Density[],
  {
    axis: { low, high, points },
    label,
    words,
    marks,
  }: {
    readonly axis: Axis;
    readonly label: string;
    readonly words: string;
    readonly marks: readonly Mark[];
  },
): string {
  const most = Math.max(...densities.map(({ heights }) => heights.reduce((peak, value) => Math.max(peak, value), 0)));
  const step = (high - low) / (points - 1);
  const options: PictureOptions = {
    ...halfFrame,
    height,
    marginTop: 8,
    marginBottom: 34,
    x: { domain: [low, high], label, ticks: 6, tickSize: 6 },
    y: { domain: [0, most * 1.06] },
    marks: [
      ...marks,
      ...densities.map(({ name, heights }): Mark => ({ x, y }) => {
        const xs = Array.from(heights, (_, index) => x(low + index * step));
        const ys = Array.from(heights, (value) => y(value));
        const d = linePath([x(low), ...xs, x(high)], [y(0), ...ys, y(0)], { closed: true });
        return path(`density ${name}`, d);
      }),
      ...densities.map(
        ({ name, middle }): Mark =>
          ({ x, top, bottom }) =>
            path(`median ${name}`, `M${tenth(x(middle))},${bottom}V${top}`),
      ),
    ],
  };
  return picture(options, { label: words });
}

/**
 * Sources of the spread of ratios: standard deviations of logarithms, which are close to shares; `null` = not known.
 */
interface Spread {
  readonly runs: number | null;
  readonly segments: number | null;
  readonly measurements: number | null;
}

function root(variance: number | null): number | null {
  return variance === null ? null : Math.sqrt(variance);
}

/** The spread of the ratios by its sources: with segments where they were found, else runs and measurements alone. */
export function spreadOf({ points }: BenchmarkView, layout: RunLayout): Spread | null {
  const found = points.segments?.ratio.components ?? null;
  if (found !== null) {
    return {
      runs: root(found.runVariance),
      segments: root(found.segmentVariance),
      measurements: root(found.measurementVariance),
    };
  }
  const runs = layout.runs
    .map(({ ratios }) => ratios.y.map((ratio) => Math.log(ratio)))
    .filter(({ length }) => length > 0);
  if (runs.length < 2) return null;
  if (runs.some((run) => run.some((value) => !Number.isFinite(value)))) return null;
  const { runVariance, measurementVariance } = varianceComponents(runs.map((run) => [run]));
  return { runs: root(runVariance), segments: null, measurements: root(measurementVariance) };
}

/** The sources of spread as bars. */
export function spreadPicture(spread: Spread): string {
  const rows = [
    { name: 'between runs', value: spread.runs },
    { name: 'between segments', value: spread.segments },
    { name: 'between iterations', value: spread.measurements },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, percent: 100 * Math.expm1(value) }]));
  const most = Math.max(...rows.map(({ percent }) => percent)) || 1;
  const options: PictureOptions = {
    ...halfFrame,
    height: 46 + 36 * rows.length,
    marginLeft: 130,
    marginTop: 8,
    marginBottom: 34,
    x: {
      domain: [0, most * 1.1],
      label: 'standard deviation of B / A, %',
      ticks: 5,
      tickSize: 6,
      grid: true,
    },
    y: {
      domain: [rows.length - 0.5, -0.5],
      ticks: rows.map((_, index) => index),
      tickFormat: (index) => rows[index]?.name ?? '',
    },
    marks: rows.map(({ percent }, index): Mark => ({ x, y, left }) => {
      const frame = { x: left, y: y(index) - 8, height: 16, rx: 2 };
      return element('rect', { class: 'spread', ...frame, width: Math.max(1, x(percent) - left) });
    }),
  };
  const words = rows.map(({ name, percent }) => `${name} ${percent.toPrecision(2)} %`).join(', ');
  return picture(options, { label: `Standard deviation of the ratio: ${words}` });
}

/** Ends of a band beyond this are drawn at the edge, percent. */
const farthest = 1000;

/** Picture of the ratio of each quantile of the times, in their common band; `null` where it is not known. */
export function shiftPicture({ shift }: Pick<Comparison, 'shift'>): string | null {
  if (shift === null) return null;
  const percents = shift.map(({ quantile, estimate, low, high }) => ({
    place: quantile * 100,
    estimate: (estimate - 1) * 100,
    low: (low - 1) * 100,
    high: (high - 1) * 100,
  }));
  const { low, high } = robustDomain(
    Float64Array.from(percents.flatMap((one) => [one.low, one.high]).filter((end) => end < farthest)),
    percents.map(({ estimate }) => estimate).concat(0),
  );
  const options: PictureOptions = {
    ...halfFrame,
    height,
    marginLeft: 48,
    marginTop: 20,
    marginBottom: 34,
    x: {
      domain: [0, 100],
      label: 'share of the times that are shorter, %',
      ticks: percents.map(({ place }) => place),
      tickSize: 6,
    },
    y: { domain: [low, high], label: '↑ B / A − 1, %', grid: true, ticks: 5 },
    marks: [
      ({ y, left, right }) => path('zero', `M${left},${tenth(y(0))}H${right}`),
      (pen) => {
        const ends = [...percents.map((one) => one.low), ...percents.toReversed().map((one) => one.high)];
        const xs = [...percents, ...percents.toReversed()].map(({ place }) => pen.x(place));
        return path(
          'ci',
          linePath(
            xs,
            ends.map((end) => within(pen, pen.y(end))),
            { closed: true },
          ),
        );
      },
      ({ x, y }) => {
        const xs = percents.map(({ place }) => x(place));
        return path(
          'curve',
          linePath(
            xs,
            percents.map(({ estimate }) => y(estimate)),
          ),
        );
      },
    ],
  };
  const words = percents.map((one) => `${one.place} %: ${one.estimate.toPrecision(2)} %`).join(', ');
  return picture(options, { label: `B / A − 1 of the quantiles of the times: ${words}` });
}

/** A true slowdown, and how likely it would be called slower; shares. */
interface DetectionPoint {
  readonly slowdown: number;
  readonly probability: number;
}

const powers = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
const reportedPower = 0.8;
/** Detectable shifts for a standard deviation of 1, which are the same for all benchmarks of an experiment. */
const known = new Map<string, number>();

/**
 * Probability that true slowdowns would have been called slower, by an experiment of `factor` times as many runs. Goes
 * through the comparison's minimal detectable slowdown, which is the point at 80 %; for an anytime interval, the curve
 * is that of a fixed number of runs with the same point.
 *
 * @returns `null` where no slowdown would be found, or any.
 */
export function detectionCurve(
  { minimalDetectableSlowdown, margin, resampled, interval }: Comparison,
  factor = 1,
): readonly DetectionPoint[] | null {
  const n = resampled.count;
  const { level: confidence } = interval;
  if (n < 2 || minimalDetectableSlowdown > 100) return null;
  const spread = Math.log((1 + minimalDetectableSlowdown) / (1 + margin)) / unitShift(n, confidence, reportedPower);
  if (!(spread > 0)) return null;
  return powers.map((probability) => ({
    slowdown: (1 + margin) * Math.exp(spread * unitShift(n * factor, confidence, probability)) - 1,
    probability,
  }));
}

/** The detectable log ratio of runs whose log ratios have a standard deviation of 1. */
function unitShift(n: number, confidence: number, power: number): number {
  const key = `${n} ${confidence} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const shift = Math.log(minimalDetectableRatio({ standardDeviation: 1, n, confidence, power }));
  known.set(key, shift);
  return shift;
}

/** Factors on the number of runs, with one curve for each. */
const detectionFactors = [1, 2, 4] as const;

/**
 * Picture of the probability of the verdict `slower` for growing true slowdowns; `null` when no slowdown would be
 * found.
 */
export function detectionPicture(comparison: Comparison): string | null {
  const curves = detectionFactors.map((factor) => detectionCurve(comparison, factor));
  const [own] = curves;
  if (own === null || own === undefined) return null;
  const mds = comparison.minimalDetectableSlowdown * 100;
  const most = (own.at(-1)?.slowdown ?? 0.01) * 100;
  const options: PictureOptions = {
    ...halfFrame,
    height: 190,
    marginLeft: 48,
    marginTop: 8,
    marginBottom: 34,
    x: {
      domain: [0, most],
      label: 'true slowdown of B, %',
      ticks: 6,
      tickSize: 6,
    },
    y: {
      domain: [0, 100],
      ticks: [0, 20, 40, 60, 80, 100],
      grid: true,
      tickFormat: (value) => `${value} %`,
    },
    marks: [
      ({ x, y, left, bottom }) => path('margin', `M${left},${tenth(y(80))}H${tenth(x(mds))}V${bottom}`),
      ...curves.flatMap((curve, index) => (curve === null ? [] : [curveMark(curve, `curve c${index}`)])),
      ({ x, y }) => element('circle', { class: 'mds', cx: x(mds), cy: y(80), r: 4 }),
    ],
  };
  return picture(options, {
    label: `Probability that a true slowdown is called slower; 80 % at a slowdown of ${mds.toPrecision(2)} %`,
  });
}

function curveMark(curve: readonly DetectionPoint[], name: string): Mark {
  return (pen) => {
    const start = curve.findIndex(({ slowdown }) => slowdown > 0);
    const drawn = curve.slice(Math.max(0, start - 1));
    const d = linePath(
      [...drawn.map(({ slowdown }) => pen.x(Math.max(0, slowdown) * 100)), pen.right],
      [
        ...drawn.map(({ probability }) => pen.y(probability * 100)),
        pen.y(drawn.at(-1)?.probability === undefined ? 0 : 100),
      ],
    );
    return path(name, d);
  };
}
