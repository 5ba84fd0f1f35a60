import { constants } from 'node:os';
import type { Failure, Side } from '@deadheat/model';
import type { Execution, SyncError, TaskObservation } from '@deadheat/sync';
import { describeFailure, mayBeIgnored, decisiveExecution, type ExceededLimit } from '../describe-failure.ts';
import type { RunRequest } from '../executor.ts';
import type { InsideEnd, SideContainer } from './side-container.ts';

/** A program's execution in a container as an {@link Execution}, where only times and status are known. */
export function toExecution({ startNs, endNs, status }: InsideEnd, usage: Partial<Execution> = {}): Execution {
  const signal = status === null ? constants.signals.SIGKILL : signalOf(status);
  return {
    startNs,
    endNs,
    userNs: null,
    systemNs: null,
    runDelayNs: null,
    maxRssBytes: null,
    voluntarySwitches: null,
    involuntarySwitches: null,
    ...usage,
    exitCode: signal === null ? status : null,
    signal,
  };
}

/**
 * Signal behind a status: a container reports a signal as 128 and its number. Only signals
 * that end programs of their own are taken for one; a program may have any status.
 */
function signalOf(status: number): number | null {
  const { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGTERM } = constants.signals;
  const signal = status - 128;
  return [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGTERM].includes(signal) ? signal : null;
}

/** True if an execution of a side can count. */
export function isFine(
  { executions, strays, exceeded, error }: SideEnd,
  request: Pick<RunRequest, 'ignoreFailure'>,
): boolean {
  if (error !== null || exceeded !== null) return false;
  if (
    request.ignoreFailure &&
    executions.every(({ exitCode, signal }) => !isEngineStatus(exitCode) && signal === null)
  ) {
    return true;
  }
  return strays === 0 && executions.every(({ exitCode }) => exitCode === 0);
}

/** The facts that a message needs besides the end itself. */
export interface EndContext {
  readonly end: SideEnd;
  readonly during: string;
  readonly commandLine: string;
  readonly image: string;
  readonly engine: string;
  readonly ignoreFailure: boolean;
  /** `true` = the other side ran at the same time, and its container can be reached by a network: files and ports are those of each container. */
  readonly together: boolean;
}

/** The failure for which an execution of a side does not count; `null` = it counts. */
export function describeEnd(side: Side, context: EndContext): Failure | null {
  const { end, during, commandLine, ignoreFailure, together } = context;
  if (end.error !== null) {
    const code = end.error.code === 'LAUNCHER_LOST' ? 'LAUNCHER_LOST' : 'PEER_LOST';
    return { side, code, message: `${side} was lost in ${during} (${end.error.message}): ${commandLine}` };
  }
  const why = end.exceeded === null ? whyNotStarted(context) : null;
  if (why !== null) {
    const what = `${side} could not be started in ${during} (${why.what}): ${commandLine}`;
    return { side, code: 'NOT_STARTED', message: `${what}${quote(end.stderr)}\n${why.remedy}` };
  }
  const failure = describeFailure({
    side,
    during,
    commandLine,
    execution: decisiveExecution(end.executions),
    strays: end.strays,
    limit: end.exceeded,
    stderr: end.stderr,
    together,
  });
  return failure !== null && ignoreFailure && mayBeIgnored(failure) ? null : failure;
}

/** The message of the engine or of our own script for a program that was not executed, and the remedy; `null` = it was executed. */
function whyNotStarted({
  end: { executions, stderr },
  engine,
  image,
}: EndContext): { readonly what: string; readonly remedy: string } | null {
  const status = executions.at(-1)?.exitCode ?? null;
  if (!isEngineStatus(status)) return null;
  const missing =
    /exec: \\?"([^"\\]+)\\?": |executable file [`'"](.+?)[`'"] not found|^(.+): not found in the image$/m.exec(stderr);
  const program = missing?.[1] ?? missing?.[2] ?? missing?.[3];
  if (program !== undefined) {
    const remedy = 'Install it in the image, or name it by its path in there.';
    return { what: `the image ${image} cannot execute ${program}`, remedy };
  }
  if (!/^Error: |^Error response from daemon|OCI runtime/m.test(stderr)) return null;
  const remedy = /chdir|working dir/i.test(stderr)
    ? 'cwd has to be a folder in the image; make it there, or leave cwd out.'
    : `Try it by hand: ${engine} run --rm -it --entrypoint /bin/sh ${image}`;
  return { what: `${engine} exec failed`, remedy };
}

/** True if a status may be the engine's own: 125 = it failed, 126 and 127 = the program cannot be executed or found. */
function isEngineStatus(status: number | null): boolean {
  return status !== null && status >= 125 && status <= 127;
}

function quote(stderr: string): string {
  const lines = stderr.trimEnd().split('\n').slice(-2);
  return lines.join('') === '' ? '' : `\n${lines.map((line) => `  stderr: ${line.slice(0, 500)}`).join('\n')}`;
}

/** The end of a side in a run. */
export interface SideEnd {
  readonly executions: readonly Execution[];
  /** Executions that left something running behind them. */
  readonly strays: number;
  /** The end of the text on standard error. */
  readonly stderr: string;
  readonly stderrBytes: number;
  readonly exceeded: ExceededLimit | null;
  /** The use of CPUs by its tasks, in pilot runs where it can be observed; else `null`. */
  readonly observed: TaskObservation | null;
  /** The failure outside of the program; `null` = none. */
  readonly error: SyncError | null;
}

/** The program of one side in one run. */
export interface SideProgram {
  /** Does everything that need not be timed. */
  ready(): Promise<void>;
  execute(): Promise<SideEnd>;
  /** Releases its resources, once its container is removed. */
  close(): void;
}

/** The known reason why a program was killed that nobody here ended, and the remedy; `null` = nothing. */
export async function whyKilled(
  place: Pick<SideContainer, 'state'>,
  { memoryBytes }: { readonly memoryBytes: number | null },
): Promise<string | null> {
  const state = await place.state();
  if (state === 'gone')
    return 'Its container was removed while it ran. Leave containers with the label deadheat alone.';
  if (state === 'ended')
    return 'Its container was ended while it ran, and not by deadheat. Look who did, and run it again.';
  if (memoryBytes === null) return null;
  return `It may take ${Math.round(memoryBytes / 2 ** 20)} MiB and no more: raise limits: memory if it needs them.`;
}
