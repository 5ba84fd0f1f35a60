import type { EngineEvent, Failure } from '@deadheat/model';
import { type StyleChoice, resolveTerminalStyle } from './style.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { presentable } from '../errors/presentable.ts';
import { withInterruption } from './interruption.ts';
import { createProgressReporter } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Context of work that measures while somebody watches. */
export interface WatchedWork {
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** Shows how far an experiment is. */
  readonly onEvent: (event: EngineEvent) => void;
}

/** Does work that can be interrupted, with progress on standard error. */
export async function withProgress<Result>(
  { style: choice, terminal }: { readonly style: StyleChoice; readonly terminal: Terminal },
  work: (watched: WatchedWork) => Promise<Result>,
): Promise<Result> {
  const { stderr, env } = terminal;
  const style = resolveTerminalStyle(choice, { stream: stderr, variables: env });
  const progress = createProgressReporter({ stream: stderr, style, now: () => performance.now() });
  try {
    return await withInterruption((signal) => work({ signal, onEvent: progress.handle }));
  } finally {
    progress.close();
  }
}

/** Writes the reasons why measuring came to no result. Returns the exit code. */
export function writeFailures(failures: readonly Failure[] | null, { stderr }: Pick<Terminal, 'stderr'>): ExitCode {
  const messages = failures === null ? ['interrupted'] : failures.map(({ message }) => message);
  for (const message of messages) stderr.write(`deadheat: ${presentable(message)}\n`);
  return failures === null ? exitCodes.interrupted : exitCodes.workload;
}
