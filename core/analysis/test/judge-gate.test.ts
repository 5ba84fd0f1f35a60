import type { Comparison, FamilyCorrection, Waiver } from '@deadheat/model';
import { createRandom, mean, standardDeviation, wilsonInterval } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark, judgeGate } from '../src/index.ts';
import { decideVerdict } from '../src/verdict/decide-verdict.ts';
import { pValuesOf } from '../src/compare/estimate.ts';
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
    const barely: Comparison = { ...slow, pValues: { slower: 0.004, faster: 0.996 } };
    expect(judge([barely]).outcome).toBe('failed');
    expect(judge([barely, same, same]).outcome).toBe('passed');
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
        return { ...same, interval, verdict: decideVerdict(interval, 0), pValues: pValuesOf({ location }, 0) };
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
    const exact = { location: tLocation({ mean: 0.02, standardError: 0, degrees: 5 }, 0.95) };
    expect(pValuesOf(exact, 0.01)).toEqual({ slower: 0, faster: 1 });
    expect(pValuesOf(exact, 0.03)).toEqual({ slower: 1, faster: 1 });
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
