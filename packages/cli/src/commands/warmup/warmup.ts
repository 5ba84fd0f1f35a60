import {
  compilationProgress,
  warmupByStability,
  warmupByVariation,
  warmupTables,
  type WarmupCriterion,
  type WarmupOfRun,
} from '@deadheat/analysis';
import { profileProgram, type ProfiledRun } from '@deadheat/engine';
import type { OutputChoices } from '../../arguments/invocation.ts';
import { commandNotStartable, findExecutable, splitWords } from 'deadheat/internals';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { reportStream } from '../../export/report-stream.ts';
import { studyCsv } from '../../terminal/study-csv.ts';
import { renderStudy } from '../../terminal/study-table.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** What `deadheat warmup` was asked for. */
export interface WarmupRequest {
  readonly commandLine: string;
  readonly runs: number;
  /** `null` = as many as the program makes. */
  readonly iterations: number | null;
  /** `null` = by the length of the run. */
  readonly windowNs: number | null;
  readonly criterion: WarmupCriterion;
  readonly seed: string;
  readonly choices: OutputChoices;
}

const eraseLine = '\r\u001b[2K';

/** `deadheat warmup 'command'`. Returns the exit code. */
export async function findWarmup(request: WarmupRequest, terminal: Terminal): Promise<ExitCode> {
  const { runs, iterations, criterion, choices } = request;
  const { exports } = choices;
  checkExports(exports);
  const argv = programOf(request.commandLine, terminal.env['PATH'] ?? '');
  const { stderr, env } = terminal;
  const { interactive } = resolveTerminalStyle(choices.style, { stream: stderr, variables: env });
  const tell = (line: string): void => void (interactive && stderr.write(`${eraseLine}${line}`));
  const profiled = await withInterruption(async (signal) => {
    try {
      const onRun = (run: number): void => tell(`profiling, run ${run + 1} of ${runs}`);
      return await profileProgram({ argv, runs, iterations, signal, onRun });
    } finally {
      tell('');
    }
  });
  const found = profiled.runs.map((run, place) => warmupOf(run, place + 1, request));
  const tables = warmupTables(
    found.flatMap((run) => run.benchmarks),
    criterion,
  );
  const stream = terminal[reportStream(exports)];
  stream.write(renderStudy({ tables }, resolveTerminalStyle(choices.style, { stream, variables: env })));
  const result = { schema: 'deadheat.warmup/1', argv, runtime: profiled.runtime, criterion, runs: found, tables };
  writeExport(exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
  writeExport(exports.csv, { content: studyCsv({ tables }), terminal });
  return exitCodes.done;
}

interface FoundRun {
  /** How far the clock of the profile may be off that of the iterations. */
  readonly clockErrorNs: number;
  readonly benchmarks: readonly WarmupOfRun[];
}

function warmupOf(
  { benchmarks, profile }: ProfiledRun,
  run: number,
  { criterion, seed, windowNs }: WarmupRequest,
): FoundRun {
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
