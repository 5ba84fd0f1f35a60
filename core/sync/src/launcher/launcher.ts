import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { makeMark } from '../ledger.ts';
import { endAll, helperEnvironment, kill, killDescendants, processesMarked, type EndSignal } from '../processes.ts';
import { SyncError, type SyncErrorCode } from '../sync-error.ts';
import type {
  ExecuteReply,
  ExecuteRequest,
  LatchFiles,
  LauncherReply,
  LauncherRequest,
  OpenLatchReply,
  OpenLatchRequest,
  ProgramRequest,
} from './messages.ts';

/** Flags without helper threads, so that no thread of the launcher runs beside a program. */
const nodeFlags = ['--v8-pool-size=0', '--single-threaded-gc'];

/** A launcher that has not answered what takes it milliseconds within this time is lost. */
const answerMs = 30_000;
/** Time that a launcher has to end after it was asked to, ms; then it is killed. */
const closeMs = 300;
const pageDescriptor = 5;

interface Waiting {
  resolve(reply: LauncherReply): void;
  reject(error: SyncError): void;
}

/**
 * The engine's handle on one side's launcher: a process that stays alive over all runs, so that nothing of ours
 * starts between the barrier and the clock. One request at a time.
 */
export class Launcher {
  readonly pid: number;
  /** Found in the environment of everything that the launcher starts; see `processesMarked`. */
  readonly mark: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #waiting: Waiting | undefined;
  #lost: SyncError | undefined;
  #errorOutput = '';
  #isClosing = false;
  /** Why it was killed. */
  #why: string | undefined;

  private constructor(child: ChildProcess, mark: string) {
    this.#child = child;
    this.mark = mark;
    this.pid = child.pid ?? 0;
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        // Its children belong to nobody now.
        if (!this.#isClosing || code !== 0) endAll(() => processesMarked([mark]));
        this.#lose(this.#why ?? `it ended ${signal === null ? `with status ${code}` : `by ${signal}`}`);
        resolve();
      });
      child.once('error', (error) => {
        this.#lose(error.message);
        resolve();
      });
    });
    child.stdin?.on('error', () => {});
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-4096);
    });
    // Node leaves it undefined where no pipe could be made, and emits the error later.
    if (child.stdout instanceof Readable) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting?.resolve(JSON.parse(line) as LauncherReply);
      });
    }
  }

  /**
   * Starts a launcher on a page.
   *
   * @param options.page path of the page, or the descriptor of one without a name
   * @throws SyncError with what the launcher said when it cannot work here
   */
  static async start({ page, party }: { readonly page: string | number; readonly party: 0 | 1 }): Promise<Launcher> {
    const main = fileURLToPath(new URL('./main.js', import.meta.url));
    const path = typeof page === 'string' ? page : `/proc/self/fd/${pageDescriptor}`;
    const mark = makeMark();
    const child = spawn(process.execPath, [...nodeFlags, main, path, String(party)], {
      // A session of its own: Ctrl-C at the terminal reaches the engine only, which ends things in order.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 1, 2, ...(typeof page === 'string' ? [] : [page])],
      env: { ...helperEnvironment(), DEADHEAT_MARK: mark },
    });
    const launcher = new Launcher(child, mark);
    await launcher.#answer(launcher.#next());
    return launcher;
  }

  /** Defines a program that can be executed later by its id. */
  async define(request: Omit<ProgramRequest, 'op'>): Promise<void> {
    const environment = { ...request.environment, DEADHEAT_MARK: this.mark };
    await this.#answer(this.#ask({ op: 'program', ...request, environment }));
  }

  /**
   * Executes a program.
   *
   * @throws SyncError `SPAWN_FAILED`, `PAGE_POISONED`, `BARRIER_DEADLINE` or `LAUNCHER_LOST`
   */
  async execute(request: Omit<ExecuteRequest, 'op'>): Promise<ExecuteReply> {
    const reply = await this.#ask({ op: 'execute', ...request });
    if (!('executions' in reply)) throw new SyncError('LAUNCHER_PROTOCOL', 'the launcher gave no executions');
    return reply;
  }

  /** Makes latches for programs that are started elsewhere, in place of those that there were; see `LatchKeeper`. */
  async makeLatches(latches: readonly LatchFiles[]): Promise<void> {
    await this.#answer(this.#ask({ op: 'latches', latches }));
  }

  /**
   * Opens a latch behind which a program waits, and waits until the program has ended.
   *
   * @throws SyncError as {@link execute}
   */
  async openLatch(request: Omit<OpenLatchRequest, 'op'>): Promise<OpenLatchReply> {
    const reply = await this.#ask({ op: 'pass', ...request });
    if (!('startNs' in reply)) throw new SyncError('LAUNCHER_PROTOCOL', 'the launcher gave no times');
    return reply;
  }

  /** Sends a signal to every program that the launcher is executing; the launcher lives on and replies. */
  endPrograms(signal: EndSignal = 'SIGKILL'): void {
    killDescendants(this.pid, signal);
  }

  /** Kills the launcher, also a stopped one, and everything that it had started; what it was asked for is rejected. */
  kill(why: string): void {
    this.#why ??= why;
    this.endPrograms();
    kill(this.pid);
  }

  /** Ends the launcher and everything below it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#lost === undefined) {
      this.endPrograms();
      this.#child.stdin?.end();
      const patience = setTimeout(() => this.kill('it did not end'), closeMs);
      await this.#ended;
      clearTimeout(patience);
    }
  }

  /** Waits for the answer to something that the launcher does at once. */
  async #answer<T>(reply: Promise<T>): Promise<T> {
    const patience = setTimeout(() => this.kill(`it did not answer within ${answerMs / 1000} s`), answerMs);
    try {
      return await reply;
    } finally {
      clearTimeout(patience);
    }
  }

  async #ask(request: LauncherRequest): Promise<Exclude<LauncherReply, { ok: false }>> {
    if (this.#lost === undefined) this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return this.#next();
  }

  async #next(): Promise<Exclude<LauncherReply, { ok: false }>> {
    const lost = this.#lost;
    if (lost !== undefined) throw lost;
    const reply = await new Promise<LauncherReply>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    if (!reply.ok) throw new SyncError(reply.code as SyncErrorCode, reply.message);
    return reply;
  }

  #lose(reason: string): void {
    // Of what Node prints for an error that it throws, the line that names the error.
    const said = /^(?:\w*Error|.*\[\w+\]): .+$/m.exec(this.#errorOutput)?.[0] ?? this.#errorOutput.trim();
    this.#lost = new SyncError('LAUNCHER_LOST', `a launcher is lost: ${reason}${said === '' ? '' : `\n${said}`}`);
    this.#waiting?.reject(this.#lost);
    this.#waiting = undefined;
  }
}
