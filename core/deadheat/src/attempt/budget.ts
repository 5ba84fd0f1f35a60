/*
 * The error budget of a loop of attempts, and the share of it that each attempt may spend.
 */

/** Sum of 1 / i^2 over all whole numbers from 1 (Euler). */
const sumOfShares = Math.PI ** 2 / 6;

/**
 * The share of the budget that the attempt with this number spends: 6 / (pi^2 i^2). All shares of an endless sequence sum to 1, so that a loop may end
 * whenever its user likes, and the probability that it keeps anything that is not faster is at most the budget (union bound).
 *
 * @param step number of the attempt among those that were measured, from 1
 * @returns in (0, 1)
 * @throws RangeError for a step that is no whole number from 1
 * Source: the sequence of A. Ramdas, F. Yang, M. J. Wainwright, M. I. Jordan, Online control of the false discovery rate with decaying memory
 * (NIPS 2017), as weights of D. P. Foster, R. A. Stine, alpha-investing, JRSS B 70 (2008), 429-444; chosen by `npm run bench -- attempts`.
 */
export function shareOf(step: number): number {
  if (!Number.isInteger(step) || step < 1) throw new RangeError(`step must be a whole number from 1, got ${step}`);
  return 1 / (sumOfShares * step * step);
}

/** The state of a budget. */
export interface Budget {
  /** Probability that the loop keeps anything that is not faster, at most, in (0, 1). */
  readonly error: number;
  /** Attempts that were measured, and so have spent their share. */
  readonly spentBy: number;
  /** Share of the budget that is left, in (0, 1]. */
  readonly left: number;
  /** Confidence that the next attempt is judged at. */
  readonly nextConfidence: number;
}

/**
 * The budget after attempts that were measured.
 *
 * @param error of the whole loop, in (0, 1)
 * @param spentBy number of these attempts, from 0
 */
export function budgetAfter(error: number, spentBy: number): Budget {
  let left = 1;
  for (let step = 1; step <= spentBy; step += 1) left -= shareOf(step);
  return { error, spentBy, left, nextConfidence: 1 - error * shareOf(spentBy + 1) };
}
