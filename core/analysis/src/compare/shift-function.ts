import type { Comparison } from '@deadheat/model';
import {
  binomialPmf,
  normalQuantile,
  quantiles,
  standardDeviation,
  studentTQuantile,
  type Random,
} from '@deadheat/stats';
import { at } from '../internal/lists.ts';
import { wideningOf, type Dependence } from '../interval/rank-location.ts';
import type { JudgedTimes } from '../metric/iteration-times.ts';

const shares = [0.1, 0.25, 0.5, 0.75, 0.9] as const;
/** With fewer runs the band misses more often than its level says. */
const fewestRuns = 20;
/** Longer runs give as many evenly spaced iterations as make about this many times of a side. */
const mostTimes = 1000;
const replicates = 500;

/** Times of one side in ascending order, each with the run that it is of. */
interface Ordered {
  readonly logs: Float64Array;
  readonly runs: Uint32Array;
}

/** The same number of evenly spaced times of every run. */
function orderedLogs(runs: readonly Float64Array[], perRun: number): Ordered {
  const logs = new Float64Array(runs.length * perRun);
  for (const [run, times] of runs.entries()) {
    for (let k = 0; k < perRun; k++) {
      logs[run * perRun + k] = Math.log(at(times, Math.floor((k * times.length) / perRun)));
    }
  }
  const order = Uint32Array.from(logs, (_, place) => place).sort(
    (one, other) => logs[one]! - logs[other]! || one - other,
  );
  return { logs: logs.toSorted(), runs: order.map((place) => Math.floor(place / perRun)) };
}

/** For each rank the weights of the values before it, one sum a share: binomial probabilities, which centre on the quantile. */
function cumulativeWeights(count: number): Float64Array {
  const sums = new Float64Array((count + 1) * shares.length);
  for (let k = 0; k < count; k++) {
    shares.forEach((share, q) => {
      const place = k * shares.length + q;
      sums[place + shares.length] = sums[place]! + binomialPmf(k, count - 1, share);
    });
  }
  return sums;
}

/** Adds the quantiles of a side, where each run is there as often as `copies` says, times a sign. */
function addQuantiles(
  found: Float64Array,
  { logs, runs }: Ordered,
  of: { readonly copies: Uint32Array; readonly weights: Float64Array; readonly sign: 1 | -1 },
): void {
  const { copies, weights, sign } = of;
  const width = found.length;
  let rank = 0;
  for (let i = 0; i < logs.length; i++) {
    const count = copies[runs[i]!]!;
    if (count === 0) continue;
    const value = sign * logs[i]!;
    const [from, to] = [rank * width, (rank + count) * width];
    for (let q = 0; q < width; q++) found[q] = found[q]! + value * (weights[to + q]! - weights[from + q]!);
    rank += count;
  }
}

/**
 * The shift function: the ratio B / A of each quantile of the times, with a band that holds all of them at once. Quantiles are smoothed by Bernstein
 * polynomials; both sides of a run are drawn together, so that what disturbs both cancels; the band is as wide in standard errors as the largest
 * deviation of a replicate from the estimates, times the factor of Student's t for so many runs, wider where runs depend on each other.
 *
 * @param times of runs that have both sides.
 * @returns `null` with fewer than 20 runs or a time that is not above 0.
 * Source: Doksum, Annals of Statistics 2 (1974), 267-277 (shift function); Cheng, Journal of Nonparametric Statistics 5 (1995), 299-309 (quantiles);
 *   Montiel Olea and Plagborg-Moller, Journal of Applied Econometrics 34 (2019), 1-17 (band by the largest t).
 */
export function shiftFunction(
  { A, B }: Pick<JudgedTimes, 'A' | 'B'>,
  options: { readonly confidence: number; readonly random: Random; readonly dependence: Dependence },
): Comparison['shift'] {
  const { confidence, random, dependence } = options;
  const n = A.length;
  if (n < fewestRuns || B.length !== n) return null;
  let perRun = Math.ceil(mostTimes / n);
  for (const runs of [A, B]) for (const { length } of runs) perRun = Math.min(perRun, length);
  if (perRun === 0 || [A, B].some((runs) => runs.some((times) => times.some((time) => !(time > 0))))) return null;
  const [a, b] = [orderedLogs(A, perRun), orderedLogs(B, perRun)];
  const weights = cumulativeWeights(n * perRun);
  const shiftsOf = (copies: Uint32Array): Float64Array => {
    const found = new Float64Array(shares.length);
    addQuantiles(found, b, { copies, weights, sign: 1 });
    addQuantiles(found, a, { copies, weights, sign: -1 });
    return found;
  };
  const estimates = shiftsOf(new Uint32Array(n).fill(1));
  const words = new Uint32Array(n);
  const drawn = Array.from({ length: replicates }, () => {
    const copies = new Uint32Array(n);
    random.fill(words);
    for (const word of words) {
      const run = Math.floor((word / 2 ** 32) * n);
      copies[run] = copies[run]! + 1;
    }
    return shiftsOf(copies);
  });
  const errors = estimates.map((_, q) => standardDeviation(drawn.map((shifts) => shifts[q]!)));
  const largest = drawn.map((shifts) =>
    Math.max(...shifts.map((shift, q) => (errors[q] === 0 ? 0 : Math.abs(shift - estimates[q]!) / errors[q]!))),
  );
  const [critical = 0] = quantiles(largest, [confidence]);
  const quantile = (1 + confidence) / 2;
  const factor =
    (Math.sqrt(n / (n - 1)) * studentTQuantile(quantile, n - 1) * wideningOf(dependence, { n, confidence })) /
    normalQuantile(quantile);
  return shares.map((share, q) => {
    const reach = critical * factor * errors[q]!;
    const [estimate, low, high] = [0, -reach, reach].map((away) => Math.exp(estimates[q]! + away)) as [
      number,
      number,
      number,
    ];
    return { quantile: share, estimate, low, high: Math.min(high, Number.MAX_VALUE) };
  });
}
