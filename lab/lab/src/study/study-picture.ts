import { gridKde, mean, quantiles, silvermanBandwidth } from '@deadheat/stats';
import {
  robustDomain,
  type Axis,
  type Pen,
  picture,
  type Mark,
  type PictureOptions,
  dotsPath,
  element,
  group,
  linePath,
  path,
  tenth,
  textAt,
  printable,
} from '@deadheat/report';
import type { FigureSeries, StudyFigure } from './study.ts';

const width = 1040;
const row = 26;
const mostName = 38;
/** Beside a colour there is less room. */
const mostLegend = 32;
/** Series of a figure in colours of their own; further ones take the colours again, with lines or points of another kind. */
const colours = 6;
const strokes = ['', ' dashed', ' dotted'];
const curvePoints = 240;

/** A figure of a study as the markup of an SVG element. */
export function studyPicture(figure: StudyFigure): string {
  switch (figure.kind) {
    case 'boxes':
      return rowsPicture(figure, boxMark);
    case 'bars':
      return rowsPicture(figure, barMark);
    case 'intervals':
      return rowsPicture(figure, intervalMark, [zeroMark]);
    case 'lines':
    case 'points':
    case 'ranges':
    case 'areas':
      return placesPicture(figure);
    case 'densities':
      return figure.series.length > colours ? ridgesPicture(figure) : densitiesPicture(figure);
  }
}

/** Shares are drawn in percent. */
function scaleOf({ unit }: StudyFigure): number {
  return unit === 'share' ? 100 : 1;
}

function labelOf({ value, unit }: StudyFigure): string {
  return unit === 'share' ? `${value}, %` : value;
}

function colourOf(place: number): string {
  return `r${place % colours}${strokes[Math.floor(place / colours) % strokes.length]}`;
}

/** Of rows those whose names end alike have a colour in common, such as those of one method, where that tells several apart. */
function rowColours(series: readonly FigureSeries[]): readonly string[] {
  const ends = series.map(({ name }) => name.slice(name.lastIndexOf(' ') + 1));
  const distinct = [...new Set(ends)];
  const keys = distinct.length > 1 && distinct.length <= colours ? distinct : null;
  return ends.map((end, place) => `r${(keys?.indexOf(end) ?? place) % colours}`);
}

/** A name that is too long without its middle: benchmarks of one project begin alike, parameters come last. */
function fitName(name: string, most: number): string {
  const letters = Array.from(printable(name));
  const tail = Math.floor(most * 0.6);
  if (letters.length <= most) return letters.join('');
  return `${letters.slice(0, most - tail - 1).join('')}…${letters.slice(-tail).join('')}`;
}

/** Axis over all values; bars begin at 0, and boxes of shares above 0 do as well. */
function valueAxis(figure: StudyFigure): Axis {
  const scale = scaleOf(figure);
  const values = Float64Array.from(
    figure.series.flatMap((one) => [...one.values, ...(one.highs ?? [])]),
    (value) => value * scale,
  );
  const { low, high } =
    figure.kind === 'areas'
      ? { low: 0, high: scale }
      : robustDomain(values, figure.kind === 'bars' || figure.kind === 'intervals' ? [0] : []);
  return { domain: [low, high], label: labelOf(figure), ticks: 8, tickSize: 6, grid: true };
}

/** The frame of rows with their names at the left. */
function rowsFrame(names: readonly string[]): Omit<PictureOptions, 'x' | 'marks'> {
  return {
    width,
    height: 46 + row * names.length,
    marginLeft: 300,
    marginRight: 24,
    marginTop: 8,
    marginBottom: 34,
    y: {
      domain: [names.length - 0.5, -0.5],
      ticks: names.map((_, place) => place),
      tickFormat: (place) => names[place] ?? '',
    },
  };
}

/** Marks below each other, a series a row, above those behind all rows. */
function rowsPicture(
  figure: StudyFigure,
  mark: (series: FigureSeries, place: number, scale: number) => Mark,
  behind: readonly Mark[] = [],
): string {
  const { series, title } = figure;
  const scale = scaleOf(figure);
  const names = series.map(({ name }) => fitName(name, mostName));
  const rowColour = rowColours(series);
  const options: PictureOptions = {
    ...rowsFrame(names),
    x: valueAxis(figure),
    marks: [
      ...behind,
      ...series.map(
        (one, place): Mark =>
          (pen) =>
            group(rowColour[place] ?? '', mark(one, place, scale)(pen)),
      ),
    ],
  };
  return picture(options, { label: title });
}

