import { statSync } from 'node:fs';
import { longestTimerMs, sideState, sincePageClockMs, stoppedBelow, word, type Page } from '@deadheat/sync';
import type { ExceededLimit } from '../describe-failure.ts';
import type { RunRequest } from '../executor.ts';

/** A side that is watched, and the pages and files that show its progress. */
export interface Watched {
  readonly party: 0 | 1;
  /** The launchers' page. */
  readonly page: Page;
  /** The page of programs that meet at a barrier of their own; `null` = there is none. */
  readonly programPage: Page | null;
  /** File that the side's iterations go to; `null` for a command. */
  readonly file: string | null;
  /** Ends the side's program. */
  readonly end: () => void;
}

export interface LimitWatch {
  /** Ends the program for a limit that another function watches. */
  exceed(limit: ExceededLimit): void;
  /** The limit that was exceeded first; `null` = none was. */
  exceeded(): ExceededLimit | null;
  stop(): void;
}

interface Watch {
  stop(): void;
}

/** Ends a side's program when an iteration or the run takes longer than its limit. */
export function watchLimits(
  { timeoutNs, runTimeoutNs }: Pick<RunRequest, 'timeoutNs' | 'runTimeoutNs'>,
  { party, page, programPage, file, end }: Watched,
): LimitWatch {
  let exceeded: ExceededLimit | null = null;
  function exceed(limit: ExceededLimit): void {
    exceeded ??= limit;
    end();
  }
  const watches: Watch[] = [];
  if (timeoutNs !== null) {
    const limit: ExceededLimit = { of: file === null ? 'execution' : 'iteration', limitNs: timeoutNs };
    const options = { limitNs: timeoutNs, onStuck: () => exceed(limit) };
    watches.push(
      file === null
        ? watchExecution({ page, party }, options)
        : watchProgress({ page: programPage, party, file }, options),
    );
  }
  if (runTimeoutNs !== null) {
    const limit: ExceededLimit = { of: 'run', limitNs: runTimeoutNs };
    const timer = setTimeout(() => exceed(limit), Math.min(runTimeoutNs / 1e6, longestTimerMs));
    watches.push({ stop: () => clearTimeout(timer) });
  }
  return {
    exceed,
    exceeded: () => exceeded,
    stop: () => {
      for (const watch of watches) watch.stop();
    },
  };
}

/** Calls back when one execution of a command has taken longer than the limit. Checks at most once in a limit. */
function watchExecution(
  { page: { words }, party }: Pick<Watched, 'page' | 'party'>,
  { limitNs, onStuck }: { readonly limitNs: number; readonly onStuck: () => void },
): Watch {
  const limitMs = limitNs / 1e6;
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    const ranMs = sincePageClockMs(Atomics.load(words, word.startedMs(party)));
    if (Atomics.load(words, word.pid(party)) !== 0 && ranMs >= limitMs) onStuck();
    else timer = setTimeout(look, Math.max(1, Math.min(limitMs, limitMs - ranMs + 1)));
  }
  timer = setTimeout(look, limitMs + 1);
  return { stop: () => clearTimeout(timer) };
}

/** Start-up and preparation of a program get at least this long, whatever the limit of an iteration. */
const leastStartUpMs = 10_000;
const looksInLimit = 8;
const shortestIntervalMs = 10;
const longestIntervalMs = 1000;

/** Where a program that times itself shows that it gets on. */
interface Progress {
  /** Its page; `null` = it has none, and only its file shows the progress. */
  readonly page: Page | null;
  readonly party: 0 | 1;
  readonly file: string;
}

/**
 * Calls `onStuck` when a program has been in one iteration for longer than the limit. The progress is checked eight times in a
 * limit, so that the program is ended up to an eighth of it late.
 */
function watchProgress(
  progress: Progress,
  { limitNs, onStuck }: { readonly limitNs: number; readonly onStuck: () => void },
): { stop(): void } {
  const limitMs = limitNs / 1e6;
  const first = markOf(progress);
  let mark = first;
  let since = performance.now();
  const everyMs = Math.min(longestIntervalMs, Math.max(shortestIntervalMs, limitMs / looksInLimit));
  const timer = setInterval(() => {
    const now = performance.now();
    const current = markOf(progress);
    if (current !== mark || waitsForPeer(progress)) {
      mark = current;
      since = now;
      return;
    }
    if (now - since > (mark === first ? Math.max(limitMs, leastStartUpMs) : limitMs)) {
      clearInterval(timer);
      onStuck();
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}

/** Something that changes with every iteration. */
function markOf({ page, party, file }: Progress): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (page === null) return String(size);
  const { words } = page;
  return `${Atomics.load(words, word.cursor(party))} ${Atomics.load(words, word.workDone(party))} ${size}`;
}

function waitsForPeer({ page, party }: Progress): boolean {
  if (page === null) return false;
  const { words } = page;
  if (Atomics.load(words, word.state(party)) !== sideState.running) return false;
  return ((Atomics.load(words, word.cursor(party)) - Atomics.load(words, word.cursor(1 - party))) | 0) > 0;
}

const stopCheckMs = 5000;
/** Number of successive checks. */
const stopChecks = 4;

/**
 * Calls back when a launcher or a program below it has been stopped by a signal (SIGSTOP, SIGTSTP, SIGTTIN) for 20 s, while nothing else below
 * the launcher used CPU time: nobody waits for its end then. Looks every five seconds, so that short runs see none of it.
 */
export function watchStopped(
  launcher: number,
  { onLauncher, onProgram }: Readonly<Record<'onLauncher' | 'onProgram', (limitNs: number) => void>>,
): { stop(): void } {
  let stoppedFor = 0;
  let cpuTicks = -1;
  const timer = setInterval(() => {
    const found = stoppedBelow(launcher);
    stoppedFor = found.stopped !== 'none' && (stoppedFor === 0 || found.cpuTicks === cpuTicks) ? stoppedFor + 1 : 0;
    cpuTicks = found.cpuTicks;
    if (stoppedFor < stopChecks) return;
    clearInterval(timer);
    if (found.stopped === 'root') onLauncher(stopChecks * stopCheckMs * 1e6);
    else onProgram(stopChecks * stopCheckMs * 1e6);
  }, stopCheckMs);
  return { stop: () => clearInterval(timer) };
}
