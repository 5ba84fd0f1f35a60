import { spawn } from 'node:child_process';

/** Defaults of folder and environment: this process's own. */
export interface RunProgramOptions {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Standard input. */
  readonly input?: string;
  /** Ends the program and everything in its process group. */
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  /** Exit status; `null` = a signal ended it, `not-found` = there is no such program here. */
  readonly status: number | null | 'not-found';
  readonly stdout: string;
  readonly stderr: string;
  /** End of everything written, standard output and errors as they came. */
  readonly tail: string;
}

/** Wait for output after a program's end, ms: processes in its background hold the pipes open. */
const restMs = 500;

/**
 * Executes a helper program that is not measured, such as git, in a process group of its own. Processes that it leaves
 * in the background keep running, unless `signal` aborts. execa 9.6 is not used: measured, its abort and its timeout end
 * the program but not its group, and its result waits until processes in the background close the pipes.
 */
export async function runProgram(
  [file, ...rest]: readonly [string, ...string[]],
  { cwd, environment, input, signal }: RunProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const written = { stdout: '', stderr: '', tail: '' };
    const child = spawn(file, rest, { cwd, env: environment, detached: true, stdio: 'pipe' });

    function end(): void {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {} // It has ended already.
    }

    function settle(status: ProgramResult['status']): void {
      signal?.removeEventListener('abort', end);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ status, ...written });
    }

    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES') settle('not-found');
      else reject(error);
    });
    // Without open files to spare it has no pipes.
    if (child.pid === undefined) return;
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
    child.stdin.on('error', () => undefined).end(input);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        written[name] += text;
        written.tail = (written.tail + text).slice(-16_384);
      });
    }
    child.once('close', settle);
    // Bytes that wait in the pipes are read between the timer and the immediate, also after this process was held up.
    child.once('exit', (status) => setTimeout(() => setImmediate(settle, status), restMs).unref());
  });
}

/**
 * Does work with a signal that aborts when `signal` does or the time is over. AbortSignal.any of AbortSignal.timeout does not do: Node 20
 * may collect the timeout before it fires, when nothing else names it.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  function end(): void {
    deadline.abort();
  }
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** The last lines of an output, indented; empty for an empty one. */
export function quoteTail(tail: string, lines = 15): string {
  const last = tail.trimEnd().split('\n').slice(-lines);
  return last.join('').trim() === '' ? '' : `\n${last.map((line) => `  ${line.slice(0, 500)}`).join('\n')}`;
}
