import { statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sides, type Benchmark, type Side } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { fillResults, findResults, type Arrival } from '@deadheat/readers';

/** The output of a side's program, with the times at which it was written. */
export interface SeenOutput {
  /** Sizes of the output with the times at which they were seen. */
  readonly arrivals: readonly Arrival[];
  /** Number of bytes of the output that count; `null` = all. */
  readonly until: number | null;
  /** The results file, and its state before the run; `null` = the output is read. */
  readonly results: { readonly pattern: string; readonly before: ReturnType<typeof findResults> } | null;
}

export interface OutputWatch {
  /** Notes the present size: for a caller that has just read the files. */
  look(): void;
  /** To be called when the run is over. @param readUntil number of bytes of a side's output that count; `null` = all */
  stop(readUntil: (side: Side) => number | null): Promise<Readonly<Record<Side, SeenOutput>>>;
}

/**
 * Looks on while the programs of a parsed benchmark run: at every writing of the files that they print to it notes the
 * time. The kernel reports a write after it is done, so that a line is never seen too early; the delay depends on how
 * soon this process gets a core.
 */
export function watchOutput(
  { results }: Pick<Benchmark, 'results'>,
  { files, run }: { readonly files: Readonly<Record<Side, string>>; readonly run: number },
): OutputWatch {
  const seen: Readonly<Record<Side, Arrival[]>> = { A: [], B: [] };
  const before = { A: resultsBefore('A'), B: resultsBefore('B') };
  function look(side: Side): void {
    const bytes = statSync(files[side], { throwIfNoEntry: false })?.size ?? 0;
    const ns = monotonicNowNs();
    if (bytes > (seen[side].at(-1)?.bytes ?? 0)) seen[side].push({ bytes, ns });
  }
  const watched = sides.filter((side) => results[side] === null);
  const watcher = watched.length === 0 ? null : watch(dirname(files.A), { persistent: false });
  watcher?.on('change', (_, name) => {
    const side = watched.find((one) => basename(files[one]) === name);
    if (side !== undefined) look(side);
  });
  // Without a watcher lines have no time, which is reported where that matters.
  watcher?.on('error', () => watcher.close());
  return {
    look: () => {
      for (const side of watched) look(side);
    },
    stop: async (readUntil) => {
      // The event of the last write may not have arrived yet.
      await setImmediate();
      watcher?.close();
      for (const side of watched) look(side);
      function of(side: Side): SeenOutput {
        return { arrivals: seen[side], until: readUntil(side), results: before[side] };
      }
      return { A: of('A'), B: of('B') };
    },
  };

  function resultsBefore(side: Side): SeenOutput['results'] {
    const pattern = results[side];
    if (pattern === null) return null;
    const filled = fillResults(pattern, { side, run });
    return { pattern: filled, before: findResults(filled) };
  }
}
