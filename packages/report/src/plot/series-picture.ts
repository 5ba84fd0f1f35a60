import type { Verdict } from '@deadheat/model';
import { verdictOrder } from '../report-input.ts';
import { chooseTimeUnit } from '../text/numbers.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { group, path, tenth, barsPath, dotsPath, levelsPath } from './element.ts';
import { robustDomain } from './axes.ts';
import { frameOf } from './run-axis.ts';
import { within } from './times-picture.ts';

/** One comparison of a series. */
export interface SeriesDot {
  /** Label of its place, such as a date; some labels are shown below the picture. */
  readonly label: string;
  /** B / A, or a time in ns. */
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
export interface SeriesView {
  readonly quantity: 'ratio' | 'time';
  /** In the order of the commits. */
  readonly dots: readonly SeriesDot[];
  /** Indices of the first dots of new levels, ascending. */
  readonly changes: readonly number[];
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
export function renderSeries({ quantity, dots, changes }: SeriesView): string {
  const values = Float64Array.from(dots, ({ value }) => value);
  const unit = chooseTimeUnit((values[0] ?? 0) / 1e9);

  function scaled(value: number): number {
    return quantity === 'ratio' ? (value - 1) * 100 : (value / 1e9) * unit.perSecond;
  }

  const drawn = values.map(scaled);
  const domain = robustDomain(drawn, quantity === 'ratio' ? [0] : []);
  const step = Math.max(1, Math.ceil(dots.length / mostLabels));
  const known: readonly string[] = verdictOrder;
  const colors = [...new Set(dots.map(colorOf))].toSorted(
    (a, b) => known.indexOf(a) - known.indexOf(b) || (a < b ? -1 : 1),
  );
  const options: PictureOptions = {
    width: 1040,
    height,
    marginLeft: 64,
    marginRight: 24,
    marginTop: 24,
    marginBottom: 28,
    x: {
      domain: [-0.7, Math.max(1, dots.length) - 0.3],
      ticks: dots.flatMap((_, at) => (at % step === 0 ? [at] : [])),
      tickFormat: (at) => dots[at]?.label ?? '',
      tickSize: 4,
      name: 'runs',
    },
    y: {
      domain: [domain.low, domain.high],
      label: quantity === 'ratio' ? '↑ B / A − 1, %' : `↑ B, ${unit.name}`,
      grid: true,
      ticks: 5,
    },
    marks: [
      (pen) => (quantity === 'time' ? '' : path('zero', `M${pen.left},${tenth(within(pen, pen.y(0)))}H${pen.right}`)),
      ...changes.map(
        (at): Mark =>
          ({ x, top, bottom }) =>
            path('change', `M${tenth(x(at - 0.5))},${top}V${bottom}`),
      ),
      ...colors.map((color): Mark => (pen) => {
        const own = dots.flatMap((dot, at) => (colorOf(dot) === color ? [{ dot, at }] : []));
        const x = Float64Array.from(own, ({ at }) => pen.x(at));

        function place(value: (dot: SeriesDot) => number): Float64Array {
          return Float64Array.from(own, ({ dot }) => within(pen, pen.y(scaled(value(dot)))));
        }

        function end(at: 0 | 1): Float64Array {
          return place(({ interval, value }) => interval?.[at] ?? value);
        }

        const ranges = dots.length <= mostIntervals ? barsPath(x, end(0), end(1)) : '';
        const drawnDots = dotsPath(
          x,
          place(({ value }) => value),
        );
        return group(
          `points ${dots.length <= mostFew ? 'few ' : ''}${color}`,
          path('range', ranges) + path('dots', drawnDots),
        );
      }),
      (pen) => {
        const starts = dots.length === 0 ? [] : [0, ...changes];
        const levels = starts.map((at, index) => ({
          from: pen.x(at - 0.5),
          to: pen.x((starts[index + 1] ?? dots.length) - 0.5),
          y: within(pen, pen.y(scaled(dots[at]?.level ?? Number.NaN))),
        }));
        return path('level ratio', levelsPath(levels));
      },
    ],
  };
  const what = quantity === 'ratio' ? 'Ratio of B to A as a difference in percent' : 'Mean time of B';
  return picture(options, {
    data: { frame: frameOf(options), unit: quantity === 'ratio' ? '%' : unit.name, starts: '' },
    label: `${what}, ${dots.length} comparisons in the order of the commits; changes of level: ${changes.length}`,
  });
}
