import type { Comparison } from '@deadheat/model';
import { studentTSf } from '@deadheat/stats';

/** A log ratio B / A as far as a t test needs it. */
export interface LogRatioError {
  readonly logRatio: number;
  readonly standardError: number;
  readonly degrees: number;
}

/**
 * One-sided p values of the t tests against the hypotheses that B takes at most 1 + margin times as long as A, and at least
 * 1 / (1 + margin) times, each in [0, 1]. At a confidence level c the t interval of the ratio lies above the margin exactly
 * where `slower` is below (1 - c) / 2. Without any scatter they are 0 or 1.
 */
export const pValues = ({ logRatio, standardError, degrees }: LogRatioError, margin: number): Comparison['pValues'] => {
  const beyond = (distance: number): number => {
    if (standardError === 0) return distance > 0 ? 0 : 1;
    return studentTSf(distance / standardError, degrees);
  };
  return { slower: beyond(logRatio - Math.log1p(margin)), faster: beyond(-logRatio - Math.log1p(margin)) };
};
