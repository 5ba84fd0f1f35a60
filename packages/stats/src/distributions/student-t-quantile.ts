import { checkDegrees } from '../internal/check-degrees.ts';
import { checkNumber } from '../internal/check-number.ts';
import { normalUpperQuantile } from '../internal/normal-upper-quantile.ts';
import { CENTRE_END, studentCentre, studentDensity, studentLogTail, studentTail } from '../internal/student-tail.ts';

const centralQuantile = (distance: number, df: number): number => {
  // The centre's probability is concave in t, so Newton's steps from below never overshoot.
  let t = 0;
  for (let i = 0; i < 50; i++) {
    const step = (distance - studentCentre(t, df)) / studentDensity(t, df);
    t += step;
    if (Math.abs(step) <= 1e-15 * t) break;
  }
  return t;
};

const tailQuantile = (q: number, distance: number, df: number): number => {
  // ln tail is concave in ln t: Newton's steps from the right come down to the root, whatever the start.
  const z = normalUpperQuantile(q, distance);
  const exponent = (z * z) / df;
  const target = Math.log(q);
  let lnT = 0.5 * (Math.log(df) + (exponent > 30 ? exponent : Math.log(Math.expm1(exponent))));
  lnT = Math.max(lnT, Math.log(CENTRE_END));
  for (let i = 0; i < 200; i++) {
    const logTail = studentLogTail(lnT, df);
    const far = 2 * lnT - Math.log(df) > 60;
    const slope = far ? -df : -Math.exp(lnT + Math.log(studentDensity(Math.exp(lnT), df)) - logTail);
    const step = (target - logTail) / slope;
    lnT = Math.max(lnT + step, Math.log(CENTRE_END));
    if (Math.abs(step) <= 1e-15 * Math.max(1, Math.abs(lnT))) break;
  }
  return Math.exp(lnT);
};

/**
 * The t with P(T <= t) = p, Student's t distribution. p = 0 gives -Infinity and p = 1 Infinity; so does a result beyond the
 * range of a double.
 *
 * @param p probability in [0, 1]. For a quantile far in the upper tail ask for the small lower p and change the sign.
 * @param df degrees of freedom, above 0; Infinity gives the normal distribution.
 * @throws RangeError when p is NaN or outside [0, 1], or df is not above 0.
 *
 * Relative error below 1e-10 for df from 0.5 to 1e6 (1e-8 from 0.1 to 1e15), p down to 1e-300 and next to 1/2. Newton's
 * method on `studentTCdf`'s pieces: some ten evaluations.
 */
export const studentTQuantile = (p: number, df: number): number => {
  checkNumber('p', p, 0, 1);
  checkDegrees(df);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const distance = Math.abs(p - 0.5);
  if (distance === 0) return 0;
  const q = p < 0.5 ? p : 1 - p;
  let t: number;
  if (df === Infinity) t = normalUpperQuantile(q, distance);
  else if (q >= studentTail(CENTRE_END, df)) t = centralQuantile(distance, df);
  else t = tailQuantile(q, distance, df);
  return p < 0.5 ? -t : t;
};
