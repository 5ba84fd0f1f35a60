import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { FunctionTable, SideSums } from '../src/align-functions.ts';
import { RunCollector, type SampledRun } from '../src/sampled-run.ts';

/** A run of stacks such as `main@a.js:1>parse@a.js:9 30`. */
function runOf(...stacks: readonly string[]): SampledRun {
  const run = new RunCollector();
  for (const stack of stacks) {
    const [path = '', samples] = stack.split(' ');
    const frames = path.split('>').map((one) => {
      const [, name = '', file = '', line] = /^(.*)@(.*):(\d+)$/.exec(one) ?? [];
      return run.frame({ name, file, line: Number(line) });
    });
    run.add(frames, Number(samples));
  }
  return run.build();
}

function sumsOf(run: SampledRun, cpuSeconds = 1): SideSums {
  const sums = new SideSums();
  sums.add(run, cpuSeconds);
  return sums;
}

function kinds(A: SampledRun, B: SampledRun): readonly string[] {
  const { functions } = new FunctionTable({ A: sumsOf(A), B: sumsOf(B) });
  return functions.map((one) => `${one.kind}: ${one.A?.name ?? '-'} ${one.B?.name ?? '-'}`).toSorted();
}

describe('FunctionTable', () => {
  it('takes a function that moved to other lines for the same one', () => {
    expect(kinds(runOf('main@a.js:1>parse@a.js:9 3'), runOf('main@a.js:1>parse@a.js:70 3'))).toEqual([
      'both: main main',
      'both: parse parse',
    ]);
  });

  it('takes a function of another file for the same one where its name is the only such', () => {
    expect(kinds(runOf('main@a.js:1 3'), runOf('main@b.js:1 3'))).toEqual(['both: main main']);
    expect(kinds(runOf('x@a.js:1 3', 'x@b.js:1 3'), runOf('x@c.js:1 3'))).toEqual([
      'A only: x -',
      'A only: x -',
      'B only: - x',
    ]);
  });

  it('tells a renamed function from a removed one by its file and its caller', () => {
    const A = runOf('main@a.js:1>parse@a.js:9 3', 'main@a.js:1>print@a.js:20>flush@io.js:1 1');
    const B = runOf('main@a.js:1>parseFast@a.js:9 3', 'main@a.js:1>print@a.js:20 1');
    expect(kinds(A, B)).toEqual([
      'A only: flush -',
      'both: main main',
      'both: print print',
      'renamed: parse parseFast',
    ]);
  });

  it('gives a run its CPU time by the share of samples, to the function itself and to its callers', () => {
    const run = runOf('main@a.js:1>parse@a.js:9 30', 'main@a.js:1 10', 'main@a.js:1>parse@a.js:9>parse@a.js:9 10');
    const table = new FunctionTable({ A: sumsOf(run, 5), B: sumsOf(run, 5) });
    const [costs = { cpuSeconds: 0, self: new Map(), total: new Map() }] = table.costsOf('A');
    const number = (name: string): number => table.functions.findIndex(({ A }) => A?.name === name);
    expect(costs.self.get(number('parse'))).toBeCloseTo(4);
    expect(costs.self.get(number('main'))).toBeCloseTo(1);
    expect(costs.total.get(number('main'))).toBeCloseTo(5);
    expect(costs.total.get(number('parse'))).toBeCloseTo(4);
    expect(table.tree()[3]?.slice(0, 2)).toEqual([number('main'), 1e9]);
  });

  it('gives the tree the mean of the runs, and keeps no run', async () => {
    const sums = new SideSums();
    let run: SampledRun | null = runOf('main@a.js:1 10');
    sums.add(run, 1);
    sums.add(runOf('main@a.js:1>parse@a.js:9 5'), 2);
    const first = new WeakRef(run);
    run = null;
    setFlagsFromString('--expose-gc');
    await new Promise((resolve) => setImmediate(resolve));
    (runInNewContext('gc') as () => void)();
    expect(first.deref()).toBeUndefined();
    const table = new FunctionTable({ A: sums, B: sums });
    expect(table.tree()).toEqual([-1, 0, 0, [0, 5e8, 5e8, [1, 1e9, 1e9]]]);
    expect(sums.samples).toBe(15);
  });
});
