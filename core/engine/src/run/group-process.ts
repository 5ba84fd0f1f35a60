import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { monotonicNowNs, type EndSignal, type Execution } from '@deadheat/sync';

export interface GroupProcessOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptor of standard input; `null` = /dev/null. */
  readonly input: number | null;
  readonly output: 'null' | 'inherit';
  /** Descriptor of a file for standard output; `null` = none. */
  readonly outputFile: number | null;
  /** Folder in which it is executed; `null` = this process's own. */
  readonly workingDirectory: string | null;
  readonly timeoutNs: number | null;
  /** `true` = processes of its group that outlive it get a moment and are then ended. */
  readonly endStrays: boolean;
  /** Time after which its end is no longer waited for, and it goes on alone; absent = there is none. */
  readonly leaveAfterMs?: number;
  /** Called as soon as the process exists. */
  readonly onStart?: (pid: number) => void;
}

export interface GroupProcessResult {
  readonly execution: Execution;
  /** The end of the text on standard error. */
  readonly stderr: string;
  readonly timedOut: boolean;
  /** `true` = processes outlived the program and were ended. */
  readonly leftStrays: boolean;
  /** Id of the process when it goes on alone; `execution` is of no meaning then. */
  readonly left: number | null;
}

const unknownUsage = {
  userNs: null,
  systemNs: null,
  runDelayNs: null,
  maxRssBytes: null,
  voluntarySwitches: null,
  involuntarySwitches: null,
} as const;
const stderrCharacters = 4096;
const strayGraceMs = 100;
const strayLookMs = 2;

/** Programs started through Node in a process group of their own, so that they can be ended as a whole. */
export class GroupProcess {
  #running: ChildProcess | undefined;

  /** Executes a program to its end. Rejects when it cannot be started. */
  async execute(argv: readonly string[], options: GroupProcessOptions): Promise<GroupProcessResult> {
    const [file = '', ...rest] = argv;
    const inherit = options.output === 'inherit';
    const { leaveAfterMs } = options;
    return new Promise((resolve, reject) => {
      let stderr = '';
      let timedOut = false;
      const startNs = monotonicNowNs();
      const child = spawn(file, rest, {
        detached: true,
        env: options.environment,
        ...(options.workingDirectory === null ? {} : { cwd: options.workingDirectory }),
        stdio: [
          options.input ?? 'ignore',
          options.outputFile ?? (inherit ? 'inherit' : 'ignore'),
          // The output of a process that goes on alone is not read any more, which must not end it.
          inherit ? 'inherit' : leaveAfterMs === undefined ? 'pipe' : 'ignore',
        ],
      });
      this.#running = child;
      if (child.pid !== undefined) options.onStart?.(child.pid);
      const limit =
        options.timeoutNs === null
          ? undefined
          : setTimeout(() => {
              timedOut = true;
              this.end();
            }, options.timeoutNs / 1e6);
      const leave =
        leaveAfterMs === undefined
          ? undefined
          : setTimeout(() => {
              settle();
              child.unref();
              const execution = { ...unknownUsage, startNs, endNs: startNs, exitCode: null, signal: null };
              resolve({ execution, stderr, timedOut: false, leftStrays: false, left: child.pid ?? null });
            }, leaveAfterMs);
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-stderrCharacters);
      });
      const settle = (): void => {
        clearTimeout(limit);
        clearTimeout(leave);
        this.#running = undefined;
        // A process left in the background would hold the pipe, and with it this process, open.
        child.stderr?.destroy();
      };
      child.once('error', (error) => {
        settle();
        reject(error);
      });
      child.once('exit', (exitCode, signal) => {
        const endNs = monotonicNowNs();
        settle();
        const execution = { ...unknownUsage, startNs, endNs, exitCode, signal: signal && constants.signals[signal] };
        const strays = options.endStrays && child.pid !== undefined ? endGroup(child.pid) : Promise.resolve(false);
        strays.then((leftStrays) => resolve({ execution, stderr, timedOut, leftStrays, left: null }), reject);
      });
    });
  }

  /** Sends a signal to the group that is running, if any; says whether one was. */
  end(signal: EndSignal = 'SIGKILL'): boolean {
    const pid = this.#running?.pid;
    return pid !== undefined && signalGroup(pid, signal);
  }
}

/** Waits a moment for the rest of a group whose leader has ended, then ends it; says whether that was necessary. */
async function endGroup(group: number): Promise<boolean> {
  const end = performance.now() + strayGraceMs;
  while (signalGroup(group, 0)) {
    if (performance.now() > end) return signalGroup(group, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, strayLookMs));
  }
  return false;
}

/** Sends a signal to a process group, 0 to look only; says whether there is anybody in it. */
function signalGroup(group: number, signal: EndSignal | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // macOS answers EPERM for a group of which only a zombie is left
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}
