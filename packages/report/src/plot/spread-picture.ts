import type { RunLayout } from './run-layout.ts';
import type { BenchmarkView } from './benchmark-view.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { element } from './element.ts';
import { halfFrame } from './density-pictures.ts';
import { varianceComponents } from '@deadheat/stats';

/** Where the spread of ratios comes from: standard deviations of logarithms, near shares; `null` = cannot be told. */
export interface Spread {
  readonly runs: number | null;
  readonly segments: number | null;
  readonly measurements: number | null;
}

const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance));

/** The spread of the ratios by its sources: with segments where they were found, else runs and measurements alone. */
export function spreadOf({ points }: BenchmarkView, layout: RunLayout): Spread | null {
  const found = points.segments?.ratio.components ?? null;
  if (found !== null) {
    return {
      runs: root(found.runVariance),
      segments: root(found.segmentVariance),
      measurements: root(found.measurementVariance),
    };
  }
  const runs = layout.runs
    .map(({ ratios }) => ratios.y.map((ratio) => Math.log(ratio)))
    .filter(({ length }) => length > 0);
  if (runs.length < 2) return null;
  if (runs.some((run) => run.some((value) => !Number.isFinite(value)))) return null;
  const { runVariance, measurementVariance } = varianceComponents(runs.map((run) => [run]));
  return { runs: root(runVariance), segments: null, measurements: root(measurementVariance) };
}

/** The sources of spread as bars. */
export function spreadPicture(spread: Spread): string {
  const rows = [
    { name: 'between runs', value: spread.runs },
    { name: 'between segments', value: spread.segments },
    { name: 'between iterations', value: spread.measurements },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, percent: 100 * Math.expm1(value) }]));
  const most = Math.max(...rows.map(({ percent }) => percent)) || 1;
  const options: PictureOptions = {
    ...halfFrame,
    height: 46 + 36 * rows.length,
    marginLeft: 130,
    marginTop: 8,
    marginBottom: 34,
    x: {
      domain: [0, most * 1.1],
      label: 'standard deviation of B / A, %',
      ticks: 5,
      tickSize: 6,
      grid: true,
    },
    y: {
      domain: [rows.length - 0.5, -0.5],
      ticks: rows.map((_, index) => index),
      tickFormat: (index) => rows[index]?.name ?? '',
    },
    marks: rows.map(({ percent }, index): Mark => ({ x, y, left }) => {
      const frame = { x: left, y: y(index) - 8, height: 16, rx: 2 };
      return element('rect', { class: 'spread', ...frame, width: Math.max(1, x(percent) - left) });
    }),
  };
  const words = rows.map(({ name, percent }) => `${name} ${percent.toPrecision(2)} %`).join(', ');
  return picture(options, { label: `Standard deviation of the ratio: ${words}` });
}
