import { spawn } from 'node:child_process';

export interface RunProgramOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the program and everything in its process group. */
  readonly signal: AbortSignal;
}

export interface ProgramResult {
  /** `null` = it could not be started, because it is not there. */
  readonly status: number | null | 'not-found';
  readonly stdout: string;
  /** End of everything written, standard output and errors as they came. */
  readonly tail: string;
}

const tailCharacters = 16_384;

/**
 * Executes a program in a process group of its own, to its end. What it leaves in the background is left alone, unless `signal`
 * aborts.
 */
export async function runProgram(
  [file, ...rest]: readonly [string, ...string[]],
  { cwd, environment, signal }: RunProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const stdout: string[] = [];
    let tail = '';
    const child = spawn(file, rest, { cwd, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    function end(): void {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    function keep(text: string): void {
      tail = (tail + text).slice(-tailCharacters);
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout.push(text);
      keep(text);
    });
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', end);
      if (error.code === 'ENOENT') resolve({ status: 'not-found', stdout: '', tail: '' });
      else reject(error);
    });
    function settle(status: number | null): void {
      signal.removeEventListener('abort', end);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ status, stdout: stdout.join(''), tail });
    }
    child.once('close', settle);
    // A process left in the background holds the pipes open; what the program itself wrote is there a moment after its end.
    child.once('exit', (status) => setTimeout(() => settle(status), 500).unref());
  });
}

/** The last lines of an output, indented, for the end of a message; empty for an empty one. */
export function quoteTail(tail: string, lines = 15): string {
  const last = tail.trimEnd().split('\n').slice(-lines);
  return last.join('').trim() === '' ? '' : `\n${last.map((line) => `  ${line.slice(0, 500)}`).join('\n')}`;
}
