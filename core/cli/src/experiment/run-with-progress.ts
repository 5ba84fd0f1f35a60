import {
  type FinishedSession,
  type Preparation,
  type RunOptions,
  runDraft,
  type VersionsDraft,
  withVersions,
} from 'deadheat/internals';
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
    const exitCode =
      options.show !== undefined && outcome.kind === 'done'
        ? await options.show(result)
        : await finish({ report, outcome, choices, terminal });
    if (outcome.kind !== 'failed' || report.comparisons.length > 0) await leavePage(result, { choices, terminal });
    return exitCode;
  } finally {
    progress.close();
  }
}

/** Compares two versions of a program, which `prepare` makes ready. Returns the exit code. */
export async function compareVersions(
  prepare: (preparation: Preparation) => Promise<VersionsDraft>,
  {
    output: { output, ...choices },
    terminal,
  }: { readonly output: OutputChoices & { readonly output: string | null }; readonly terminal: Terminal },
): Promise<number> {
  checkExports(choices.exports);
  const onNotice = createNoticeWriter(choices, terminal);
  return withInterruption((signal) =>
    withVersions(async (versions) => {
      const { draft, commits } = await prepare({ versions, variables: terminal.env, signal, onNotice });
      return runWithProgress((control) => runDraft(draft, { ...control, output, commits }), {
        choices,
        terminal,
        showOutput: draft.showOutput,
      });
    }),
  );
}
