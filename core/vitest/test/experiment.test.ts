import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import type { Answer, Request } from '../src/experiment.ts';
import { inOtherProcesses } from '../src/in-other-processes.ts';

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function start(mode: string, limits: Partial<Request> = {}): ChildProcess {
  const child = fork(pathOf('../dist/experiment.js'), { execArgv: [], serialization: 'advanced' });
  const call = {
    test: '1_0',
    names: ['once', 'twice', 'thrice'],
    earlier: [[{ name: 'only', latency: { mean: 42 } }]] as unknown as Request['call']['earlier'],
    node: pathOf('fixtures/fake-vitest.mjs'),
    execArgv: [],
    args: [mode],
    folder: process.cwd(),
    file: pathOf('fixtures/calls.mjs'),
    project: 'bench',
  };
  child.send({ call, budgetMs: 10_000, limitMs: null, waits: false, callMs: 0.01, ...limits } satisfies Request);
  return child;
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

const canDuet = hasNativeCalls() && sharedMemoryDirectory() !== null && getAffinity().length >= 2;

describe.skipIf(!canDuet)(
  `a call in pairs of processes${canDuet ? '' : ' (skipped: there are no pairs of processes here)'}`,
  () => {
    it('is reached with the results of calls before it, and measured by as many pairs as an interval needs', async () => {
      const answer = await answerOf(start('as it is'));
      if (!('measured' in answer)) return expect.fail(answer.why);
      const { timesNs, toFirst } = answer.measured;
      const [itself, twice, thrice] = toFirst;
      expect(itself).toMatchObject({ estimate: 1, low: 1, high: 1, blocks: Infinity });
      expect(twice?.blocks).toBeGreaterThanOrEqual(5);
      expect(twice?.estimate).toBeGreaterThan(1.5);
      expect(thrice?.estimate).toBeGreaterThan(twice?.estimate ?? Infinity);
      expect(thrice?.low).toBeLessThan(thrice?.estimate ?? 0);
      // The first took part in both comparisons.
      expect(timesNs[0]?.length).toBe((timesNs[1]?.length ?? 0) + (timesNs[2]?.length ?? 0));
      expect(Math.min(...(timesNs[0] ?? []))).toBeGreaterThan(100);
    });

    it('says why it is not measured', async () => {
      expect(await answerOf(start('differs'))).toEqual({
        why: 'the benchmarks of the call are others when it is repeated: once, twice, other',
      });
      expect(await answerOf(start('ends'))).toEqual({
        why: 'the test does not reach the call when it is executed again (passed)',
      });
      expect(await answerOf(start('as it is', { limitMs: 100 }))).toEqual({
        why: '5 pairs of processes take longer than the time limit of the test allows',
      });
    });

    it('ends with the process that asked for it, and leaves no process behind', async () => {
      const child = start('waits');
      const closed = once(child, 'exit');
      await until(() => repeating() > 0);
      child.disconnect();
      await closed;
      await until(() => repeating() === 0);
    });
  },
);

/** Processes that execute the test which waits. */
function repeating(): number {
  const { stdout } = spawnSync('pgrep', ['-f', `${pathOf('../dist/repeat.js')} .*DEADHEAT_CALL`], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '').length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('other processes', () => {
  const group = {
    test: {
      id: '1_0',
      fullTestName: 'a test',
      file: { name: 'a.bench.ts', filepath: '/a.bench.ts', pool: 'forks', projectName: 'bench' },
      timeout: 0,
      context: { signal: new AbortController().signal, skip: () => expect.fail('skipped') },
    },
    config: { retainSamples: false },
    registrations: ['a', 'b', 'c'].map((name) => ({ name, fn: () => undefined })),
  };

  const others = { earlier: [], tryCalls: async () => Promise.resolve({ waits: false, callMs: 1 }) };

  it('are not started where a test cannot be executed again, or has no time for it', async () => {
    const { test } = group;
    const inVm = { ...group, test: { ...test, file: { ...test.file, pool: 'vmForks' } } };
    expect(await inOtherProcesses(inVm, others)).toBe('the pool of vitest is vmForks, neither forks nor threads');
    const short = { ...group, test: { ...test, timeout: 9500, result: { startTime: Date.now() } } };
    expect(await inOtherProcesses(short, others)).toMatch(
      /^two processes need 20 s, and the time limit of the test \(9\.5 s\) leaves [01] s$/,
    );
  });

  it('are not started for a test that vitest has given up', async () => {
    const given = { ...group.test.context, signal: AbortSignal.abort(new Error('cancelled')) };
    const aborted = inOtherProcesses({ ...group, test: { ...group.test, context: given } }, others);
    await expect(aborted).rejects.toThrow('cancelled');
  });
});
