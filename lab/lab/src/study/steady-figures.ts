import { mean, quantiles } from '@deadheat/stats';
import { at } from '@deadheat/analysis';
import type { ClassifiedSeries, SteadySeries } from './steady-series.ts';
import { figurePart, type FigureSeries, type StudyFigure } from './study.ts';

/** Most points of a run in a figure, and most runs of a benchmark. */
const most = { points: 300, runs: 12 };

/** Values without the top percentile: it hides everything else in a figure, and shifts means, as one value of a run can be a thousand times the others. */
interface Trimmed {
  readonly values: Float64Array;
  readonly top: number;
  readonly mean: number;
}

function trim(values: Float64Array): Trimmed {
  const top = at(quantiles(values, [0.99]), 0);
  return { values, top, mean: mean(values.filter((value) => value <= top)) };
}

/** Values over the centre at even places. */
function pointsOf(name: string, { values, top }: Trimmed, centre: number): FigureSeries {
  const step = Math.max(1, Math.ceil(values.length / most.points));
  const x = Array.from(values.keys()).filter((k) => k % step === 0 && at(values, k) <= top);
  return { name, x: x.map((k) => k + 1), values: x.map((k) => at(values, k) / centre) };
}

/** Runs over their common mean, so that their levels can be compared. */
function runsOf(runs: SteadySeries['runs']): readonly FigureSeries[] {
  const shown = runs.slice(0, most.runs).map(({ timesNs }) => trim(timesNs));
  const centre = mean(Float64Array.from(shown, (run) => run.mean));
  return shown.map((run, place) => pointsOf(`run ${place + 1}`, run, centre));
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
              .filter(([, values]) => values.every((value) => Number.isFinite(value)))
              .map(([name, values]) => ({ name, trimmed: trim(values) }))
              .filter(({ trimmed }) => trimmed.mean > 0)
              .map(({ name, trimmed }) => pointsOf(name, trimmed, trimmed.mean)),
          },
        ]),
  ];
}
