import {
  compilationProgress,
  type StudyTable,
  warmupByStability,
  warmupByVariation,
  type WarmupCriterion,
  type WarmupOfRun,
  warmupTables,
} from '@deadheat/analysis';
import { profileProgram } from '@deadheat/engine';
import { commandNotStartable } from '../draft/command-not-startable.ts';
import { findExecutable } from '../draft/find-executable.ts';
import { splitWords } from '../draft/split-words.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Which program is profiled, and how its runs are judged. */
export interface WarmupRequest {
  readonly commandLine: string;
  readonly runs: number;
  /** `null` = as many as the program makes. */
  readonly iterations: number | null;
  /** How long shares of code are taken over; `null` = by the length of the run. */
  readonly windowNs: number | null;
  readonly criterion: WarmupCriterion;
  readonly seed: string;
}

/** When a program was warm, `deadheat.warmup/1`. */
export interface FoundWarmup {
  readonly schema: 'deadheat.warmup/1';
  readonly argv: readonly string[];
  readonly runtime: Awaited<ReturnType<typeof profileProgram>>['runtime'];
  readonly criterion: WarmupCriterion;
  readonly runs: readonly WarmupRun[];
  readonly tables: readonly StudyTable[];
}

/**
 * Runs a program that times its own iterations under the profiler of its virtual machine, and finds out when it is warm.
 *
 * @param searchPath folders in which the program is looked for, as in `PATH`
 * @throws UsageError for a command line that needs a shell; CommandError for a program that is not there; else as `profileProgram`
 */
export async function findWarmup(
  request: WarmupRequest,
  {
    searchPath,
    signal,
    onRun,
  }: { readonly searchPath: string; readonly signal: AbortSignal; readonly onRun: (run: number) => void },
): Promise<FoundWarmup> {
  const { runs: count, iterations, criterion } = request;
  const argv = programOf(request.commandLine, searchPath);
  const profiled = await profileProgram({ argv, runs: count, iterations, signal, onRun });
  const runs = profiled.runs.map((run, place) => warmupOf(run, place + 1, request));
  const tables = warmupTables(
    runs.flatMap((run) => run.benchmarks),
    criterion,
  );
  return { schema: 'deadheat.warmup/1', argv, runtime: profiled.runtime, criterion, runs, tables };
}

/** What one run of the program showed. */
export interface WarmupRun {
  /** How far the clock of the profile may be off that of the iterations. */
  readonly clockErrorNs: number;
  readonly benchmarks: readonly WarmupOfRun[];
}

function warmupOf(
  { benchmarks, profile }: Awaited<ReturnType<typeof profileProgram>>['runs'][number],
  run: number,
  { criterion, seed, windowNs }: WarmupRequest,
): WarmupRun {
  return {
    clockErrorNs: profile.clockErrorNs,
    benchmarks: benchmarks.map(({ benchmark, params, iterations }) => {
      const times = { startsNs: iterations.startsNs, endsNs: iterations.endsNs };
      return {
        benchmark: [benchmark, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' '),
        run,
        iterations: iterations.length,
        byVariation: warmupByVariation(times),
        byStability: warmupByStability(times, { criterion, seed: `${seed} ${run} ${benchmark}` }),
        progress: compilationProgress(profile, times, { windowNs }),
      };
    }),
  };
}

/** The program as a path, and its arguments: a shell would stand between the profiler and the program. */
function programOf(commandLine: string, path: string): readonly string[] {
  const { words, plain } = splitWords(commandLine);
  const [program, ...rest] = words;
  if (program === undefined) {
    throw new UsageError('MISSING_COMMAND', 'warmup needs the command that is to be profiled', {
      hint: "For example: deadheat warmup 'node bench.js'.",
    });
  }
  if (!plain) {
    throw new UsageError('BAD_VALUE', `warmup starts programs without a shell, which '${commandLine}' needs`, {
      hint: 'Set variables and the folder before: X=1 deadheat warmup ….',
    });
  }
  const located = findExecutable(program, { path, cwd: process.cwd() });
  if (located.kind === 'found') return [located.path, ...rest];
  throw commandNotStartable(located, { side: 'A', word: program, suggestion: null, shell: 'none' });
}
