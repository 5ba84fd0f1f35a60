import { setTimeout as sleep } from 'node:timers/promises';
import { CounterDifferences, CounterFile, counterKey } from './noise-probe.ts';

/** How long the cores are looked at, ms: 25 of the kernel's steps of 10 ms. */
const lookMs = 250;
/** A core that is idle for less of that time is not quiet. */
const leastIdle = 0.9;

/** user nice system idle iowait irq softirq steal of a cpu line; what guests take is part of user and nice (proc(5)). */
const columns = [0, 1, 2, 3, 4, 5, 6, 7];
const idleColumns: ReadonlySet<number> = new Set([3, 4]);

/**
 * True if no other work, nor another guest of the host, uses any of these CPUs: each was idle for at least 90 % of a quarter of a second. It takes
 * that time; what begins later is not seen. False where the kernel does not count.
 *
 * @param root folder that stands for `/`
 */
export async function areQuiet(cpus: readonly number[], root = '/'): Promise<boolean> {
  const stat = new CounterDifferences(
    CounterFile.open(root, '/proc/stat'),
    cpus.flatMap((cpu) => columns.map((column) => counterKey(`cpu${cpu}`, column))),
  );
  await sleep(lookMs);
  stat.read();
  stat.close();
  return cpus.every((_, place) => {
    let [idle, all] = [0, 0];
    for (const column of columns) {
      const moved = stat.since(place * columns.length + column);
      if (moved === null) return false;
      all += moved;
      if (idleColumns.has(column)) idle += moved;
    }
    return all > 0 && idle >= leastIdle * all;
  });
}