/** Tukey's box: quartiles and median, whiskers to the last values within 1.5 interquartile ranges, the mean as a dot. */
function boxMark({ values }: FigureSeries, place: number, scale: number): Mark {
  return ({ x, y, left, right }) => {
    const sorted = Float64Array.from(values, (value) => value * scale).sort();
    const [q1 = 0, median = 0, q3 = 0] = quantiles(sorted, [0.25, 0.5, 0.75]);
    const reach = 1.5 * (q3 - q1);
    const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach);
    const far = sorted.filter((value) => value < q1 - reach || value > q3 + reach);
    function at(value: number): number {
      return Math.min(right, Math.max(left, x(value)));
    }

    const middle = y(place);
    const line = tenth(middle);
    const box = { x: at(q1), y: middle - 8, width: Math.max(1, at(q3) - at(q1)), height: 16 };
    return [
      path('interval', `M${tenth(at(inside.at(0) ?? q1))},${line}H${tenth(at(inside.at(-1) ?? q3))}`),
      element('rect', { class: 'span alone', ...box }),
      path('interval', `M${tenth(at(median))},${tenth(middle - 8)}v16`),
      group(
        'points few',
        path('dots', dotsPath([at(mean(sorted)), ...Array.from(far, at)], [middle, ...Array.from(far, () => middle)])),
      ),
    ].join('');
  };
}

function zeroMark({ x, top, bottom }: Pen): string {
  return path('margin', `M${tenth(x(0))},${top}V${bottom}`);
}

/** A line from the one end to the other, with the middle as a dot. */
function intervalMark({ values }: FigureSeries, place: number, scale: number): Mark {
  return ({ x, y, left, right }) => {
    const [low = 0, high = 0] = values.map((value) => Math.min(right, Math.max(left, x(value * scale))));
    const line = tenth(y(place));
    const ends = [low, high].map((end) => `M${tenth(end)},${tenth(y(place) - 5)}v10`);
    const dot = group('points few', path('dots', dotsPath([(low + high) / 2], [y(place)])));
    return path('interval', `M${tenth(low)},${line}H${tenth(high)}${ends.join('')}`) + dot;
  };
}

function barMark({ values }: FigureSeries, place: number, scale: number): Mark {
  return ({ x, y }) => {
    const [from, to] = [x(0), x((values[0] ?? 0) * scale)];
    const frame = { x: Math.min(from, to), y: y(place) - 8, width: Math.max(1, Math.abs(to - from)), height: 16 };
    return element('rect', { class: 'span', ...frame });
  };
}

/** Names of series with their colours and marks, at the right. */
function legend({ kind, series }: StudyFigure): Mark {
  return ({ right, top }) =>
    series
      .map(({ name }, place) => {
        const y = top + 6 + place * 18;
        const sample =
          kind === 'points'
            ? group('few', pointsMark(place, [right + 20], [y]))
            : kind === 'areas'
              ? path(areaClass(place), `M${right + 12},${tenth(y - 5)}h16v10h-16z`)
              : group(colourOf(place), path('level', `M${right + 12},${tenth(y)}h16`));
        return sample + group('start', textAt(right + 34, y + 4, fitName(name, mostLegend)));
      })
      .join('');
}

/** Areas that take a colour again are pale, with an outline. */
function areaClass(place: number): string {
  return `${place < colours ? 'area' : 'density'} r${place % colours}`;
}

/** Dots; of series that take a colour again diamonds. */
function pointsMark(place: number, xs: readonly number[], ys: readonly number[]): string {
  const diamonds = xs.map((x, k) => `M${tenth(x - 2)},${tenth(ys[k] ?? 0)}l2,-2 2,2 -2,2z`);
  const marks = place < colours ? path('dots', dotsPath(xs, ys)) : path('density', diamonds.join(''));
  return group(`points r${place % colours}`, marks);
}

