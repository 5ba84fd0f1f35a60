import { badValue } from '../bad-value.ts';

/** Parser of a number of lanes of at least 1, or `all`. */
export function parseLanes(flag: string): (value: string) => number | 'all' {
  return (value) => {
    if (value === 'all') return value;
    const count = /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (count < 1) throw badValue(flag, value, { allowed: 'a whole number of at least 1, or all' });
    return count;
  };
}
