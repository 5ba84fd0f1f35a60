import { sides, type Trial } from '@deadheat/model';
import type { NoisyRun } from '../host/index.ts';

/** The runs that are judged, as far as their noise goes; none of the pilot runs. */
export function toNoisyRuns(trials: readonly Trial[]): readonly NoisyRun[] {
  return trials.filter(({ phase }) => phase !== 'pilot').map(toNoisyRun);
}

/**
 * A run as far as its noise goes: over the time from the first start to the last end, without hooks. Of a program that
 * timed itself the time of the whole trial stands in.
 */
function toNoisyRun({ method, sides: results, noise, wallNs }: Trial): NoisyRun {
  const cpus = new Set(sides.flatMap((side) => results[side].cpus ?? [results[side].cpu])).size;
  const common = { cpus, isTandem: method === 'tandem', noise };
  const iterations = sides.flatMap((side) => results[side].iterations);
  if (iterations.length === 0) return { ...common, wallNs };
  const start = Math.min(...iterations.map(({ s }) => s));
  const end = Math.max(...iterations.map(({ e }) => e));
  return { ...common, wallNs: Math.max(0, end - start) };
}
