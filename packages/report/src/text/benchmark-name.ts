import type { Comparison } from '@deadheat/model';
import { printable } from './printable.ts';
import { shorten } from './shorten.ts';

/** More characters than this are no name to read among others. */
const longest = 120;

/** A benchmark among others on one line: name, parameters, and the method where it is given and not the usual one. */
export function benchmarkName({
  benchmark,
  params,
  method = 'sync-duet',
}: Pick<Comparison, 'benchmark' | 'params'> & Partial<Pick<Comparison, 'method'>>): string {
  const values = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return shorten(
    printable([benchmark, ...values, ...(method === 'sync-duet' ? [] : [`(${method})`])].join(' ')),
    longest,
  );
}
