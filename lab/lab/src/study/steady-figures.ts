import { mean, quantiles } from '@deadheat/stats';
import { at } from '@deadheat/analysis';
import type { ClassifiedSeries, SteadySeries } from './steady-series.ts';
import { figurePart, type FigureSeries, type StudyFigure } from './study.ts';

/** Most points of a run in a figure, and most runs of a benchmark. */
const most = { points: 300, runs: 12 };

/** The top percentile hides everything else in a figure, and shifts means: one value of a run can be a thousand times the others. */
function topOf(values: Float64Array): number {
  return at(quantiles(values, [0.99]), 0);
}

function meanBelowTop(values: Float64Array): number {
  const top = topOf(values);
  return mean(values.filter((value) => value <= top));
}

/** Values over the centre at even places, without the top percentile. */
function pointsOf(name: string, values: Float64Array, centre: number): FigureSeries {
  const top = topOf(values);
  const step = Math.max(1, Math.ceil(values.length / most.points));
  const x = Array.from(values.keys()).filter((k) => k % step === 0 && at(values, k) <= top);
  return { name, x: x.map((k) => k + 1), values: x.map((k) => at(values, k) / centre) };
}

/** Runs over their common mean, so that their levels can be compared. */
function runsOf(runs: SteadySeries['runs']): readonly FigureSeries[] {
  const shown = runs.slice(0, most.runs);
  const centre = mean(Float64Array.from(shown, ({ timesNs }) => meanBelowTop(timesNs)));
  return shown.map(({ timesNs }, run) => pointsOf(`run ${run + 1}`, timesNs, centre));
}

/** Every benchmark's runs over time; and of the run whose performance changes most, among those with metrics, the metrics beside it. */
export function steadyFigures(
  series: readonly SteadySeries[],
  classified: readonly ClassifiedSeries[],
): readonly StudyFigure[] {
  const facts = { kind: 'points', unit: 'ratio', place: 'iteration' } as const;
  const changing = series.flatMap(({ label, runs }, k) =>
    runs.flatMap(({ timesNs, metrics }, run) => {
      const { changepoints } = at(at(classified, k).runs, run);
      if (changepoints.length === 0 || Object.keys(metrics).length === 0) return [];
      const ends = [...changepoints, timesNs.length - 1];
      const levels = ends.map((end, place) => mean(timesNs.subarray((ends[place - 1] ?? -1) + 1, end + 1)));
      const steps = levels.slice(1).map((level, place) => Math.abs(Math.log(level / at(levels, place))));
      return [{ label, run, timesNs, metrics, changepoints, size: Math.max(...steps) }];
    }),
  );
  const [shown] = changing.toSorted((one, other) => other.size - one.size);
  return [
    ...series.map(({ label, runs }): StudyFigure => ({
      ...facts,
      name: `oopsla26-figure-1-runs-${figurePart(label)}`,
      title: `Performance over time: ${label}`,
      source: "Antoch et al., OOPSLA'26, figures 1 and 2",
      value: 'time over the mean of all runs, both without the top percentile',
      series: runsOf(runs),
    })),
    ...(shown === undefined
      ? []
      : [
          {
            ...facts,
            name: 'oopsla26-figure-3-metrics',
            title: `Metrics beside a change of performance: ${shown.label}, run ${shown.run + 1}`,
            source: "Antoch et al., OOPSLA'26, figure 3",
            value: 'over the mean of the run, both without the top percentile',
            marks: Array.from(shown.changepoints, (change) => ({ name: '', x: change + 1.5 })),
            series: Object.entries({ time: shown.timesNs, ...shown.metrics })
              .filter(([, values]) => values.every((value) => Number.isFinite(value)) && meanBelowTop(values) > 0)
              .map(([name, values]) => pointsOf(name, values, meanBelowTop(values))),
          },
        ]),
  ];
}
