/** Numbers of pairs by distance: counts[k] pairs about k * width apart. */
export interface PairDistances {
  readonly counts: Float64Array;
  readonly width: number;
}

/**
 * All n (n - 1)/2 distances of a sample in bins: the values are put into equal bins first, then the bins are paired. O(n + bins^2).
 */
export const pairDistances = (sample: ArrayLike<number>, bins: number): PairDistances => {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < sample.length; i++) {
    const value = sample[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const width = ((high - low) * 1.01) / bins;
  const filled = new Float64Array(bins);
  for (let i = 0; i < sample.length; i++) filled[Math.floor((sample[i]! - low) / width)]! += 1;
  const places: number[] = [];
  for (let i = 0; i < bins; i++) if (filled[i]! > 0) places.push(i);
  const counts = new Float64Array(bins);
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    const many = filled[place]!;
    counts[0]! += (many * (many - 1)) / 2;
    for (let j = 0; j < i; j++) counts[place - places[j]!]! += many * filled[places[j]!]!;
  }
  return { counts, width };
};
