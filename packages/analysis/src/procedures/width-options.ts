import type { Random } from '@deadheat/stats';
import type { IntervalOptions } from '../interval/interval-options.ts';

/** How the interval is made whose width is meant; the defaults are ICPE'20's: `percentile`, 99 %, 10 000 replicates. */
export interface WidthOptions extends Partial<Omit<IntervalOptions, 'random'>> {
  readonly random: Random;
}

/** The options with the defaults filled in. */
export const widthOptions = (options: WidthOptions): IntervalOptions => ({
  kind: options.kind ?? 'percentile',
  confidence: options.confidence ?? 0.99,
  replicates: options.replicates ?? 10_000,
  random: options.random,
});
