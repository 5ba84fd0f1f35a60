import type { SessionResult } from '@deadheat/engine';
import {
  categoryOf,
  DeadheatError,
  type EngineEvent,
  type ErrorCode,
  type Failure,
  type Report,
} from '@deadheat/model';
import type { ExperimentEvent, RunOptions } from './options.ts';

/**
 * An experiment that runs. As a promise it resolves to the report; `for await (const event of experiment)` reads its events and ends with
 * it. A reader that begins after more than 1000 events reads the newest 1000 and all that follow.
 */
export interface RunningExperiment<Result = Report> extends Promise<Result>, AsyncIterable<ExperimentEvent> {
  /** Resolves at the end of the experiment, also of one that failed or was interrupted; rejects where nothing could be executed. */
  readonly settled: Promise<FinishedExperiment>;
}

/** An experiment at its end. */
export interface FinishedExperiment {
  /** Folder of its recording. */
  readonly directory: string;
  /** Report of the runs that were recorded. */
  readonly report: Report;
  /** Outcome: done, failed, interrupted, or ended by its time limit. */
  readonly outcome: SessionResult['outcome'];
}

/** A running experiment for the command, with the data that a page is drawn from at its end. */
export interface RunningSession extends RunningExperiment {
  readonly settled: Promise<FinishedSession>;
}
export type FinishedSession = Pick<SessionResult, 'directory' | 'experiment' | 'report' | 'outcome' | 'points'>;

/** Options of a caller that the engine is given. */
interface Control {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * Begins an experiment; its end is awaited by the caller.
 *
 * The promise fails with a {@link DeadheatError}: `RUN_FAILED`, `TIME_LIMIT` and `INTERRUPTED` for an experiment that did not
 * come to its end, which stays recorded, and every code of what `start` throws.
 */
export function running(
  start: (control: Control) => Promise<FinishedSession>,
  { signal = new AbortController().signal, onProgress }: RunOptions,
): RunningSession {
  const events = new EventQueue();
  const settled = (async (): Promise<FinishedSession> => {
    try {
      signal.throwIfAborted();
      const onEvent = (event: EngineEvent): void => {
        events.push(event);
        onProgress?.(event);
      };
      return await start({ signal, onEvent });
    } catch (error) {
      throw toDeadheatError(error, signal);
    } finally {
      events.end();
    }
  })();
  const report = settled.then((finished) => reportOf(finished, signal));
  // A caller that reads the events alone gets a failure when it awaits the report.
  report.catch(() => {});
  return Object.assign(report, { settled, [Symbol.asyncIterator]: () => events.read() });
}

function reportOf({ report, outcome, directory }: FinishedSession, signal: AbortSignal): Report {
  switch (outcome.kind) {
    case 'done':
      return report;
    case 'failed':
      throw new DeadheatError(codeOf(outcome.failures), outcome.failures.map(({ message }) => message).join('\n'));
    case 'interrupted':
      throw new DeadheatError('INTERRUPTED', `the experiment was interrupted; its runs are in ${directory}`, {
        hint: 'resume goes on with it.',
        cause: signal.reason,
      });
    case 'time-limit':
      throw new DeadheatError('TIME_LIMIT', 'the time limit passed without a result', {
        hint: 'Raise maxTime, or choose a shorter command.',
      });
  }
}

/** Whatever was thrown as the one error of the library; a defect stays what it is. */
export function toDeadheatError(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof DeadheatError) return error;
  if (signal?.aborted === true && error === signal.reason) {
    return new DeadheatError('INTERRUPTED', 'interrupted before anything was run', { cause: error });
  }
  // Errors of packages that stand alone, such as sync, have codes of the same table.
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (categoryOf(error.code) === null) return error;
  return new DeadheatError(error.code as ErrorCode, error.message, { cause: error });
}

/** An event and what comes after it; at the end of the list a place for the next event. */
interface Link {
  event: EngineEvent | null;
  next: Link | null;
}

/** Events that are kept for a reader that begins later. */
const mostKept = 1000;

/**
 * Events in their order for any number of readers. Each begins with the first event, or the first of the newest 1000 if more have come before
 * it began: an experiment of any length keeps no more of them in memory than its slowest reader has before it.
 */
class EventQueue {
  #first: Link = { event: null, next: null };
  #last = this.#first;
  #kept = 0;
  #isOver = false;
  #changed: PromiseWithResolvers = withResolvers();

  push(event: EngineEvent): void {
    const next = { event: null, next: null };
    Object.assign(this.#last, { event, next });
    this.#last = next;
    if (this.#kept < mostKept) this.#kept += 1;
    else this.#first = this.#first.next ?? next;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  read(): AsyncGenerator<EngineEvent, void, undefined> {
    return this.#readFrom(this.#first);
  }

  /** @param at moves with the reader, so that nothing holds what was read */
  async *#readFrom(at: Link): AsyncGenerator<EngineEvent, void, undefined> {
    for (;;) {
      while (at.next === null) {
        if (this.#isOver) return;
        await this.#changed.promise;
      }
      const { event } = at;
      at = at.next;
      if (event !== null) yield event;
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = withResolvers();
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Sides that cannot be compared have a code of their own. */
function codeOf(failures: readonly Failure[]): ErrorCode {
  const own = [
    'NOTHING_IN_COMMON',
    'BENCHMARKS_DIFFER',
    'TIME_BUDGETED',
    'OUTPUTS_DIFFER',
    'TIME_LIMIT_TOO_SHORT',
  ] as const;
  return own.find((code) => failures.some((failure) => failure.code === code)) ?? 'RUN_FAILED';
}
