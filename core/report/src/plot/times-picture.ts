import { sides, type Side } from '@deadheat/model';
import { median } from '@deadheat/stats';
import { chooseTimeUnit } from '../text/numbers.ts';
import { type BenchmarkView, type Mark, type Pen, picture, type PictureOptions, robustDomain } from './drawing.ts';
import { group, path, barsPath, dotsPath, levelsPath } from './element.ts';
import {
  frameOf,
  type PlacedRun,
  runAxis,
  runBands,
  type RunLayout,
  type Series,
  startsOf,
  thinSeries,
  type ThinSeries,
  valuesAMark,
  wideFrame,
} from './run-axis.ts';

/** A picture with facts for its caption. */
export interface DrawnSeries {
  readonly picture: string;
  /** Values that one mark stands for. */
  readonly each: number;
  /** Values that lie beyond the axis and are drawn at its edge. */
  readonly outside: number;
}

const height = 250;
/** With more runs than this a line between the sides of each would be a surface. */
const mostLinks = 120;
/** Up to this number, dots are drawn larger. */
const mostFew = 120;

/** The times of both sides, run by run; warm-up beside them. */
export function timesPicture({ points, mostMarks }: BenchmarkView, layout: RunLayout): DrawnSeries {
  const all = joined(points.runs.flatMap(({ sides: { A, B } }) => [A.timesNs, B.timesNs]));
  const unit = chooseTimeUnit((all.length === 0 ? 1e9 : median(all)) / 1e9);

  function scaled(ns: number): number {
    return (ns / 1e9) * unit.perSecond;
  }

  const domain = robustDomain(all);
  const each = valuesAMark(layout.length, mostMarks);

  function drawn(find: (run: PlacedRun, side: Side) => Series, side: Side): ThinSeries[] {
    return layout.runs.map((run) => thinSeries(find(run, side), each));
  }

  const options: PictureOptions = {
    ...wideFrame,
    height,
    marginTop: 24,
    marginBottom: 22,
    x: runAxis(layout),
    y: { domain: [scaled(domain.low), scaled(domain.high)], label: `↑ ${unit.name}`, grid: true, ticks: 6 },
    marks: [
      runBands(layout),
      ...(layout.single && layout.runs.length <= mostLinks ? [links(layout, scaled)] : []),
      ...sides.flatMap((side) => [
        valueMarks(drawn(warmupOf, side), { name: 'warm', scaled }),
        valueMarks(drawn(measuredOf, side), { name: side === 'A' ? 'a' : 'b', scaled }),
      ]),
      ...sides.map((side) =>
        levels(points.segments?.sides[side].runs ?? [], { layout, scaled, name: `level ${side}` }),
      ),
    ],
  };
  return {
    picture: picture(options, {
      label: `Times of A and B in ${unit.name}, ${layout.runs.length} runs side by side`,
      data: { frame: frameOf(options), unit: unit.name, starts: startsOf(layout) },
    }),
    each,
    outside: domain.outside,
  };
}

function measuredOf({ start, warmup, points, length }: PlacedRun, side: Side): Series {
  const y = points.sides[side].timesNs;
  return { x: places(y.length, start + warmup + (length === 1 ? 0 : 0.5)), y };
}

function warmupOf({ start, points }: PlacedRun, side: Side): Series {
  const y = points.sides[side].warmupNs;
  return { x: places(y.length, start + 0.5), y };
}

/** Places next to each other. */
function places(count: number, first: number): Float64Array {
  const found = new Float64Array(count);
  for (let row = 0; row < count; row++) found[row] = first + row;
  return found;
}

/** The values of runs as dots, with the range of those that a dot stands for. */
export function valueMarks(
  runs: readonly ThinSeries[],
  { name, scaled }: { readonly name: string; readonly scaled: (value: number) => number },
): Mark {
  return (pen) => {
    const x = joined(runs.map((run) => run.x)).map((place) => pen.x(place));
    if (x.length === 0) return '';

    function place(values: readonly Float64Array[]): Float64Array {
      return joined(values).map((value) => within(pen, pen.y(scaled(value))));
    }

    const ranges = runs.some(({ each }) => each > 1)
      ? barsPath(x, place(runs.map(({ low }) => low)), place(runs.map(({ high }) => high)))
      : '';
    const drawn = dotsPath(x, place(runs.map(({ y }) => y)));
    return group(`points ${x.length <= mostFew ? 'few ' : ''}${name}`, path('range', ranges) + path('dots', drawn));
  };
}

/** Lines between the sides of every pair, where a run is a single one. */
function links({ runs }: RunLayout, scaled: (ns: number) => number): Mark {
  return (pen) => {
    const pairs = runs.flatMap(
      ({
        start,
        points: {
          sides: { A, B },
        },
      }) => {
        const [a, b] = [A.timesNs[0], B.timesNs[0]];
        return a === undefined || b === undefined ? [] : [{ x: pen.x(start), a, b }];
      },
    );

    function y(ns: number): number {
      return within(pen, pen.y(scaled(ns)));
    }

    const d = barsPath(
      pairs.map(({ x }) => x),
      pairs.map(({ a }) => y(a)),
      pairs.map(({ b }) => y(b)),
    );
    return path('link', d);
  };
}

/** Means of segments of steady performance, a level a segment. */
export function levels(
  runs: readonly {
    readonly run: number;
    readonly segments: readonly {
      readonly firstIteration: number;
      readonly lastIteration: number;
      readonly mean: number;
    }[];
  }[],
  {
    layout,
    scaled,
    name,
  }: { readonly layout: RunLayout; readonly scaled: (mean: number) => number; readonly name: string },
): Mark {
  const placed = new Map(layout.runs.map((run) => [run.points.run, run] as const));
  return (pen) => {
    const found = runs.flatMap(({ run, segments }) => {
      const place = placed.get(run);
      if (place === undefined) return [];
      const { start, length } = place;

      function clip(iteration: number): number {
        return pen.x(start + Math.min(length, iteration));
      }

      return segments.map(({ firstIteration, lastIteration, mean }) => ({
        from: clip(firstIteration),
        to: clip(lastIteration + 1),
        y: within(pen, pen.y(scaled(mean))),
      }));
    });
    return path(name, levelsPath(found));
  };
}

/** Limits a height to the frame. */
export function within({ top, bottom }: Pick<Pen, 'top' | 'bottom'>, y: number): number {
  return Math.min(bottom, Math.max(top, y));
}

export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
