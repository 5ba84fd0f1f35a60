import { badValue } from '../bad-value.ts';
import { parseFraction } from './parse-fraction.ts';

/** Parser of a confidence level inside (0, 1): `99%` or `0.99`. */
export function parseConfidence(flag: string): (value: string) => number {
  const allowed = 'a level between 0 and 1 such as 0.99 or 99%';
  return (value) => {
    const read = parseFraction(value);
    if (read.kind === 'wrong') throw badValue(flag, value, { allowed, offset: read.wrongAt });
    if (read.fraction <= 0 || read.fraction >= 1) throw badValue(flag, value, { allowed });
    return read.fraction;
  };
}
