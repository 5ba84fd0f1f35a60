import { studentTQuantile } from '../distributions/student-t-quantile.ts';
import { noncentralUpperTail } from './noncentral-upper-tail.ts';

/**
 * The smallest true shift, in standard errors, that a t interval of the given two-sided level over n values leaves behind with
 * the given probability. Regula falsi on the noncentral t distribution, the Illinois variant (M. Dowell, P. Jarratt, BIT 11, 1971).
 */
export const detectableShift = (n: number, confidence: number, power: number): number => {
  const df = n - 1;
  const critical = -studentTQuantile((1 - confidence) / 2, df);
  const excess = (shift: number): number => noncentralUpperTail(critical, df, shift) - power;
  let low = 0;
  let high = 1;
  let atLow = excess(low);
  let atHigh = excess(high);
  while (atHigh < 0) {
    low = high;
    atLow = atHigh;
    high *= 2;
    atHigh = excess(high);
  }
  if (atLow >= 0) return low;
  let last = high;
  let lastSide = 0;
  for (let i = 0; i < 100; i++) {
    const shift = high - (atHigh * (high - low)) / (atHigh - atLow);
    const value = excess(shift);
    if (value === 0 || Math.abs(shift - last) <= 1e-14 * shift) return shift;
    last = shift;
    const side = Math.sign(value);
    if (side < 0) {
      low = shift;
      atLow = value;
      if (side === lastSide) atHigh /= 2;
    } else {
      high = shift;
      atHigh = value;
      if (side === lastSide) atLow /= 2;
    }
    lastSide = side;
  }
  return last;
};
