import { rm } from 'node:fs/promises';
import type { ExperimentDraft } from '@deadheat/engine';
import { sides } from '@deadheat/model';
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
import { type OwnReading, ownReadings } from './own-benchmarks.ts';

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
    if (choices.explains === true && outcome.kind === 'done') {
      const { explainClear } = await import('./explain-recording.ts');
      const explanation = await explainClear(result, { choices, terminal });
      if (explanation !== null) await leavePage(result, { choices, terminal, explanation });
    }
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
  readonly read: VersionsDraft['read'] | null;
}

/** Measures; and once more, by their benchmarks, commands that have some of their own. */
export async function measureCommands(
  { draft, typed, read }: TypedComparison,
  control: Parameters<typeof runDraft>[1],
): Promise<FinishedSession> {
  const { maxTimeNs, benchmarks } = draft;
  const commandLines = benchmarks.flatMap(({ commands }) =>
    sides.map((side) => commands[side].commandLine.replace(/  # .*$/, '')),
  );
  const subject = { commandLines, typed, variables: control.variables ?? {}, maxTimeNs };
  async function measure(
    readings: readonly OwnReading[],
    before: FinishedSession | null,
  ): Promise<FinishedSession | null> {
    let result = before;
    for (const { layer, rewrite, notice } of readings) {
      // Options for whole processes refuse it: the advice of the result is then the better message.
      const again = (await read?.(layer, rewrite).catch(() => null)) ?? null;
      if (again === null) continue;
      // It holds the run that was refused, and its name may be wanted again.
      if (result !== null) await rm(result.directory, { recursive: true });
      control.onNotice?.(notice);
      result = await runDraft(again, control).settled;
      if (result.outcome.kind !== 'failed' || result.report.comparisons.length > 0) break;
    }
    return result;
  }
  const known = await measure(ownReadings({ ...subject, failures: null }), null);
  if (known !== null && known.outcome.kind !== 'failed') return known;
  if (known !== null) await rm(known.directory, { recursive: true });
  const result = await runDraft(draft, control).settled;
  if (result.outcome.kind !== 'failed') return result;
  return (await measure(ownReadings({ ...subject, failures: result.outcome.failures }), result)) ?? result;
}
