import { parseCount } from './parse-count.ts';

/** Parser of a number of lanes of at least 1, or `all`. */
export function parseLanes(flag: string): (value: string) => number | 'all' {
  const count = parseCount(flag, 1);
  return (value) => (value === 'all' ? value : count(value));
}
