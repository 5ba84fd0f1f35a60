import type { IterationColumns } from '@deadheat/model';
import type { MeasuredIterations } from '../columns/measured-runs.ts';
import { at } from '../internal/at.ts';

/** More units would cost time and bring nothing. */
const mostUnits = 1000;

/** Iterations that are all measured, as columns. */
export const measuredColumns = (iterations: MeasuredIterations): IterationColumns => ({
  length: iterations.length,
  indices: iterations.indices,
  startsNs: iterations.startsNs,
  endsNs: iterations.endsNs,
  metric: (key) => iterations.metric(key),
  hasPhases: false,
  isWarmup: () => false,
});

/**
 * The iterations of a single run as units of their own: one each, or of more than a thousand so many groups of equal size
 * (to one). Groups are of iterations that followed each other, so that what lasts stays inside of a group; of sorted
 * times, whose order says nothing, every group takes from the whole range.
 */
export const unitColumns = (
  iterations: MeasuredIterations,
  { isSorted }: { readonly isSorted: boolean },
): readonly IterationColumns[] => {
  const { length } = iterations;
  const units = Math.min(mostUnits, length);
  const rowsOf = (unit: number): Int32Array => {
    if (isSorted) return Int32Array.from({ length: Math.ceil((length - unit) / units) }, (_, k) => unit + k * units);
    const first = Math.floor((unit * length) / units);
    return Int32Array.from({ length: Math.floor(((unit + 1) * length) / units) - first }, (_, k) => first + k);
  };
  return Array.from({ length: units }, (_, unit) => {
    const rows = rowsOf(unit);
    const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => at(values, row));
    return measuredColumns({
      length: rows.length,
      indices: pick(iterations.indices),
      startsNs: pick(iterations.startsNs),
      endsNs: pick(iterations.endsNs),
      metric: (key) => {
        const values = iterations.metric(key);
        return values === null ? null : pick(values);
      },
    });
  });
};
