import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const folder = process.env.DEADHEAT_GOLDEN ?? fileURLToPath(new URL('./fixtures/golden/', import.meta.url));

/** The oracle file of this name: `golden('02-bca')`. DEADHEAT_GOLDEN names another folder of files of the same shape. */
// oxlint-disable-next-line typescript/no-explicit-any
export function golden(name: string): any {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

/** The files write infinite and undefined numbers as strings. */
export function number(value: number | string): number {
  return typeof value === 'string' ? Number(value) : value;
}

/** |actual - expected| <= relative * |expected| + absolute, with both numbers in the message. */
export function close(actual: number, expected: number | string, relative: number, absolute = 0, what = ''): void {
  const truth = number(expected);
  const right =
    actual === truth ||
    (Number.isNaN(actual) && Number.isNaN(truth)) ||
    Math.abs(actual - truth) <= relative * Math.abs(truth) + absolute;
  expect(right, `${what}: got ${actual}, expected ${truth} within ${relative} relative, ${absolute} absolute`).toBe(
    true,
  );
}

export interface MonteCarlo {
  readonly mean: number;
  readonly sd_single: number;
  readonly se_mean: number;
  readonly tol: number;
}

/** The average of k runs of ours against the reference's average: the files' rule, sharper than `tol` for one run. */
export function closeOnAverage(ours: readonly number[], theirs: MonteCarlo, what = ''): void {
  const average = ours.reduce((a, b) => a + b, 0) / ours.length;
  const tolerance =
    5 * Math.sqrt(theirs.sd_single ** 2 / ours.length + theirs.se_mean ** 2) + 1e-9 * Math.abs(theirs.mean);
  close(average, theirs.mean, 0, tolerance, `${what} (average of ${ours.length})`);
  close(ours[0]!, theirs.mean, 0, theirs.tol + 1e-12 * Math.abs(theirs.mean), `${what} (first)`);
}
