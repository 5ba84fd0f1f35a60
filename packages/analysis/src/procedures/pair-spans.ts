import { overlaps } from '../pairing/overlaps.ts';
import type { TimeSpan } from '../pairing/time-span.ts';
import { pairTimes } from './pair-times.ts';
import type { PairedRun } from './paired-run.ts';
import type { SpansOfRun } from './spans-of-run.ts';

/** The thesis settled on it (section 5.2.3). */
const MINIMUM_RATE = 0.4;

/** Which iterations of the sides belong together. */
export interface PairingOptions {
  /** `place`: the first with the first, as in `sync-duet` and `sequential`; `overlap`: as in `async-duet`. */
  readonly by: 'place' | 'overlap';
  /** For `overlap`: pairs need a higher rate; default 0.4. */
  readonly minimumRate?: number;
}

const timesOf = (spans: readonly TimeSpan[]): Float64Array => Float64Array.from(spans, ({ s, e }) => e - s);

/**
 * The times and the pairs of one run of iterations with start and end, in the unit of the spans.
 *
 * @throws AnalysisError as `overlaps`.
 * Source: Drozdik 2023, section 4.3.2 and equation 4.1.
 */
export const pairSpans = (run: SpansOfRun, options: PairingOptions): PairedRun => {
  const times = { A: timesOf(run.A), B: timesOf(run.B) };
  if (options.by === 'place') return pairTimes(times);
  const found = overlaps(run.A, run.B, { minimumRate: options.minimumRate ?? MINIMUM_RATE });
  return { ...times, pairs: found.map(({ a, b }) => ({ a, b })) };
};
