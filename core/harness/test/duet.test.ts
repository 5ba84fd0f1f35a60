import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkloadRecord } from '@deadheat/recording';
import { decision, getAffinity, packDecision, pageVersion, poison, sideState, word } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { noDuets, startOn, until, withDuet, type Duet } from './support.ts';

/** Benchmarks of a side: name, values of its parameters, iterations, invocations of the first. */
async function benchmarksOf(path: string): Promise<readonly (readonly [string, string, number, number | undefined])[]> {
  const { benchmarks } = await readWorkloadRecord(path);
  return benchmarks.map(({ benchmark, params, iterations }) => [
    benchmark,
    Object.values(params).join(' '),
    iterations.length,
    iterations.metric('n')?.[0],
  ]);
}

function workDone({ page }: Duet, party: number): number {
  return Atomics.load(page.words, word.workDone(party));
}

function stateOf({ page }: Duet, party: number): number {
  return Atomics.load(page.words, word.state(party));
}

describe.skipIf(noDuets !== null)('two sides of a duet', () => {
  it('do the same iterations of the same invocations, and say nothing', async () => {
    await withDuet(async (duet) => {
      const ended = await duet.both('three.mjs', { DEADHEAT_ITERATIONS: '6', DEADHEAT_WARMUP: '2' });
      expect(ended).toEqual([0, 1].map(() => ({ status: 0, stdout: '', stderr: '' })));
      const a = await benchmarksOf(duet.records.A);
      expect(a.map(([name, , iterations]) => [name, iterations])).toEqual(
        ['sqrt', 'sum', 'sum', 'sum', 'sum', 'timer'].map((name) => [name, 6]),
      );
      expect(await benchmarksOf(duet.records.B)).toEqual(a);
      for (const party of [0, 1]) {
        expect([workDone(duet, party), stateOf(duet, party)]).toEqual([36, sideState.finished]);
        expect(Atomics.load(duet.page.words, word.pid(party))).toBe(0);
        expect(Atomics.load(duet.page.words, word.benchmark(party))).toBe(6);
      }
      // Calibrated once each, but for the one with a fixed number.
      const agreed = readdirSync(duet.folder)
        .filter((name) => name.endsWith('.json'))
        .toSorted();
      expect(agreed).toEqual(['0.json', '1.json', '2.json', '3.json', '4.json']);
      expect(JSON.parse(readFileSync(join(duet.folder, '1.json'), 'utf8'))).toEqual({
        benchmark: 'sum',
        params: { length: '10', kind: 'array' },
        invocations: a[1]?.[3],
      });
      const first = (await readWorkloadRecord(duet.records.A)).benchmarks[0]?.iterations;
      expect([0, 1, 2, 5].map((row) => first?.isWarmup(row))).toEqual([true, true, false, false]);
      expect(first?.metrics.filter((name) => name !== 'q')).toEqual(['n', 'c', 't']);
    });
  });

  it('do not go on with another process when one of the same side has failed', async () => {
    await withDuet(async (duet) => {
      Atomics.store(duet.page.words, word.state(0), sideState.failed);
      const { status, stderr } = await duet.side('A', 'three.mjs').ended;
      expect([status, stderr]).toEqual([1, expect.stringContaining('this side has failed already')]);
      expect(stateOf(duet, 0)).toBe(sideState.failed);
    });
  });

  it('write lines of exactly the keys of the protocol', async () => {
    await withDuet(async (duet) => {
      await duet.both('endless.mjs', { DEADHEAT_ITERATIONS: '2', DEADHEAT_WARMUP: '1' });
      const lines = readFileSync(duet.records.B, 'utf8').split('\n');
      expect(lines[0]).toBe('{"deadheat":1,"benchmark":"first","params":{}}');
      expect(lines[1]).toMatch(/^\{"i":0,"s":\d+,"e":\d+,"n":1,"p":"warmup","c":\d+,"t":\d+(?:,"q":\d+)?\}$/);
      expect(lines[2]).toMatch(/^\{"i":1,"s":\d+,"e":\d+,"n":1,"c":\d+,"t":\d+(?:,"q":\d+)?\}$/);
      expect(lines[3]).toBe('{"deadheat":1,"benchmark":"second","params":{}}');
      expect(lines.at(-1)).toBe('');
    });
  });

  it('stop at the same iteration when the runner says so, and mark what it called warm-up', async () => {
    await withDuet(async (duet) => {
      const { words } = duet.page;
      Atomics.store(words, word.decision, decision.warmup);
      const both = duet.both('endless.mjs');
      await until(() => workDone(duet, 0) >= 5);
      Atomics.store(words, word.decision, decision.measure);
      const before = workDone(duet, 0);
      await until(() => workDone(duet, 0) >= before + 20);
      Atomics.store(words, word.decision, decision.stop);
      expect((await both).map(({ status }) => status)).toEqual([0, 0]);
      const a = await readWorkloadRecord(duet.records.A);
      const b = await readWorkloadRecord(duet.records.B);
      const [rows = 0, inB] = [a, b].map(({ benchmarks }) => benchmarks[0]?.iterations.length);
      expect(inB).toBe(rows);
      const phases = [a, b].map(({ benchmarks }) =>
        Array.from({ length: rows }, (_, row) => benchmarks[0]?.iterations.isWarmup(row)),
      );
      expect(phases[1]).toEqual(phases[0]);
      expect([phases[0]?.[0], phases[0]?.[rows - 1]]).toEqual([true, false]);
      // Stop was about any benchmark: the second one has begun, and has no iteration.
      expect(a.benchmarks.map(({ iterations }) => iterations.length)).toEqual([rows, 0]);
    });
  });

  it('go on with the next benchmark when the runner stops one of them', async () => {
    await withDuet(async (duet) => {
      const both = duet.both('endless.mjs');
      await until(() => workDone(duet, 1) >= 3);
      Atomics.store(duet.page.words, word.decision, packDecision(decision.stop, 1));
      await until(() => Atomics.load(duet.page.words, word.benchmark(0)) === 2);
      const before = workDone(duet, 0);
      await until(() => workDone(duet, 0) >= before + 10);
      Atomics.store(duet.page.words, word.decision, packDecision(decision.stop, 2));
      expect((await both).map(({ status }) => status)).toEqual([0, 0]);
      const a = await benchmarksOf(duet.records.A);
      expect(a.map(([name, , iterations]) => [name, iterations > 2])).toEqual([
        ['first', true],
        ['second', true],
      ]);
      expect(await benchmarksOf(duet.records.B)).toEqual(a);
    });
  });

  it('fill: the side that is done first goes on with the same work until the other is done, too', async () => {
    await withDuet(async (duet) => {
      const variables = { DEADHEAT_ITERATIONS: '4', CALLS_OF_A: join(duet.folder, 'calls') };
      const [a, b] = await duet.both('uneven.mjs', { ...variables, DEADHEAT_FILL: '1' });
      expect([a.status, a.stderr, b.status, b.stderr]).toEqual([0, '', 0, '']);
      // B: the first call and one an iteration. A: besides, at least two in each of them, which B has waited for.
      expect(Number(b.stdout)).toBe(1 + 4);
      expect(Number(a.stdout)).toBeGreaterThanOrEqual(1 + 4 * 2);
      expect((await benchmarksOf(duet.records.A))[0]?.[2]).toBe(4);
    });
  });

  it('without it does what is measured, and no more', async () => {
    await withDuet(async (duet) => {
      const ended = await duet.both('uneven.mjs', { DEADHEAT_ITERATIONS: '4' });
      expect(ended.map(({ stdout }) => stdout)).toEqual(['5', '5']);
    });
  });

  it('trade cores inside the run', async () => {
    await withDuet(async (duet) => {
      const [x, y] = getAffinity();
      const [a, b] = await Promise.all([
        duet.side('A', 'cores.mjs', { DEADHEAT_ITERATIONS: '6', DEADHEAT_TRADE: `2:${x},${y}` }).ended,
        duet.side('B', 'cores.mjs', { DEADHEAT_ITERATIONS: '6', DEADHEAT_TRADE: `2:${y},${x}` }).ended,
      ]);
      expect([a.stderr, b.stderr]).toEqual(['', '']);
      const sets = [x, x, y, y, x, x].map((cpu) => [String(cpu)]);
      expect(JSON.parse(a.stdout)).toEqual(sets);
      expect(JSON.parse(b.stdout)).toEqual([y, y, x, x, y, y].map((cpu) => [String(cpu)]));
    });
  });

  for (const [pace, iterations, roundsOfA, roundsOfB] of [
    ['at the same pace', '2000', '100', '100'],
    ['at an uneven pace', '300', '100', '1000000'],
  ] as const) {
    it(`share one core when told to yield, ${pace}`, async () => {
      await withDuet(async (duet) => {
        const variables = { DEADHEAT_WAIT: 'yield', DEADHEAT_ITERATIONS: iterations };
        const [cpu = 0] = getAffinity();
        const ended = await startOn(cpu, () =>
          duet.both('paced.mjs', { ...variables, ROUNDS_OF_A: roundsOfA, ROUNDS_OF_B: roundsOfB }),
        );
        expect(ended).toEqual([0, 1].map(() => ({ status: 0, stdout: '', stderr: '' })));
        expect(await benchmarksOf(duet.records.B)).toEqual([['rounds', '', Number(iterations), 1]]);
        expect([workDone(duet, 0), workDone(duet, 1)]).toEqual([Number(iterations), Number(iterations)]);
      });
    });
  }

  it('is freed with status 1 when the other side is killed', async () => {
    await withDuet(async (duet) => {
      const a = duet.side('A', 'endless.mjs');
      const b = duet.side('B', 'endless.mjs');
      await until(() => workDone(duet, 1) >= 17);
      a.kill();
      await a.ended;
      Atomics.store(duet.page.words, word.poison, poison.peerLost);
      const ended = await b.ended;
      expect(ended).toEqual({
        status: 1,
        stdout: '',
        stderr: 'deadheat: the other side is lost: it ended before the barrier\n',
      });
      expect(stateOf(duet, 1)).toBe(sideState.failed);
      // What it has done is kept.
      expect((await benchmarksOf(duet.records.B))[0]?.[2]).toBe(workDone(duet, 1));
    });
  });

  it('tells the runner when its function has failed', async () => {
    await withDuet(async (duet) => {
      const a = duet.side('A', 'endless.mjs', { FAIL_AT: '5' });
      const b = duet.side('B', 'endless.mjs');
      const ended = await a.ended;
      expect(ended.status).toBe(1);
      expect(ended.stderr).toMatch(/^deadheat: benchmark 'first' failed: out of luck\nRangeError: out of luck\n/);
      expect(stateOf(duet, 0)).toBe(sideState.failed);
      Atomics.store(duet.page.words, word.poison, poison.peerLost);
      expect((await b.ended).status).toBe(1);
    });
  });

  it('refuse a page of another version, a foreign file, and a page that is not there', async () => {
    await withDuet(async (duet) => {
      Atomics.store(duet.page.words, word.version, pageVersion + 1);
      const newer = await duet.side('A', 'endless.mjs').ended;
      expect(newer.status).toBe(1);
      expect(newer.stderr).toMatch(/^deadheat: .* is a page of version 2; this program knows version 1\. .*\n$/);

      const foreign = join(duet.folder, 'foreign');
      writeFileSync(foreign, 'x'.repeat(8192));
      const other = await duet.side('A', 'endless.mjs', { DEADHEAT_PAGE: foreign }).ended;
      expect(other.status).toBe(1);
      expect(other.stderr).toMatch(/^deadheat: .*foreign is not a shared page: magic 0x78787878, not 0x47504844\n$/);

      rmSync(foreign);
      const missing = await duet.side('A', 'endless.mjs', { DEADHEAT_PAGE: foreign }).ended;
      expect(missing.status).toBe(1);
      expect(missing.stderr).toMatch(/^deadheat: cannot open the shared page .*foreign: ENOENT.*\n$/);
      expect(existsSync(duet.records.A)).toBe(false);
    });
  });

  it('refuse a calibration of another benchmark', async () => {
    await withDuet(async (duet) => {
      writeFileSync(join(duet.folder, '0.json'), '{"benchmark":"other","params":{"n":"1"},"invocations":5}\n');
      const { status, stderr } = await duet.side('A', 'three.mjs').ended;
      expect(status).toBe(1);
      expect(stderr).toContain(
        "0.json is about 'other' with n=1, but benchmark 1 of this program is 'sqrt'. Both sides",
      );
    });
  });
});

