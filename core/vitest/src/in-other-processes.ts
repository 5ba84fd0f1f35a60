import { fork } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import type { BenchmarkGroup, CallResults, MeasuredApart, TriedCalls } from '@deadheat/harness/vitest/provider';
import type { Answer, Request } from './experiment.ts';

/** tinybench's. */
const defaultTimeMs = 1000;
/** Least time for a comparison, ms: each pair of processes starts vitest twice, and there are five of them at least. */
const leastComparisonMs = 10_000;
/** Time that the end of an experiment and the report of the test need, ms. */
const endMs = 5000;

/**
 * Measures the benchmarks of a `bench.compare` in pairs of processes that execute its test again. An experiment in a process of its own
 * does it, which ends with this process.
 *
 * @returns why it cannot be, where it cannot
 * @throws the reason for which vitest aborts the test meanwhile
 */
export async function inOtherProcesses(
  { test, registrations, options = {} }: BenchmarkGroup,
  { earlier, tryCalls }: { readonly earlier: CallResults; readonly tryCalls: () => Promise<TriedCalls> },
): Promise<MeasuredApart | string> {
  const { id, timeout, result: { startTime = Date.now() } = {}, file, context } = test;
  const { pool = '', projectName = '', filepath } = file;
  if (process.env['VITEST_MODE'] === 'WATCH') return 'vitest watches the files';
  if (pool !== 'forks' && pool !== 'threads') return `the pool of vitest is ${pool}, neither forks nor threads`;
  const vitest = findVitest();
  if (typeof vitest === 'string') return vitest;
  const inTurnsMs = (options.time ?? defaultTimeMs) * registrations.length;
  const leastMs = leastComparisonMs * (registrations.length - 1);
  const end = timeout > 0 && timeout < Infinity ? startTime + timeout : Infinity;
  const limitMs = end - Date.now() - inTurnsMs - endMs;
  if (limitMs < leastMs) {
    return `two processes need ${leastMs / 1000} s, and the time limit of the test (${timeout / 1000} s) leaves ${Math.max(0, Math.floor(limitMs / 1000))} s`;
  }
  const budgetMs = Math.min(limitMs, Math.max(inTurnsMs, leastMs));
  const names = registrations.map(({ name }) => name);
  const call = { test: id, names, earlier, ...vitest, file: filepath, project: projectName };
  context.signal.throwIfAborted();
  const request = { call, budgetMs, limitMs: limitMs === Infinity ? null : limitMs, ...(await tryCalls()) };
  const answer = await ask(request, context.signal);
  return 'measured' in answer ? answer.measured : answer.why;
}

function ask(request: Request, signal: AbortSignal): Promise<Answer> {
  return new Promise((settle, fail) => {
    signal.throwIfAborted();
    const child = fork(fileURLToPath(new URL('experiment.js', import.meta.url)), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    let answer: Answer = { why: 'the experiment ended without a result' };
    let events = 0;

    function stop(): void {
      if (child.connected) child.disconnect();
    }

    // An answer may still be read after the exit, and the process may end itself after the channel.
    function end(): void {
      events += 1;
      if (events < 2) return;
      signal.removeEventListener('abort', stop);
      if (signal.aborted) fail(signal.reason as Error);
      else settle(answer);
    }

    signal.addEventListener('abort', stop, { once: true });
    child.once('message', (message) => (answer = message as Answer));
    child.once('error', ({ message }) => settle({ why: message }));
    child.once('disconnect', end);
    child.once('exit', end);
    child.send(request);
  });
}

/** The command of vitest that this process belongs to; a text says why it is not known. */
function findVitest(): Pick<Request['call'], 'node' | 'execArgv' | 'args' | 'folder'> | string {
  const main = isMainThread ? process.ppid : process.pid;
  try {
    const folder = realpathSync(`/proc/${main}/cwd`);
    const [, ...words] = readFileSync(`/proc/${main}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const at = words.findIndex((word) => /(?:^|\/)vitest(?:\.mjs)?$/.test(word));
    const node = at === -1 ? '' : join(dirname(realpathSync(resolve(folder, words[at] ?? ''))), 'dist/node.js');
    if (!existsSync(node)) return 'vitest was not started by its command';
    return { node, execArgv: words.slice(0, at), args: words.slice(at + 1), folder };
  } catch {
    return 'the command of vitest is not known here';
  }
}
