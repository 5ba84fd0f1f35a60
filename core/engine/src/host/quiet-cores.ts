import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from './read-text.ts';

/** How long the cores are looked at, ms: 25 of the kernel's steps of 10 ms. */
const lookMs = 250;
/** A core that is idle for less of that time is not quiet. */
const leastIdle = 0.9;

/** Ticks of a CPU since boot. */
interface Ticks {
  readonly idle: number;
  readonly all: number;
}

/** user nice system idle iowait irq softirq steal; what guests take is part of user and nice (proc(5)). */
const columns = 8;

function readTicks(root: string): ReadonlyMap<number, Ticks> {
  const found = new Map<number, Ticks>();
  for (const line of (readText(root, '/proc/stat') ?? '').split('\n')) {
    const [name = '', ...counts] = line.split(/ +/);
    const cpu = /^cpu(\d+)$/.exec(name)?.[1];
    if (cpu === undefined) continue;
    const ticks = counts.slice(0, columns).map(Number);
    const [, , , idle = 0, waiting = 0] = ticks;
    found.set(Number(cpu), { idle: idle + waiting, all: ticks.reduce((sum, one) => sum + one, 0) });
  }
  return found;
}

/**
 * True if no other work, nor another guest of the host, uses any of these CPUs: each was idle for at least 90 % of a quarter of a second. It takes
 * that time; what begins later is not seen. False where the kernel does not count.
 *
 * @param root folder that stands for `/`
 */
export async function areQuiet(cpus: readonly number[], root = '/'): Promise<boolean> {
  const before = readTicks(root);
  await sleep(lookMs);
  const after = readTicks(root);
  return cpus.every((cpu) => {
    const [first, last] = [before.get(cpu), after.get(cpu)];
    return (
      first !== undefined &&
      last !== undefined &&
      last.all > first.all &&
      last.idle - first.idle >= leastIdle * (last.all - first.all)
    );
  });
}
