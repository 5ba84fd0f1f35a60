import { badValue } from '../bad-value.ts';

/** Parser of a whole number of at least `least`. */
export function parseCount(flag: string, least: number): (value: string) => number {
  const allowed = `a whole number of at least ${least}`;
  return (value) => {
    const digits = /^\d*/.exec(value)?.[0] ?? '';
    if (digits !== value || value === '') throw badValue(flag, value, { allowed, offset: digits.length });
    const count = Number(value);
    if (count < least) throw badValue(flag, value, { allowed });
    if (!Number.isSafeInteger(count)) throw badValue(flag, value, { allowed: `${allowed} and below 2^53` });
    return count;
  };
}
