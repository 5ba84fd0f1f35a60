import type { Side } from '@deadheat/model';
import { getAffinity, hasNativeCalls, setAffinity } from '@deadheat/sync';

/** Moves this thread to cores that no side runs on, where there are any; gives what moves it back. */
export function moveAway(cpus: Readonly<Record<Side, readonly number[]>>): () => void {
  if (!hasNativeCalls()) return () => {};
  const usable = getAffinity();
  const free = usable.filter((cpu) => !cpus.A.includes(cpu) && !cpus.B.includes(cpu));
  if (free.length === 0) return () => {};
  setAffinity(free);
  return () => setAffinity(usable);
}
