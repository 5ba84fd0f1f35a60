import { spawn } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { compareThreads, readThreads, readThreadsAfterTurn, type Threads } from '../../src/conformance/waiting.ts';

const ms = 1e6;
const elapsed = { elapsedNs: 200 * ms };

/** What is said of a thread that was executed and queued for so long, in so many turns. */
function waitingOf(thread: { readonly executedNs: number; readonly queuedNs: number; readonly turns: number }) {
  const before = new Map([['1', { executedNs: 7, queuedNs: 8, turns: 9 }]]);
  const { executedNs, queuedNs, turns } = thread;
  const after = new Map([['1', { executedNs: 7 + executedNs, queuedNs: 8 + queuedNs, turns: 9 + turns }]]);
  return compareThreads(before, after, elapsed)?.isBusyLoop;
}

function mostExecuted(threads: Threads | null): number {
  return Math.max(0, ...[...(threads?.values() ?? [])].map(({ executedNs }) => executedNs));
}

describe('a program that waits', () => {
  it('is in a busy loop when it is executed for as long as the scheduler lets it', () => {
    expect(waitingOf({ executedNs: 200 * ms, queuedNs: 0, turns: 0 })).toBe(true);
    // Ten others on the core, turns of 3 ms; the last 27 ms in the queue are not counted yet.
    expect(waitingOf({ executedNs: 18 * ms, queuedNs: 155 * ms, turns: 6 })).toBe(true);
  });

  it('is in none when it sleeps for 50 µs each time, also where it has to queue after that', () => {
    expect(waitingOf({ executedNs: 10 * ms, queuedNs: 0, turns: 2000 })).toBe(false);
    expect(waitingOf({ executedNs: 0.3 * ms, queuedNs: 196 * ms, turns: 60 })).toBe(false);
  });

  it('is in none when it yields to a program on its core, and is queued all the rest of the time', () => {
    expect(waitingOf({ executedNs: 0.2 * ms, queuedNs: 199.8 * ms, turns: 60 })).toBe(false);
  });

  it('is in none when another of its threads has done something for a while', () => {
    expect(waitingOf({ executedNs: 20 * ms, queuedNs: 0, turns: 2 })).toBe(false);
  });

  it('is judged by the thread that was executed most', () => {
    const [before, after] = [0, 1].map(
      (times): Threads =>
        new Map([
          ['1', { executedNs: times * 10 * ms, queuedNs: 0, turns: times * 2000 }],
          ['2', { executedNs: times * 190 * ms, queuedNs: 0, turns: times * 3 }],
        ]),
    );
    expect(compareThreads(before!, after!, elapsed)).toEqual({
      elapsedNs: 200 * ms,
      executedNs: 190 * ms,
      isBusyLoop: true,
    });
  });

  it.skipIf(readThreads(process.pid) === null)('is looked at once more after it was queued', async () => {
    const spinner = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
    try {
      const { pid = 0 } = spinner;
      const before = readThreads(pid);
      await vi.waitUntil(() => mostExecuted(readThreads(pid)) > mostExecuted(before), { timeout: 30_000, interval: 1 });
      const first = readThreads(pid);
      const after = await readThreadsAfterTurn(pid, before);
      expect(mostExecuted(after)).toBeGreaterThan(mostExecuted(first));
    } finally {
      spinner.kill('SIGKILL');
    }
  });

  it('is not judged where the kernel does not tell', async () => {
    expect(readThreads(0)).toBeNull();
    expect(await readThreadsAfterTurn(0, new Map())).toBeNull();
    expect(compareThreads(null, new Map(), elapsed)).toBeNull();
  });
});
