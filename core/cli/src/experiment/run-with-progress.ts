import { rm } from 'node:fs/promises';
import type { ExperimentDraft } from '@deadheat/engine';
import {
  type FinishedSession,
  type Preparation,
  type RunOptions,
  runDraft,
  type VersionsDraft,
  withVersions,
} from 'deadheat/internals';
import type { TypedLayer } from 'deadheat/settings';
import type { OutputChoices } from '../command/output-options.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { createNoticeWriter } from '../terminal/output.ts';
import { createProgressReporter } from '../terminal/progress.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkExports, finish, leavePage } from './finish.ts';

interface RunWithProgressOptions {
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
  readonly showOutput?: boolean;
  /** Shows the result of an experiment that ended as planned, instead of its report. */
  readonly show?: (result: FinishedSession) => Promise<number>;
}

/** Runs an experiment with progress on standard error, then shows and exports its report. Returns the exit code. */
export async function runWithProgress(
  start: (control: RunOptions) => { readonly settled: Promise<FinishedSession> },
  options: RunWithProgressOptions,
): Promise<number> {
  const { choices, terminal, showOutput = false } = options;
  checkExports(choices.exports);
  const style = resolveTerminalStyle(choices.style, { stream: terminal.stderr, variables: terminal.env });
  const progress = createProgressReporter({
    stream: terminal.stderr,
    // The commands' own output would be torn by a line that is redrawn.
    style: showOutput ? { ...style, interactive: false } : style,
    now: () => performance.now(),
  });
  const writeNotice = createNoticeWriter(choices, terminal);
  const onNotice = (text: string): void => {
    progress.close();
    writeNotice(text);
  };
  try {
    const result = await withInterruption(
      (signal) => start({ signal, onProgress: progress.handle, onNotice, variables: terminal.env }).settled,
    );
    progress.close();
    const { report, outcome } = result;
    const isFollowed = outcome.kind !== 'failed' || report.comparisons.length > 0;
    const exitCode =
      options.show !== undefined && outcome.kind === 'done'
        ? await options.show(result)
        : await finish({ report, outcome, choices, terminal, isFollowed });
    if (isFollowed) await leavePage(result, { choices, terminal });
    return exitCode;
  } finally {
    progress.close();
  }
}

/**
 * Compares two versions of a program, which `prepare` makes ready.
 *
 * @param options.typed what was typed of two commands; `null` = a file describes them
 * @returns the exit code
 */
export async function compareVersions(
  prepare: (preparation: Preparation) => Promise<VersionsDraft>,
  {
    typed,
    output: { output, ...choices },
    terminal,
  }: {
    readonly typed: TypedLayer | null;
    readonly output: OutputChoices & { readonly output: string | null };
    readonly terminal: Terminal;
  },
): Promise<number> {
  checkExports(choices.exports);
  const onNotice = createNoticeWriter(choices, terminal);
  return withInterruption((signal) =>
    withVersions(async (versions) => {
      const { draft, commits, read } = await prepare({ versions, variables: terminal.env, signal, onNotice });
      const subject = { draft, typed: typed ?? {}, read: typed === null ? null : read };
      return runWithProgress((control) => ({ settled: measureCommands(subject, { ...control, output, commits }) }), {
        choices,
        terminal,
        showOutput: draft.showOutput,
      });
    }),
  );
}

/** A comparison of typed commands. */
interface TypedComparison {
  readonly draft: ExperimentDraft;
  readonly typed: TypedLayer;
  /** Reads it once more, with more options as if they had been typed; `null` = its commands can only be measured as a whole. */
  readonly read: ((more: TypedLayer) => Promise<ExperimentDraft>) | null;
}

/** Measures; and once more, by their benchmarks, commands that have some of their own. */
export async function measureCommands(
  { draft, typed, read }: TypedComparison,
  control: Parameters<typeof runDraft>[1],
): Promise<FinishedSession> {
  const result = await runDraft(draft, control).settled;
  const by = ownBenchmarks(result, typed);
  if (read === null || by === null) return result;
  // Options for whole processes refuse it: the advice of the result is then the better message.
  const again = await read(by.layer).catch(() => null);
  if (again === null) return result;
  control.onNotice?.(by.notice);
  // It holds the run that was refused, and its name may be wanted again.
  await rm(result.directory, { recursive: true });
  return runDraft(again, control).settled;
}

/** How programs are measured that refused to be measured as a whole, or were refused; `null` = they were measured, or cannot be. */
function ownBenchmarks(
  { outcome }: FinishedSession,
  { workload, parser, methods }: TypedLayer,
): { readonly layer: TypedLayer; readonly notice: string } | null {
  if (outcome.kind !== 'failed' || workload !== undefined || parser !== undefined) return null;
  if (outcome.failures.some(({ message }) => message.includes('add --harness'))) {
    return {
      layer: { workload: 'harness' },
      notice: 'the commands have benchmarks of their own: they are measured as with --harness',
    };
  }
  const own = outcome.failures.find((failure) => failure.parser !== undefined)?.parser;
  const isFree =
    methods === undefined ||
    (Array.isArray(methods) && methods.every((method) => /^(auto|sequential)$/.test(String(method))));
  if (own === undefined || !isFree) return null;
  return {
    layer: { parser: own, methods: ['sequential'] },
    notice:
      'the commands repeat operations until a time is over: compared are the times of operations that they print (the same as ' +
      `--parser ${own} --method sequential)`,
  };
}
