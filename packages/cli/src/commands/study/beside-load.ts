import { startLoad, type LoadOptions } from '@deadheat/workloads';

/**
 * Does work beside a load, which is there from before the work begins until it is over, however it ends. Should the load
 * end before, the work is told to stop, and its result is not given out.
 *
 * @param load `null` = none
 * @throws WorkloadError as `startLoad`, and `LOAD_LOST` when the load ended by itself; else what the work throws
 */
export async function besideLoad<Result>(
  load: LoadOptions | null,
  { signal, work }: { readonly signal: AbortSignal; readonly work: (signal: AbortSignal) => Promise<Result> },
): Promise<Result> {
  if (load === null) return work(signal);
  const running = await startLoad(load);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  let failure: unknown = null;
  running.ended.catch((error: unknown) => {
    failure = error;
    end();
  });
  try {
    const result = await work(ending.signal);
    // A key that ends this process ends the load, too; that is no failure of it.
    if (failure !== null && !signal.aborted) throw failure;
    return result;
  } finally {
    signal.removeEventListener('abort', end);
    await running.stop();
  }
}