const legendWidth = 290;

function legendHeight(series: readonly FigureSeries[]): number {
  return Math.max(280, 60 + 18 * series.length);
}

/** Numbers on a logarithmic axis: 1, 2 and 5 times the powers of ten. */
function logarithmicTicks(low: number, high: number): readonly number[] {
  const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, k) => Math.floor(low) + k);
  return powers
    .flatMap((power) => [1, 2, 5].map((digit) => Math.log10(digit) + power))
    .filter((at) => at >= low - 1e-9 && at <= high + 1e-9);
}

function placeAxis({ kind, series, place, marks = [], isLogarithmic = false }: StudyFigure): Axis {
  const places = [...series.flatMap(({ x }) => x ?? []), ...marks.map(({ x }) => x)];
  const [least, most] = places.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)] as const, [
    Infinity,
    -Infinity,
  ] as readonly [number, number]);
  const common = { label: place ?? '', tickSize: 6 };
  const [low, high] = isLogarithmic ? [Math.log10(least), Math.log10(most)] : [least, most];
  const pad = kind === 'ranges' ? 0.05 * (high - low) : 0;
  const domain = [low - pad, high + pad] as const;
  if (!isLogarithmic) return { ...common, domain, ticks: 8 };
  const ticks = logarithmicTicks(low, high);
  return { ...common, domain, ticks, tickFormat: (at) => String(Number((10 ** at).toPrecision(2))) };
}

/** Lines, points, ranges or areas over places. */
function placesPicture(figure: StudyFigure): string {
  const { series, marks = [], isLogarithmic = false, title } = figure;
  const y = valueAxis(figure);

  function across(pen: Pen, x: number): number {
    return pen.x(isLogarithmic ? Math.log10(x) : x);
  }

  const drawn = figure.kind === 'areas' ? stacked(series) : series;
  const options: PictureOptions = {
    width,
    height: legendHeight(series),
    marginLeft: 64,
    marginRight: legendWidth,
    marginTop: 24,
    marginBottom: 34,
    x: placeAxis(figure),
    y: { ...y, tickSize: 0 },
    marks: [
      ...drawn.map(
        (one, index): Mark =>
          (pen) =>
            seriesMark(one, { figure, index, pen, across }),
      ),
      ...marks.map(({ name, x }, index): Mark => (pen) => {
        const at = across(pen, x);
        const isRight = at > (pen.left + pen.right) / 2;
        const text = textAt(at + (isRight ? -5 : 5), pen.top + 10 + 14 * index, name);
        return path('margin', `M${tenth(at)},${pen.top}V${pen.bottom}`) + group(isRight ? 'left' : 'start', text);
      }),
      legend(figure),
    ],
  };
  return picture(options, { label: title });
}

/** Each series upon those before it, from `values` to `highs`. */
function stacked(series: readonly FigureSeries[]): readonly FigureSeries[] {
  const tops = new Map<number, number>();
  return series.map((one) => {
    const values = (one.x ?? []).map((x) => tops.get(x) ?? 0);
    const highs = values.map((low, k) => low + (one.values[k] ?? 0));
    one.x?.forEach((x, k) => tops.set(x, highs[k] ?? 0));
    return { ...one, values, highs };
  });
}

function seriesMark(
  { x, values, highs = [] }: FigureSeries,
  {
    figure,
    index,
    pen,
    across,
  }: {
    readonly figure: StudyFigure;
    readonly index: number;
    readonly pen: Pen;
    readonly across: (pen: Pen, x: number) => number;
  },
): string {
  const scale = scaleOf(figure);
  const xs = (x ?? []).map((one) => across(pen, one));

  function rowsOf(ends: readonly number[]): readonly number[] {
    return ends.map((value) => Math.min(pen.bottom, Math.max(pen.top, pen.y(value * scale))));
  }

  const ys = rowsOf(values);
  switch (figure.kind) {
    case 'points':
      return pointsMark(index, xs, ys);
    case 'areas': {
      const back = rowsOf(highs).toReversed();
      return path(areaClass(index), linePath([...xs, ...xs.toReversed()], [...ys, ...back], { closed: true }));
    }
    case 'ranges': {
      // Bars of one place stand beside each other.
      const shift = (index - (figure.series.length - 1) / 2) * 8;
      const ends = rowsOf(highs);
      const bars = xs.map((one, k) => `M${tenth(one + shift)},${tenth(ys[k] ?? 0)}V${tenth(ends[k] ?? 0)}`);
      return group(colourOf(index), path('interval', bars.join('')));
    }
    case 'lines':
    case 'boxes':
    case 'bars':
    case 'intervals':
    case 'densities': {
      const dots = group('points few', path('dots', dotsPath(xs, ys)));
      return group(colourOf(index), path('level', linePath(xs, ys)) + dots);
    }
  }
}

