import { halfGammaRatio } from './half-gamma-ratio.ts';

const SQRT_PI = 1.772453850905516;

/** Where the series around 0 gives way to the tail: t^2 <= 3. */
export const CENTRE_END: number = Math.sqrt(3);

/** ln of (1 + t^2/df)^-1 with t = exp(lnT), also where t^2 overflows. */
const logX = (lnT: number, df: number): number => {
  const lnRatio = 2 * lnT - Math.log(df);
  return lnRatio > 30 ? -lnRatio - Math.exp(-lnRatio) : -Math.log1p(Math.exp(2 * lnT) / df);
};

/** Density of Student's t at t >= 0. */
export const studentDensity = (t: number, df: number): number =>
  (halfGammaRatio(df / 2) / SQRT_PI / Math.sqrt(df)) * Math.exp(-0.5 * (df + 1) * Math.log1p((t * t) / df));

/** P(0 < T < t) for 0 <= t <= CENTRE_END: density times a series of positive terms. */
export const studentCentre = (t: number, df: number): number => {
  const y = (t * t) / (df + t * t);
  let term = 1;
  let total = 1;
  for (let k = 0; term > total * 1e-17; k++) {
    term *= ((0.5 * (df + 1) + k) / (1.5 + k)) * y;
    total += term;
  }
  return t * studentDensity(t, df) * total;
};

/** The tail where x = df/(df + t^2) <= 0.9: Gauss' series of the incomplete beta function, positive terms. */
const logTailBySeries = (lnT: number, df: number, lnX: number): number => {
  const a = 0.5 * df;
  const x = Math.exp(lnX);
  let term = 1;
  let total = 1;
  for (let k = 0; term > total * 1e-17; k++) {
    term *= ((a + 0.5 + k) / (a + 1 + k)) * x;
    total += term;
  }
  // 1 - x = t^2/(df + t^2)
  const lnRest = 2 * lnT - Math.log(df) + lnX;
  return a * lnX + 0.5 * lnRest + Math.log((halfGammaRatio(a) / (df * SQRT_PI)) * total);
};

/** The tail for many degrees of freedom: density times the integral of its relative decay, by the double exponential rule. */
const logTailByQuadrature = (t: number, df: number): number => {
  const scale = (df + t * t) / ((df + 1) * t);
  const h = 1 / 16;
  let total = 0;
  for (let i = -76; i <= 96; i++) {
    const e = Math.exp(-i * h);
    const v = Math.exp(i * h - e);
    const u = v * scale;
    total += v * (1 + e) * Math.exp(-0.5 * (df + 1) * Math.log1p((u * (2 * t + u)) / (df + t * t)));
  }
  const logDensity =
    Math.log(halfGammaRatio(df / 2) / SQRT_PI / Math.sqrt(df)) - 0.5 * (df + 1) * Math.log1p((t * t) / df);
  return logDensity + Math.log(scale * h * total);
};

/** ln P(T > t) for t = exp(lnT) >= CENTRE_END. */
export const studentLogTail = (lnT: number, df: number): number => {
  const lnX = logX(lnT, df);
  return lnX < -0.105 ? logTailBySeries(lnT, df, lnX) : logTailByQuadrature(Math.exp(lnT), df);
};

/** P(T > t) for t >= 0. */
export const studentTail = (t: number, df: number): number =>
  t <= CENTRE_END ? 0.5 - studentCentre(t, df) : Math.exp(studentLogTail(Math.log(t), df));
