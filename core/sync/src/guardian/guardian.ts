import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { guardianMark, makeMark } from '../ledger.ts';
import { helperEnvironment, readStat } from '../processes.ts';

/** The processes that the guardian ends. The last order that it received is in force. */
export interface GuardianOrder {
  /** Processes to end, each with everything below it. */
  readonly processes: readonly number[];
  /** Processes that get {@link hookPatienceMs} more before they are ended with everything below them. */
  readonly later?: readonly number[];
  /**
   * Values of `DEADHEAT_MARK` in the environment of programs whose process ids are not known, as of one that is being started;
   * they are ended with every process below them.
   */
  readonly marks?: readonly string[];
  /** Commands to execute first and again for some seconds, program first, such as one that removes containers. */
  readonly commands?: readonly (readonly string[])[];
}

/** Longest wait for processes of an order that may end later, ms. */
export const hookPatienceMs = 30_000;

/**
 * A guardian that has not carried out its order within this time, ms, is killed: Node may hang at its start where no more threads can be
 * made. Commands in an order are repeated for some seconds.
 */
const closeMs = { alone: 5000, withCommands: 30_000 };
const lookMs = 100;

/** Ends processes when this process is gone, even after SIGKILL, and removes what is on its ledger. */
export class Guardian {
  readonly #child: ChildProcess;
  #order: GuardianOrder = { processes: [] };

  constructor() {
    this.#child = spawn(process.execPath, [fileURLToPath(new URL('./main.js', import.meta.url))], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...helperEnvironment(), DEADHEAT_MARK: `${makeMark()}${guardianMark}` },
    });
    // A guardian that could not start or was killed must not take the experiment with it.
    this.#child.on('error', () => {});
    this.#child.stdin?.on('error', () => {});
  }

  /** Replaces the guardian's order: what it ends from now on. */
  watch(order: GuardianOrder): void {
    this.#order = order;
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Makes the guardian carry out its order now, and waits until it has, but for processes that may end later. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.stdin?.end();
    if ((this.#order.later ?? []).length > 0) return this.#child.unref();
    const { pid } = this.#child;
    const { alone, withCommands } = closeMs;
    const end = performance.now() + (this.#order.commands === undefined ? alone : withCommands);
    // One that is stopped would never end.
    const patience = setInterval(() => {
      if (performance.now() > end || readStat(pid)?.state === 'T') this.#child.kill('SIGKILL');
    }, lookMs);
    await ended;
    clearInterval(patience);
  }
}
