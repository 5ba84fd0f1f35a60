import type { StoppingOutcome, StoppingSeries, StoppingStudyOptions } from '@deadheat/analysis';
import { mapInWorkers } from '../../threads/map-in-workers.ts';
import type { ReplayRequest } from './stopping-worker.ts';

/** Replays benchmarks on as many threads as there are processors. The outcomes come in the order of the benchmarks. */
export function replayInWorkers(
  benchmarks: readonly StoppingSeries[],
  options: StoppingStudyOptions,
): Promise<readonly StoppingOutcome[]> {
  return mapInWorkers<ReplayRequest, StoppingOutcome>({
    module: new URL('./stopping-worker.js', import.meta.url),
    requests: benchmarks.map((series) => ({ series, options })),
  });
}
