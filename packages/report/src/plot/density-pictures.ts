import { decidingInterval, sides } from '@deadheat/model';
import { gridKde, median, quantiles, silvermanBandwidth } from '@deadheat/stats';
import { chooseTimeUnit } from '../text/format-time.ts';
import type { BenchmarkView } from './benchmark-view.ts';
import { picture, sketch, type Drawing } from './drawing.ts';
import { linePath } from './path-data.ts';
import { ratiosOf } from './ratio-picture.ts';
import type { RunLayout } from './run-layout.ts';
import { joined } from './times-picture.ts';

/** Width of pictures of which two stand side by side. */
export const halfFrame = { width: 512, marginLeft: 16, marginRight: 16 } as const;

const height = 190;
/** Points of a curve; fewer where a page has many of them. */
const points = { many: 240, few: 120 } as const;
/** Beyond this many values they are binned before they are smoothed; less than 0.1 % of the peak is lost. */
const binAbove = 500;
/** Kernels are 0 to the eye this many bandwidths away. */
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

/** How the times of both sides are distributed; `null` where there are too few. */
export function timeDensities(drawing: Drawing, view: BenchmarkView): string | null {
  const samples = sides.map((side) => joined(view.points.runs.map((run) => run.sides[side].timesNs)));
  if (samples.some(({ length }) => length < 3)) return null;
  const unit = chooseTimeUnit(median(samples[0] ?? [1]) / 1e9);
  const scaled = samples.map((ns) => ns.map((value) => (value / 1e9) * unit.perSecond).sort());
  const axis = axisOf(view, scaled);
  const densities = scaled.map((values, index) => densityOf(values, { axis, name: index === 0 ? 'a' : 'b' }));
  return densityPicture(drawing, densities, {
    axis,
    label: `time, ${unit.name}`,
    words: 'Smoothed distributions of the times of A and B',
    marks: [],
  });
}

/** How the ratios are distributed, with the interval that decides; `null` where there are too few. */
export function ratioDensity(drawing: Drawing, view: BenchmarkView, layout: RunLayout): string | null {
  const ratios = joined(layout.runs.map((run) => ratiosOf(run).y));
  if (ratios.length < 3) return null;
  const percents = ratios.map((ratio) => (ratio - 1) * 100).sort();
  const { low, high } = decidingInterval(view.comparison);
  const [from, to] = [(low - 1) * 100, (high - 1) * 100];
  const axis = axisOf(view, [percents], [0, from, to < 1e6 ? to : 0]);
  return densityPicture(drawing, [densityOf(percents, { axis, name: 'ratio' })], {
    axis,
    label: 'B / A − 1, %',
    words: 'Smoothed distribution of the ratios, and the interval that decides',
    marks: [
      sketch((pen) => {
        const [left, right] = [pen.x(Math.max(axis.low, from)), pen.x(Math.min(axis.high, to))];
        const frame = { y: pen.top, width: Math.max(1, right - left), height: pen.bottom - pen.top };
        return pen.element('rect', { class: 'ci', x: left, ...frame });
      }),
      sketch((pen) => pen.element('path', { class: 'zero', d: `M${pen.x(0).toFixed(1)},${pen.top}V${pen.bottom}` })),
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
  return { name, heights: gridKde(sorted, { low, step, points, bandwidth, binAbove, cutoff }), middle: median(sorted) };
}

function densityPicture(
  drawing: Drawing,
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
    readonly marks: readonly ReturnType<typeof sketch>[];
  },
): string {
  const most = Math.max(...densities.map(({ heights }) => heights.reduce((peak, value) => Math.max(peak, value), 0)));
  const step = (high - low) / (points - 1);
  const options = {
    ...halfFrame,
    height,
    marginTop: 8,
    marginBottom: 34,
    x: { domain: [low, high], label, labelAnchor: 'center' as const, labelArrow: 'none' as const, ticks: 6 },
    y: { domain: [0, most * 1.06], axis: null },
    marks: [
      ...marks,
      ...densities.map(({ name, heights }) =>
        sketch((pen) => {
          const xs = Array.from(heights, (_, index) => pen.x(low + index * step));
          const ys = Array.from(heights, (value) => pen.y(value));
          const d = linePath([pen.x(low), ...xs, pen.x(high)], [pen.y(0), ...ys, pen.y(0)], { closed: true });
          return pen.element('path', { class: `density ${name}`, d });
        }),
      ),
      ...densities.map(({ name, middle }) =>
        sketch((pen) =>
          pen.element('path', { class: `median ${name}`, d: `M${pen.x(middle).toFixed(1)},${pen.y(0)}V${pen.top}` }),
        ),
      ),
    ],
  };
  return picture(drawing, options, { label: words });
}
