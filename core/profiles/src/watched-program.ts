import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { endAll, processesBelow, type Guardian } from '@deadheat/sync';

const stderrCharacters = 4096;

export interface WatchedProgramOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the program when this process is killed. */
  readonly guardian: Guardian;
  /** Receives the output of both streams; absent = the output is not read. */
  readonly onOutput?: (bytes: Buffer) => void;
}

/** A program in a process group of its own; ended with everything below it, also when this process is killed. */
export class WatchedProgram {
  readonly #child: ChildProcess;
  readonly #guardian: Guardian;
  readonly ended: Promise<void>;
  #stderr = '';
  #hasEnded = false;

  /** Rejects {@link ended} when the program cannot be started. */
  constructor(argv: readonly string[], { environment, guardian, onOutput }: WatchedProgramOptions) {
    const [file = '', ...rest] = argv;
    this.#guardian = guardian;
    const stdio: StdioOptions = ['ignore', onOutput === undefined ? 'ignore' : 'pipe', 'pipe'];
    this.#child = spawn(file, rest, { detached: true, env: environment, stdio });
    const { pid } = this.#child;
    this.#guardian.watch({ processes: pid === undefined ? [] : [pid] });
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      onOutput?.(bytes);
      this.#stderr = (this.#stderr + bytes.toString('utf8')).slice(-stderrCharacters);
    });
    if (onOutput !== undefined) this.#child.stdout?.on('data', onOutput);
    this.ended = new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        this.#hasEnded = true;
        then();
      };
      this.#child.once('error', (error) => settle(() => reject(error)));
      this.#child.once('close', () => settle(resolve));
      // A process left in the background holds the pipe open; the program itself has ended.
      this.#child.once('exit', () =>
        setTimeout(() => {
          this.#child.stdout?.destroy();
          this.#child.stderr?.destroy();
        }, strayGraceMs),
      );
    });
    // Whoever waits for a barrier looks at hasEnded only; the rejection is met by who waits for the end.
    this.ended.catch(() => {});
  }

  /** 0 when it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  get status(): number | null {
    return this.#child.exitCode;
  }
  get signal(): string | null {
    return this.#child.signalCode;
  }
  /** The end of its text on standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Ends the program and everything that it started, then waits for its end. */
  async end(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined) {
      if (!this.#hasEnded) {
        endAll(() => [pid, ...processesBelow(pid)]);
      }
      endGroup(pid);
    }
    await this.ended.catch(() => {});
    this.#guardian.watch({ processes: [] });
  }
}

const strayGraceMs = 100;

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
