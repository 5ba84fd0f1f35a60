import type { Comparison } from '@deadheat/model';
import { printable } from './printable.ts';
import { shorten } from './shorten.ts';

/** More characters than this are no name to read among others. */
const longest = 120;

/**
 * A benchmark among others on one line: name, parameters, and the method where the user chose one that is not the usual one:
 * a benchmark may be there once for each method.
 */
export function benchmarkName({
  benchmark,
  params,
  method = 'sync-duet',
  methodReason = null,
}: Pick<Comparison, 'benchmark' | 'params'> & Partial<Pick<Comparison, 'method' | 'methodReason'>>): string {
  const isUsual = method === 'sync-duet' || methodReason !== null;
  const values = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return shorten(printable([benchmark, ...values, ...(isUsual ? [] : [`(${method})`])].join(' ')), longest);
}
