import { studentTQuantile } from '../distributions/student-t-quantile.ts';
import { noncentralUpperTail } from './noncentral-upper-tail.ts';

/**
 * The smallest true shift, in standard errors, that a t interval of the given two-sided level over n values leaves behind with
 * the given probability. Bisection on the noncentral t distribution.
 */
export const detectableShift = (n: number, confidence: number, power: number): number => {
  const df = n - 1;
  const critical = -studentTQuantile((1 - confidence) / 2, df);
  let low = 0;
  let high = 1;
  while (noncentralUpperTail(critical, df, high) < power) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < 60 && high - low > 1e-13 * high; i++) {
    const middle = 0.5 * (low + high);
    if (noncentralUpperTail(critical, df, middle) < power) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
};
