import type { CostDifference, Explanation } from '@deadheat/model';
import { createRandom, mean, median, quantile, standardDeviation, studentTQuantile } from '@deadheat/stats';
import type { RunCosts } from './align-functions.ts';

/** The cost of a function in both programs, s of CPU time a run. */
export interface NumberedCost {
  /** Number of the function; `null` = all functions with too few samples for an interval of their own. */
  readonly fn: number | null;
  readonly self: { readonly A: number; readonly B: number };
  readonly total: { readonly A: number; readonly B: number };
  /** Self time, B - A. */
  readonly difference: CostDifference;
  /** Its part of the difference of the whole; `null` where that is not clear of 0. */
  readonly shareOfWhole: number | null;
  /** The interval excludes 0. */
  readonly isClear: boolean;
}

export interface JudgedFunctions {
  /** Those whose difference is clear of 0 first, each part by the size of the difference. */
  readonly functions: readonly NumberedCost[];
  readonly whole: Explanation['whole'];
}

/** A pair of runs. */
export interface PairCosts {
  readonly A: RunCosts;
  readonly B: RunCosts;
}

/** Functions with less of both sides' time than this have no interval of their own. */
const leastShare = 0.005;
const flips = 9999;
/** Stands for infinity, where all paired differences are the same. */
const greatestT = 1e9;
/** Fewest pairs of which sign flips give a quantile of 99 %: 2^11 distinct ones are 20 above it. */
const fewestFlipped = 12;

/**
 * Costs of functions with intervals that hold for all of them at once. Each is the mean of the paired differences -+ c standard errors; c
 * is the quantile of the greatest |t| of all functions when the signs of whole pairs are drawn, which keeps the dependence between functions and is exact where the
 * two programs are the same (single-step max-T, Westfall and Young 1993). With fewer than 12 pairs c is Bonferroni's quantile of
 * Student's t. Both sides of a pair are divided by the pair's CPU time relative to the median pair, so that the speed of the core in that
 * pair has no part in it.
 *
 * @param pairs at least 2
 * @param options.confidence inside (0, 1)
 * @param options.seed of the drawn signs
 * @throws RangeError for fewer pairs
 */
export function judgeFunctions(
  pairs: readonly PairCosts[],
  { confidence, seed }: { readonly confidence: number; readonly seed: string },
): JudgedFunctions {
  const n = pairs.length;
  if (n < 2) throw new RangeError('differences need at least 2 pairs');
  const levels = pairs.map(({ A, B }) => (A.cpuSeconds + B.cpuSeconds) / 2);
  const typical = median(levels);
  const scale = levels.map((level) => typical / level);
  const series = (valueOf: (costs: RunCosts) => number): Series => ({
    A: pairs.map(({ A }, at) => valueOf(A) * (scale[at] ?? 1)),
    B: pairs.map(({ B }, at) => valueOf(B) * (scale[at] ?? 1)),
  });
  const numbers = [...new Set(pairs.flatMap(({ A, B }) => [...A.self.keys(), ...B.self.keys()]))];
  const all = numbers.map((fn) => ({ fn, series: series(({ self }) => self.get(fn) ?? 0) }));
  const own = all.filter(({ series: { A, B } }) => (mean(A) + mean(B)) / 2 >= leastShare * typical);
  const kept = new Set(own.map(({ fn }) => fn));
  const rest = series(({ self }) => [...self].reduce((sum, [fn, value]) => (kept.has(fn) ? sum : sum + value), 0));
  const judged: readonly { readonly fn: number | null; readonly series: Series }[] = [
    ...own,
    { fn: null, series: rest },
  ];
  const differences = judged.map(({ series: { A, B } }) => B.map((value, at) => value - (A[at] ?? 0)));
  const critical = criticalValue(differences, { confidence, seed });
  const wholeSeries = series(({ cpuSeconds }) => cpuSeconds);
  const wholeDifference = around(
    wholeSeries.B.map((value, at) => value - (wholeSeries.A[at] ?? 0)),
    studentTQuantile((1 + confidence) / 2, n - 1),
  );
  const isWholeClear = excludesZero(wholeDifference);
  const functions = judged.map(({ fn, series: { A, B } }, at): NumberedCost => {
    const difference = around(differences[at] ?? [], critical);
    const total = series((costs) => (fn === null ? 0 : (costs.total.get(fn) ?? 0)));
    const self = { A: mean(A), B: mean(B) };
    return {
      fn,
      self,
      total: fn === null ? self : { A: mean(total.A), B: mean(total.B) },
      difference,
      shareOfWhole: isWholeClear ? difference.estimate / wholeDifference.estimate : null,
      isClear: excludesZero(difference),
    };
  });
  return {
    functions: functions.toSorted(
      (a, b) =>
        Number(b.isClear) - Number(a.isClear) || Math.abs(b.difference.estimate) - Math.abs(a.difference.estimate),
    ),
    whole: { A: mean(wholeSeries.A), B: mean(wholeSeries.B), difference: wholeDifference },
  };
}

interface Series {
  readonly A: readonly number[];
  readonly B: readonly number[];
}

function around(values: readonly number[], critical: number): CostDifference {
  const estimate = mean(values);
  const half = critical * (standardDeviation(values) / Math.sqrt(values.length));
  return { estimate, low: estimate - half, high: estimate + half };
}

function excludesZero({ low, high }: CostDifference): boolean {
  return low > 0 || high < 0;
}

/** The quantile of the greatest |t| of several rows of paired differences. */
function criticalValue(
  rows: readonly (readonly number[])[],
  { confidence, seed }: { readonly confidence: number; readonly seed: string },
): number {
  const n = rows[0]?.length ?? 0;
  if (n < fewestFlipped) return studentTQuantile(1 - (1 - confidence) / 2 / rows.length, n - 1);
  const random = createRandom(`${seed} explain`);
  const used = rows.filter((row) => row.some((value) => value !== 0));
  const squares = used.map((row) => row.reduce((sum, value) => sum + value * value, 0));
  const signs = new Float64Array(n);
  const greatest = new Float64Array(flips);
  for (let flip = 0; flip < flips; flip++) {
    for (let at = 0; at < n; at++) signs[at] = random.next() < 0.5 ? -1 : 1;
    let most = 0;
    for (const [index, row] of used.entries()) {
      let sum = 0;
      for (let at = 0; at < n; at++) sum += (signs[at] ?? 0) * (row[at] ?? 0);
      const centre = sum / n;
      const spread = ((squares[index] ?? 0) - n * centre * centre) / (n - 1);
      const t = Math.abs(centre) / Math.sqrt(Math.max(0, spread) / n);
      if (t > most) most = t;
    }
    greatest[flip] = Math.min(most, greatestT);
  }
  return quantile(greatest, confidence);
}
