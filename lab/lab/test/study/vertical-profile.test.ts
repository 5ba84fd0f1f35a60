import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { classifySeries, steadyStudy } from '../../src/study/steady-study.ts';
import { verticalProfile } from '../../src/study/vertical-profile.ts';
import { column } from './study-support.ts';

const length = 3000;
const changepoint = 1799;

/** A value of each iteration that remembers the one before it, with what a place adds. */
function metricOf(seed: string, added: (i: number) => number = () => 0): Float64Array {
  const random = createRandom(seed);
  let now = 0;
  return Float64Array.from({ length }, (_, i) => {
    now = 0.8 * now + random.normal();
    return 100 + now + added(i);
  });
}

const shift = metricOf('shift', (i) => (i > changepoint ? -6 : 0));
const burst = metricOf('burst', (i) => (Math.abs(i - changepoint) < 3 ? 40 : 0));

describe('metrics beside a change of performance', () => {
  it('are those that shift with it, or burst about it', () => {
    const metrics = { shift, burst, none: metricOf('none'), flat: new Float64Array(length), gap: shift.map(() => NaN) };
    const found = verticalProfile(metrics, { changepoints: [changepoint] });
    expect(found.map(({ metric, kind }) => [metric, kind])).toEqual([
      ['shift', 'shift'],
      ['burst', 'burst'],
      ['none', 'none'],
      ['flat', 'none'],
    ]);
    expect(found[0]!.after - found[0]!.before).toBeCloseTo(-6, 0);
  });

  it('are called by chance no more often than the level says, though values depend on their neighbours', () => {
    let called = 0;
    for (let draw = 0; draw < 200; draw++) {
      const found = verticalProfile(
        { one: metricOf(`one ${draw}`), two: metricOf(`two ${draw}`) },
        { changepoints: [changepoint], window: 100, level: 0.05 },
      );
      if (found.some(({ kind }) => kind !== 'none')) called++;
    }
    // 200 of 0.05: 10, with a standard deviation of 3.1.
    expect(called).toBeLessThanOrEqual(19);
  });

  it('are not looked at where too little lies beside a change', () => {
    expect(verticalProfile({ shift }, { changepoints: [4] })).toEqual([]);
    expect(verticalProfile({ shift }, { changepoints: [700, 1400, 2100] })).toEqual([]);
    expect(() => verticalProfile({ shift }, { changepoints: [], window: 9 })).toThrow(/at least 10/);
    expect(() => verticalProfile({ shift }, { changepoints: [], level: 1 })).toThrow(/level/);
  });

  it('stand in the study of steady states, with figures of every run and of the metrics', () => {
    const timesNs = metricOf('times', (i) => (i > changepoint ? 12 : 0)).map((value) => value * 1e6);
    const metrics = { heapBytes: shift, gcCount: metricOf('gc') };
    const series = [{ label: 'toy A', runs: [{ timesNs, invocations: 1, metrics }] }];
    const classified = series.map((one) => classifySeries(one, { seed: 'x' }));
    const study = steadyStudy(classified, { tooShort: [], measured: series });
    const table = study.tables[2];
    expect(column(table, 'metric')).toEqual(['heapBytes']);
    expect(column(table, 'what')).toEqual(['shift']);
    expect(Number(column(table, 'time')[0])).toBeCloseTo(0.12, 1);
    const [runs, beside] = study.figures!;
    expect(runs).toMatchObject({ name: 'oopsla26-figure-1-runs-toy-A', kind: 'points' });
    expect(runs!.series[0]!.values.length).toBeLessThanOrEqual(300);
    expect(beside!.series.map(({ name }) => name)).toEqual(['time', 'heapBytes', 'gcCount']);
    expect(beside!.marks!.some(({ x }) => Math.abs(x - changepoint) < 5)).toBe(true);
    expect(steadyStudy(classified, { tooShort: [] })).toMatchObject({ figures: [] });
  });

  it('are shown beside runs at their own levels, which one iteration of a thousand times the others does not shift', () => {
    const runs = [1, 1, 2].map((level, run) => ({
      timesNs: metricOf(`run ${run}`).map((value, i) => level * (i === 40 * run ? 1e6 : value)),
      invocations: 1,
      metrics: {},
    }));
    const series = [{ label: 'toy A', runs }];
    const classified = series.map((one) => classifySeries(one, { seed: 'x' }));
    const [figure] = steadyStudy(classified, { tooShort: [], measured: series }).figures!;
    const levels = figure!.series.map(({ values }) => values[values.length >> 1]!);
    expect(levels[1]! / levels[0]!).toBeCloseTo(1, 1);
    expect(levels[2]! / levels[0]!).toBeCloseTo(2, 0);
  });
});
