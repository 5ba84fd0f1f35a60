import type { Ratio } from '@deadheat/model';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';

/**
 * An interval over runs that holds at every look, widened to hold that of the hosts too. More runs on the same machines bring
 * the first together, but not the second: a verdict needs both.
 */
export const widenByHosts = (anytime: AnytimeRatio, { low, high }: Pick<Ratio, 'low' | 'high'>): AnytimeRatio => ({
  ...anytime,
  low: Math.min(anytime.low, low),
  high: Math.max(anytime.high, high),
  log: {
    ...anytime.log,
    low: Math.min(anytime.log.low, Math.log(low)),
    high: Math.max(anytime.log.high, Math.log(high)),
  },
});
