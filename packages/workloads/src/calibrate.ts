/** Largest amount that every workload takes. */
export const maximumAmount: number = 2 ** 31 - 1;

/**
 * The amount of work that takes about `durationNs`: doubles the amount until it shows above the time that the smallest
 * amount takes (a start, a preparation), then extrapolates.
 *
 * @param measure does an amount and gives its time in ns; of several tries the least, because what disturbs only adds
 * @param durationNs wanted; at least a fifth of it is work, even where the smallest amount alone takes longer
 * @returns a whole number from 1 to {@link maximumAmount}
 * @throws RangeError unless `durationNs` is above 0
 */
export function calibrate(measure: (amount: number) => number, durationNs: number): number {
  if (!(durationNs > 0)) throw new RangeError(`a duration above 0 ns expected, not ${durationNs}`);
  const smallest = measure(1);
  let amount = 2;
  let extra = measure(amount) - smallest;
  while (extra < durationNs / 4 && amount < maximumAmount / 2) {
    amount *= 2;
    extra = measure(amount) - smallest;
  }
  const perUnit = Math.max(extra, 1) / (amount - 1);
  const wanted = 1 + Math.max(durationNs - smallest, durationNs / 5) / perUnit;
  return Math.min(maximumAmount, Math.max(1, Math.round(wanted)));
}