/** Smoothed distributions over one axis, each as high as wide ones are low. */
function curvesOf(figure: StudyFigure): {
  readonly axis: Axis;
  readonly xs: readonly number[];
  readonly curves: readonly Float64Array[];
} {
  const scale = scaleOf(figure);
  const axis = valueAxis(figure);
  const sorted = figure.series.map(({ values }) => Float64Array.from(values, (value) => value * scale).sort());
  const widths = sorted.map((own) => (own.length > 1 ? silvermanBandwidth(own) : 0));
  // The ends of a distribution reach beyond its values.
  const reach = 2.5 * Math.max(0, ...widths);
  const within = axis.domain[1] - axis.domain[0];
  const isAbove = sorted.every((own) => (own[0] ?? 0) >= 0);
  const low = Math.max(isAbove ? 0 : -Infinity, axis.domain[0] - Math.min(reach, within));
  const high = axis.domain[1] + Math.min(reach, within);
  const step = (high - low) / (curvePoints - 1);
  const curves = sorted.map((own, k) => {
    const bandwidth = Math.max(widths[k] ?? 0, 1.5 * step);
    const heights = gridKde(own, { low, step, points: curvePoints, bandwidth, binAbove: 500, cutoff: 6 });
    const peak = heights.reduce((most, height) => Math.max(most, height), 0);
    return heights.map((height) => (peak > 0 ? height / peak : 0));
  });
  const xs = Array.from({ length: curvePoints }, (_, k) => low + k * step);
  return { axis: { ...axis, domain: [low, high] }, xs, curves };
}

/** A curve from a base line, closed along it. */
function curveMark(
  xs: readonly number[],
  heights: Float64Array,
  {
    pen,
    base,
    height,
    colour,
  }: { readonly pen: Pen; readonly base: number; readonly height: number; readonly colour: string },
): string {
  const across = xs.map((x) => pen.x(x));
  const ys = Array.from(heights, (one) => base - one * height);
  const d = linePath([across[0] ?? 0, ...across, across.at(-1) ?? 0], [base, ...ys, base], { closed: true });
  return path(`density ${colour}`, d);
}

/** Few distributions over each other. */
function densitiesPicture(figure: StudyFigure): string {
  const { series, title } = figure;
  const { axis, xs, curves } = curvesOf(figure);
  const options: PictureOptions = {
    width,
    height: legendHeight(series),
    marginLeft: 16,
    marginRight: legendWidth,
    marginTop: 8,
    marginBottom: 34,
    x: axis,
    y: { domain: [0, 1.06] },
    marks: [
      ...curves.map(
        (heights, index): Mark =>
          (pen) =>
            curveMark(xs, heights, { pen, base: pen.bottom, height: pen.y(0) - pen.y(1), colour: colourOf(index) }),
      ),
      legend(figure),
    ],
  };
  return picture(options, { label: title });
}

/** Many distributions below each other, a series a row. */
function ridgesPicture(figure: StudyFigure): string {
  const { series, title } = figure;
  const { axis, xs, curves } = curvesOf(figure);
  const names = series.map(({ name }) => fitName(name, mostName));
  const rowColour = rowColours(series);
  const options: PictureOptions = {
    ...rowsFrame(names),
    x: axis,
    marks: curves.map(
      (heights, place): Mark =>
        (pen) =>
          curveMark(xs, heights, {
            pen,
            base: pen.y(place) + row / 2,
            height: row - 2,
            colour: rowColour[place] ?? '',
          }),
    ),
  };
  return picture(options, { label: title });
}
