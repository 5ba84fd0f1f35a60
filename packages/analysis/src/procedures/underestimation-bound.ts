import { checkPositive } from './check-positive.ts';

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
export const underestimationBound = (ratio: number, options: { readonly concurrency: number }): number => {
  const { concurrency } = options;
  checkPositive('ratio', ratio);
  checkPositive('concurrency', concurrency);
  return ratio >= 1 ? 1 + (ratio - 1) / concurrency : 1 / (1 + (1 / ratio - 1) / concurrency);
};
