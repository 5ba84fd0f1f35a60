import type { Iteration } from '@deadheat/model';

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isNanoseconds = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isAmount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

/** Whether a JSON value is an iteration: what `iterationSchema` of the model says, in a tenth of the time. */
export const isIteration = (value: unknown): value is Iteration => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { i, s, e, n, p, c, d, q, v } = value as Readonly<Record<string, unknown>>;
  return (
    isCount(i) &&
    isNanoseconds(s) &&
    isNanoseconds(e) &&
    (n === undefined || (isCount(n) && n !== 0)) &&
    (p === undefined || p === 'warmup' || p === 'measure') &&
    (c === undefined || isAmount(c)) &&
    (d === undefined || (Array.isArray(d) && d.length > 0 && d.every(isAmount))) &&
    (q === undefined || isAmount(q)) &&
    (v === undefined || isCount(v))
  );
};
