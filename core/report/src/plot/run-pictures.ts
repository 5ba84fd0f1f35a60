import type { RunPoints } from '@deadheat/model';
import { geometricMean } from '@deadheat/stats';
import { chooseTimeUnit } from '../text/numbers.ts';
import { type BenchmarkView, type Mark, picture, type PictureOptions, robustDomain } from './drawing.ts';
import { barsPath, element, group, levelsPath, path, tenth } from './element.ts';
import {
  frameOf,
  runAxis,
  runBands,
  type RunLayout,
  runScale,
  type Series,
  startsOf,
  thinSeries,
  type ThinSeries,
  valuesAMark,
  wideFrame,
} from './run-axis.ts';
import { type DrawnSeries, joined, levels, valueMarks, within } from './times-picture.ts';

const height = 210;
/** Colours that take turns from run to run. */
const runColors = 6;

/** The ratio B / A of each pair, with the deciding interval and the margin. */
export function ratioPicture({ comparison, points, mostMarks }: BenchmarkView, layout: RunLayout): DrawnSeries {
  function percent(ratio: number): number {
    return (ratio - 1) * 100;
  }

  const ratios = layout.runs.map(({ ratios }) => ratios);
  const all = joined(ratios.map(({ y }) => y));
  const { margin, interval } = comparison;
  const { estimate, low, high } = interval;
  const domain = robustDomain(all, [
    1,
    1 + margin,
    1 - margin,
    ...[estimate, low, high].filter((value) => value < 1e6),
  ]);
  const each = valuesAMark(all.length, mostMarks);
  const thin = ratios.map((series) => thinSeries(series, each));
  const colored = layout.single ? [thin] : byColor(thin);
  const options: PictureOptions = {
    ...wideFrame,
    height,
    marginTop: 24,
    marginBottom: 34,
    x: runAxis(layout, { label: 'run' }),
    y: {
      domain: [percent(domain.low), percent(domain.high)],
      label: '↑ B / A − 1, %',
      grid: true,
      ticks: 5,
    },
    marks: [
      runBands(layout),
      (pen) => {
        const [top, bottom] = [
          within(pen, pen.y(percent(Math.min(high, domain.high)))),
          within(pen, pen.y(percent(Math.max(low, domain.low)))),
        ];
        const size = { x: pen.left, y: top, width: pen.right - pen.left, height: Math.max(1, bottom - top) };
        return element('rect', { class: 'ci', ...size });
      },
      rule('zero', 0),
      ...(margin > 0 ? [rule('margin', percent(1 + margin)), rule('margin', percent(1 - margin))] : []),
      ...colored.map((runs, color) =>
        valueMarks(runs, { name: layout.single ? 'ratio' : `r${color}`, scaled: percent }),
      ),
      rule('estimate', percent(estimate)),
      ...(layout.single ? [] : [runMeans(layout, ratios, percent)]),
      levels(points.segments?.ratio.runs ?? [], { layout, scaled: percent, name: 'level ratio' }),
    ],
  };
  return {
    picture: picture(options, {
      label: `Ratio of B to A as a difference in percent, ${layout.runs.length} runs side by side`,
      data: { frame: frameOf(options), unit: '%', starts: startsOf(layout) },
    }),
    each,
    outside: domain.outside,
  };
}

function rule(name: string, value: number): Mark {
  return (pen) => path(name, `M${pen.left},${tenth(within(pen, pen.y(value)))}H${pen.right}`);
}

function byColor(runs: readonly ThinSeries[]): readonly (readonly ThinSeries[])[] {
  return Array.from({ length: Math.min(runColors, runs.length) }, (_, color) =>
    runs.filter((_run, index) => index % runColors === color),
  );
}

/** The geometric mean of every run, over its length. */
function runMeans({ runs }: RunLayout, ratios: readonly Series[], scaled: (ratio: number) => number): Mark {
  return (pen) => {
    const found = runs.flatMap(({ start, warmup, length }, r) => {
      const { y } = ratios[r] ?? { y: new Float64Array(0) };
      if (y.length < 2) return [];
      return [
        {
          from: pen.x(start + warmup),
          to: pen.x(start + length),
          y: within(pen, pen.y(scaled(geometricMean(y)))),
        },
      ];
    });
    return path('mean', levelsPath(found));
  };
}

/** Disturbances of a run. */
interface Disturbance {
  readonly name: string;
  readonly unit: string;
  /** Value of a run; `null` = the machine does not report it. */
  readonly of: (run: RunPoints) => number | null;
}

function shareOfRun(ns: number | null, { wallNs }: RunPoints): number | null {
  return ns === null || wallNs === 0 ? null : (100 * ns) / wallNs;
}

const disturbances: readonly Disturbance[] = [
  { name: 'stolen by the hypervisor', unit: '% of the run', of: (run) => shareOfRun(run.noise.stealNs, run) },
  { name: 'throttled', unit: '% of the run', of: (run) => shareOfRun(run.noise.throttledNs, run) },
  {
    name: 'pushed off a core',
    unit: 'switches',
    of: ({ sides: { A, B } }) =>
      A.involuntarySwitches === null && B.involuntarySwitches === null
        ? null
        : (A.involuntarySwitches ?? 0) + (B.involuntarySwitches ?? 0),
  },
  {
    name: 'context switches of the machine',
    unit: 'a second',
    of: ({ noise, wallNs }) =>
      noise.contextSwitches === null || wallNs === 0 ? null : noise.contextSwitches / (wallNs / 1e9),
  },
];

interface DrawnNoise {
  readonly pictures: readonly string[];
  /** Names of the disturbances that were recorded and never happened. */
  readonly absent: readonly string[];
  /** Names of the disturbances that this machine does not report. */
  readonly unreported: readonly string[];
}

