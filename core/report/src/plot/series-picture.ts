import type { Verdict } from '@deadheat/model';
import { verdictOrder } from '../report-input.ts';
import { chooseAmountUnit } from '../text/quantities.ts';
import { axisTicks, type Mark, picture, type PictureOptions, robustDomain } from './drawing.ts';
import { barsPath, dotsPath, element, group, levelsPath, linePath, path, tenth } from './element.ts';
import { frameOf } from './run-axis.ts';
import { within } from './times-picture.ts';

/** One comparison of a series. */
export interface SeriesDot {
  /** Label of its place, such as a date; some labels are shown below the picture. */
  readonly label: string;
  /** B / A, or an amount in the unit of the series. */
  readonly value: number;
  /** Ends of its interval, in the unit of the value; `null` = it has none. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly verdict: Verdict;
  /** Level of the series there, in the unit of the value. */
  readonly level: number;
  /** Number of its group, from 0, in whose colour it is drawn; without it in that of its verdict. */
  readonly group?: number;
}

/** A series of comparisons over commits. */
interface SeriesView {
  readonly quantity: 'ratio' | 'time' | 'value';
  /** Unit of a `value`: `bytes`, or that of a tool; `null` = a number. */
  readonly unit?: string | null;
  /** In the order of the commits. */
  readonly dots: readonly SeriesDot[];
  /** Indices of the first dots of new levels, ascending. */
  readonly changes: readonly number[];
}

/** One of several series in a picture. */
export interface SeriesTrack {
  /** In the order of the commits; `at` is the place on the common axis, from 0, and `value` the share of the first level. */
  readonly dots: readonly (SeriesDot & { readonly at: number })[];
  /** Indices of the first dots of new levels; `null` = it has no levels, and a line joins its dots. */
  readonly changes: readonly number[] | null;
}

const height = 300;
const mostLabels = 8;
/** With more dots than this their intervals would be one area. */
const mostIntervals = 400;
const mostFew = 120;
/** Colours of groups; further ones begin again. */
const groupColors = 6;

function colorOf({ verdict, group: number }: SeriesDot): string {
  return number === undefined ? verdict : `r${number % groupColors}`;
}

/** Comparisons over commits with their verdicts, levels, and the changes between these. */
export function renderSeries({ quantity, unit = null, dots, changes }: SeriesView): string {
  const amounts = chooseAmountUnit(dots[0]?.value ?? 0, quantity === 'time' ? 'ns' : unit);
  const name = amounts.name === '' ? '' : `, ${amounts.name}`;
  const what =
    quantity === 'ratio'
      ? 'Ratio of B to A as a difference in percent'
      : quantity === 'time'
        ? 'Mean time of B'
        : 'Mean value of B';
  return drawTracks([{ dots: dots.map((dot, at) => ({ ...dot, at })), changes }], {
    labels: dots.map(({ label }) => label),
    scaled: quantity === 'ratio' ? inPercent : (value) => value * amounts.factor,
    unit: quantity === 'ratio' ? '%' : amounts.name,
    hasZero: quantity === 'ratio',
    yLabel: quantity === 'ratio' ? '↑ B / A − 1, %' : `↑ B${name}`,
    label: `${what}, ${dots.length} comparisons in the order of the commits; changes of level: ${changes.length}`,
  });
}

/**
 * Several series over the same commits, each in a colour of its own and as a share of its first level.
 *
 * @param labels of all places of the axis
 * @param yLabel what the values are
 */
export function renderTracks(
  tracks: readonly SeriesTrack[],
  { labels, yLabel }: { readonly labels: readonly string[]; readonly yLabel: string },
): string {
  return drawTracks(
    tracks.map(({ dots, changes }, group) => ({ dots: dots.map((dot) => ({ ...dot, group })), changes })),
    {
      labels,
      scaled: inPercent,
      unit: '%',
      hasZero: true,
      yLabel: `↑ ${yLabel}, %`,
      label: `${yLabel}, as a difference in percent: ${tracks.length} series over ${labels.length} commits`,
    },
  );
}

function inPercent(value: number): number {
  return (value - 1) * 100;
}

interface Drawn {
  readonly labels: readonly string[];
  readonly scaled: (value: number) => number;
  readonly unit: string;
  /** The axis holds 0, with a line there. */
  readonly hasZero: boolean;
  readonly yLabel: string;
  readonly label: string;
}

