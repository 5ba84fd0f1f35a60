import type { SessionResult } from '@deadheat/engine';
import type { EngineEvent } from '@deadheat/model';
import type { OutputChoices } from '../arguments/invocation.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { createProgressReporter } from '../terminal/progress.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createTeller } from '../terminal/output.ts';
import { checkExports, finish, leavePage } from './finish.ts';

interface Control {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  /** Writes a line beside the progress. */
  readonly tell: (text: string) => void;
}

export interface RunWithProgressOptions {
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
  readonly showOutput?: boolean;
  /** Shows what came of an experiment that ended as planned, instead of its report. */
  readonly show?: (result: SessionResult) => Promise<number>;
}

/** Runs an experiment with progress on standard error, then shows and exports its report. Returns the exit code. */
export async function runWithProgress(
  start: (control: Control) => Promise<SessionResult>,
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
  const tellLine = createTeller(choices, terminal);
  const tell = (text: string): void => {
    progress.close();
    tellLine(text);
  };
  try {
    const result = await withInterruption((signal) => start({ signal, onEvent: progress.handle, tell }));
    progress.close();
    const { report, outcome } = result;
    const exitCode =
      options.show !== undefined && outcome.kind === 'done'
        ? await options.show(result)
        : await finish({ report, outcome, choices, terminal });
    leavePage(result, { choices, terminal });
    return exitCode;
  } finally {
    progress.close();
  }
}
