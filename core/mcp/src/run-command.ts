import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program of the command, beside the library that is installed with this package. */
const program = fileURLToPath(new URL('../bin/deadheat.js', import.meta.resolve('deadheat')));

/** A call of the command that has ended. */
export interface CommandResult {
  /** Exit code; `null` = it was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  /** Its last characters. */
  readonly stderr: string;
  /** Why it was interrupted; `null` = it ended by itself. */
  readonly interrupted: 'cancelled' | 'time-limit' | null;
}

/** Options of a call. */
export interface CommandOptions {
  /** Folder in which it is executed. */
  readonly cwd: string;
  /** Longest time, ms. */
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
  /** Called about once a second with the last line that the command wrote about its progress. */
  readonly onProgress: (elapsedMs: number, line: string) => void;
}

/** Characters of standard error that are kept. */
const mostErrors = 16_384;
/** Characters of standard output that are read: the report of a thousand benchmarks. */
const mostOutput = 256 * 2 ** 20;
const progressMs = 1000;
/** A command that was asked to end ends the programs that it measures first. */
const patienceMs = 10_000;

/**
 * Executes the command `deadheat`, without a shell. When it is cancelled or its time is over it is interrupted as by Ctrl-C, so that what it has recorded stays,
 * and after ten seconds killed.
 */
export async function runCommand(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { cwd, timeLimitMs, signal, onProgress } = options;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  let interrupted: CommandResult['interrupted'] = null;
  let killer: NodeJS.Timeout | undefined;
  function interrupt(why: 'cancelled' | 'time-limit'): void {
    if (interrupted !== null) return;
    interrupted = why;
    child.kill('SIGINT');
    killer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  }
  const cancel = (): void => interrupt('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const timer = setTimeout(() => interrupt('time-limit'), timeLimitMs);
  const ticks = setInterval(() => {
    const lines = written.stderr.trimEnd().split('\n');
    onProgress(performance.now() - startedMs, lines.at(-1) ?? '');
  }, progressMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (written.stdout.length < mostOutput) written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr = (written.stderr + text).slice(-mostErrors);
  });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { status, ...written, interrupted };
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
    clearTimeout(killer);
    clearInterval(ticks);
  }
}
