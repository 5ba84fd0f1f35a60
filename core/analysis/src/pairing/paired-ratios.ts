import { mean } from '@deadheat/stats';
import { at, joinedOf, numbersOf, SingleValues, type Lists } from '../internal/lists.ts';

/** Times of one side: a list a run, a value an iteration, in any one unit. Runs may differ in length. */
export type RunsOfTimes = Lists<ArrayLike<number>>;

/**
 * The natural logarithm of every run's geometric mean ratio x / y. A mean of logarithms neither overflows nor underflows,
 * whatever the number of iterations. Their mean is the logarithm of the grand geometric mean, in which every run weighs the same.
 *
 * @throws RangeError as `logRatioSeries`.
 * Source: Bulej et al., ICPE'20, section 3, steps 3 and 4.
 */
export function runLogRatios(x: RunsOfTimes, y: RunsOfTimes): Float64Array {
  return runMeans(x, y, logRatio);
}

/**
 * The natural logarithm of the ratio x / y of every pair, run by run.
 *
 * @param x times above the line; B's, for a ratio in which more than 1 means that B is slower.
 * @param y times below the line, of the same shape.
 * @throws RangeError when the shapes differ, a run is empty, or a time is not finite and above 0.
 * Source: Bulej et al., ICPE'20, section 3, step 2.
 */
export function logRatioSeries(x: RunsOfTimes, y: RunsOfTimes): Float64Array[] {
  checkPaired(x, y);
  return x.map((run, r) => ofPairs(run, y.at(r)!, logRatio));
}

function logRatio(above: number, below: number): number {
  return Math.log(above) - Math.log(below);
}

/** A number of each pair of a run. */
function ofPairs(run: ArrayLike<number>, below: ArrayLike<number>, make: typeof logRatio): Float64Array {
  const made = new Float64Array(run.length);
  for (let i = 0; i < run.length; i++) made[i] = make(run[i]!, below[i]!);
  return made;
}

/** The mean over each run of a number of each pair. */
function runMeans(x: RunsOfTimes, y: RunsOfTimes, make: typeof logRatio): Float64Array {
  checkPaired(x, y);
  if (x instanceof SingleValues && y instanceof SingleValues) return ofPairs(x.values, y.values, make);
  return numbersOf(x, (run, r) => mean(ofPairs(run, y.at(r)!, make)));
}

/**
 * The mean over each run of the paired differences x - y, in the unit of the times.
 *
 * @throws RangeError as `logRatioSeries`.
 * Source: Drozdik 2023, section 4.3.2 ("run means"), with the sign turned so that more than 0 means x takes longer.
 */
export function runMeanDifferences(x: RunsOfTimes, y: RunsOfTimes): Float64Array {
  return runMeans(x, y, (one, other) => one - other);
}

function areSound(runs: RunsOfTimes): boolean {
  return runs instanceof SingleValues && runs.values.every((time) => time > 0 && time < Infinity);
}

/** Refuses what cannot be paired: other shapes, empty runs, times that are not finite and above 0. */
export function checkPaired(x: RunsOfTimes, y: RunsOfTimes): void {
  if (x.length !== y.length) throw new RangeError(`x has ${x.length} runs and y has ${y.length}; pairs need as many`);
  if (areSound(x) && areSound(y)) return;
  for (let r = 0; r < x.length; r++) {
    const a = x.at(r)!;
    const b = y.at(r)!;
    if (a.length !== b.length || a.length === 0) {
      throw new RangeError(
        `run ${r} holds ${a.length} times of x and ${b.length} of y; pairs need as many, at least one`,
      );
    }
    for (let i = 0; i < a.length; i++) {
      const left = a[i]!;
      const right = b[i]!;
      if (!(left > 0 && left < Infinity && right > 0 && right < Infinity)) {
        throw new RangeError(`run ${r}, iteration ${i}: times must be finite and above 0, got ${left} and ${right}`);
      }
    }
  }
}

/** Mean of every run that has a value; not to be changed. */
export function meansOf(runs: Lists): Float64Array {
  return runs instanceof SingleValues ? runs.values : joinedOf(runs, (run) => (run.length > 0 ? [mean(run)] : []))!;
}

/** Mean times of both sides in every run. */
export interface RunMeans {
  readonly A: Float64Array;
  readonly B: Float64Array;
}

/**
 * Values whose mean is the logarithm of the ratio of the mean times, one a run: that logarithm plus the influence of the run,
 * b / mean(b) - a / mean(a), so that what disturbs both sides of a run alike cancels (delta method).
 *
 * @param means above 0 on average.
 */
export function totalLogRatios({ A, B }: RunMeans): Float64Array {
  const [a, b] = [mean(A), mean(B)];
  const log = Math.log(b / a);
  return B.map((value, r) => log + value / b - at(A, r) / a);
}
