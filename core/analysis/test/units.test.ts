import { describe, expect, it } from 'vitest';
import { resamplingUnits, unitMeans, weightedUnits } from '../src/units/resampling-units.ts';
import { aSide, aTrial, iterationsOf, selectedRuns, trialsOf } from './helpers/recordings.ts';
import { at } from '../src/internal/lists.ts';
import { kindForUnits } from '../src/interval/location.ts';

const tens = (runs: number): number[][] => Array.from({ length: runs }, () => [10]);

const blocksOf = (trials: ReturnType<typeof trialsOf>, swap: 'pair' | 'run' | 'never' = 'pair') => {
  const { runs } = selectedRuns(trials);
  const { unit, members } = resamplingUnits(runs, { swap });
  return { unit, runs: members.map((block) => block.map((r) => at(runs, r).trial.run)) };
};

describe('the units of resampling', () => {
  it('are blocks of two runs that traded cores', () => {
    expect(blocksOf(trialsOf(tens(6), tens(6)))).toEqual({
      unit: 'traded-block',
      runs: [
        [0, 1],
        [2, 3],
        [4, 5],
      ],
    });
  });

  it('join what failed runs left over with the next run on the opposite cores', () => {
    // Runs 1 and 6 failed: 0 (A on core 0) waits for 7 (A on core 1).
    const trials = trialsOf(tens(10), tens(10)).filter(({ run }) => run !== 1 && run !== 6);
    expect(blocksOf(trials).runs).toEqual([
      [0, 7],
      [2, 3],
      [4, 5],
      [8, 9],
    ]);
  });

  it('leave a run without partner by itself', () => {
    expect(blocksOf(trialsOf(tens(7), tens(7))).runs).toEqual([[0, 1], [2, 3], [4, 5], [6]]);
  });

  it('are runs below three blocks, for other swaps, for several iterations, and on one core', () => {
    expect(blocksOf(trialsOf(tens(5), tens(5))).unit).toBe('run');
    expect(blocksOf(trialsOf(tens(6), tens(6)), 'run').unit).toBe('run');
    expect(blocksOf(trialsOf(tens(6), tens(6)), 'never').unit).toBe('run');
    const twice = Array.from({ length: 6 }, () => [10, 10]);
    expect(blocksOf(trialsOf(twice, twice)).unit).toBe('run');
    const oneCore = tens(6).map((times, run) =>
      aTrial({ run, sides: { A: aSide(iterationsOf(times)), B: aSide(iterationsOf(times)) } }),
    );
    expect(blocksOf(oneCore).unit).toBe('run');
  });
});

describe('weighted units', () => {
  it('are the plain means of blocks of one size', () => {
    const members = [
      [0, 1],
      [2, 3],
    ];
    expect([...weightedUnits([1, 3, 5, 9], members)]).toEqual([2, 7]);
  });

  it('have the mean over all runs as their mean when a run is left over', () => {
    // Blocks (1, 3), (5, 9) and 12 alone: mean of runs 6. Weights 2, 2, 1 of 5, n = 3:
    // 6 + 6/5 (2 - 6) = 1.2, 6 + 6/5 (7 - 6) = 7.2, 6 + 3/5 (12 - 6) = 9.6; their mean is 18 / 3 = 6.
    const members = [[0, 1], [2, 3], [4]];
    const units = weightedUnits([1, 3, 5, 9, 12], members);
    expect(units[0]).toBeCloseTo(1.2, 12);
    expect(units[1]).toBeCloseTo(7.2, 12);
    expect(units[2]).toBeCloseTo(9.6, 12);
    expect([...unitMeans([1, 3, 5, 9, 12], members)]).toEqual([2, 7, 12]);
  });
});

const kindOfOne = (units: number, confidence: number) => kindForUnits('expanded', { units, confidence, samples: 1 });
const kindOfTwo = (units: number) => kindForUnits('expanded', { units, confidence: 0.99, samples: 2 });

describe('the kind of interval', () => {
  it('is t where all units lie on one side of the truth too often', () => {
    // One sample: 2 / 2^7 = 1.6 %, 2 / 2^8 = 0.8 %; 2 / 2^5 = 6.3 %, 2 / 2^6 = 3.1 %.
    expect([kindOfOne(7, 0.99), kindOfOne(8, 0.99)]).toEqual(['t', 'expanded']);
    expect([kindOfOne(5, 0.95), kindOfOne(6, 0.95)]).toEqual(['t', 'expanded']);
  });

  it('counts the orders of both sides where they are drawn independently', () => {
    // 2 of 8! / (4! 4!) = 70 orders: 2.9 %; 2 of 252: 0.8 %.
    expect([kindOfTwo(4), kindOfTwo(5)]).toEqual(['t', 'expanded']);
  });

  it('stays what the user picked', () => {
    expect(kindForUnits('percentile', { units: 2, confidence: 0.99, samples: 1 })).toBe('percentile');
    expect(kindForUnits('bca', { units: 2, confidence: 0.99, samples: 1 })).toBe('bca');
  });
});
