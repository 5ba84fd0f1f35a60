import { exitCodes } from '../errors/exit-codes.ts';
import { watchNpx } from './watch-npx.ts';

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