function drawTracks(tracks: readonly SeriesTrack[], { labels, scaled, unit, hasZero, yLabel, label }: Drawn): string {
  const all = tracks.flatMap(({ dots }) => dots);
  const domain = robustDomain(
    Float64Array.from(all, ({ value }) => scaled(value)),
    hasZero ? [0] : [],
  );
  const step = Math.max(1, Math.ceil(labels.length / mostLabels));
  const options: PictureOptions = {
    width: 1040,
    height,
    marginLeft: 64,
    marginRight: 24,
    marginTop: 24,
    marginBottom: 28,
    x: {
      domain: [-0.7, Math.max(1, labels.length) - 0.3],
      ticks: labels.flatMap((_, at) => (at % step === 0 ? [at] : [])),
      tickFormat: (at) => labels[at] ?? '',
      tickSize: 4,
      name: 'runs',
    },
    y: { domain: [domain.low, domain.high], label: yLabel, grid: true, ticks: 5 },
    marks: [
      (pen) => (hasZero ? path('zero', `M${pen.left},${tenth(within(pen, pen.y(0)))}H${pen.right}`) : ''),
      ...tracks.flatMap((track, index) => marksOf(track, { index, isAlone: tracks.length === 1, all, scaled })),
    ],
  };
  return picture(options, { data: { frame: frameOf(options), unit, starts: '' }, label });
}

function marksOf(
  { dots, changes }: SeriesTrack,
  {
    index,
    isAlone,
    all,
    scaled,
  }: {
    readonly index: number;
    readonly isAlone: boolean;
    readonly all: readonly SeriesDot[];
    readonly scaled: Drawn['scaled'];
  },
): readonly Mark[] {
  const known: readonly string[] = verdictOrder;
  const colors = [...new Set(dots.map(colorOf))].toSorted(
    (a, b) => known.indexOf(a) - known.indexOf(b) || (a < b ? -1 : 1),
  );

  /** The place where a level begins: between its first dot and the one before. */
  function startOf(at: number): number {
    return (dots[at]?.at ?? dots.length) - 0.5;
  }

  const isFew = all.length <= mostFew;
  return [
    ...(isAlone ? (changes ?? []) : []).map(
      (at): Mark =>
        ({ x, top, bottom }) =>
          path('change', `M${tenth(x(startOf(at)))},${top}V${bottom}`),
    ),
    ...colors.map((color): Mark => (pen) => {
      const own = dots.filter((dot) => colorOf(dot) === color);
      const x = Float64Array.from(own, ({ at }) => pen.x(at));

      function place(value: (dot: SeriesDot) => number): Float64Array {
        return Float64Array.from(own, (dot) => within(pen, pen.y(scaled(value(dot)))));
      }

      function end(at: 0 | 1): Float64Array {
        return place(({ interval, value }) => interval?.[at] ?? value);
      }

      const ranges = isAlone && all.length <= mostIntervals ? barsPath(x, end(0), end(1)) : '';
      const drawnDots = dotsPath(
        x,
        place(({ value }) => value),
      );
      return group(
        `points ${isAlone ? '' : `t${index} `}${isFew ? 'few ' : ''}${color}`,
        path('range', ranges) + path('dots', drawnDots),
      );
    }),
    (pen) => {
      if (changes === null) {
        const ys = dots.map(({ value }) => within(pen, pen.y(scaled(value))));
        return path(
          'joined',
          linePath(
            dots.map(({ at }) => pen.x(at)),
            ys,
          ),
        );
      }
      const starts = dots.length === 0 ? [] : [0, ...changes];
      const last = (dots.at(-1)?.at ?? 0) + 0.5;
      const levels = starts.map((at, order) => {
        const next = starts[order + 1];
        return {
          from: pen.x(startOf(at)),
          to: pen.x(next === undefined ? last : startOf(next)),
          y: within(pen, pen.y(scaled(dots[at]?.level ?? Number.NaN))),
        };
      });
      return path(isAlone ? 'level ratio' : `level r${index % groupColors}`, levelsPath(levels));
    },
  ];
}

/** A ratio of two versions with what is certain of it. */
interface HistogramRatio {
  readonly ratio: number;
  readonly verdict: Verdict;
}

