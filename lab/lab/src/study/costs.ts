import { mean } from '@deadheat/stats';
import type { TimeSpan } from '@deadheat/analysis';

/**
 * What a duet measures, at worst, for sides whose times differ: the longer side finishes its work alone, faster than beside
 * the other. With A alone taking 1, both take `concurrency` until A is done; B then has ratio - 1 left, which takes that
 * long alone. So B / A comes out as (concurrency + ratio - 1) / concurrency; for a B that is the shorter one the same holds
 * for A / B. With a concurrency above 1 that is nearer to 1 than the truth: differences are understated, never turned round.
 *
 * @param ratio the true B / A, each side alone; finite and above 0.
 * @param options.concurrency time of the same work in a duet over time alone (`concurrencySlowdown`); finite and above 0.
 * @returns the ratio that the duet shows. It is a bound: a runner that lets the shorter side go on until the longer one is
 *   done measures the ratio itself.
 * @throws RangeError for other numbers.
 * Source: Bulej et al., ICPE'20, section 4.4.
 */
export function underestimationBound(ratio: number, options: { readonly concurrency: number }): number {
  const { concurrency } = options;
  checkPositive('ratio', ratio);
  checkPositive('concurrency', concurrency);
  return ratio >= 1 ? 1 + (ratio - 1) / concurrency : 1 / (1 + (1 / ratio - 1) / concurrency);
}

/**
 * The true ratio farthest from 1 that a duet may have shown as the measured one: the inverse of `underestimationBound`.
 *
 * @param measured the ratio B / A that the duet shows; finite and above 0.
 * @param options.concurrency as `underestimationBound`.
 * @throws RangeError for other numbers.
 * Source: Bulej et al., ICPE'20, section 4.4.
 */
export function largestRatioBehind(measured: number, options: { readonly concurrency: number }): number {
  checkPositive('measured', measured);
  checkPositive('concurrency', options.concurrency);
  return underestimationBound(measured, { concurrency: 1 / options.concurrency });
}

/** Refuses what is no finite number above 0. */
function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be finite and above 0, got ${value}`);
}

/** When the processes of both sides of a run were there, from the start of each to its end; warm-up belongs to it. */
export interface SpanOfRun {
  readonly A: TimeSpan;
  readonly B: TimeSpan;
}

/** What running both sides at once saves, in the unit of the spans. */
export interface RuntimeSavings {
  /** Mean time of a run whose sides follow each other: both durations added. */
  readonly sequential: number;
  /** Mean time of a run of a duet: from the sooner start to the later end. */
  readonly duet: number;
  /** sequential / duet; 1.73 is what the thesis prints as a speedup of 73 %. */
  readonly speedup: number;
  /** Share of the sequential time that is not needed, 1 - duet / sequential; below 0 where the duet takes longer. */
  readonly saved: number;
}

function length({ s, e }: TimeSpan): number {
  return e - s;
}

/**
 * How much sooner a duet is done than the same runs one side after the other. The printed formula takes
 * min(start) - max(end) for the duet, which is below 0; the later end minus the sooner start is meant. A speedup of 2 is the
 * most that can come of overlap alone, and means that the sides did not get into each other's way. It counts the time that
 * the machine is taken, not its cores: a duet takes two.
 *
 * @throws RangeError without runs of both, or when the runs took no time.
 * Source: Drozdik 2023, section 5.2.1, equation 5.1.
 */
export function runtimeSavings(runs: {
  readonly sequential: readonly SpanOfRun[];
  readonly duet: readonly SpanOfRun[];
}): RuntimeSavings {
  const sequential = mean(runs.sequential.map(({ A, B }) => length(A) + length(B)));
  const duet = mean(runs.duet.map(({ A, B }) => Math.max(A.e, B.e) - Math.min(A.s, B.s)));
  if (!(sequential > 0 && duet > 0)) {
    throw new RangeError(`runs must take time, got means of ${sequential} (sequential) and ${duet} (duet)`);
  }
  return { sequential, duet, speedup: sequential / duet, saved: 1 - duet / sequential };
}
