import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { classifyBenchmark, classifyRun, type ClassifyRunOptions } from '../../src/steady-state/classify-run.ts';
import { sparedIterations, steadyStateOfRun, steadyStateTable } from '../../src/steady-state/steady-states.ts';

/** Stretches of [length, level] with 1 % of noise, and the places where they change. */
const run = (...stretches: readonly (readonly [number, number])[]) => {
  const random = createRandom(JSON.stringify(stretches));
  const series = stretches.flatMap(([length, level]) =>
    Array.from({ length }, () => level * (1 + 0.01 * random.normal())),
  );
  let end = -1;
  return { series, changepoints: stretches.slice(0, -1).map(([length]) => (end += length)) };
};

const classify = ({ series, changepoints }: ReturnType<typeof run>, options: Partial<ClassifyRunOptions> = {}) =>
  classifyRun(series, changepoints, { random: createRandom(1), ...options });

describe('a run', () => {
  it('is flat when nothing differs by 5 % from its end', () => {
    expect(classify(run([700, 100], [300, 103], [1000, 100]))).toEqual({ class: 'flat', steadyFrom: 0 });
    expect(classify(run([600, 100]))).toEqual({ class: 'flat', steadyFrom: 0 });
  });

  it('warms up when its end is the fastest, and is steady behind the last part that differs', () => {
    expect(classify(run([40, 300], [100, 120], [200, 102], [1000, 100]))).toEqual({
      class: 'warm-up',
      steadyFrom: 140,
    });
  });

  it('slows down when a part before its end was faster, also one before a slower part', () => {
    expect(classify(run([300, 80], [1000, 100]))).toEqual({ class: 'slowdown', steadyFrom: 300 });
    expect(classify(run([100, 80], [300, 200], [1000, 100]))).toEqual({ class: 'slowdown', steadyFrom: 400 });
  });

  it('has no steady state when what differs reaches into the last 500', () => {
    expect(classify(run([1000, 120], [499, 100]))).toEqual({ class: 'no-steady-state', steadyFrom: null });
    expect(classify(run([1000, 120], [500, 100]))).toEqual({ class: 'warm-up', steadyFrom: 1000 });
    expect(classify(run([1000, 120], [499, 100]), { window: 400 }).class).toBe('warm-up');
  });

  it('is compared by resampling where a part is short and the call is close', () => {
    // Two values whose mean is 8 % above: half of their resamples hold one value twice.
    const series = [104, 112, ...run([1000, 100]).series];
    expect(classifyRun(series, [1], { random: createRandom(1) }).class).toBe('flat');
    expect(classifyRun([111, 112, ...series.slice(2)], [1], { random: createRandom(1) }).class).toBe('warm-up');
  });

  it('of equal times is flat', () => {
    expect(classifyRun(Array<number>(600).fill(7), [], { random: createRandom(1) }).class).toBe('flat');
    expect(
      classifyRun([...Array<number>(600).fill(8), ...Array<number>(600).fill(7)], [599], { random: createRandom(1) }),
    ).toEqual({
      class: 'warm-up',
      steadyFrom: 600,
    });
  });

  it('cannot be judged when it is shorter than the window, or holds what is no time', () => {
    expect(() => classify(run([499, 1]))).toThrow(/499 values is shorter than the window of 500/);
    expect(() => classifyRun(Array<number>(500).fill(0), [], { random: createRandom(1) })).toThrow(
      /above 0, got 0 at 0/,
    );
    expect(() => classifyRun(run([600, 1]).series, [700], { random: createRandom(1) })).toThrow(/must ascend inside/);
    expect(() => classify(run([600, 1]), { window: 0 })).toThrow(/window must be/);
    expect(() => classify(run([600, 1]), { tolerance: 1 })).toThrow(/tolerance must lie/);
  });

  it('is classified from its times alone, whatever their unit', () => {
    const { series } = run([60, 300], [900, 100]);
    const spiked = series.map((value, i) => (i === 500 ? 40 * value : value));
    for (const unit of [1, 1e-9]) {
      const found = steadyStateOfRun(
        spiked.map((value) => unit * value),
        { random: createRandom(1), skip: 0 },
      );
      // Two slow values are the upper 1 % of a window of 200, so the last two before the change stick out of one, too.
      expect([...found.outliers]).toEqual([58, 59, 500]);
      expect([...found.changepoints]).toEqual([57]);
      expect(found).toMatchObject({ class: 'warm-up', steadyFrom: 58 });
    }
  });

  it('keeps the beginning of a run, where a warm-up of few repetitions is no outlier', () => {
    const { series } = run([2, 300], [700, 100]);
    expect(steadyStateOfRun(series, { random: createRandom(1), skip: 0 }).class).toBe('flat');
    expect(steadyStateOfRun(series, { random: createRandom(1) })).toMatchObject({ class: 'warm-up', steadyFrom: 2 });
    // 200 / ln 2 = 288.5, 200 / ln(1 + 100 000) = 17.4
    expect([1, 1e5].map(sparedIterations)).toEqual([289, 18]);
    expect(() => sparedIterations(0)).toThrow(/must be above 0/);
  });
});

describe('a benchmark', () => {
  it('has the class of its runs where they agree', () => {
    expect(classifyBenchmark(['slowdown', 'slowdown'])).toBe('slowdown');
  });

  it('is inconsistent otherwise, good while no run gets slower or stays unsteady', () => {
    expect(classifyBenchmark(['flat', 'warm-up', 'flat'])).toBe('good-inconsistent');
    expect(classifyBenchmark(['flat', 'slowdown'])).toBe('bad-inconsistent');
    expect(classifyBenchmark(['warm-up', 'no-steady-state'])).toBe('bad-inconsistent');
    expect(() => classifyBenchmark([])).toThrow(/at least 1/);
  });

  it('is a row of the table', () => {
    const runs = [
      { class: 'flat', steadyFrom: 0, repetitions: 3000 },
      { class: 'warm-up', steadyFrom: 101, repetitions: 3000 },
      { class: 'warm-up', steadyFrom: 200, repetitions: 2000 },
      { class: 'no-steady-state', steadyFrom: null, repetitions: 3000 },
    ] as const;
    // (3000 + 3000 + 2000 + 3000) / 4 repetitions, (0 + 101 + 200) / 3 of them before the steady state
    expect(steadyStateTable([{ name: 'als', runs }], 500).rows).toEqual([
      ['als', 4, 2750, 100, 0.25, 0.5, 0, 0.25, 'bad inconsistent'],
    ]);
  });
});