describe.skipIf(noDuets !== null)('files of other tools in a duet, unchanged but for their import', () => {
  it('tinybench: tasks are benchmarks, results are made of iterations', async () => {
    await withDuet(async (duet) => {
      const [a, b] = await duet.both('tiny.mjs', {
        DEADHEAT_WAIT: 'yield',
        DEADHEAT_ITERATIONS: '5',
        DEADHEAT_WARMUP: '1',
      });
      expect([a.status, a.stderr, b.status, b.stderr]).toEqual([0, '', 0, '']);
      const records = await benchmarksOf(duet.records.A);
      expect(records.map(([name, params, iterations]) => [name, params, iterations])).toEqual([
        ['reverse', '', 5],
        ['promise', '', 5],
        ['hooked', '', 5],
        ['reverse', '2', 5],
      ]);
      // A task with beforeEach has one invocation an iteration.
      expect(records[2]?.[3]).toBe(1);
      expect(await benchmarksOf(duet.records.B)).toEqual(records);
      const { table, samples, means, states, setups, before } = JSON.parse(a.stdout) as Record<string, unknown[]>;
      expect(samples).toEqual([
        ['reverse', 4],
        ['promise', 4],
        ['hooked', 4],
        ['reverse', 4],
      ]);
      expect(states).toEqual(['completed', 'completed', 'completed']);
      expect(table).toHaveLength(3);
      expect(table?.[0]).toMatchObject({ 'Task name': 'reverse', Samples: 4 });
      expect(setups).toEqual(['setup reverse', 'setup promise', 'setup hooked', 'all']);
      // Once for the first call, then once an iteration.
      expect(before).toBe(6);
      const recorded = (await readWorkloadRecord(duet.records.A)).benchmarks[2]?.iterations;
      const [, ...measured] = Array.from(recorded?.endsNs ?? [], (end, row) => end - (recorded?.startsNs[row] ?? 0));
      const meanMs = measured.reduce((sum, time) => sum + time, 0) / measured.length / 1e6;
      expect(means?.[2]).toBeCloseTo(meanMs, 6);
    });
  });

  it('mitata: functions, generators and loops over a state, with arguments and groups', async () => {
    await withDuet(async (duet) => {
      const [a, b] = await duet.both('mitata.mjs', {
        DEADHEAT_WAIT: 'yield',
        DEADHEAT_ITERATIONS: '3',
        DEADHEAT_WARMUP: '1',
      });
      expect([a.status, a.stderr, b.status, b.stderr]).toEqual([0, '', 0, '']);
      const records = await benchmarksOf(duet.records.A);
      expect(records.map(([name, params, iterations]) => [name, params, iterations])).toEqual([
        ['noop', '', 3],
        ['promise', '', 3],
        ['fill $size', 'arrays 10', 3],
        ['fill $size', 'arrays 100', 3],
        ['iterated', '', 3],
        ['computed', '', 3],
      ]);
      // Its values are in memory at once.
      expect(records.at(-1)?.[3]).toBeLessThanOrEqual(2 ** 20);
      expect(await benchmarksOf(duet.records.B)).toEqual(records);
      expect(JSON.parse(a.stdout)).toEqual({
        cleaned: 2,
        made: true,
        runs: ['noop', 'promise', 'fill 10', 'fill 100', 'iterated', 'computed'].map((name) => [name, true, true]),
      });
    });
  });
});