const bins = 41;

/**
 * Histogram of ratios, as differences in percent, stacked by verdict. The middle bin is centred on no difference; ratios far off are counted
 * in the last bin at their end.
 */
export function renderHistogram(ratios: readonly HistogramRatio[]): string {
  const differences = Float64Array.from(ratios, ({ ratio }) => Math.log(ratio));
  const { low, high } = robustDomain(differences, [0]);
  const reach = Math.max(-low, high, 1e-4);
  const width = (2 * reach) / bins;
  const counts = verdictOrder.map(() => new Uint32Array(bins));
  ratios.forEach(({ verdict }, at) => {
    const bin = Math.floor(((differences[at] ?? 0) + reach) / width);
    const own = counts[verdictOrder.indexOf(verdict)];
    const place = Math.min(bins - 1, Math.max(0, bin));
    if (own !== undefined) own[place] = (own[place] ?? 0) + 1;
  });
  const totals = Array.from({ length: bins }, (_, bin) => counts.reduce((sum, own) => sum + (own[bin] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const percent = ([-reach, reach] as const).map((end) => Math.expm1(end) * 100);
  const ticks = axisTicks([percent[0] ?? 0, percent[1] ?? 0], 8);
  const stacked = new Float64Array(bins);
  const label = `${ratios.length} ratios as differences in percent, ${verdictOrder
    .map((verdict) => `${ratios.filter((one) => one.verdict === verdict).length} ${verdict}`)
    .join(', ')}`;
  return picture(
    {
      width: 1040,
      height: 180,
      marginLeft: 64,
      marginRight: 24,
      marginTop: 24,
      marginBottom: 28,
      x: {
        domain: [-reach, reach],
        ticks: ticks.values.map((value) => Math.log1p(value / 100)),
        tickFormat: (value) => {
          const text = (Math.expm1(value) * 100).toFixed(ticks.decimals);
          return Number(text) > 0 ? `+${text} %` : `${Number(text) === 0 ? '0' : text} %`;
        },
        tickSize: 4,
      },
      y: { domain: [0, most], label: '↑ benchmarks', grid: true, ticks: Math.min(4, most) },
      marks: [
        ...verdictOrder.map((verdict, index): Mark => (pen) => {
          let bars = '';
          for (let bin = 0; bin < bins; bin += 1) {
            const count = counts[index]?.[bin] ?? 0;
            if (count === 0) continue;
            const from = stacked[bin] ?? 0;
            stacked[bin] = from + count;
            const [x0, x1] = [pen.x(-reach + bin * width), pen.x(-reach + (bin + 1) * width)];
            bars += `M${tenth(x0 + 0.5)},${tenth(pen.y(from))}H${tenth(x1 - 0.5)}V${tenth(pen.y(from + count))}H${tenth(x0 + 0.5)}z`;
          }
          return path(`span ${verdict}`, bars);
        }),
        ({ x, top, bottom }) => path('zero', `M${tenth(x(0))},${top}V${bottom}`),
      ],
    },
    { label },
  );
}

/** A series as small as a word. */
interface SparklineView {
  /** In their order, of any unit. */
  readonly values: ArrayLike<number>;
  /** Indices of the first values of new levels. */
  readonly changes: readonly number[];
}

const size = { width: 120, height: 24, pad: 3 } as const;

/** A line through the values with a mark where the level changed and a dot at the last one; the text beside it says what it shows. */
export function renderSparkline({ values, changes }: SparklineView): string {
  const { width, height, pad } = size;
  const { low, high } = robustDomain(Float64Array.from(values));
  const step = (width - 2 * pad) / Math.max(1, values.length - 1);
  const xs = Array.from(values, (_, at) => pad + at * step);
  const ys = Array.from(values, (value) => {
    const share = (Math.min(high, Math.max(low, value)) - low) / (high - low || 1);
    return height - pad - share * (height - 2 * pad);
  });
  const marks = changes.map((at) => `M${tenth(pad + (at - 0.5) * step)},0V${height}`).join('');
  return element(
    'svg',
    { class: 'spark', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    path('change', marks) + path('line', linePath(xs, ys)) + path('dots', dotsPath(xs.slice(-1), ys.slice(-1))),
  );
}
