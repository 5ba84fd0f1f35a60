import type { Comparison, FamilyCorrection, Gate, UndecidedPolicy, Waiver } from '@deadheat/model';
import {
  autocorrelation,
  binomialQuantile,
  createRandom,
  mean,
  standardDeviation,
  wilsonInterval,
  type Random,
} from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark, decideGate, judgeGate } from '../src/index.ts';
import { decideVerdict } from '../src/verdict/decide-verdict.ts';
import { boundsOf, pValuesOf } from '../src/compare/estimate.ts';
import { correlatedP } from '../src/gate/family-correlation.ts';
import { ratioOfLocation, tLocation } from '../src/interval/location.ts';
import { aBenchmark, aConfig, trialsOf } from './helpers/recordings.ts';

const today = '2026-05-20';
const runs = (count: number, spread: number, ratio: number, seed: string): Comparison => {
  const random = createRandom(seed);
  const draw = (base: number): number[][] =>
    Array.from({ length: count }, () => [base * Math.exp(spread * random.normal())]);
  const benchmark = aBenchmark({ name: seed });
  return compareBenchmark({
    runs: measuredRuns(trialsOf(draw(1e6), draw(1e6 * ratio))),
    benchmark,
    config: aConfig({ benchmarks: [benchmark], swap: 'never', interval: 't' }),
  });
};
const gated = (comparisons: readonly Comparison[], waiver: Waiver | null = null) =>
  comparisons.map((comparison) => ({ comparison, waiver }));
const judge = (comparisons: readonly Comparison[], correction: FamilyCorrection = 'holm') =>
  judgeGate({ judged: gated(comparisons), correction, today }).gate;

const slow = runs(20, 0.01, 1.1, 'slow');
const same = runs(20, 0.01, 1, 'same');

describe('the gate', () => {
  it('fails by one slower benchmark, with its corrected p value', () => {
    const gate = judge([same, slow]);
    expect(gate).toMatchObject({ outcome: 'failed', correction: 'holm', control: null });
    expect(gate.level).toBeCloseTo((1 - slow.interval.level) / 2, 12);
    expect(gate.benchmarks.map(({ slower }) => slower)).toEqual([false, true]);
    expect(gate.benchmarks[1]!.adjustedP).toBeCloseTo(2 * gate.benchmarks[1]!.p, 15);
    expect(judge([same]).outcome).toBe('passed');
  });

  it('abstains with its reason where nothing was judged', () => {
    expect(judge([])).toMatchObject({ outcome: 'abstained', reason: 'nothing-judged' });
  });

  it('does not count what is slower by itself only', () => {
    const barely: Comparison = {
      ...slow,
      pValues: { slower: 0.004, faster: 0.996, least: 0, gate: { slower: 0.004, faster: 0.996 } },
    };
    expect(judge([barely]).outcome).toBe('failed');
    expect(judge([barely, same, same]).outcome).toBe('not-measured');
    expect(judge([barely, same, same], 'none').outcome).toBe('failed');
  });

  it("is excused until the waiver's last day, its end included", () => {
    const waiver = { reason: 'known, waits for the new parser', expires: today };
    const on = (day: string) => judgeGate({ judged: gated([slow], waiver), correction: 'holm', today: day });
    expect(on(today).gate).toMatchObject({ outcome: 'passed', benchmarks: [{ slower: true, waiver }] });
    expect(on(today).warnings).toEqual([]);
    const after = on('2026-05-21');
    expect(after.gate).toMatchObject({ outcome: 'failed', benchmarks: [{ waiver: null }] });
    expect(after.warnings).toMatchObject([{ code: 'WAIVER_EXPIRED' }]);
    expect(after.warnings[0]!.message).toContain('known, waits for the new parser');
  });

  it('abstains when a control differs, in either direction, and says so', () => {
    const control = (comparison: Comparison): Comparison => ({ ...comparison, controlOf: 'same' });
    const calm = judge([slow, control(same)]);
    expect(calm).toMatchObject({ outcome: 'failed', control: { fired: false } });
    expect(calm.benchmarks).toHaveLength(1);
    for (const apart of [slow, runs(20, 0.01, 1 / 1.1, 'quick')]) {
      const { gate, warnings } = judgeGate({ judged: gated([slow, control(apart)]), correction: 'holm', today });
      expect(gate).toMatchObject({ outcome: 'abstained', reason: 'control-fired', control: { fired: true } });
      expect(warnings).toMatchObject([{ code: 'CONTROL_FIRED' }]);
    }
  });

  it.each(['holm', 'benjamini-hochberg'] as const)(
    'without any difference fails no more often over 20 benchmarks than one would: %s',
    (correction) => {
      const random = createRandom(`family ${correction}`);
      const confidence = 0.9;
      const draw = (): Comparison => {
        const values = Float64Array.from({ length: 10 }, () => 0.01 * random.normal());
        const standardError = standardDeviation(values) / Math.sqrt(10);
        const location = tLocation({ mean: mean(values), standardError, degrees: 9 }, confidence);
        const interval = ratioOfLocation(location, confidence);
        return {
          ...same,
          interval,
          neighbourCorrelation: null,
          verdict: decideVerdict(interval, 0),
          pValues: pValuesOf({ location, other: null }, typical),
        };
      };
      const experiments = draws(2000);
      let failed = 0;
      let uncorrected = 0;
      for (let k = 0; k < experiments; k++) {
        const family = Array.from({ length: 20 }, draw);
        if (judge(family, correction).outcome === 'failed') failed++;
        if (judge(family, 'none').outcome === 'failed') uncorrected++;
      }
      expect(wilsonInterval(failed, experiments, { level: 0.999 }).low).toBeLessThanOrEqual(0.05);
      expect(failed).toBeGreaterThan(0);
      // One-sided 5 % of each of twenty: two in three experiments.
      expect(uncorrected / experiments).toBeGreaterThan(0.55);
    },
  );
});

