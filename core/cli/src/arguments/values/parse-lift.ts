import { UsageError } from 'deadheat/settings';

/** Parser of `--lift-caps`. */
export function readLift(typed: string): number {
  const lift = Number(typed);
  if (/^\d+(\.\d+)?$/.test(typed) && lift >= 1) return lift;
  throw new UsageError('BAD_VALUE', `--lift-caps must be a number of at least 1, got '${typed}'`, {
    hint: 'For example: --lift-caps 2.',
  });
}

/** Parser of `--ratio`. */
export function readRatio(typed: string): number {
  const ratio = Number(typed);
  if (/^\d+(\.\d+)?$/.test(typed) && ratio > 0) return ratio;
  throw new UsageError('BAD_VALUE', `--ratio must be a number above 0, got '${typed}'`, {
    hint: 'For example: --ratio 1.5.',
  });
}
