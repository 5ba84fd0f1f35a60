import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Failure, Side } from '@deadheat/model';
import type { Execution } from '@deadheat/sync';

/** Name of a signal number, such as `SIGSEGV`. */
export function signalName(signal: number): string {
  for (const [name, number] of Object.entries(constants.signals)) if (number === signal) return name;
  return `signal ${signal}`;
}

/** A limit that was exceeded. */
export interface ExceededLimit {
  /** `stop`: a process of it was stopped by a signal and did not go on. */
  readonly of: 'execution' | 'iteration' | 'run' | 'stop';
  readonly limitNs: number;
}

export interface FailureFacts {
  readonly side: Side;
  /** Name of the execution in the words of a message, such as `run 7` or `the prepare command`. */
  readonly during: string;
  readonly commandLine: string;
  readonly execution: Execution | undefined;
  readonly strays: number;
  readonly limit: ExceededLimit | null;
  readonly stderr: string;
  /** `true` = the other side ran at the same time; absent = it did not. */
  readonly together?: boolean;
}

/** The execution whose end is that of its side: the first that a signal ended, else the last. */
export function decisiveExecution(executions: readonly Execution[]): Execution | undefined {
  return executions.find(({ signal }) => signal !== null) ?? executions.at(-1);
}

/** Why an execution does not count; `null` when it does. Worded for the person who typed the command. */
export function describeFailure(facts: FailureFacts): Failure | null {
  const { side, during, commandLine, execution } = facts;
  function fail(code: Failure['code'], what: string): Failure {
    return {
      side,
      code,
      message: `${side} ${what} in ${during}: ${commandLine}${quoteStderr(facts.stderr)}${adviceFor(facts.stderr) || collisionHint(facts)}`,
    };
  }
  if (facts.limit !== null) return fail('TIMEOUT', `was ended because ${exceeded(facts.limit)}`);
  if (execution === undefined) return null;
  if (execution.signal !== null) return fail('SIGNAL', `was killed by ${signalName(execution.signal)}`);
  if (execution.exitCode !== 0) return fail('EXIT_STATUS', `exited with status ${execution.exitCode}`);
  if (facts.strays > 0) {
    const processes = facts.strays === 1 ? 'a process' : `${facts.strays} processes`;
    return fail('STRAY_PROCESS', `left ${processes} running behind it, which would disturb every later run,`);
  }
  return null;
}

/** True for failures that count where those of programs are ignored: an exit status, and what was left behind; a program that a signal ended did not do its work. */
export function mayBeIgnored({ code }: Failure): boolean {
  return code === 'EXIT_STATUS' || code === 'STRAY_PROCESS';
}

function exceeded({ of, limitNs }: ExceededLimit): string {
  if (of === 'stop') {
    return `a process of it had been stopped by a signal for ${limitNs / 1e9} s (SIGCONT lets such a process go on)`;
  }
  const what = { execution: 'it', iteration: 'an iteration', run: 'the run' }[of];
  return `${what} took longer than ${limitNs / 1e9} s (its time limit)`;
}

/** Messages of programs about a resource that only one process can have: a port, a file, a lock. */
const taken =
  /\bE(?:ADDRINUSE|EXIST|TXTBSY|BUSY|AGAIN)\b|address already in use|already (?:exists|running|locked)|file exists|text file busy|resource (?:temporarily )?unavailable|device or resource busy|\block(?:ed|file)?\b|\.lock\b|SQLITE_BUSY|(?:port|file|database) (?:is )?(?:already )?(?:in use|being used)/i;

/**
 * The advice where the message of a failure says that something is taken, which the other side may have; empty where it does not, or where the
 * sides do not run at the same time.
 */
export function collisionHint({ stderr, together }: Pick<FailureFacts, 'stderr' | 'together'>): string {
  if (together !== true || !taken.test(stderr)) return '';
  return '\n  hint: both sides run at the same time: give each its own with {side} or $DEADHEAT_SIDE, or use --method sequential';
}

/** Why a program could not be started, where its folder may be the cause: the system gives the error of a program that is missing. */
export function whyNotStarted(error: string, workingDirectory: string | null): string {
  return workingDirectory === null || existsSync(workingDirectory)
    ? error
    : `its folder ${workingDirectory} is not there`;
}

/** Lines of a stack, of the source below a caret, and what Node, Python and Rust add to a message. */
const besideMessage =
  /^\s*(at |\^|throw |File "|\.\.\. \d+ more|note: run with|Node\.js v\d|Traceback |code: |requireStack: |node:internal|[\]}],?$)/;
/** A line that names an error. */
const namesError = /(^|[\s.:'])\w*(error|exception|fatal|panicked|failed|not found|denied)\b/i;
const longestQuote = 500;

/** The message of the error with which a program ended: the last line that names one, or the last line at all; without the stack. */
function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const candidates = lines.filter((line) => line !== '' && !besideMessage.test(line));
  return (candidates.findLast((line) => namesError.test(line)) ?? candidates.at(-1) ?? '').slice(0, longestQuote);
}

function quoteStderr(stderr: string): string {
  const words = lastWords(stderr);
  return words === '' ? '' : `: ${words}`;
}

/** The advice where a program says that it may not be executed twice at the same time. */
function adviceFor(stderr: string): string {
  if (!/\bJMH lock\b/.test(stderr)) return '';
  return (
    '\nBoth sides are executed at the same time, and JMH allows one of itself: give java -Djmh.ignoreLock=true in both commands, or ' +
    'choose the method sequential.'
  );
}