describe('a family whose neighbouring runs correlate', () => {
  const family = (correlation: number, { random, slowdown = 0 }: { random: Random; slowdown?: number }): Comparison[] =>
    Array.from({ length: 20 }, (_, place) => {
      let level = random.normal();
      const values = Float64Array.from(
        { length: 20 },
        () =>
          (level = correlation * level + Math.sqrt(1 - correlation ** 2) * random.normal()) +
          (place === 0 ? slowdown : 0),
      );
      const standardError = standardDeviation(values) / Math.sqrt(values.length);
      const location = tLocation({ mean: mean(values), standardError, degrees: values.length - 1 }, 0.99);
      return {
        ...same,
        interval: ratioOfLocation(location, 0.99),
        neighbourCorrelation: autocorrelation(values),
        resampled: { unit: 'run', count: values.length },
        pValues: pValuesOf({ location, other: null }, typical),
      };
    });
  const experiments = draws(2000);
  const failures = (correlation: number, slowdown = 0): number => {
    const random = createRandom(`correlated family ${correlation} ${slowdown}`);
    const gates = Array.from({ length: experiments }, () => judge(family(correlation, { random, slowdown })));
    return gates.filter(({ outcome }) => outcome === 'failed').length;
  };

  it('widens the smallest p values, and keeps their order', () => {
    const { interval, resampled } = family(0, { random: createRandom('small') })[0]!;
    const correlated = { correlation: 0.3, inflation: 1.3 / 0.7 };
    const widened = [1e-300, 1e-30, 1e-17, 1e-5, 0.4].map((p) => correlatedP(p, { interval, resampled }, correlated));
    expect(widened.every((p, k) => p > [1e-300, 1e-30, 1e-17, 1e-5, 0.4][k]! && p < 0.5)).toBe(true);
    expect(widened.toSorted((one, other) => one - other)).toEqual(widened);
  });

  it.each([0.2, 0.5])('by %d fails falsely in at most 1 % of the experiments', (correlation) => {
    expect(failures(correlation)).toBeLessThanOrEqual(binomialQuantile(0.999, experiments, 0.01));
  });

  it('by nothing finds what it found without a look at correlation, but for some in a hundred', () => {
    const random = createRandom('correlated family 0 1.2');
    const found = Array.from({ length: experiments }, () => {
      const own = family(0, { random, slowdown: 1.2 });
      const unaware = own.map((comparison) => ({ ...comparison, neighbourCorrelation: null }));
      return [judge(unaware), judge(own)].map(({ outcome }) => outcome === 'failed') as [boolean, boolean];
    });
    const [before, after] = [0, 1].map((place) => found.filter((one) => one[place]).length) as [number, number];
    expect(before).toBeGreaterThan(0.5 * experiments);
    expect(after).toBeGreaterThan(0.97 * before);
  });

  it('is said', () => {
    const random = createRandom('said');
    const { warnings } = judgeGate({ judged: gated(family(0.5, { random })), correction: 'holm', today });
    expect(warnings).toMatchObject([{ code: 'RUNS_CORRELATED' }]);
    expect(warnings[0]!.message).toMatch(
      /a correlation of 0\.[3-7]\d\), so the gate took their p values as of intervals \d\.\d times as wide/,
    );
    expect(judgeGate({ judged: gated(family(0, { random })), correction: 'holm', today }).warnings).toEqual([]);
  });
});

