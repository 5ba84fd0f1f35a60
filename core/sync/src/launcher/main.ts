import { readSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { setAffinity } from '../affinity.ts';
import { Barrier } from '../barrier.ts';
import { loadLibc } from '../libc.ts';
import { poison, sideState, word } from '../page-layout.ts';
import { pageClockMs } from '../clocks.ts';
import { openPage, type Page } from '../page.ts';
import { SyncError } from '../sync-error.ts';
import type {
  ErrorReply,
  ExecuteReply,
  ExecuteRequest,
  Execution,
  LauncherReply,
  LauncherRequest,
  OpenLatchReply,
  OpenLatchRequest,
} from './messages.ts';
import { LatchKeeper } from './latch-keeper.ts';
import { endEverythingBelow, Spawner } from './spawner.ts';

/**
 * The launcher of one side: `main.js PAGE PARTY`. It reads a request a line from standard input, acts, and writes a
 * reply a line to standard output, all synchronously: no event loop of ours turns while a program is timed.
 */
function main(): void {
  const [pagePath = '', partyText = '0'] = process.argv.slice(2);
  const party = partyText === '1' ? 1 : 0;
  const page = openPage(pagePath);
  const endWithEngine = watchEngine();
  const spawner = new Spawner(endWithEngine);
  const barrier = new Barrier(page, party);
  const latches = new LatchKeeper();
  reply({ ok: true, ready: true });
  for (const line of requestLines()) {
    const request = JSON.parse(line) as LauncherRequest;
    try {
      if (request.op === 'program') {
        spawner.define(request);
        reply({ ok: true, ready: true });
      } else if (request.op === 'latches') {
        latches.make(request.latches);
        reply({ ok: true, ready: true });
      } else if (request.op === 'pass') {
        reply(pass(request, { barrier, latches, endWithEngine }));
      } else {
        reply(execute(request, { page, party, spawner, barrier, endWithEngine }));
      }
    } catch (error) {
      Atomics.store(page.words, word.state(party), sideState.failed);
      reply(errorReply(error));
    }
  }
  endEverythingBelow();
}

const prSetParentDeathSignal = 1;

/**
 * Has the kernel interrupt the launcher's waits when the engine has ended, however it did: a guardian may be gone as well. Other
 * signals that ask it to end are for the engine, which ends the launcher in order.
 *
 * @returns ends this process, with everything below it, when the engine is gone
 */
function watchEngine(): () => void {
  const libc = loadLibc();
  const engine = process.ppid;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {});
    libc.siginterrupt(constants.signals[name], 1);
  }
  libc.prctl(prSetParentDeathSignal, constants.signals.SIGTERM, 0, 0, 0);
  return () => {
    if (process.ppid === engine) return;
    endEverythingBelow();
    process.exit(0);
  };
}

interface Context {
  readonly page: Page;
  readonly party: 0 | 1;
  readonly spawner: Spawner;
  readonly barrier: Barrier;
  readonly endWithEngine: () => void;
}

function execute(request: ExecuteRequest, { page, party, spawner, barrier, endWithEngine }: Context): ExecuteReply {
  const { words } = page;
  setAffinity(request.cpus);
  const program = spawner.prepare(request.program, request, { page, pidWord: word.pid(party) });
  const executions: Execution[] = [];
  let strays = 0;
  Atomics.store(words, word.state(party), sideState.running);
  for (let done = 0; done < request.repeat && strays === 0; done++) {
    program.rewindInput();
    if (done === 0) program.warmUp();
    Atomics.store(words, word.startedMs(party), pageClockMs());
    if (done === 0 && request.barrier !== null) barrier.arrive({ ...request.barrier, check: endWithEngine });
    const execution = program.start();
    executions.push(execution);
    Atomics.add(words, word.workDone(party), 1);
    strays = spawner.endStrays();
    if (execution.exitCode !== 0 && request.stopAtFailure) break;
    if (Atomics.load(words, word.poison) !== poison.none) break;
  }
  Atomics.store(words, word.state(party), sideState.finished);
  return { ok: true, executions, strays, ...spawner.takeStderr() };
}

function pass(
  { latch, cpus, barrier: meeting }: OpenLatchRequest,
  { barrier, latches, endWithEngine }: Pick<Context, 'barrier' | 'endWithEngine'> & { readonly latches: LatchKeeper },
): OpenLatchReply {
  setAffinity(cpus);
  const passage = latches.pass(latch, {
    meet: () => {
      if (meeting !== null) barrier.arrive({ ...meeting, check: endWithEngine });
    },
    onSignal: endWithEngine,
  });
  return { ok: true, ...passage };
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function* requestLines(): Generator<string> {
  const chunk = Buffer.alloc(65_536);
  let pending = '';
  for (;;) {
    let bytes: number;
    try {
      bytes = readSync(0, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        Atomics.wait(pause, 0, 0, 1);
        continue;
      }
      if ((error as NodeJS.ErrnoException).code === 'EINTR') continue;
      if ((error as NodeJS.ErrnoException).code === 'EOF') return;
      throw error;
    }
    if (bytes === 0) return;
    pending += chunk.toString('utf8', 0, bytes);
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    yield* lines;
  }
}

function reply(message: LauncherReply): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length;) written += writeSync(1, bytes, written);
}

function errorReply(error: unknown): ErrorReply {
  const { message } = error as Error;
  return { ok: false, code: error instanceof SyncError ? error.code : 'UNEXPECTED', message };
}

try {
  main();
} catch (error) {
  const { code, message } = errorReply(error);
  const why =
    code === 'UNEXPECTED' ? `a launcher cannot work here, where it needs /proc and /dev: ${message}` : message;
  reply({ ok: false, code: code === 'UNEXPECTED' ? 'LAUNCHER_LOST' : code, message: why });
}
