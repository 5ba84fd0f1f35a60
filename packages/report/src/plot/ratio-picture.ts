import { decidingInterval } from '@deadheat/model';
import { geometricMean } from '@deadheat/stats';
import type { BenchmarkView } from './benchmark-view.ts';
import { picture, sketch, type Drawing } from './drawing.ts';
import { barsPath, dotsPath, levelsPath } from './path-data.ts';
import { robustDomain } from './robust-domain.ts';
import { frameOf, runAxis, runBands, runScale, startsOf, wideFrame } from './run-axis.ts';
import type { PlacedRun, RunLayout } from './run-layout.ts';
import { thinSeries, valuesAMark, type Series, type ThinSeries } from './thin-series.ts';
import { joined, levels, mostFew, within, type DrawnSeries } from './times-picture.ts';

const height = 210;
/** Colours that take turns from run to run. */
const runColors = 6;

/** Ratios of the pairs of one run at their places; without pairs that of the run's means. */
export function ratiosOf({ points, start, warmup, length }: PlacedRun): Series {
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

/** What B takes longer than A, pair by pair, with the interval that decides and the margin. */
export function ratioPicture(
  drawing: Drawing,
  { comparison, points, mostMarks }: BenchmarkView,
  layout: RunLayout,
): DrawnSeries {
  const percent = (ratio: number): number => (ratio - 1) * 100;
  const ratios = layout.runs.map((run) => ratiosOf(run));
  const all = joined(ratios.map(({ y }) => y));
  const { estimate, low, high } = decidingInterval(comparison);
  const { margin } = comparison;
  const domain = robustDomain(all, [
    1,
    1 + margin,
    1 - margin,
    ...[estimate, low, high].filter((value) => value < 1e6),
  ]);
  const each = valuesAMark(all.length, mostMarks);
  const thin = ratios.map((series) => thinSeries(series, each));
  const colored = layout.single ? [thin] : byColor(thin);
  const options = {
    ...wideFrame,
    height,
    marginTop: 24,
    marginBottom: 34,
    x: runScale(layout),
    y: {
      domain: [percent(domain.low), percent(domain.high)],
      label: 'B / A − 1, %',
      grid: true,
      tickSize: 0,
      ticks: 5,
    },
    marks: [
      runBands(layout),
      sketch((pen) => {
        const [top, bottom] = [
          within(pen, pen.y(percent(Math.min(high, domain.high)))),
          within(pen, pen.y(percent(Math.max(low, domain.low)))),
        ];
        const size = { x: pen.left, y: top, width: pen.right - pen.left, height: Math.max(1, bottom - top) };
        return pen.element('rect', { class: 'ci', ...size });
      }),
      rule('zero', 0),
      ...(margin > 0 ? [rule('margin', percent(1 + margin)), rule('margin', percent(1 - margin))] : []),
      ...colored.map((runs, color) => dots(runs, { name: layout.single ? 'ratio' : `r${color}`, scaled: percent })),
      rule('estimate', percent(estimate)),
      ...(layout.single ? [] : [runMeans(layout, ratios, percent)]),
      levels(points.segments?.ratio.runs ?? [], { layout, scaled: percent, name: 'level ratio' }),
      runAxis(drawing, layout, { label: 'run' }),
    ],
  };
  return {
    picture: picture(drawing, options, {
      label: `Ratio of B to A as a difference in percent, ${layout.runs.length} runs side by side`,
      data: { frame: frameOf(options), unit: '%', starts: startsOf(layout) },
    }),
    each,
    outside: domain.outside,
  };
}

function rule(name: string, value: number): ReturnType<typeof sketch> {
  return sketch((pen) => {
    const y = within(pen, pen.y(value)).toFixed(1);
    return pen.element('path', { class: name, d: `M${pen.left},${y}H${pen.right}` });
  });
}

function byColor(runs: readonly ThinSeries[]): readonly (readonly ThinSeries[])[] {
  return Array.from({ length: Math.min(runColors, runs.length) }, (_, color) =>
    runs.filter((_run, index) => index % runColors === color),
  );
}

function dots(
  runs: readonly ThinSeries[],
  { name, scaled }: { readonly name: string; readonly scaled: (ratio: number) => number },
): ReturnType<typeof sketch> {
  return sketch((pen) => {
    const x = joined(runs.map((run) => run.x)).map((place) => pen.x(place));
    if (x.length === 0) return null;
    const place = (values: readonly Float64Array[]): Float64Array =>
      joined(values).map((value) => within(pen, pen.y(scaled(value))));
    const group = pen.element('g', { class: `points ${x.length <= mostFew ? 'few ' : ''}${name}` });
    if (runs.some(({ each }) => each > 1)) {
      const [low, high] = [place(runs.map((run) => run.low)), place(runs.map((run) => run.high))];
      group.append(pen.element('path', { class: 'range', d: barsPath(x, low, high) }));
    }
    group.append(pen.element('path', { class: 'dots', d: dotsPath(x, place(runs.map(({ y }) => y))) }));
    return group;
  });
}

/** The geometric mean of every run, over its length. */
function runMeans(
  { runs }: RunLayout,
  ratios: readonly Series[],
  scaled: (ratio: number) => number,
): ReturnType<typeof sketch> {
  return sketch((pen) => {
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
    const d = levelsPath(
      found.map(({ from }) => from),
      found.map(({ to }) => to),
      found.map(({ y }) => y),
    );
    return pen.element('path', { class: 'mean', d });
  });
}