/** Pictures of the disturbances of each run: one strip for each kind, aligned with the times. */
export function noisePictures(layout: RunLayout): DrawnNoise {
  const pictures: string[] = [];
  const absent: string[] = [];
  const unreported: string[] = [];
  for (const disturbance of disturbances) {
    const values = layout.runs.map(({ points }) => disturbance.of(points));
    if (values.every((value) => value === null)) unreported.push(disturbance.name);
    else if (values.every((value) => (value ?? 0) === 0)) absent.push(disturbance.name);
    else pictures.push(strip({ layout, values, disturbance }));
  }
  return { pictures, absent, unreported };
}

function strip({
  layout,
  values,
  disturbance: { name, unit },
}: {
  readonly layout: RunLayout;
  readonly values: readonly (number | null)[];
  readonly disturbance: Disturbance;
}): string {
  const most = values.reduce<number>((peak, value) => Math.max(peak, value ?? 0), 0);
  const options: PictureOptions = {
    ...wideFrame,
    height: 84,
    marginTop: 26,
    marginBottom: 6,
    x: runScale(layout),
    y: {
      domain: [0, most * 1.05],
      ticks: [0, most],
      tickFormat: (value) => `${Number(value.toPrecision(2))}`,
      label: `${name}, ${unit}`,
      grid: true,
    },
    marks: [
      runBands(layout),
      (pen) => {
        const reported = layout.runs.flatMap(({ start, length }, r) => {
          const value = values[r] ?? null;
          return value === null ? [] : [{ x: pen.x(layout.single ? start : start + length / 2), y: pen.y(value) }];
        });
        const d = barsPath(
          reported.map(({ x }) => x),
          reported.map(() => pen.y(0)),
          reported.map(({ y }) => y),
        );
        const width = Math.max(1, Math.min(10, ((pen.right - pen.left) / layout.runs.length) * 0.6));
        return element('path', { class: 'noise', d, 'stroke-width': width });
      },
    ],
  };
  return picture(options, { label: `${name} in every run, ${unit}; at most ${Number(most.toPrecision(2))}` });
}

/** Iterations of a side that are drawn. */
const mostSpans = 24;
const lane = 16;

interface DrawnOverlap {
  readonly picture: string;
  /** The run that is drawn, from 0. */
  readonly run: number;
  readonly pairs: number;
}

/** When the iterations of one run of an asynchronous duet ran, and which of them are pairs; `null` without any. */
export function overlapPicture(runs: readonly RunPoints[]): DrawnOverlap | null {
  const run = runs[Math.floor(runs.length / 2)];
  if (run === undefined || run.pairs.a.length === 0) return null;
  const { sides } = run;
  const { A, B } = sides;
  const begin = Math.min(A.startsNs[0] ?? Infinity, B.startsNs[0] ?? Infinity);
  const end = Math.min(
    A.endsNs[Math.min(mostSpans, A.endsNs.length) - 1] ?? Infinity,
    B.endsNs[Math.min(mostSpans, B.endsNs.length) - 1] ?? Infinity,
  );
  const unit = chooseTimeUnit((end - begin) / 1e9);

  function at(ns: number): number {
    return ((ns - begin) / 1e9) * unit.perSecond;
  }

  const pairs = Array.from(run.pairs.a, (a, k) => ({ a, b: run.pairs.b[k] ?? 0 })).filter(
    ({ a, b }) => (A.startsNs[a] ?? Infinity) < end && (B.startsNs[b] ?? Infinity) < end,
  );

  function spans(side: 'A' | 'B'): Mark {
    return (pen) => {
      const { startsNs, endsNs } = sides[side];
      const paired = new Set(pairs.map(({ a, b }) => (side === 'A' ? a : b)));
      let drawn = '';
      for (let row = 0; row < startsNs.length && (startsNs[row] ?? Infinity) < end; row++) {
        const [from, to] = [pen.x(at(startsNs[row] ?? 0)), pen.x(Math.min(at(end), at(endsNs[row] ?? 0)))];
        const y = pen.y(side === 'A' ? 1 : 0) - lane / 2;
        const frame = { x: from, y, width: Math.max(1, to - from - 1), height: lane, rx: 2 };
        drawn += element('rect', { class: paired.has(row) ? 'span' : 'span alone', ...frame });
      }
      return group(side === 'A' ? 'a' : 'b', drawn);
    };
  }

  function middle(side: 'A' | 'B', row: number): number {
    return (at(sides[side].startsNs[row] ?? 0) + Math.min(at(end), at(sides[side].endsNs[row] ?? 0))) / 2;
  }

  const options: PictureOptions = {
    ...wideFrame,
    height: 140,
    marginTop: 12,
    marginBottom: 34,
    x: {
      domain: [0, at(end)],
      label: `time since the first start, ${unit.name}`,
      ticks: 10,
      tickSize: 6,
    },
    y: {
      domain: [-0.4, 1.4],
      ticks: [0, 1],
      tickFormat: (value) => (value === 1 ? 'A' : 'B'),
    },
    marks: [
      spans('A'),
      spans('B'),
      ({ x, y }) => {
        const [from, to] = [tenth(y(1) + lane / 2), tenth(y(0) - lane / 2)];
        const d = pairs.map(({ a, b }) => `M${tenth(x(middle('A', a)))},${from}L${tenth(x(middle('B', b)))},${to}`);
        return path('link', d.join(''));
      },
    ],
  };
  const words = `Iterations of A above those of B over time; lines join ${pairs.length} pairs that overlap`;
  return { picture: picture(options, { label: words }), run: run.run, pairs: pairs.length };
}
