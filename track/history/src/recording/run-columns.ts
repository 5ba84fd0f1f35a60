import type { Trial } from '@deadheat/model';
import { type IterationChunk, iterationChunks, journalTrials, RecordError } from '@deadheat/recording';
import type { RunColumns } from '../history.ts';
import { HistoryError } from '../history-error.ts';
import { groupBy } from '../points.ts';

/**
 * Iterations of a recording, from its table, as `iterationChunks` reads them.
 *
 * @throws HistoryError `MALFORMED_RECORDING`
 */
export function chunksOf(directory: string): AsyncGenerator<IterationChunk, undefined> {
  return translated(iterationChunks(directory));
}

/**
 * Trials of a recording, from its journal, as `journalTrials` reads them.
 *
 * @throws HistoryError `MALFORMED_RECORDING`
 */
export function trialsOf(directory: string): AsyncGenerator<Trial, undefined> {
  return translated(journalTrials(directory));
}

async function* translated<Item>(items: AsyncGenerator<Item, undefined>): AsyncGenerator<Item, undefined> {
  try {
    return yield* items;
  } catch (cause) {
    if (!(cause instanceof RecordError)) throw cause;
    throw new HistoryError('MALFORMED_RECORDING', cause.message, { cause });
  }
}

/** Chunks put together: one entry for each benchmark, side and trial, in the order in which they came. */
export function runColumns(chunks: readonly IterationChunk[]): readonly RunColumns[] {
  const groups = groupBy(chunks, ({ trial, side, benchmark, params }) =>
    JSON.stringify([trial, side, benchmark, params]),
  );
  return [...groups.values()].map(joinChunks);
}

function joinChunks(chunks: readonly IterationChunk[]): RunColumns {
  const length = chunks.reduce((sum, { startNs }) => sum + startNs.length, 0);

  function fill(values: (chunk: IterationChunk) => ArrayLike<number | bigint> | null): Float64Array {
    const column = new Float64Array(length).fill(Number.NaN);
    let at = 0;
    for (const chunk of chunks) {
      const from = values(chunk);
      if (from !== null) for (let k = 0; k < from.length; k += 1) column[at + k] = Number(from[k]);
      at += chunk.startNs.length;
    }
    return column;
  }

  const { trial, benchmark, params, method, run, side } = chunks[0] as IterationChunk;
  const metrics = new Set(chunks.flatMap((chunk) => Object.keys(chunk.metrics)));
  return {
    trial,
    benchmark,
    params,
    method,
    run,
    side,
    iteration: fill(({ firstIteration, startNs }) => Float64Array.from(startNs, (_, k) => firstIteration + k)),
    isWarmup: Uint8Array.from(fill(({ isWarmup, startNs }) => new Float64Array(startNs.length).fill(isWarmup ? 1 : 0))),
    startNs: fill(({ startNs }) => startNs),
    durationNs: fill(({ durationNs }) => durationNs),
    invocations: fill(({ invocations }) => invocations),
    cpuNs: fill(({ cpuNs }) => cpuNs),
    runDelayNs: fill(({ runDelayNs }) => runDelayNs),
    involuntarySwitches: fill(({ involuntarySwitches }) => involuntarySwitches),
    metrics: Object.fromEntries(
      [...metrics].toSorted().map((name) => [name, fill((chunk) => chunk.metrics[name] ?? null)]),
    ),
  };
}
