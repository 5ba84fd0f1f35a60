import { stoppedBelow } from '@deadheat/sync';

const lookMs = 5000;
/** Looks in a row. */
const looks = 4;

/**
 * Calls back when a launcher or a program below it has been stopped by a signal (SIGSTOP, SIGTSTP, SIGTTIN) for 20 s, while nothing else below
 * the launcher used CPU time: nobody waits for its end then. Looks every five seconds, so that short runs see none of it.
 */
export function watchStopped(
  launcher: number,
  { onLauncher, onProgram }: Readonly<Record<'onLauncher' | 'onProgram', (limitNs: number) => void>>,
): { stop(): void } {
  let stoppedFor = 0;
  let cpuTicks = -1;
  const timer = setInterval(() => {
    const found = stoppedBelow(launcher);
    stoppedFor = found.stopped !== 'none' && (stoppedFor === 0 || found.cpuTicks === cpuTicks) ? stoppedFor + 1 : 0;
    cpuTicks = found.cpuTicks;
    if (stoppedFor < looks) return;
    clearInterval(timer);
    if (found.stopped === 'root') onLauncher(looks * lookMs * 1e6);
    else onProgram(looks * lookMs * 1e6);
  }, lookMs);
  return { stop: () => clearInterval(timer) };
}
