import type { Iteration } from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { compareBenchmark, measuredRuns } from '../src/index.ts';
import { aBenchmark, aConfig, aSide, aTrial } from './helpers/recordings.ts';

const timeNs = 2e5;
const turnNs = 3e6;

/** Times of an operation on a core that another program shares: now and then one holds turns of the other, in some runs most of them do. */
function inTurns(random: Random, ratio: number, share: number): readonly Iteration[] {
  let s = 0;
  return Array.from({ length: 40 }, (_, i): Iteration => {
    const began = s;
    const turns = random.next() < share ? 1 + random.int(3) : 0;
    s += Math.round(timeNs * ratio * Math.exp(0.01 * Math.abs(random.normal())) + turns * turnNs);
    return { i, s: began, e: s };
  });
}

/** Fills 0.2 ms with invocations as Go does: one that met a stall is alone in its iteration. */
function filled(random: Random, ratio: number, share: number): readonly Iteration[] {
  return inTurns(random, ratio, 0).map((row) => ({ ...row, n: random.next() < share ? 1 : 200 }));
}

function compare(
  ratio: number,
  {
    seed,
    share = { A: 0.2, B: 0.2 },
    make = inTurns,
  }: { seed: string; share?: Record<'A' | 'B', number>; make?: typeof inTurns },
) {
  const random = createRandom(seed);
  const trials = Array.from({ length: 20 }, (_, run) =>
    aTrial({
      run,
      method: 'async-tandem',
      sides: { A: aSide(make(random, 1, share.A)), B: aSide(make(random, ratio, share.B)) },
    }),
  );
  const config = aConfig({ method: 'async-tandem', confidence: 0.95, iterations: 40, interval: 'rank' });
  const benchmark = aBenchmark({ workload: 'lines' });
  return compareBenchmark({ runs: measuredRuns(trials), benchmark, config });
}

describe('an async-tandem', () => {
  it('finds 5 % in times of which some hold turns of fifteen times their length, and has no total time', () => {
    const found = compare(1.05, { seed: 'five' });
    expect(found.verdict).toBe('slower');
    expect(found.interval.estimate).toBeCloseTo(1.05, 2);
    expect(found.interval.high - found.interval.low).toBeLessThan(0.01);
    expect(found.total).toBeNull();
    expect(found.warnings.map(({ code }) => code)).not.toContain('SLOW_NOW_AND_THEN');
    expect(found.metricReason).toContain('lower quartile');
  });

  it('calls equal programs different as seldom as its level says', () => {
    const equal = Array.from({ length: 60 }, (_, k) => compare(1, { seed: `equal ${k}` }));
    expect(equal.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster').length).toBeLessThanOrEqual(8);
  });

  it('is off by less than 1 % where one side holds five times as many turns as the other', () => {
    const equal = Array.from({ length: 10 }, (_, k) => compare(1, { seed: `far ${k}`, share: { A: 0.1, B: 0.5 } }));
    expect(equal.every(({ interval }) => Math.abs(Math.log(interval.estimate)) < 0.01)).toBe(true);
  });

  it('leaves out iterations of a harness that fills a time with the one invocation that met a stall', () => {
    const found = compare(1.05, { seed: 'stalls', share: { A: 0.5, B: 0.85 }, make: filled });
    expect(found.interval.estimate).toBeCloseTo(1.05, 2);
    expect(found.verdict).toBe('slower');
  });
});
