import { sides, type Trial } from '@deadheat/model';
import type { NoisyRun } from './host/index.ts';

/**
 * A run as far as its noise goes: over the time from the first start to the last end, without hooks. Of a program that
 * timed itself the time of the whole trial stands in.
 */
export function toNoisyRun({ sides: results, noise, wallNs }: Trial): NoisyRun {
  const iterations = sides.flatMap((side) => results[side].iterations);
  if (iterations.length === 0) return { wallNs, noise };
  const start = Math.min(...iterations.map(({ s }) => s));
  const end = Math.max(...iterations.map(({ e }) => e));
  return { wallNs: Math.max(0, end - start), noise };
}
