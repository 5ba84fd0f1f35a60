import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  makeTemporaryFolder,
  monotonicNowNs,
  removePage,
  removeRegistered,
  sharedMemoryDirectory,
  SyncError,
  word,
  type Guardian,
} from '@deadheat/sync';
import { WatchedProgram } from '@deadheat/profiles';
import { type Observation, makePageFile, readObservedLines } from './observation.ts';
import { Play } from './play.ts';
import type { Scenario } from './scenario.ts';

export interface ObserveOptions {
  readonly argv: readonly string[];
  readonly side: 'A' | 'B';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly guardian: Guardian;
  /** Folder in which invocations an iteration are agreed on over all scenarios. */
  readonly calibration: string;
  /** Why a record cannot be read; `null` when it can. */
  readonly checkRecord: (path: string) => Promise<string | null>;
}

/**
 * Puts a program into a scenario and notes what is seen of it.
 *
 * @throws SyncError `NO_SHARED_MEMORY` where no page can be made; what `spawn` says when the program cannot be started
 */
export async function observe(scenario: Scenario, options: ObserveOptions): Promise<Observation> {
  const folder = makeTemporaryFolder('check');
  const shared = sharedMemoryDirectory();
  if (shared === null) throw new SyncError('NO_SHARED_MEMORY', 'there is no folder for shared pages here');
  const pageFile = makePageFile(scenario.page, { shared, folder });
  try {
    return await observeIn(scenario, { ...options, folder, pageFile });
  } finally {
    if (pageFile.page !== null) removePage(pageFile.path);
    removeRegistered(folder);
  }
}

async function observeIn(
  scenario: Scenario,
  options: ObserveOptions & { readonly folder: string; readonly pageFile: ReturnType<typeof makePageFile> },
): Promise<Observation> {
  const { argv, side, timeoutMs, signal, folder, pageFile, calibration, guardian, checkRecord } = options;
  const { page } = pageFile;
  const party = side === 'A' ? 0 : 1;
  mkdirSync(join(folder, 'records'));
  const recordPath = join(folder, scenario.recordUnwritable ? 'nowhere' : 'records', 'record.jsonl');
  const environment = {
    ...outerEnvironment(),
    ...scenario.environment,
    DEADHEAT_SIDE: side,
    DEADHEAT_RUN: '0',
    DEADHEAT_PAGE: pageFile.path,
    DEADHEAT_RECORD: recordPath,
    DEADHEAT_CALIBRATION: calibration,
  };
  const startedNs = monotonicNowNs();
  const playOptions = { scenario, party, recordPath, timeoutMs, signal } as const;
  const play = page === null ? null : { ...playOptions, words: page.words };
  if (play !== null) Play.prepare(play);
  const program = new WatchedProgram(argv, { environment, guardian });
  try {
    const { arrivals, waitedFor } =
      play === null
        ? { arrivals: [], waitedFor: await waitForEnd(program, { timeoutMs, signal }) }
        : await new Play({ ...play, program }).run();
    await (waitedFor === null ? program.ended : program.end());
    signal.throwIfAborted();
    const lines = readObservedLines(recordPath);
    return {
      side,
      startedNs,
      endedNs: monotonicNowNs(),
      wallClockNs: Date.now() * 1e6,
      arrivals,
      lines,
      recordError: lines.length === 0 ? null : await checkRecord(recordPath),
      status: waitedFor === null ? program.status : null,
      signal: waitedFor === null ? program.signal : null,
      waitedFor,
      finalState: page === null ? 0 : Atomics.load(page.words, word.state(party)),
      finalPid: page === null ? 0 : Atomics.load(page.words, word.pid(party)),
      pageTouched: pageFile.isTouched(),
      stderr: program.stderr,
    };
  } finally {
    await program.end();
  }
}

async function waitForEnd(
  program: WatchedProgram,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string | null> {
  const cancel = new AbortController();
  const late = new Promise<'late'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), timeoutMs);
    for (const source of [signal, cancel.signal]) {
      source.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve('late');
      });
    }
    if (signal.aborted) resolve('late');
  });
  try {
    const came = await Promise.race([program.ended.then(() => 'ended' as const), late]);
    return came === 'late' ? 'its end' : null;
  } finally {
    cancel.abort();
  }
}

/** This process's environment without what a runner sets: an outer duet is not this one. */
function outerEnvironment(): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('DEADHEAT_')) environment[name] = value;
  }
  return environment;
}
