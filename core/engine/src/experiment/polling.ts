import type { Side } from '@deadheat/model';
import { getAffinity, hasNativeCalls, setAffinity } from '@deadheat/sync';

/** Number of checks in one iteration of a file or page that grows in a run, within these bounds. */
const pollsInIteration = 4;
export const shortestIntervalMs = 5;
const longestIntervalMs = 100;

/** Time until the next check, ms, by the time of the last iteration, ns; 0 = there was none. */
export function pollIntervalMs(iterationNs: number): number {
  return Math.min(longestIntervalMs, Math.max(shortestIntervalMs, iterationNs / 1e6 / pollsInIteration));
}

/** Moves this thread to cores that no side runs on, where there are any; gives what moves it back. */
export function moveAway(cpus: Readonly<Record<Side, readonly number[]>>): () => void {
  if (!hasNativeCalls()) return () => {};
  const usable = getAffinity();
  const free = usable.filter((cpu) => !cpus.A.includes(cpu) && !cpus.B.includes(cpu));
  if (free.length === 0) return () => {};
  setAffinity(free);
  return () => setAffinity(usable);
}
