import { quantileOfSelectable } from './quantile-of-selectable.ts';

/** The quantiles (type 7) of the replicates at two probabilities, without changing them. Expected O(n). */
export const quantilePair = (replicates: ArrayLike<number>, low: number, high: number): [number, number] => {
  const buffer = new Float64Array(replicates);
  return [quantileOfSelectable(buffer, low, 7), quantileOfSelectable(buffer, high, 7)];
};
