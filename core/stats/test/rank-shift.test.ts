import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom, rankSumShift, signedRankShift } from '../src/index.ts';
import { close } from './golden.ts';

// oxlint-disable-next-line typescript/no-explicit-any
const reference: any = JSON.parse(
  readFileSync(new URL('./fixtures/rank-shift-reference.json', import.meta.url), 'utf8'),
);

/** Values of two uneven modes with far ones, a tenth of them equal to another. */
function drawSample(size: number, random: ReturnType<typeof createRandom>): number[] {
  const values: number[] = [];
  for (let i = 0; i < size; i++) {
    const repeated = i > 0 && random.next() < 0.1;
    values.push(repeated ? values[i - 1]! : (random.next() < 0.2 ? 9 : 0) + random.next() ** 3 - 0.4);
  }
  return values;
}

function walsh(x: readonly number[]): number[] {
  return x.flatMap((left, i) => x.slice(i).map((right) => left / 2 + right / 2)).sort((a, b) => a - b);
}

describe('against scipy', () => {
  test('the signed-rank shift has its p values and the median of the Walsh averages', () => {
    for (const c of reference.signed) {
      const shift = signedRankShift(c.x);
      close(shift.estimate, c.estimate, 1e-12, 1e-15, `estimate of ${c.x.length}`);
      close(shift.pAtMost(c.shift), c.atMost, 1e-10, 0, `at most, n ${c.x.length}`);
      close(shift.pAtLeast(c.shift), c.atLeast, 1e-10, 0, `at least, n ${c.x.length}`);
    }
  });

  test('the rank-sum shift has its p values and the median of the differences', () => {
    for (const c of reference.two) {
      const shift = rankSumShift(c.x, c.y);
      close(shift.estimate, c.estimate, 1e-12, 1e-15, `estimate of ${c.x.length}, ${c.y.length}`);
      close(shift.pAtMost(c.shift), c.atMost, 1e-10, 0, `at most, ${c.x.length}, ${c.y.length}`);
      close(shift.pAtLeast(c.shift), c.atLeast, 1e-10, 0, `at least, ${c.x.length}, ${c.y.length}`);
    }
  });
});

describe('an interval', () => {
  test('leaves out exactly the shifts that the test rejects, with ties too', () => {
    const random = createRandom('ends');
    for (let draw = 0; draw < 60; draw++) {
      const x = drawSample(6 + (draw % 20), random);
      const y = drawSample(5 + (draw % 7), random);
      for (const shift of [signedRankShift(x), rankSumShift(x, y)]) {
        for (const level of [0.5, 0.9, 0.95]) {
          const { low, high } = shift.interval(level);
          const tail = (1 - level) / 2;
          const edges = Number.isFinite(low) ? [low, low - 1e-9, high, high + 1e-9] : [];
          for (const edge of [...edges, -0.3, 0, 0.1, 4.2]) {
            expect(low > edge, `${draw}: low ${low}, edge ${edge}`).toBe(shift.pAtMost(edge) <= tail);
            expect(high < edge, `${draw}: high ${high}, edge ${edge}`).toBe(shift.pAtLeast(edge) <= tail);
          }
        }
      }
    }
  });

  test('ends at values that occur among the averages, found without writing them down', () => {
    const random = createRandom('averages');
    for (const n of [1, 2, 9, 40, 301]) {
      const x = drawSample(n, random);
      const averages = walsh(x);
      const shift = signedRankShift(x);
      const middle = averages.length / 2;
      const median =
        averages.length % 2 === 1 ? averages[Math.floor(middle)]! : averages[middle - 1]! / 2 + averages[middle]! / 2;
      expect(shift.estimate).toBe(median);
      const { low, high } = shift.interval(0.5);
      if (!Number.isFinite(low)) continue;
      expect(averages).toContain(low);
      expect(averages).toContain(high);
    }
  });

  test('is without ends where no sample could reach the level', () => {
    // All of 7 values on one side: 2 / 2^7 > 1 %; of 8: 0.8 %.
    expect(signedRankShift([1, 2, 3, 4, 5, 6, 7]).interval(0.99).low).toBe(-Infinity);
    expect(signedRankShift([1, 2, 3, 4, 5, 6, 7, 8]).interval(0.99).low).toBe(1);
    expect(signedRankShift([1, 2, 3, 4, 5, 6, 7, 8]).leastP).toBe(2 ** -8);
    // 1 of 70 orders of 4 and 4.
    close(rankSumShift([5, 6, 7, 8], [1, 2, 3, 4]).leastP, 1 / 70, 1e-12);
  });

  test('turns round with the values', () => {
    const x = drawSample(25, createRandom('turned'));
    const { low, high } = signedRankShift(x).interval(0.95);
    const turned = signedRankShift(x.map((value) => -value)).interval(0.95);
    expect(turned.low).toBeCloseTo(-high, 12);
    expect(turned.high).toBeCloseTo(-low, 12);
  });

  test('misses no more often than its level says, under heavy tails', () => {
    const random = createRandom('misses');
    const draws = 2000;
    let missed = 0;
    for (let draw = 0; draw < draws; draw++) {
      // Cauchy, by the tangent of an angle.
      const x = Array.from({ length: 12 }, () => Math.tan(Math.PI * (random.next() - 0.5)));
      const { low, high } = signedRankShift(x).interval(0.95);
      if (low > 0 || high < 0) missed++;
    }
    // The exact test at n = 12 has 4.2 %; three standard errors are 1.35 %.
    expect(missed / draws).toBeGreaterThan(0.028);
    expect(missed / draws).toBeLessThan(0.056);
  });

  test('is refused for what is not a sample or a level', () => {
    expect(() => signedRankShift([])).toThrow(RangeError);
    expect(() => signedRankShift([1, Number.NaN])).toThrow(/values\[1\]/);
    expect(() => rankSumShift([1], [])).toThrow(/second/);
    expect(() => signedRankShift([1, 2]).interval(1)).toThrow(/level/);
  });
});
