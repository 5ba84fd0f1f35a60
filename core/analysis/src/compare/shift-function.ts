import type { Comparison } from '@deadheat/model';
import {
  ascendingOrder,
  binomialPmf,
  normalQuantile,
  quantiles,
  standardDeviation,
  studentTQuantile,
  type Random,
} from '@deadheat/stats';
import { at, joined, type Lists } from '../internal/lists.ts';
import { wideningOf, type Dependence } from '../interval/rank-location.ts';
import type { JudgedTimes } from '../metric/iteration-times.ts';

const shares = [0.1, 0.25, 0.5, 0.75, 0.9] as const;
/** With fewer runs the band misses more often than its level says. */
const fewestRuns = 20;
/** Longer runs give as many evenly spaced iterations as make about this many times of a side. */
const mostTimes = 1000;
const replicates = 500;
/** Neighbours of more runs than this are drawn together. */
const mostDrawn = 50_000;
/** What is less is lost beside a sum of weights, which is 1. */
const leastWeight = 1e-40;
/** A place is looked up so many standard deviations of its rank before the values that have weights. */
const farDeviations = 6;
/** An even number: the generator makes two words a step. */
const wordsAtOnce = 4096;

/** Times of one side in ascending order, each with the unit of runs that it is of. */
interface Ordered {
  readonly logs: Float64Array;
  readonly units: Uint32Array;
  /** By share, where runs are drawn in groups: fewer steps than from value to value. */
  readonly starts: readonly Start[];
}

/** A place below the values that most probably have a weight in a replicate. */
interface Start {
  readonly place: number;
  /** Values of each unit before it. */
  readonly before: Uint16Array;
}

function startOf(
  units: Uint32Array,
  { from, reach, size }: Pick<Weights, 'from' | 'reach'> & { readonly size: number },
): Start {
  const place = Math.max(0, Math.floor(from - farDeviations * reach * Math.sqrt(size)));
  const before = new Uint16Array(Math.ceil(units.length / size));
  for (let i = 0; i < place; i++) before[units[i]!]!++;
  return { place, before };
}

/** The same number of evenly spaced times of every run, in units of so many runs. */
function orderedLogs(
  runs: Lists,
  { perRun, size, weights }: { readonly perRun: number; readonly size: number; readonly weights: readonly Weights[] },
): Ordered {
  const logs = new Float64Array(runs.length * perRun);
  let run = 0;
  for (const times of runs) {
    for (let k = 0; k < perRun; k++) {
      logs[run * perRun + k] = Math.log(at(times, Math.floor((k * times.length) / perRun)));
    }
    run++;
  }
  const units = ascendingOrder(logs).map((place) => Math.floor(place / perRun / size));
  return { logs: logs.sort(), units, starts: size === 1 ? [] : weights.map((own) => startOf(units, { ...own, size })) };
}

/** Weights of the values of a side for one share: 0 before the rank `from`, and from `to` on. */
interface Weights {
  readonly from: number;
  readonly to: number;
  /** Standard deviation of the number of independent values below the quantile. */
  readonly reach: number;
  /** Sum of the weights before each rank, `from` to `to`. */
  readonly sums: Float64Array;
}

/** Binomial probabilities, which centre on the quantile; of many values few have a weight that a double holds. */
function weightsOf(count: number, share: number): Weights {
  const sums = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) sums[k + 1] = sums[k]! + binomialPmf(k, count - 1, share);
  const from = sums.findLastIndex((sum) => sum < leastWeight);
  const to = sums.indexOf(sums[count]!);
  return { from, to, reach: Math.sqrt(count * share * (1 - share)), sums: sums.slice(from, to + 1) };
}

/** Adds the quantiles of a side, where each run is there as often as `copies` says, times a sign. */
function addQuantiles(
  found: Float64Array,
  { logs, units, starts }: Ordered,
  {
    copies,
    weights,
    sign,
  }: { readonly copies: Uint8Array; readonly weights: readonly Weights[]; readonly sign: 1 | -1 },
): void {
  let [rank, first, begin] = [0, 0, 0];
  for (let i = 0; i < logs.length; i++) {
    const count = copies[units[i]!]!;
    if (count === 0) continue;
    const next = rank + count;
    if (next > begin) {
      while (first < weights.length && rank >= weights[first]!.to) first++;
      if (first === weights.length) return;
      begin = weights[first]!.from;
      const { place, before } = starts[first] ?? noStart;
      const there = place > i + 1 ? rankOf(copies, before) : Infinity;
      if (there <= begin) {
        [i, rank] = [place - 1, there];
        continue;
      }
      for (let q = first; q < weights.length && next > weights[q]!.from; q++) {
        const { from, to, sums } = weights[q]!;
        const weight = sums[Math.min(next, to) - from]! - sums[Math.max(rank, from) - from]!;
        found[q] = found[q]! + sign * logs[i]! * weight;
      }
    }
    rank = next;
  }
}

const noStart: Start = { place: 0, before: new Uint16Array(0) };

/** Values of a replicate that lie before a place. */
function rankOf(copies: Uint8Array, before: Uint16Array): number {
  let rank = 0;
  for (let unit = 0; unit < before.length; unit++) rank += copies[unit]! * before[unit]!;
  return rank;
}

/** Draws the number of copies of each unit but the last, as many as there are of these; none has 256 of them. */
function drawCopies(copies: Uint8Array, words: Uint32Array, random: Random): void {
  const units = copies.length - 1;
  copies.fill(0, 0, units);
  for (let drawn = 0; drawn < units; drawn += words.length) {
    const block = words.subarray(0, units - drawn);
    random.fill(block);
    for (let k = 0; k < block.length; k++) copies[Math.floor((block[k]! / 2 ** 32) * units)]!++;
  }
}

/**
 * The shift function: the ratio B / A of each quantile of the times, with a band that holds all of them at once. Quantiles are smoothed by Bernstein
 * polynomials; both sides of a run, of more than 50 000 runs neighbours too, are drawn together, so that what disturbs both cancels; the band is as wide in standard errors as the largest
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
  if (perRun === 0 || ![A, B].every((runs) => joined(runs).every((time) => time > 0))) return null;
  const size = Math.ceil(n / mostDrawn);
  const weights = shares.map((share) => weightsOf(n * perRun, share));
  const [a, b] = [orderedLogs(A, { perRun, size, weights }), orderedLogs(B, { perRun, size, weights })];
  // The runs of the last unit, which would be a smaller one, are there once.
  const copies = new Uint8Array(Math.floor(n / size) + 1).fill(1);
  const shiftsOf = (): Float64Array => {
    const found = new Float64Array(shares.length);
    addQuantiles(found, b, { copies, weights, sign: 1 });
    addQuantiles(found, a, { copies, weights, sign: -1 });
    return found;
  };
  const estimates = shiftsOf();
  const words = new Uint32Array(Math.min(copies.length - 1, wordsAtOnce));
  const drawn = Array.from({ length: replicates }, () => {
    drawCopies(copies, words, random);
    return shiftsOf();
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
