import type { FigureSeries, StudyFigure } from '@deadheat/analysis';
import { gridKde, mean, quantiles, silvermanBandwidth } from '@deadheat/stats';
import { robustDomain, type Axis } from '../plot/axes.ts';
import { picture, type Mark, type PictureOptions } from '../plot/drawing.ts';
import { dotsPath, element, group, linePath, path, tenth, textAt } from '../plot/element.ts';
import { shorten } from '../text/printable.ts';

const width = 1040;
const row = 26;
const mostName = 44;
/** Beside a colour there is less room. */
const mostLegend = 38;
/** Series of a figure in colours of their own; further ones take the colours again. */
const colours = 6;
const curvePoints = 240;

/** A figure of a study as the markup of an SVG element. */
export function studyPicture(figure: StudyFigure): string {
  switch (figure.kind) {
    case 'boxes':
    case 'bars':
      return rowsPicture(figure);
    case 'lines':
    case 'points':
      return placesPicture(figure);
    case 'densities':
      return densitiesPicture(figure);
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
  return `r${place % colours}`;
}

/** Axis over all values; bars begin at 0, and boxes of shares above 0 do as well. */
function valueAxis(figure: StudyFigure): Axis {
  const scale = scaleOf(figure);
  const values = Float64Array.from(
    figure.series.flatMap((one) => one.values),
    (value) => value * scale,
  );
  const { low, high } = robustDomain(values, figure.kind === 'bars' ? [0] : []);
  return { domain: [low, high], label: labelOf(figure), ticks: 8, tickSize: 6, grid: true };
}

/** Boxes or bars below each other, a series a row. */
function rowsPicture(figure: StudyFigure): string {
  const { series, kind, title } = figure;
  const scale = scaleOf(figure);
  const names = series.map(({ name }) => shorten(name, mostName));
  const options: PictureOptions = {
    width,
    height: 46 + row * series.length,
    marginLeft: 300,
    marginRight: 24,
    marginTop: 8,
    marginBottom: 34,
    x: valueAxis(figure),
    y: {
      domain: [series.length - 0.5, -0.5],
      ticks: series.map((_, place) => place),
      tickFormat: (place) => names[place] ?? '',
    },
    marks: series.map((one, place) => (kind === 'boxes' ? boxMark(one, place, scale) : barMark(one, place, scale))),
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
    const at = (value: number): number => Math.min(right, Math.max(left, x(value)));
    const middle = y(place);
    const line = tenth(middle);
    const box = { x: at(q1), y: middle - 8, width: Math.max(1, at(q3) - at(q1)), height: 16 };
    return group(
      colourOf(place),
      [
        path('interval', `M${tenth(at(inside.at(0) ?? q1))},${line}H${tenth(at(inside.at(-1) ?? q3))}`),
        element('rect', { class: 'span alone', ...box }),
        path('interval', `M${tenth(at(median))},${tenth(middle - 8)}v16`),
        group(
          'points few',
          path(
            'dots',
            dotsPath([at(mean(sorted)), ...Array.from(far, at)], [middle, ...Array.from(far, () => middle)]),
          ),
        ),
      ].join(''),
    );
  };
}

function barMark({ values }: FigureSeries, place: number, scale: number): Mark {
  return ({ x, y }) => {
    const [from, to] = [x(0), x((values[0] ?? 0) * scale)];
    const frame = { x: Math.min(from, to), y: y(place) - 8, width: Math.max(1, Math.abs(to - from)), height: 16 };
    return group(colourOf(place), element('rect', { class: 'span', ...frame }));
  };
}

/** Names of series with their colours, at the right. */
function legend(series: readonly FigureSeries[]): Mark {
  return ({ right, top }) =>
    series
      .map(({ name }, place) => {
        const y = top + 6 + place * 18;
        const sample = path('level', `M${right + 12},${tenth(y)}h16`);
        return group(colourOf(place), sample + group('start', textAt(right + 34, y + 4, shorten(name, mostLegend))));
      })
      .join('');
}

const legendWidth = 290;

function legendHeight(series: readonly FigureSeries[]): number {
  return Math.max(280, 60 + 18 * series.length);
}

/** Lines or points over places. */
function placesPicture(figure: StudyFigure): string {
  const { series, kind, place, title } = figure;
  const scale = scaleOf(figure);
  const places = series.flatMap(({ x }) => x ?? []);
  const [low, high] = places.reduce(
    ([least, most], x) => [Math.min(least, x), Math.max(most, x)],
    [Infinity, -Infinity],
  );
  const y = valueAxis(figure);
  const options: PictureOptions = {
    width,
    height: legendHeight(series),
    marginLeft: 64,
    marginRight: legendWidth,
    marginTop: 24,
    marginBottom: 34,
    x: { domain: [low, high], label: place ?? '', ticks: 8, tickSize: 6 },
    y: { ...y, tickSize: 0 },
    marks: [
      ...series.map(({ x, values }, index): Mark => (pen) => {
        const xs = (x ?? []).map((one) => pen.x(one));
        const ys = values.map((value) => Math.min(pen.bottom, Math.max(pen.top, pen.y(value * scale))));
        if (kind === 'points') return group(`points ${colourOf(index)}`, path('dots', dotsPath(xs, ys)));
        const dots = group('points few', path('dots', dotsPath(xs, ys)));
        return group(colourOf(index), path('level', linePath(xs, ys)) + dots);
      }),
      legend(series),
    ],
  };
  return picture(options, { label: title });
}

/** Smoothed distributions, each as high as wide ones are low. */
function densitiesPicture(figure: StudyFigure): string {
  const { series, title } = figure;
  const scale = scaleOf(figure);
  const x = valueAxis(figure);
  const [low, high] = x.domain;
  const step = (high - low) / (curvePoints - 1);
  const curves = series.map(({ values }) => {
    const sorted = Float64Array.from(values, (value) => value * scale).sort();
    const bandwidth = Math.max(sorted.length > 1 ? silvermanBandwidth(sorted) : 0, 1.5 * step);
    const heights = gridKde(sorted, { low, step, points: curvePoints, bandwidth, binAbove: 500, cutoff: 6 });
    const peak = heights.reduce((most, height) => Math.max(most, height), 0);
    return heights.map((height) => (peak > 0 ? height / peak : 0));
  });
  const options: PictureOptions = {
    width,
    height: legendHeight(series),
    marginLeft: 16,
    marginRight: legendWidth,
    marginTop: 8,
    marginBottom: 34,
    x,
    y: { domain: [0, 1.06] },
    marks: [
      ...curves.map((heights, index): Mark => (pen) => {
        const xs = Array.from(heights, (_, k) => pen.x(low + k * step));
        const ys = Array.from(heights, (height) => pen.y(height));
        const d = linePath([pen.x(low), ...xs, pen.x(high)], [pen.y(0), ...ys, pen.y(0)], { closed: true });
        return path(`density ${colourOf(index)}`, d);
      }),
      legend(series),
    ],
  };
  return picture(options, { label: title });
}
