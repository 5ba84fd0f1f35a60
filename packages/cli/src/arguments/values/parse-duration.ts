import { badValue } from '../bad-value.ts';

const nsPerUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['', 1e9],
  ['m', 60e9],
  ['min', 60e9],
  ['h', 3600e9],
]);

/** Parser of a duration above zero: `500ms`, `10s`, `2m`, `1h`; a plain number is seconds. Gives whole nanoseconds. */
export function parseDuration(flag: string): (value: string) => number {
  const allowed = 'a duration above zero such as 500ms, 10s, 2m or 1h';
  return (value) => {
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(value)?.[0] ?? '';
    if (number === '') throw badValue(flag, value, { allowed });
    const unit = nsPerUnit.get(value.slice(number.length));
    if (unit === undefined) throw badValue(flag, value, { allowed, offset: number.length });
    const ns = Math.round(Number(number) * unit);
    if (ns <= 0) throw badValue(flag, value, { allowed });
    if (!Number.isSafeInteger(ns)) throw badValue(flag, value, { allowed: `${allowed}, at most 2500h` });
    return ns;
  };
}
