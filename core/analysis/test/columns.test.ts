import * as fc from 'fast-check';
import type { Iteration } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { AnalysisError } from '../src/analysis-error.ts';
import { columnsOf, measuredIterations, measuredRuns } from '../src/columns/measured-runs.ts';
import { iterationTimes } from '../src/metric/iteration-times.ts';
import { pairIterations } from '../src/pairing/select-runs.ts';
import { aSide, aTrial, iterationsOf, selectedRuns, trialsOf } from './helpers/recordings.ts';
import { at } from '../src/internal/lists.ts';

const five = iterationsOf([10, 20, 30, 40, 50]);
const marked = (rows: readonly number[]): Iteration[] =>
  five.map((iteration, row) => ({ ...iteration, c: 7 * row, p: rows.includes(row) ? 'warmup' : 'measure' }));

describe('the columns of iterations', () => {
  it('hold what the iterations hold, NaN where one has nothing, and no column that none has', () => {
    const columns = columnsOf([
      { i: 0, s: 5, e: 9, c: 3, note: 'a word' },
      { i: 4, s: 10, e: 12 },
    ]);
    expect(columns.length).toBe(2);
    expect([[...columns.indices], [...columns.startsNs], [...columns.endsNs]]).toEqual([
      [0, 4],
      [5, 10],
      [9, 12],
    ]);
    expect([...(columns.metric('c') ?? [])]).toEqual([3, Number.NaN]);
    expect(columns.metric('n')).toBeNull();
    expect(columns.metric('note')).toBeNull();
    expect(columns.hasPhases).toBe(false);
  });

  it('refuse indices that do not grow, which pairs could not be found by', () => {
    const [first, second] = [at(five, 0), at(five, 1)];
    expect(() => columnsOf([second, first])).toThrow(AnalysisError);
    expect(() => columnsOf([first, first])).toThrow('iteration 0 comes after iteration 0');
  });

  it('are empty for a run that failed', () => {
    const [run] = measuredRuns(trialsOf([[10]], [[10]], { changes: { status: 'failed' } }));
    expect(run?.iterations.A.length).toBe(0);
    expect(run?.iterations.B.length).toBe(0);
  });
});

describe('the measured iterations of a side', () => {
  const indicesBy = (iterations: readonly Iteration[], rule: Parameters<typeof measuredIterations>[1]): number[] => [
    ...measuredIterations(columnsOf(iterations), rule).indices,
  ];

  it('are by position where no iteration is marked: all, from the n-th, from half, rounded down', () => {
    expect(indicesBy(five, { kind: 'none' })).toEqual([0, 1, 2, 3, 4]);
    expect(indicesBy(five, { kind: 'fixed', iterations: 2 })).toEqual([2, 3, 4]);
    expect(indicesBy(five, { kind: 'fixed', iterations: 9 })).toEqual([]);
    // What begins before the time is over is warm-up, though it may end later.
    const [first = 0, second = 0] = five.map(({ s }) => s);
    expect(indicesBy(five, { kind: 'time', timeNs: second - first })).toEqual([1, 2, 3, 4]);
    expect(indicesBy(five, { kind: 'time', timeNs: second - first + 1 })).toEqual([2, 3, 4]);
    expect(indicesBy(five, { kind: 'time', timeNs: 1e12 })).toEqual([]);
    expect(indicesBy(five, { kind: 'first-half' })).toEqual([2, 3, 4]);
    expect(indicesBy(five.slice(0, 1), { kind: 'first-half' })).toEqual([0]);
  });

  it('are those not marked where any carries a mark, whatever the rule', () => {
    for (const rule of [{ kind: 'none' }, { kind: 'fixed', iterations: 3 }, { kind: 'first-half' }] as const) {
      expect(indicesBy(marked([0]), rule)).toEqual([1, 2, 3, 4]);
      expect(indicesBy(marked([1, 3]), rule)).toEqual([0, 2, 4]);
      expect(indicesBy(marked([]), rule)).toEqual([0, 1, 2, 3, 4]);
      expect(indicesBy(marked([0, 1, 2, 3, 4]), rule)).toEqual([]);
    }
  });

  it('keep each row whole', () => {
    for (const rows of [[0, 1], [2], [0, 3]]) {
      const kept = measuredIterations(columnsOf(marked(rows)), { kind: 'none' });
      const expected = marked(rows).filter(({ p }) => p === 'measure');
      expect([...kept.startsNs]).toEqual(expected.map(({ s }) => s));
      expect([...kept.endsNs]).toEqual(expected.map(({ e }) => e));
      expect([...(kept.metric('c') ?? [])]).toEqual(expected.map(({ c }) => c));
      expect(kept.length).toBe(expected.length);
    }
  });

  it('count as warm-up what they leave out, an iteration of both sides once', () => {
    const trials = trialsOf([[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 5]]);
    const selection = selectedRuns(trials, { warmup: { kind: 'fixed', iterations: 3 } });
    expect(selection).toMatchObject({ warmup: 3, unpaired: 0 });
    expect(at(selection.runs, 0).pairs.length).toBe(2);
  });
});

const indices = fc.uniqueArray(fc.nat(30)).map((values) => values.toSorted((left, right) => left - right));

it('a duet pairs each index that both sides have, once', () => {
  const side = (values: readonly number[]) => columnsOf(values.map((i, row) => ({ i, s: 10 * row, e: 10 * row + 5 })));
  fc.assert(
    fc.property(indices, indices, (a, b) => {
      const pairs = pairIterations({ A: side(a), B: side(b) }, { method: 'sync-duet', minimumOverlapRate: 0.4 });
      const both = a.filter((index) => b.includes(index));
      expect([...pairs.a]).toEqual(both.map((index) => a.indexOf(index)));
      expect([...pairs.b]).toEqual(both.map((index) => b.indexOf(index)));
      expect(pairs.length).toBe(both.length);
    }),
    { seed: 9, numRuns: 300 },
  );
});

describe('CPU time of the process', () => {
  const side = aSide(iterationsOf([10e6]), { userNs: 6e6, systemNs: 2e6 });
  const trial = aTrial({ sides: { A: side, B: side } });
  const cpuBy = (workload: 'command' | 'harness' | 'lines') =>
    iterationTimes(at(selectedRuns([trial], { workload }).runs, 0), 'A', 'cpu');

  it('is that of the one execution of a command, and says nothing about an iteration inside a program', () => {
    expect([...(cpuBy('command') ?? [])]).toEqual([8e6]);
    expect(cpuBy('harness')).toBeNull();
    expect(cpuBy('lines')).toBeNull();
  });

  it("gives way to the iteration's own", () => {
    const own = aSide(iterationsOf([10e6], { cpu: 0.5 }), { userNs: 6e6, systemNs: 2e6 });
    const run = at(selectedRuns([aTrial({ sides: { A: own, B: own } })]).runs, 0);
    expect([...(iterationTimes(run, 'A', 'cpu') ?? [])]).toEqual([5e6]);
  });
});
