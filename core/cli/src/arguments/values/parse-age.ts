import { badValue, parseDuration } from 'deadheat/settings';

const nsPerDay = 24 * 3600e9;

/** Parser of an age, in ns: whole days such as `90d`, or a duration such as `12h`. */
export function parseAge(flag: string): (value: string) => number {
  const parse = parseDuration(flag);
  return (value) => {
    const days = /^(\d{1,5})d$/.exec(value)?.[1];
    if (days === undefined) return parse(value);
    if (Number(days) === 0) throw badValue(flag, value, { allowed: 'an age above zero such as 90d or 12h' });
    return Number(days) * nsPerDay;
  };
}
