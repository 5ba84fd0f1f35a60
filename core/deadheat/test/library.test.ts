import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeadheatError, reportSchema, type EngineEvent } from '@deadheat/model';
import { analyse, compare, plan, report, resume, run } from '../src/index.ts';

let folder: string;
const recording = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-library-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Few runs of a program that is over at once. */
const short = { runs: 3, seed: 'library', methods: ['sequential'] } as const;

async function failure(promise: Promise<unknown>): Promise<DeadheatError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof DeadheatError) return error;
    throw error;
  }
  throw new TypeError('it did not fail');
}

function work(n: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += Math.sqrt(i);
  return total;
}

describe('two functions', () => {
  it('are compared in this process where a test runner loaded the module, which the result says', async () => {
    const [slower, faster] = [
      await compare({ a: () => work(1000), b: () => work(4000) }),
      await compare({ a: async () => work(4000), b: () => work(1000), margin: '50%' }),
    ];
    expect(slower).toMatchObject({ verdict: 'slower', method: 'one-process' });
    expect(slower.interval.low).toBeGreaterThan(1.05);
    expect(slower.sentence).toMatch(/^\+.* %.* a call .*blocks in one process\)/);
    expect(faster.verdict).toBe('faster');
    expect(faster.interval.high).toBeLessThan(1 / 1.5);
  });

  it('say which option gives more time where it is not decided', async () => {
    const { verdict, blocks, sentence } = await compare({ a: () => work(3e6), b: () => work(3e6), maxTime: '1ms' });
    expect({ verdict, isShort: blocks < 8 }).toEqual({ verdict: 'undecided', isShort: true });
    expect(sentence).toMatch(/give it more time with \{ maxTime \}; not in two processes: a test runner loads/);
  });

  it('refuse what is for commands, and give what a function throws', async () => {
    const a = (): number => work(10);
    await expect(compare({ a, b: 'true' } as never)).rejects.toThrow('a and b must both be functions');
    await expect(compare({ a, b: a, runs: 3 } as never)).rejects.toThrow('runs does nothing for functions');
    await expect(compare({ a, b: a, method: 'tandem' as 'one-process' })).rejects.toThrow('method must be one-process');
    await expect(compare({ a, b: a, method: 'two-processes' })).rejects.toThrow(
      'two processes cannot make this call: a test',
    );
    await expect(compare({ a, b: a, margin: '5ms' as '5%' })).rejects.toThrow('margin must be a share');
    await expect(compare({ a, b: a, maxTime: 0 })).rejects.toThrow('maxTime must be a duration');
    const failing = compare({
      a,
      b: () => {
        throw new Error('on purpose');
      },
    });
    await expect(failing).rejects.toThrow('on purpose');
  });
});

