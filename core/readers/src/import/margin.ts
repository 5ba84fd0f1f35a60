import { studentTQuantile } from '@deadheat/stats';

/** Degrees of freedom from which the tables of these tools have the quantile of the normal distribution. */
const mostInTable = 30;
const normalQuantile = 1.96;

/**
 * The standard deviation behind the margin of error that benchmark.js and tinybench print, `±1.23%`: half the width of a 95 % t interval, in
 * percent of the mean. A rounding error counts as the largest possible one, so that `±0.00%` is not "no scatter".
 *
 * @param percent as it is printed
 * @param options.mean in any unit, which is that of the result
 * @returns `null` with fewer than two samples
 * Source: benchmark.js, `tTable` and `evaluate`; tinybench's `utils.ts` has the same.
 */
export function deviationOfMargin(
  percent: string,
  { mean, samples }: { readonly mean: number; readonly samples: number },
): number | null {
  if (samples < 2) return null;
  const decimals = percent.split('.')[1]?.length ?? 0;
  const margin = (Number(percent) + 10 ** -decimals / 2) / 100;
  const quantile = samples - 1 > mostInTable ? normalQuantile : studentTQuantile(0.975, samples - 1);
  return (margin * mean * Math.sqrt(samples)) / quantile;
}
