import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { helperEnvironment } from '../helper-environment.ts';
import type { GuardianOrder } from './messages.ts';

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

  /** Says what is to be ended and removed from now on. */
  watch(order: GuardianOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Has the guardian do its work now and waits for its end. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.stdin?.end();
    await ended;
  }
}
