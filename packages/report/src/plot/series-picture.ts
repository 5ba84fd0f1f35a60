import type { Verdict } from '@deadheat/model';
import { verdictOrder } from '../report-order.ts';
import { chooseTimeUnit } from '../text/format-time.ts';
import { picture, sketch, type Drawing } from './drawing.ts';
import { barsPath, dotsPath, levelsPath } from './path-data.ts';
import { robustDomain } from './robust-domain.ts';
import { within } from './times-picture.ts';

/** One comparison of a series. */
export interface SeriesDot {
  /** Where it stands, such as a date; told below some of them. */
  readonly label: string;
  /** B / A, or a time in ns. */
  readonly value: number;
  /** Ends of its interval, in the unit of the value; `null` = it has none. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly verdict: Verdict;
  /** Level of the series there, in the unit of the value. */
  readonly level: number;
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

/** Comparisons over commits with their verdicts, levels, and the changes between these. */
export function seriesPicture(drawing: Drawing, { quantity, dots, changes }: SeriesView): string {
  const values = Float64Array.from(dots, ({ value }) => value);
  const unit = chooseTimeUnit((values[0] ?? 0) / 1e9);
  const scaled = (value: number): number => (quantity === 'ratio' ? (value - 1) * 100 : (value / 1e9) * unit.perSecond);
  const drawn = values.map(scaled);
  const domain = robustDomain(drawn, quantity === 'ratio' ? [0] : []);
  const step = Math.max(1, Math.ceil(dots.length / mostLabels));
  const { Plot } = drawing;
  const options = {
    width: 1040,
    height,
    marginLeft: 64,
    marginRight: 24,
    marginTop: 24,
    marginBottom: 28,
    x: { domain: [-0.7, Math.max(1, dots.length) - 0.3], axis: null },
    y: {
      domain: [domain.low, domain.high],
      label: quantity === 'ratio' ? 'B / A − 1, %' : `B, ${unit.name}`,
      grid: true,
      tickSize: 0,
      ticks: 5,
    },
    marks: [
      sketch((pen) => {
        if (quantity === 'time') return null;
        const y = within(pen, pen.y(0)).toFixed(1);
        return pen.element('path', { class: 'zero', d: `M${pen.left},${y}H${pen.right}` });
      }),
      ...changes.map((at) =>
        sketch((pen) =>
          pen.element('path', { class: 'change', d: `M${pen.x(at - 0.5).toFixed(1)},${pen.top}V${pen.bottom}` }),
        ),
      ),
      ...verdictOrder.map((verdict) =>
        sketch((pen) => {
          const own = dots.flatMap((dot, at) => (dot.verdict === verdict ? [{ dot, at }] : []));
          if (own.length === 0) return null;
          const x = Float64Array.from(own, ({ at }) => pen.x(at));
          const place = (value: (dot: SeriesDot) => number): Float64Array =>
            Float64Array.from(own, ({ dot }) => within(pen, pen.y(scaled(value(dot)))));
          const group = pen.element('g', { class: `points ${dots.length <= mostFew ? 'few ' : ''}${verdict}` });
          if (dots.length <= mostIntervals) {
            const [low, high] = [0, 1].map((end) => place((dot) => dot.interval?.[end] ?? dot.value));
            group.append(
              pen.element('path', {
                class: 'range',
                d: barsPath(x, low ?? new Float64Array(0), high ?? new Float64Array(0)),
              }),
            );
          }
          group.append(
            pen.element('path', {
              class: 'dots',
              d: dotsPath(
                x,
                place(({ value }) => value),
              ),
            }),
          );
          return group;
        }),
      ),
      sketch((pen) => {
        const starts = dots.length === 0 ? [] : [0, ...changes];
        const d = levelsPath(
          starts.map((at) => pen.x(at - 0.5)),
          starts.map((_, index) => pen.x((starts[index + 1] ?? dots.length) - 0.5)),
          starts.map((at) => within(pen, pen.y(scaled(dots[at]?.level ?? Number.NaN)))),
        );
        return pen.element('path', { class: 'level ratio', d });
      }),
      Plot.axisX(
        dots.flatMap((_, at) => (at % step === 0 ? [at] : [])),
        { tickFormat: (at: number) => dots[at]?.label ?? '', tickSize: 4, label: null },
      ),
    ],
  };
  const what = quantity === 'ratio' ? 'Ratio of B to A as a difference in percent' : 'Mean time of B';
  return picture(drawing, options, {
    label: `${what}, ${dots.length} comparisons in the order of the commits; changes of level: ${changes.length}`,
  });
}