describe('the library', () => {
  it('compares two commands, tells what happens, and gives the report', async () => {
    const told: EngineEvent['kind'][] = [];
    const running = compare({
      a: 'true',
      b: { command: 'true', name: 'new', environment: { MY_NAME: 'x' } },
      ...short,
      confidence: '90%',
      output: recording('compared'),
      onProgress: ({ kind }) => told.push(kind),
    });
    const read: EngineEvent['kind'][] = [];
    for await (const { kind } of running) read.push(kind);
    const result = await running;
    expect(reportSchema.parse(result).comparisons).toMatchObject([
      { runs: 3, method: 'sequential', interval: { level: 0.9 } },
    ]);
    expect(read).toEqual(told);
    expect(read.filter((kind) => kind === 'trial-finished')).toHaveLength(3);
    expect(read.at(-1)).toBe('experiment-finished');
  });

  it('plans an experiment and runs nothing', async () => {
    const planned = await plan(
      { ...short, benchmarks: { one: { A: { command: 'true' } }, two: { A: { command: 'true' } } } },
      { filter: ['t*'], settings: { margin: '5%', setup: 'true' } },
    );
    expect(planned).toMatchObject({
      seed: 'library',
      seedIsDrawn: false,
      entries: [{ benchmark: 'two', settings: { margin: 0.05 }, sides: { A: { hooks: { setup: 'true' } } } }],
    });
    expect(planned.rounds.flat()).toHaveLength(3);
    await expect(plan({ benchmarks: {} }, { filter: ['x'] })).rejects.toThrow(DeadheatError);
    const one = { ...short, benchmarks: { one: { A: { command: 'true' } } } };
    await expect(plan(one, { settings: { tradeEvery: 3 } })).rejects.toThrow('tradeEvery has no effect');
    await expect(plan(one, { settings: { margin: 'much' as '1%' } })).rejects.toThrow('margin must be a share');
  });

  it('keeps the names of versions as they are written, and compares each with the first', async () => {
    const versions = { oldOne: 'true', newOne: { command: 'true', environment: { someName: 'x' } } };
    const { entries } = await plan({ methods: ['sequential'], runs: 2, versions, benchmarks: { a: null } });
    expect(entries).toMatchObject([
      {
        benchmark: 'a',
        params: { version: 'newOne' },
        sides: { A: { name: 'oldOne' }, B: { name: 'newOne', environment: { someName: 'x' } } },
      },
    ]);
    const listed = plan({ versions: ['a', 'a'], benchmarks: { b: { command: 'true' } } });
    await expect(listed).rejects.toThrow('versions.1: the version a is there twice');
  });

  it('gives what there is of an experiment that failed', async () => {
    const running = compare({ a: 'false', ...short, output: recording('failing') });
    const { outcome, directory, report: made } = await running.settled;
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ message: expect.stringContaining('status 1') }] });
    expect([directory, made.comparisons]).toEqual([recording('failing'), []]);
    const error = await failure(running);
    expect(error).toMatchObject({ code: 'RUN_FAILED', category: 'workload' });
    expect(error.message).toContain('false');
  });

  it('refuses a part without what all parts have in common, and workers that could not read the experiment', async () => {
    const { seed, ...unseeded } = short;
    const experiment = { ...unseeded, benchmarks: { one: { A: { command: 'true' } } } };
    const part = { index: 1, count: 3, experiment: null, host: null };
    expect(await failure(run(experiment, { part }))).toMatchObject({ code: 'CONFLICT' });
    const on = { url: 'postgres://127.0.0.1/none', hosts: null, labels: {}, code: null, confirm: null };
    expect(await failure(run({ ...experiment, seed }, { on }))).toMatchObject({ code: 'BAD_VALUE' });
  });

  it('judges the recording again, and draws it', async () => {
    const again = await analyse(recording('compared'), { margin: 0.5, confidence: 0.8 });
    expect(again.comparisons).toMatchObject([{ margin: 0.5, interval: { level: 0.8 } }]);
    expect(await report(recording('compared'))).toMatch(/^<!doctype html>/i);
    expect(await report(again)).toContain('true vs new');
    expect(JSON.parse(await report(again, { format: 'json' }))).toEqual(JSON.parse(JSON.stringify(again)));
    expect(await report(again, { format: 'junit' })).toContain('<testsuites');
    for (const format of ['html', 'csv'] as const) await expect(report(again, { format })).rejects.toThrow(RangeError);
  });

  it('judges results of another tool', async () => {
    for (const side of ['a', 'b']) {
      const times = Array.from({ length: 6 }, (__, index) => `${1000 + index * (side === 'a' ? 1 : 2)}`);
      writeFileSync(recording(`${side}.csv`), `time\n${times.join('\n')}\n`);
    }
    const result = await analyse([recording('a.csv'), recording('b.csv')], { columns: { time: 'time' }, unit: 'ms' });
    expect(result.comparisons).toHaveLength(1);
    const error = await failure(analyse([recording('compared'), recording('a.csv')]));
    expect(error).toMatchObject({ code: 'CONFLICT', category: 'usage' });
  });

  it('runs what a file would hold, and the file', async () => {
    const object = await run(
      { runs: 2, methods: { sequential: { warmup: 1 } }, benchmarks: { 'my bench': { command: 'true' } } },
      { output: recording('object') },
    );
    expect(object.comparisons).toMatchObject([{ benchmark: 'my bench', runs: 2 }]);
    writeFileSync(
      recording('deadheat.yaml'),
      'runs: 2\nmethods: [sequential]\nbenchmarks: { one: { command: "true" } }\n',
    );
    const file = await run(recording('deadheat.yaml'), { output: recording('file') });
    expect(file.comparisons).toMatchObject([{ benchmark: 'one', runs: 2 }]);
  });

  it('ends when its signal is aborted, and goes on later', async () => {
    const controller = new AbortController();
    const error = await failure(
      compare({
        a: 'true',
        ...short,
        output: recording('aborted'),
        signal: controller.signal,
        onProgress: ({ kind }) => {
          if (kind === 'trial-finished') controller.abort();
        },
      }),
    );
    expect(error).toMatchObject({ code: 'INTERRUPTED', category: 'interrupted' });
    expect(existsSync(recording('aborted'))).toBe(true);
    const whole = await resume(recording('aborted'));
    expect(whole.comparisons).toMatchObject([{ runs: 3 }]);
  });

  it('does not begin with a signal that is aborted', async () => {
    const error = await failure(compare({ a: 'true', signal: AbortSignal.abort(), output: recording('never') }));
    expect(error).toMatchObject({ code: 'INTERRUPTED' });
    expect(readdirSync(folder)).not.toContain('never');
  });

  it('refuses options by their names, all at once', async () => {
    const error = await failure(
      compare({ a: 'true', minRuns: 9, maxRuns: 3, margin: '200%', output: recording('refused') } as never),
    );
    expect(error).toMatchObject({ code: 'BAD_CONFIG', category: 'usage' });
    const other = await failure(compare({ a: 'true', minRuns: 9, maxRuns: 3, swap: 'pair', methods: ['tandem'] }));
    expect(other.message).toContain('minRuns 9 is more than maxRuns 3');
    expect(other.message).toContain('swap has no effect');
    const unknown = await failure(compare({ a: 'true', minRusn: 9 } as never));
    expect(unknown.message).toContain('unknown key');
  });

  it('names a command that is not there, and a recording that is none', async () => {
    expect(await failure(compare({ a: 'no-such-program-here' }))).toMatchObject({ code: 'BAD_CONFIG' });
    expect(await failure(resume(recording('nowhere')))).toMatchObject({ category: 'usage' });
    expect(await failure(analyse(recording('nowhere')))).toMatchObject({ code: 'NOT_FOUND', category: 'usage' });
  });
});
