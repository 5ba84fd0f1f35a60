import { checkSample } from '../internal/check-sample.ts';
import { pairDistances } from '../internal/pair-distances.ts';
import { standardDeviation } from '../samples/standard-deviation.ts';

const BINS = 2048;
const GRID = 40;

/**
 * The bandwidth that minimises unbiased cross-validation between 0.1 hmax and hmax = 1.144 sd n^(-1/5); in the unit of the values.
 *
 * @param sample at least two finite numbers that are not all equal.
 * @returns the global minimum over that range; it may lie at an end (many ties: the lower one; several modes: often the upper).
 * @throws RangeError for fewer than two values, a constant sample, NaN or infinite values.
 *
 * Range and criterion are those of R's `bw.ucv`; distances are binned (2048 bins), and a grid of 40 bandwidths is searched before
 * the golden section refines, so that a local minimum does not catch it. OOPSLA'26, section 5, smooths with it.
 * Source: Scott and Terrell (1987). O(n + bins^2).
 */
export const ucvBandwidth = (sample: ArrayLike<number>): number => {
  checkSample('sample', sample, 2);
  const n = sample.length;
  const sd = standardDeviation(sample);
  if (!(sd > 0)) throw new RangeError('sample must not be constant for a cross-validated bandwidth');
  const high = 1.144 * sd * n ** -0.2;
  const low = 0.1 * high;
  const { counts, width } = pairDistances(sample, BINS);
  const criterion = (h: number): number => {
    let total = 0;
    for (let k = 0; k < BINS; k++) {
      const d = (k * width) / h;
      if (d > 30) break;
      if (counts[k] === 0) continue;
      const quarter = Math.exp(-0.25 * d * d);
      total += counts[k]! * (quarter - 2 * Math.SQRT2 * quarter * quarter);
    }
    return (0.5 + total / n) / (n * h);
  };
  let best = 0;
  let least = Infinity;
  const at = (i: number): number => low * (high / low) ** (i / GRID);
  for (let i = 0; i <= GRID; i++) {
    const value = criterion(at(i));
    if (value < least) {
      least = value;
      best = i;
    }
  }
  let a = at(Math.max(0, best - 1));
  let b = at(Math.min(GRID, best + 1));
  const golden = (Math.sqrt(5) - 1) / 2;
  let left = b - golden * (b - a);
  let right = a + golden * (b - a);
  let atLeft = criterion(left);
  let atRight = criterion(right);
  while (b - a > 1e-6 * high) {
    if (atLeft < atRight) {
      b = right;
      right = left;
      atRight = atLeft;
      left = b - golden * (b - a);
      atLeft = criterion(left);
    } else {
      a = left;
      left = right;
      atLeft = atRight;
      right = a + golden * (b - a);
      atRight = criterion(right);
    }
  }
  const middle = 0.5 * (a + b);
  return criterion(middle) < least ? middle : at(best);
};
