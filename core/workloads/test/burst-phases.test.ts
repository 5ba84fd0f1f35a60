import { describe, expect, it } from 'vitest';
import { burstPhases, type LoadPlan, type Phase } from '../src/load/start-load.ts';

function bursts(seed: string): LoadPlan {
  return { mode: 'bursts', seed, busyMeanNs: 15e6, idleMeanNs: 25e6 };
}

function first(count: number, plan: LoadPlan): readonly Phase[] {
  const phases = burstPhases(plan);
  return Array.from({ length: count }, () => phases.next().value as Phase);
}

const golden: readonly Phase[] = [
  { startNs: 702062, endNs: 32728478 },
  { startNs: 57449283, endNs: 75567881 },
  { startNs: 110069358, endNs: 115586262 },
];

describe('the phases of a load', () => {
  it('are none when it is idle and one without end when it is busy', () => {
    expect([...burstPhases({ mode: 'idle' })]).toEqual([]);
    expect([...burstPhases({ mode: 'busy' })]).toEqual([{ startNs: 0, endNs: Infinity }]);
  });

  it('are determined by the seed', () => {
    expect(first(3, bursts('a'))).toEqual(golden);
    expect(first(100, bursts('a'))).toEqual(first(100, bursts('a')));
    expect(first(100, bursts('b'))).not.toEqual(first(100, bursts('a')));
  });

  it('follow each other in whole nanoseconds', () => {
    const flat = first(1000, bursts('a')).flatMap(({ startNs, endNs }) => [startNs, endNs]);
    expect(flat.every((at, index) => Number.isInteger(at) && at >= (flat[index - 1] ?? 0))).toBe(true);
  });

  it('are exponential with the means asked for', () => {
    const phases = first(20_000, bursts('means'));
    const busy = phases.map(({ startNs, endNs }) => endNs - startNs);
    const idle = phases.map(({ startNs }, index) => startNs - (phases[index - 1]?.endNs ?? 0));
    for (const [lengths, mean] of [
      [busy, 15e6],
      [idle, 25e6],
    ] as const) {
      const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      // The standard deviation of an exponential is its mean: 4 standard errors are 4 / sqrt(20 000) = 2.8 %.
      expect(Math.abs(average / mean - 1)).toBeLessThan(0.028);
      // Half of them are shorter than ln 2 times the mean; 4 standard errors of a share of a half are 1.4 %.
      const shorter = lengths.filter((length) => length < Math.LN2 * mean).length / lengths.length;
      expect(Math.abs(shorter - 0.5)).toBeLessThan(0.0142);
    }
  });

  it('rise and fall in waves: a quarter of a wave has a share of 1 / 2 - 1 / pi, and the second one the rest', () => {
    const periodNs = 150 * 60e9;
    const quarters = [0, 0, 0, 0];
    let [last, isOrdered] = [0, true];
    for (const { startNs, endNs } of burstPhases({ mode: 'waves', periodNs })) {
      if (startNs >= 2 * periodNs) break;
      isOrdered &&= startNs >= last && endNs - startNs <= 200e6;
      last = endNs;
      const quarter = Math.floor((startNs % periodNs) / (periodNs / 4));
      quarters[quarter] = (quarters[quarter] ?? 0) + (endNs - startNs) / (periodNs / 2);
    }
    expect(isOrdered).toBe(true);
    const low = 0.5 - 1 / Math.PI;
    for (const [k, share] of [low, 1 - low, 1 - low, low].entries()) expect(quarters[k]).toBeCloseTo(share, 3);
    expect(() => burstPhases({ mode: 'waves', periodNs: 1e9 }).next()).toThrow(/at least 2000000000 ns/);
  });

  it('are refused when they would be shorter than can be kept', () => {
    const plan: LoadPlan = { mode: 'bursts', seed: '', busyMeanNs: 1e5, idleMeanNs: 1e9 };
    expect(() => burstPhases(plan).next()).toThrow(/at least 1000000 ns/);
  });
});
