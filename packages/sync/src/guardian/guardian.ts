import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { helperEnvironment } from '../processes.ts';

/** The processes and files that the guardian ends and removes. The last order that it received is in force. */
export interface GuardianOrder {
  /** Processes to end, each with everything below it. */
  readonly processes: readonly number[];
  /** Files and folders to remove. */
  readonly files: readonly string[];
  /**
   * Value of `DEADHEAT_MARK` in the environment of a program that is being started, whose process id is not known yet;
   * the program is ended with every process below it.
   */
  readonly mark?: string;
  /** Commands to execute first and again for some seconds, program first, such as one that removes containers. */
  readonly commands?: readonly (readonly string[])[];
}

/** Ends processes and removes files when this process is gone, even after SIGKILL. */
export class Guardian {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = spawn(process.execPath, [fileURLToPath(new URL('./main.js', import.meta.url))], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: helperEnvironment(),
    });
    // A guardian that could not start or was killed must not take the experiment with it.
    this.#child.on('error', () => {});
    this.#child.stdin?.on('error', () => {});
  }

  /** Replaces the guardian's order: what it ends and removes from now on. */
  watch(order: GuardianOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Makes the guardian carry out its order now, and waits until it has ended. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.stdin?.end();
    await ended;
  }
}
