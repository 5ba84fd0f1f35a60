// The verdict that is looked for after every run, of simulated log ratios.
import { anytimeMeanInterval, anytimeTCritical, fewestAnytimeValues } from '@deadheat/stats';

export const mostRuns = 200;

const criticals = new Map();
function criticalAt(runs, degrees, confidence) {
  const key = `${runs} ${degrees} ${confidence}`;
  if (!criticals.has(key)) criticals.set(key, anytimeTCritical({ size: runs, degrees, confidence }));
  return criticals.get(key);
}

/** Runs at the first look that excludes 0; Infinity when none of them does. */
export function firstVerdict(draw, { confidence, traded, minRuns = 2 }) {
  const values = [];
  const conditions = [];
  const sums = [0, 0];
  const squares = [0, 0];
  const fewest = Math.max(minRuns, fewestAnytimeValues(confidence));
  for (let runs = 1; runs <= mostRuns; runs++) {
    const value = draw();
    const condition = traded ? runs % 2 : 0;
    values.push(value);
    conditions.push(condition === 0);
    sums[condition] += value;
    squares[condition] += value * value;
    if (runs < fewest || (traded && runs % 2 === 1)) continue;
    // Skewness only widens: where the exact interval holds 0, so does the other, and the sums are enough to know.
    const [groups, each] = traded ? [2, runs / 2] : [1, runs];
    const rest = squares[0] + squares[1] - (sums[0] ** 2 + sums[1] ** 2) / each;
    const t = Math.abs(sums[0] + sums[1]) / Math.sqrt((runs * rest) / (runs - groups));
    if (t < 0.999 * criticalAt(runs, runs - groups, confidence)) continue;
    const { low, high } = anytimeMeanInterval(values, { confidence, ...(traded ? { conditions } : {}) });
    if (low > 0 || high < 0) return runs;
  }
  return Infinity;
}
