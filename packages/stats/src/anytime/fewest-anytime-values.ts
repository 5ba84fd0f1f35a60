import { checkOpen } from '../internal/checks.ts';

/** Share of the values that lie in the more frequent of two modes, of which the other may not have shown yet. */
const FREQUENT = 0.7;
/** A sample that has seen only one of the modes by chance may use up this share of the error. */
const SHARE = 3 / 4;

/**
 * The number of values at which `anytimeMeanInterval` is finite for the first time. Values of two modes, seven of ten in one of them, come
 * all from the same mode with a probability of 0.7^n + 0.3^n, and then say nothing of where the mean is; that must be no more than three
 * quarters of 1 - confidence. 14 at 99 %, 10 at 95 %.
 *
 * @throws RangeError for a confidence outside (0, 1).
 */
export const fewestAnytimeValues = (confidence: number): number => {
  const most = SHARE * (1 - checkOpen('confidence', confidence));
  let n = 3;
  while (FREQUENT ** n + (1 - FREQUENT) ** n > most) n++;
  return n;
};
