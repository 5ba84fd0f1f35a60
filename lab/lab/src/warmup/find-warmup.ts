import { type StudyTable } from '@deadheat/analysis';
import { measureRecorded } from '@deadheat/recording';
import { profileProgram } from '@deadheat/profiles';
import { methodFacts, workloadFacts, type MeasuredRun, type Params, type Parser, sides } from '@deadheat/model';
import { commandNotStartable, findExecutable, readParser, splitWords } from 'deadheat/internals';
import { Problems, UsageError } from 'deadheat/settings';
import { compilationProgress } from './compilation-progress.ts';
import { type IterationTimes, warmupByStability, warmupByVariation, type WarmupCriterion } from './warmup-points.ts';
import { machineShares, type WarmupOfRun, warmupTables } from './warmup-tables.ts';

/** Which program is profiled, and how its runs are judged. */
export interface WarmupRequest {
  readonly commandLine: string;
  /** What finds the iterations in what the program prints: the name of a built-in parser, or a module; `null` = it records them. */
  readonly parser: string | null;
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
  /** The program; empty for a recording. */
  readonly argv: readonly string[];
  /** `null` = nothing was profiled, and the criteria by times are there alone. */
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
  const parser = request.parser === null ? null : parserOf(request.parser);
  const profiled = await profileProgram({ argv, runs: count, iterations, parser, signal, onRun });
  const runs = profiled.runs.map((run, place) => warmupOf(run, place + 1, request));
  const tables = warmupTables(
    runs.flatMap((run) => run.benchmarks),
    criterion,
  );
  return { schema: 'deadheat.warmup/1', argv, runtime: profiled.runtime, criterion, runs, tables };
}

/**
 * When the programs of a recording were warm, by their times: each side of each run by itself.
 *
 * @throws UsageError for runs of a single iteration; else as `measureRecorded`
 */
export async function findWarmupOfRecording(
  path: string,
  { criterion, seed }: Pick<WarmupRequest, 'criterion' | 'seed'>,
): Promise<FoundWarmup> {
  const { measured } = await measureRecorded(path);
  const several = measured.filter(({ benchmark }) => workloadFacts[benchmark.workload].timesItself);
  const found = several.flatMap(({ benchmark: { name, params }, runs }) =>
    runs
      .filter(({ trial }) => trial.phase === 'measure')
      .flatMap(({ trial: { run, method }, iterations }) =>
        sides.map((side): WarmupOfRun => {
          const benchmark = [nameOf({ benchmark: name, params }), side].join(' ');
          const times = methodFacts[method].ownTime === 'cpu' ? ownTimes(iterations[side]) : iterations[side];
          const points = pointsOf(times, { criterion, seed: `${seed} ${run} ${benchmark}` });
          const machine = machineShares(iterations[side]);
          const facts = { benchmark, run: run + 1, iterations: iterations[side].length, ...points, progress: null };
          return machine === undefined ? facts : { ...facts, machine };
        }),
      ),
  );
  if (found.length === 0) {
    throw new UsageError('BAD_VALUE', `${path} has no runs of programs with iterations`, {
      hint: 'Record programs that time their iterations: --harness, or parser in a file.',
    });
  }
  return {
    schema: 'deadheat.warmup/1',
    argv: [],
    runtime: null,
    criterion,
    runs: [{ clockErrorNs: null, benchmarks: found }],
    tables: warmupTables(found, criterion),
  };
}

/** In a tandem the wall time is that of both sides, so that an iteration lasts as long as its CPU time. */
function ownTimes(iterations: MeasuredRun['iterations']['A']): IterationTimes {
  const { startsNs, endsNs } = iterations;
  const cpuNs = iterations.metric('c');
  if (cpuNs === null) return { startsNs, endsNs };
  return { startsNs, endsNs: startsNs.map((start, i) => start + (cpuNs[i] ?? 0)) };
}

/** Findings of one run. */
export interface WarmupRun {
  /** How far the clock of the profile may be off that of the iterations; `null` = there is no profile. */
  readonly clockErrorNs: number | null;
  readonly benchmarks: readonly WarmupOfRun[];
}

function warmupOf(
  { benchmarks, profile }: Awaited<ReturnType<typeof profileProgram>>['runs'][number],
  run: number,
  { criterion, seed, windowNs }: WarmupRequest,
): WarmupRun {
  return {
    clockErrorNs: profile?.clockErrorNs ?? null,
    benchmarks: benchmarks.map(({ benchmark, params, iterations }) => {
      const { startsNs, endsNs, length } = iterations;
      const times = { startsNs, endsNs };
      return {
        benchmark: nameOf({ benchmark, params }),
        run,
        iterations: length,
        ...pointsOf(times, { criterion, seed: `${seed} ${run} ${benchmark}` }),
        progress: profile === null ? null : compilationProgress(profile, times, { windowNs }),
      };
    }),
  };
}

function nameOf({ benchmark, params }: { readonly benchmark: string; readonly params: Params }): string {
  return [benchmark, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');
}

function pointsOf(
  times: IterationTimes,
  options: Pick<WarmupRequest, 'criterion' | 'seed'>,
): Pick<WarmupOfRun, 'byVariation' | 'byStability'> {
  return { byVariation: warmupByVariation(times), byStability: warmupByStability(times, options) };
}

function parserOf(name: string): Parser {
  const problems = new Problems();
  const parser = readParser({ text: name, path: [] }, { folder: process.cwd(), problems });
  if (parser !== null) return parser;
  const [problem] = problems.found;
  throw new UsageError('BAD_VALUE', problem?.message ?? `there is no parser ${name}`, { hint: problem?.hint ?? null });
}

/** The program as a path, and its arguments: a shell would stand between the profiler and the program. */
function programOf(commandLine: string, path: string): readonly string[] {
  const { words, plain } = splitWords(commandLine);
  const [program, ...rest] = words;
  if (program === undefined) {
    throw new UsageError('MISSING_COMMAND', 'warmup needs the command that is to be profiled', {
      hint: "For example: deadheat lab warmup 'node bench.js'.",
    });
  }
  if (!plain) {
    throw new UsageError('BAD_VALUE', `warmup starts programs without a shell, which '${commandLine}' needs`, {
      hint: 'Set variables and the folder before: X=1 deadheat lab warmup ….',
    });
  }
  const located = findExecutable(program, { path, cwd: process.cwd() });
  if (located.kind === 'found') return [located.path, ...rest];
  throw commandNotStartable(located, { side: 'A', word: program, suggestion: null, shell: 'none' });
}
