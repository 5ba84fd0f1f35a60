import { badValue } from '../bad-value.ts';
import { parseFraction } from './parse-fraction.ts';

/** Parser of a relative difference below 100 %: `1%` or `0.01`, both 0.01. */
export function parseShare(
  flag: string,
  { zero, example }: { readonly zero: 'allowed' | 'refused'; readonly example: string },
): (value: string) => number {
  const asFraction = `${Number.parseFloat(example) / 100}`;
  const range = zero === 'allowed' ? 'from 0 to below 100 %' : 'above 0 and below 100 %';
  const allowed = `a share ${range} such as ${example} or ${asFraction}`;
  return (value) => {
    const read = parseFraction(value);
    if (read.kind === 'wrong') throw badValue(flag, value, { allowed, offset: read.wrongAt });
    if (read.fraction >= 1) {
      const hint = read.percent
        ? null
        : `A number without % is a fraction: for ${value} percent write ${flag} ${value}%.`;
      throw badValue(flag, value, { allowed, hint });
    }
    if (read.fraction === 0 && zero === 'refused') throw badValue(flag, value, { allowed });
    return read.fraction;
  };
}
