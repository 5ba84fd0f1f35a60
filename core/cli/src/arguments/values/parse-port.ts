import { badValue } from 'deadheat/settings';

const most = 65_535;

/** Parser of a TCP port; 0 stands for any that is free. */
export function parsePort(flag: string): (value: string) => number {
  return (value) => {
    if (/^\d{1,5}$/.test(value) && Number(value) <= most) return Number(value);
    throw badValue(flag, value, { allowed: `a whole number from 0 to ${most}` });
  };
}