describe('a family with few runs', () => {
  /** Twelve benchmarks, B slower by 1 % in all of so many runs, which scatter hardly: two modes of which one was seen look the same. */
  const family = (count: number): Comparison[] => {
    const random = createRandom(`few ${count}`);
    return Array.from({ length: 12 }, (_, place) => {
      const benchmark = aBenchmark({ name: `b${place}` });
      const times = (ratio: number) =>
        Array.from({ length: count }, () => [1e6 * ratio * Math.exp(1e-4 * random.normal())]);
      return compareBenchmark({
        runs: measuredRuns(trialsOf(times(1), times(1.01), { changes: { method: 'sequential' } })),
        benchmark,
        config: aConfig({ benchmarks: [benchmark], method: 'sequential', unpaired: false }),
      });
    });
  };

  it('cannot fail by what so many runs do by chance, and says how many runs can', () => {
    for (const count of [5, 11]) {
      const { gate, warnings } = judgeGate({ judged: gated(family(count)), correction: 'holm', today });
      expect(gate.benchmarks.every(({ verdict, p }) => verdict === 'slower' && p === 2 ** -count)).toBe(true);
      expect(gate.outcome).toBe('passed');
      expect(warnings).toMatchObject([{ code: 'FAMILY_NEEDS_RUNS' }]);
      // 12 / 2^12 is the first below 0.005.
      expect(warnings[0]!.message).toContain('12 of 12 benchmarks cannot count as slower');
      expect(warnings[0]!.message).toContain('12 runs or more');
    }
  });

  it('fails with that many, and without a correction', () => {
    const enough = judgeGate({ judged: gated(family(12)), correction: 'holm', today });
    expect(enough).toMatchObject({ gate: { outcome: 'failed' }, warnings: [] });
    expect(judge(family(8), 'none').outcome).toBe('failed');
    // All at the least p value together, 1 / 2^8, is what Benjamini and Hochberg's procedure rejects.
    expect(judge(family(8), 'benjamini-hochberg').outcome).toBe('failed');
  });
});
/** Judged by the quantity that was named. */
const typical = { margin: 0, judge: 'typical' } as const;

describe('p values', () => {
  it('are below half of 1 - confidence exactly where the t interval lies beyond the margin', () => {
    for (const comparison of [slow, same, runs(8, 0.02, 1.02, 'a'), runs(8, 0.02, 0.97, 'b')]) {
      const half = (1 - comparison.interval.level) / 2;
      expect(comparison.pValues.slower < half).toBe(comparison.interval.low > 1);
      expect(comparison.pValues.faster < half).toBe(comparison.interval.high < 1);
      expect(comparison.pValues.slower + comparison.pValues.faster).toBeCloseTo(1, 10);
    }
  });

  it('without scatter are 0 or 1', () => {
    const exact = { location: tLocation({ mean: 0.02, standardError: 0, degrees: 5 }, 0.95), other: null };
    expect(pValuesOf(exact, { ...typical, margin: 0.01 })).toEqual({
      slower: 0,
      faster: 1,
      least: 0,
      gate: { slower: 0, faster: 1 },
    });
    expect(pValuesOf(exact, { ...typical, margin: 0.03 })).toEqual({
      slower: 1,
      faster: 1,
      least: 0,
      gate: { slower: 1, faster: 1 },
    });
  });

  it('of a gate are twice the smaller of both quantities, and that of the one that was named', () => {
    const at = (mean: number) => tLocation({ mean, standardError: 0.01, degrees: 19 }, 0.99);
    const [faster, slower] = [at(-0.05), at(0.05)];
    const both = (location: typeof faster, other: typeof faster) =>
      pValuesOf({ location, other }, { margin: 0, judge: null }).gate.slower;
    const one = slower.pAtMost(0);
    expect(both(slower, slower)).toBeCloseTo(2 * one, 15);
    expect(both(faster, slower)).toBeCloseTo(2 * one, 15);
    expect(both(faster, faster)).toBe(1);
    expect(pValuesOf({ location: faster, other: slower }, typical).gate.slower).toBe(faster.pAtMost(0));
    expect(pValuesOf({ location: slower, other: faster }, { margin: 0, judge: 'total' }).gate.slower).toBe(one);
  });

  it('of an interval that holds at every look agree with it', () => {
    const random = createRandom('watched');
    const benchmark = aBenchmark();
    for (const ratio of [1, 1.004, 1.02, 0.98]) {
      const draw = (base: number): number[][] =>
        Array.from({ length: 30 }, () => [base * Math.exp(0.005 * random.normal())]);
      const { interval, pValues: p } = compareBenchmark({
        runs: measuredRuns(trialsOf(draw(1e6), draw(1e6 * ratio))),
        benchmark,
        config: aConfig({
          benchmarks: [benchmark],
          stop: { kind: 'decided', minRuns: 5, maxRuns: null },
          swap: 'never',
        }),
      });
      const half = (1 - interval.level) / 2;
      expect(p.slower <= half).toBe(interval.low > 1);
      expect(p.faster <= half).toBe(interval.high < 1);
    }
  });
});

