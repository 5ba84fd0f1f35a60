import type { Comparison, ExperimentConfig, Method } from '@deadheat/model';
import { createRandom, wilsonInterval } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { anytimeRatio } from '../src/anytime/anytime-ratio.ts';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { judgeGate } from '../src/gate/judge-gate.ts';
import { totalLogRatios } from '../src/pairing/paired-ratios.ts';
import { aBenchmark, aConfig, trialsOf } from './helpers/recordings.ts';

/** B is 10 % faster in nine runs of ten and takes three times as long in the tenth: + 11 % in sum. */
function mixture(changes: Partial<ExperimentConfig>, runs = 200): Comparison {
  const random = createRandom('mixture');
  const noise = () => Math.exp(0.01 * random.normal());
  const A = Array.from({ length: runs }, () => [2e7 * noise()]);
  const B = Array.from({ length: runs }, (_, r) => [2e7 * noise() * (r % 10 === 4 ? 3 : 0.9)]);
  const { method = 'sync-duet' } = changes;
  const trials = trialsOf(A, B).map((trial) => ({ ...trial, method }));
  return compareBenchmark({
    runs: measuredRuns(trials),
    benchmark: aBenchmark(),
    config: aConfig({ ...changes, method }),
  });
}

describe.each<[string, Partial<ExperimentConfig>]>([
  ['a duet', {}],
  ['sequential pairs', { method: 'sequential' as Method }],
  ['two samples', { method: 'sequential' as Method, unpaired: true }],
  ['an interval of the mean', { interval: 't' }],
])('of %s', (_, facts) => {
  it('the total time decides with the typical run beside it, where it is named', () => {
    const found = mixture({ ...facts, judge: 'total' });
    expect(found).toMatchObject({ judge: 'total', rankInterval: null });
    expect(found.interval).toEqual(found.total);
    expect(found.interval.estimate).toBeCloseTo(1.11, 1);
    // Ranks say - 10 %, the mean of the logarithms 0.9 ln 0.9 + 0.1 ln 3 = + 1.5 %.
    expect(found.typical?.estimate).toBeLessThan(1.03);
    // The difference is that of the mean times.
    expect(found.difference.estimateNs / 2e7).toBeCloseTo(found.interval.estimate - 1, 2);
    const usual = mixture(facts);
    expect(usual).toMatchObject({ judge: 'typical', typical: null, total: found.total });
  });
});

it('a total time that is slower is opposed by a typical run that is faster, in the data and in words', () => {
  const found = mixture({ judge: 'total', confidence: 0.8, interval: 'rank' }, 400);
  expect(found.interval.low).toBeGreaterThan(1);
  expect(found).toMatchObject({
    verdict: 'undecided',
    opposition: { found: 'slower', other: 'faster', by: 'estimate' },
  });
  expect(found.warnings.find(({ code }) => code === 'TYPICAL_AND_TOTAL_DIFFER')?.message).toMatch(
    /^B is slower in sum \(\+1\d %\) and faster in most runs: the ratio of typical runs is -\d/,
  );
});

describe('a gate', () => {
  const gate = (comparison: Comparison) =>
    judgeGate({ judged: [{ comparison, waiver: null }], correction: 'holm', today: '2026-01-02' }).gate.outcome;
  const by = (judge: ExperimentConfig['judge']) => gate(mixture({ judge, confidence: 0.8 }, 400));

  it('fails by either quantity, or by the one that was named alone', () => {
    // The total time is slower at this level, and the typical run is faster.
    expect([by(null), by('total'), by('typical')]).toEqual(['failed', 'failed', 'not-measured']);
  });
});

describe('an early verdict about the total time', () => {
  it('is judged at every interim analysis as at the end', () => {
    const stop = { kind: 'decided', minRuns: 5, maxRuns: null } as const;
    const found = mixture({ judge: 'total', stop }, 100);
    expect(found).toMatchObject({ judge: 'total', interval: { kind: 'anytime-t' }, fixedInterval: { kind: 't' } });
    expect(found.fixedInterval).toEqual(found.total);
    expect(found.interval.estimate).toBeCloseTo(found.total?.estimate ?? 0, 10);
  });

  // Equal totals. A rare mode that has not shown yet cannot be known: of such only decisions after two slow runs count.
  it.each<[string, (random: ReturnType<typeof createRandom>) => number]>([
    ['normal', (random) => Math.exp(0.02 * random.normal())],
    ['skewed', (random) => Math.exp(0.3 * random.normal() - 0.045)],
    ['slow in one run of five', (random) => Math.exp(0.01 * random.normal()) * (random.next() < 0.2 ? 2 : 0.75)],
  ])('is hardly ever false with %s runs of B', (name, timeOfB) => {
    const experiments = draws(1000);
    let wrong = 0;
    for (let k = 0; k < experiments; k++) {
      const random = createRandom(`${name} ${k}`);
      const [A, B]: [number[], number[]] = [[], []];
      for (let runs = 1; runs <= 100; runs++) {
        A.push(Math.exp(0.02 * random.normal()));
        B.push(timeOfB(random));
        if (runs < 14 || (name.startsWith('slow') && B.filter((time) => time > 1.5).length < 2)) continue;
        const logs = totalLogRatios({ A: Float64Array.from(A), B: Float64Array.from(B) });
        const { low, high } = anytimeRatio(logs, { confidence: 0.99, conditions: null, quantity: 'total' });
        if (low <= 1 && high >= 1) continue;
        wrong++;
        break;
      }
    }
    expect(wilsonInterval(wrong, experiments, { level: 0.999 }).low).toBeLessThanOrEqual(0.01);
  });
});
