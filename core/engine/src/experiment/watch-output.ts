import { readFileSync, statSync, truncateSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sides, type Benchmark, type Failure, type RunPhase, type Side, type Warning } from '@deadheat/model';
import { severalThreads } from '@deadheat/analysis';
import { monotonicNowNs } from '@deadheat/sync';
import {
  fillResults,
  findOperationTime,
  findResults,
  recogniseHarness,
  type Arrival,
  type SeenHarness,
} from '@deadheat/readers';
import type { RunOutcome } from '../run/executor.ts';
import type { BenchmarkState } from './benchmark-state.ts';

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

/*
 * Commands that fill a time whatever an operation costs are recognised by what they print in one run.
 */

/** Longest output of a harness that is read, bytes. */
const mostBytes = 4 * 1024 * 1024;
/** Between looks at the size of the files, ms. */
const lookMs = 50;

/** The standard output of both sides in files, of which no more is kept than a harness prints. */
interface PrintedWatch {
  stop(): void;
  /** What the sides printed, on standard error its end; empty where it is more than a harness prints. */
  take(outcome: Pick<RunOutcome, 'sides'>): readonly string[];
}

/** @param keepsAll `true` = nothing is cut off a long output */
export function watchPrinted(
  files: Readonly<Record<Side, string>>,
  { keepsAll }: { readonly keepsAll: boolean },
): PrintedWatch {
  const large = new Set<Side>();
  function look(): void {
    for (const side of sides) {
      const stat = statSync(files[side], { throwIfNoEntry: false });
      if (stat === undefined || stat.blocks * 512 <= mostBytes) continue;
      // The program goes on behind a hole that takes no place.
      large.add(side);
      if (!keepsAll) truncateSync(files[side]);
    }
  }
  const timer = setInterval(look, lookMs);
  return {
    stop: () => {
      clearInterval(timer);
      look();
    },
    take: (outcome) => {
      if (large.size > 0 || sides.some((side) => statSync(files[side], { throwIfNoEntry: false }) === undefined))
        return [];
      return sides.map((side) => `${readFileSync(files[side], 'utf8')}\n${outcome.sides[side].stderr ?? ''}`);
    },
  };
}

const words = /bench|timeit|jmh|perf|test|\b(?:make|npm|npx|pnpm|yarn|cargo|gradle|mvn|dotnet)\b/i;

/**
 * True if a run is the one whose output is read: a pilot or a warm-up run, and without them a measured run of a command whose words hint at
 * benchmarks, since another may take longer to print to a file than to /dev/null.
 */
export function printsSoon({ containers, commands, chosen }: Benchmark, phase: RunPhase): boolean {
  if (containers !== null) return false;
  return phase !== 'measure' || (chosen === null && sides.some((side) => words.test(commands[side].commandLine)));
}

/** What follows from the output of both sides: a harness with a time budget is refused, times of operations are warned of. */
export function judgePrinted(
  texts: readonly string[],
  { benchmark, config }: Pick<BenchmarkState, 'benchmark' | 'config'>,
  outcome: Pick<RunOutcome, 'sides'>,
): { readonly failures: readonly Failure[]; readonly warnings: readonly Warning[] } {
  if (config.wholeProcess === true || texts.length === 0) return { failures: [], warnings: [] };
  const harness = recogniseHarness(texts);
  if (harness === 'fixed-work') return { failures: [], warnings: [] };
  if (harness !== null) {
    const isParallel = sides.some((side) => (outcome.sides[side].observed?.tasks ?? 0) > severalThreads);
    return { failures: [{ ...refusal(benchmark, harness), ...(isParallel ? { isParallel } : {}) }], warnings: [] };
  }
  const line = texts.map(findOperationTime).find((found) => found !== null);
  if (line === undefined) return { failures: [], warnings: [] };
  const message =
    `${benchmark.name}: the commands print times of operations (${line.trim().slice(0, 60)}), and whole processes are compared. If they ` +
    'repeat an operation until a time is over, the result says nothing about it: name a parser of the output (docs/parsers.md).';
  return { failures: [], warnings: [{ code: 'OPERATION_TIMES_PRINTED', message }] };
}

function refusal({ commands }: Benchmark, { name, parser, results, slowestNs }: SeenHarness): Failure {
  const instead =
    parser !== null
      ? `Have the times of operations compared that it prints: parser: ${parser} with methods: [sequential] in a file, or --parser ${parser} --method sequential`
      : name === 'vitest bench'
        ? 'Have its benchmarks compared: workload: harness in a file, or add --harness'
        : 'Have it write its results to files, and compare those: deadheat analyse';
  return {
    side: 'A',
    code: 'TIME_BUDGETED',
    message:
      `TIME_BUDGETED: ${name} repeats an operation until a time is over, so that its processes take about the same time whatever ` +
      `an operation costs. ${instead}. The setting whole-process compares the processes all the same: ${commands.A.commandLine}`,
    ...(parser === null ? {} : { parser, benchmarks: results }),
    ...(slowestNs === null ? {} : { operationNs: slowestNs }),
  };
}
