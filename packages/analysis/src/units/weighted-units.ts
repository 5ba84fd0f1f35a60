import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { unitMeans } from './unit-means.ts';

/**
 * A value a unit whose plain mean is the mean over all runs, so that the estimate stays the published one when a run is
 * left without a partner. With weights w (the sizes of the units, W their sum) and weighted mean m, the value v of a unit
 * becomes m + n w / W (v - m): the bootstrap of their plain mean is the linearised bootstrap of the weighted mean. Units of
 * one size keep their values.
 */
export const weightedUnits = (values: ArrayLike<number>, members: readonly (readonly number[])[]): Float64Array => {
  const means = unitMeans(values, members);
  const size = members[0]?.length;
  if (members.every((runs) => runs.length === size)) return means;
  const centre = mean(members.flatMap((runs) => runs.map((r) => at(values, r))));
  const total = members.reduce((sum, runs) => sum + runs.length, 0);
  return means.map((value, u) => centre + ((members.length * at(members, u).length) / total) * (value - centre));
};
