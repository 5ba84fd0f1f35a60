import { badValue } from '../bad-value.ts';

/** Parser of two different CPU numbers, `0,1`: side A's and side B's. Whether the machine has them is not known here. */
export function parseCpus(flag: string): (value: string) => readonly [number, number] {
  const allowed = "two different CPU numbers such as 0,1: A's and B's";
  return (value) => {
    const start = /^\d*,?\d*/.exec(value)?.[0] ?? '';
    const found = /^(\d{1,6}),(\d{1,6})$/.exec(value);
    if (found === null) throw badValue(flag, value, { allowed, offset: start.length });
    const [a, b] = [Number(found[1]), Number(found[2])];
    if (a === b) throw badValue(flag, value, { allowed, offset: value.indexOf(',') + 1 });
    return [a, b];
  };
}