describe('a gate passes', () => {
  const bounded = (high: number, changes: Partial<Comparison> = {}): Comparison => ({
    ...same,
    bounds: { low: 0.9, high },
    ...changes,
  });

  it('where a slowdown beyond the margin is excluded, or beyond 2 % without one, and is not measured elsewhere', () => {
    expect(judge([bounded(1.019)])).toMatchObject({ outcome: 'passed', benchmarks: [{ bound: 0.02 }] });
    expect(judge([bounded(1.021)]).outcome).toBe('not-measured');
    expect(judge([bounded(1.021), bounded(1)]).outcome).toBe('not-measured');
    expect(judge([bounded(1.021, { margin: 0.05 })])).toMatchObject({
      outcome: 'passed',
      benchmarks: [{ bound: 0.05 }],
    });
    expect(judge([bounded(1.021), slow]).outcome).toBe('failed');
  });

  it('with what the policy lets pass', () => {
    const gate = judge([bounded(1.04), same]);
    const by = (undecided: UndecidedPolicy): Gate => decideGate(gate, { against: 'slower', undecided });
    expect(by('fail').outcome).toBe('not-measured');
    expect(by('pass')).toMatchObject({
      outcome: 'passed',
      benchmarks: [{ outcome: 'let-pass' }, { outcome: 'passed' }],
    });
    expect(by(0.05).outcome).toBe('passed');
    expect(by(0.03).outcome).toBe('not-measured');
  });

  it('by the direction that it is against', () => {
    const gate = judge([bounded(1)]);
    expect(decideGate(gate, { against: 'faster', undecided: 'fail' }).outcome).toBe('not-measured');
    expect(decideGate(gate, { against: 'changed', undecided: 'fail' }).outcome).toBe('not-measured');
    expect(decideGate(gate, { against: 'faster', undecided: 0.12 }).outcome).toBe('passed');
    const fast = judge([runs(20, 0.01, 1 / 1.1, 'quick')]);
    expect(fast.outcome).toBe('passed');
    expect(decideGate(fast, { against: 'faster', undecided: 'fail' }).outcome).toBe('failed');
    expect(decideGate(fast, { against: 'changed', undecided: 'fail' }).outcome).toBe('failed');
  });

  it('at a slowdown as large as the bound no more often than the level says', () => {
    const random = createRandom('a slowdown of 2 %');
    const confidence = 0.9;
    const experiments = draws(4000);
    let passed = 0;
    for (let k = 0; k < experiments; k++) {
      const values = Float64Array.from({ length: 10 }, () => Math.log(1.02) + 0.01 * random.normal());
      const error = { mean: mean(values), standardError: standardDeviation(values) / Math.sqrt(10), degrees: 9 };
      const location = tLocation(error, confidence);
      const interval = ratioOfLocation(location, confidence);
      const bounds = boundsOf(location, confidence);
      if (judge([{ ...same, interval, bounds }]).outcome === 'passed') passed++;
    }
    const { low, high } = wilsonInterval(passed, experiments, { level: 0.999 });
    expect(low).toBeLessThanOrEqual(0.1);
    expect(high).toBeGreaterThanOrEqual(0.1);
  });

  it('never without a verdict: bounds that exclude nothing are missed by anything', () => {
    expect(judge([bounded(Number.MAX_VALUE)]).outcome).toBe('not-measured');
  });
});
