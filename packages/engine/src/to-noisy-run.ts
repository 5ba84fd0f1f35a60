import { sides, type Trial } from '@deadheat/model';
import type { NoisyRun } from './host/index.ts';

/** A run as far as its noise goes: over the time from the first start to the last end, without hooks. */
export function toNoisyRun({ sides: results, noise }: Trial): NoisyRun {
  const iterations = sides.flatMap((side) => results[side].iterations);
  const start = Math.min(...iterations.map(({ s }) => s));
  const end = Math.max(...iterations.map(({ e }) => e));
  return { wallNs: Math.max(0, end - start), noise };
}
