import { decidingInterval } from '@deadheat/model';
import { geometricMean } from '@deadheat/stats';
import type { BenchmarkView } from './figure.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { element, path, tenth, levelsPath } from './element.ts';
import { robustDomain } from './axes.ts';
import { frameOf, runAxis, runBands, startsOf, wideFrame } from './run-axis.ts';
import { thinSeries, valuesAMark, type RunLayout, type Series, type ThinSeries } from './run-layout.ts';
import { joined, levels, valueMarks, within, type DrawnSeries } from './times-picture.ts';

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
