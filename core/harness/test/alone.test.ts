import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkloadRecord } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { start, withFolder } from './support.ts';

function run(program: string, variables?: Readonly<Record<string, string>>) {
  return start(program, variables).ended;
}

/** A program of its own, in this package's folder so that it finds the harness. */
function runSource(source: string, variables?: Readonly<Record<string, string>>) {
  return withFolder(async (folder) => {
    const program = join(folder, 'bench.mjs');
    const harness = new URL('../dist/index.js', import.meta.url).href;
    writeFileSync(program, source.replaceAll('@deadheat/harness', harness));
    return run(program, variables);
  });
}

describe('a file of benchmarks started by hand', () => {
  it('prints a line a benchmark, without colours where there is no terminal', async () => {
    const { status, stdout, stderr } = await run('three.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^benchmark {19}median {7}mean, 95 % interval {14}spread {4}iterations$/);
    // The last one is registered after an await.
    expect(lines.slice(1).map((line) => line.slice(0, 26).trimEnd())).toEqual([
      'sqrt',
      'sum length=10 kind=array',
      'sum length=10 kind=typed',
      'sum length=1000 kind=array',
      'sum length=1000 kind=typed',
      'timer',
    ]);
    expect(lines[1]).toMatch(/ [\d.]+ ns +[\d.]+ ns \[-?[\d.]+ … [\d.]+\] +[\d.]+ % +20 x \d+, after 5 of warm-up$/);
    expect(lines[6]).toMatch(/ 3 x 2, after 5 of warm-up$/);
    expect(stdout).not.toContain('\u001B');
  });

  it('records times of invocations with each iteration where they are asked for, made after it', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'record.jsonl');
      const { status } = await run('three.mjs', { DEADHEAT_RECORD: path, DEADHEAT_SAMPLES: '40' });
      expect(status).toBe(0);
      const { benchmarks } = await readWorkloadRecord(path);
      for (const { benchmark, iterations } of benchmarks) {
        for (let row = 0; row < iterations.length; row++) {
          const n = iterations.metric('n')?.[row] ?? 0;
          const times = iterations.invocationTimes(row) ?? [];
          // As many invocations as the iteration has, in batches of ceil(n / 40); a timer makes two.
          if (benchmark === 'timer') expect([n, times.length]).toEqual([2, 2]);
          else expect(times.length).toBe(Math.floor(n / Math.ceil(n / 40)));
          expect(times.every((time) => time > 0)).toBe(true);
        }
      }
      // None lies in an iteration: the next begins after them.
      const timer = benchmarks.at(-1)?.iterations;
      const [first = 0, ...others] = timer?.invocationTimes(0) ?? [];
      const sampledNs = others.reduce((sum, time) => sum + time, first);
      expect((timer?.startsNs[1] ?? 0) - (timer?.endsNs[0] ?? 0)).toBeGreaterThanOrEqual(Math.floor(sampledNs));
    });
  });

  it('records all the same where DEADHEAT_RECORD is set, and still prints', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'record.jsonl');
      const { status, stdout } = await run('three.mjs', { DEADHEAT_RECORD: path });
      expect(status).toBe(0);
      expect(stdout).toContain('timer');
      const { benchmarks, tornBytes } = await readWorkloadRecord(path);
      expect(tornBytes).toBe(0);
      expect(benchmarks.map(({ benchmark, params }) => [benchmark, params])).toEqual([
        ['sqrt', {}],
        ['sum', { length: '10', kind: 'array' }],
        ['sum', { length: '10', kind: 'typed' }],
        ['sum', { length: '1000', kind: 'array' }],
        ['sum', { length: '1000', kind: 'typed' }],
        ['timer', {}],
      ]);
      const [sqrt] = benchmarks;
      expect([sqrt?.iterations.length, sqrt?.iterations.isWarmup(4), sqrt?.iterations.isWarmup(5)]).toEqual([
        25,
        true,
        false,
      ]);
      const timer = benchmarks.at(-1)?.iterations.at(0);
      expect(timer).toMatchObject({ i: 0, n: 2, p: 'warmup' });
      // Two timers of 1 ms, one after the other; they wait, and hardly need the CPU.
      expect(Number(timer?.e) - Number(timer?.s)).toBeGreaterThan(1_900_000);
    });
  });

  it('calls setup, hooks and function in this order, hooks with the number of invocations', async () => {
    const { stdout } = await run('hooks.mjs');
    const first = ['before 1', 'call', 'after'];
    const iteration = ['before 2', 'call', 'call', 'after'];
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      seen: ['setup', ...first, ...iteration, ...iteration, 'teardown'],
      times: 1,
      warmup: 1,
    });
  });

  it('collects garbage before each iteration where it is told to', async () => {
    async function gone(gc: boolean): Promise<unknown> {
      const { stdout } = await run('garbage.mjs', { GC: String(gc) });
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    }

    expect(await gone(true)).toEqual([true, true, true, true, true, true]);
    expect(await gone(false)).toContain(false);
  });

  it('ends with status 1 and says which benchmark has failed and where', async () => {
    const { status, stderr } = await runSource(`
      import { bench } from '@deadheat/harness';
      bench('breaks', () => { throw new TypeError('no such thing'); }, { params: { size: [3] } });
    `);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^deadheat: benchmark 'breaks', size=3 failed: no such thing\nTypeError: no such thing\n {4}at /,
    );
  });

  it('refuses two benchmarks with the same name and parameters', async () => {
    const { status, stderr } = await runSource(`
      import { bench } from '@deadheat/harness';
      bench('twice', () => {}, { invocations: 1 });
      bench('twice', () => {}, { invocations: 1 });
    `);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "deadheat: there are two benchmarks 'twice' with the same parameters; give one of them another name\n",
    });
  });

  it('calls teardown also when the function has failed', async () => {
    const { stdout } = await runSource(`
      import { bench } from '@deadheat/harness';
      bench('breaks', () => { throw new Error('no'); }, { teardown: () => console.log('cleaned') });
    `);
    expect(stdout).toBe('cleaned\n');
  });

  it('refuses to be measured as a whole, and names --harness', async () => {
    const { status, stdout, stderr } = await run('hooks.mjs', { DEADHEAT_SIDE: 'A', DEADHEAT_WORKLOAD: 'command' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^deadheat: .*--harness.*\n$/);
  });

  it('runs alone where its output is read, and in a shell that has the variable of a side', async () => {
    expect(await run('hooks.mjs', { DEADHEAT_SIDE: 'A' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('names the variable that makes no sense', async () => {
    const { status, stderr } = await runSource(`import { bench } from '@deadheat/harness'; bench('x', () => {});`, {
      DEADHEAT_ITERATIONS: 'many',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "deadheat: DEADHEAT_ITERATIONS is 'many'; a whole number from 1 expected\n",
    });
  });

  it('takes numbers of iterations from the runner first', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'record.jsonl');
      await run('hooks.mjs', {
        DEADHEAT_RECORD: path,
        DEADHEAT_ITERATIONS: '7',
        DEADHEAT_WARMUP: '2',
        DEADHEAT_SIDE: 'B',
      });
      const phases = readFileSync(path, 'utf8')
        .split('\n')
        .slice(1, -1)
        .map((line) => line.includes('"p":"warmup"'));
      expect(phases).toEqual([true, true, false, false, false, false, false]);
    });
  });
});

describe('the adapters alone', () => {
  it('leave tinybench as it is', async () => {
    const { status, stdout, stderr } = await run('tiny.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { states, samples, table } = JSON.parse(stdout) as {
      states: string[];
      samples: [string, number][];
      table: object[];
    };
    expect(states).toEqual(['completed', 'completed', 'completed']);
    expect(samples.every(([, count]) => count >= 3)).toBe(true);
    expect(table).toHaveLength(3);
  });

  it('leave mitata as it is', async () => {
    const { status, stdout, stderr } = await run('mitata.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      cleaned: 2,
      made: true,
      runs: ['noop', 'promise', 'fill 10', 'fill 100', 'iterated', 'computed'].map((name) => [name, true, true]),
    });
  });
});
