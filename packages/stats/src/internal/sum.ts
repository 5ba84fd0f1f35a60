/**
 * Sum with Neumaier's compensation: the error does not grow with the number of values.
 * Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974). O(n).
 * Infinite, never NaN, when a partial sum leaves the range of a double.
 */
export const sum = (values: ArrayLike<number>): number => {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + lost : total;
};
