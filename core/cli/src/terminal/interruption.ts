import { readFileSync } from 'node:fs';
import { parentOf } from '@deadheat/sync';
import { exitCodes } from '../errors/exit-codes.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const parentCheckMs = 1000;

/**
 * Runs `work` with a signal that aborts on Ctrl-C, SIGTERM and SIGHUP, and, when npx started this process, on the end of
 * npx: whoever killed that meant this. A second signal ends the process at once; the guardian then cleans up.
 */
export async function withInterruption<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const isNpxGone = watchNpx(process.env);
  // Without npx nothing of ours is to wake up while a program is timed.
  const orphanCheck =
    isNpxGone === null
      ? undefined
      : setInterval(() => {
          if (isNpxGone() && !controller.signal.aborted) controller.abort();
        }, parentCheckMs);
  for (const name of signals) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(orphanCheck);
    for (const name of signals) process.off(name, interrupt);
  }
}

/**
 * Watches the processes between this one and npx, both included: npx starts a command through a shell that may stay
 * between them, and that lives on when npx is killed.
 *
 * @returns a function that is true once npx is gone; `null` when npx did not start this process
 */
function watchNpx(environment: Readonly<Record<string, string | undefined>>): (() => boolean) | null {
  if (environment['npm_command'] !== 'exec') return null;
  const parent = process.ppid;
  const grandparent = isShellWithCommand(parent) ? parentOf(parent) : null;
  return () => process.ppid !== parent || (grandparent !== null && parentOf(parent) !== grandparent);
}

/** True if a process is a shell that executes a command line: `sh -c …`. */
function isShellWithCommand(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c';
  } catch {
    return false;
  }
}
