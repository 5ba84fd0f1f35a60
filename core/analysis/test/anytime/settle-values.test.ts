import { binomialQuantile, createRandom, normalQuantile, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws as drawsOf } from '../../../../bench/lib/draws.js';
import { anytimeRatio, anytimeVerdict, settleValues } from '../../src/anytime/anytime-ratio.ts';

function noise(count: number, random: Random): Float64Array {
  return Float64Array.from({ length: count }, () => 0.01 * normalQuantile(0.001 + 0.998 * random.next()));
}

describe('log ratios for the interval that holds at every look', () => {
  const plain = noise(40, createRandom('plain'));

  it('stay as they are without far ones', () => {
    expect(settleValues(plain, null).values).toBe(plain);
  });

  it('have far ones moved that hit either side', () => {
    const values = plain.map((value, i) => (i === 5 ? 0.3 : i === 20 ? -0.3 : value));
    const { values: settled } = settleValues(values, null);
    expect(settled[5]).toBeGreaterThan(0.03);
    expect(settled[5]).toBeLessThan(0.08);
    expect(settled[20]).toBeLessThan(-0.03);
    expect(settled[20]).toBeGreaterThan(-0.08);
    expect(settled.filter((value, i) => value !== values[i])).toHaveLength(2);
  });

  it('keep far ones that are lopsided: a side that is slow now and then', () => {
    const values = plain.map((value, i) => ([5, 14, 27].includes(i) ? 0.3 : value));
    expect(settleValues(values, null).values).toBe(values);
  });

  it('keep far ones that may be a second mode', () => {
    const values = plain.map((value, i) => (i % 7 === 3 ? value + 0.3 * (i % 2 === 0 ? 1 : -1) : value));
    expect(settleValues(values, null).values).toBe(values);
    const few = values.slice(0, 14);
    expect(settleValues(few, null).values).toBe(few);
  });

  it('are looked at within the two assignments of the cores', () => {
    const conditions = Array.from(plain, (_, i) => i % 2 === 0);
    const values = plain.map((value, i) => value + (i % 2 === 0 ? 0.2 : -0.2));
    expect(settleValues(values, conditions).values).toBe(values);
  });

  it('say how much neighbours resemble each other, which widens the interval', () => {
    let level = 0;
    const walk = noise(60, createRandom('walk')).map((value) => (level = 0.8 * level + value));
    expect(settleValues(walk, null).inflation).toBeGreaterThan(3);
    // Neighbours are 23 steps of the walk apart.
    const shuffled = walk.map((_, i) => walk[(23 * i) % walk.length]!);
    expect(settleValues(shuffled, null).inflation).toBe(1);
    const options = { confidence: 0.99, conditions: null };
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    expect(width(anytimeRatio(walk, options))).toBeGreaterThan(1.5 * width(anytimeRatio(shuffled, options)));
  });
});

describe('a slowdown of 1 % under rare disturbances of either side', () => {
  it('is found at some look in most experiments of 120 runs, and no difference hardly ever', () => {
    const random = createRandom('spikes');
    const spike = (): number => (random.next() < 0.05 ? Math.log(1.2 + 0.3 * random.next()) : 0);
    const found = { slower: 0, none: 0 };
    const experiments = 60;
    for (let k = 0; k < experiments; k++) {
      const values = noise(120, random).map((value) => 1.41 * value + spike() - spike());
      const isApart = (shift: number): boolean => {
        for (let runs = 14; runs <= 120; runs += 6) {
          const logs = values.slice(0, runs).map((value) => value + shift);
          const { low, high } = anytimeRatio(logs, { confidence: 0.99, conditions: null });
          if (low > 1 || high < 1) return true;
        }
        return false;
      };
      if (isApart(0.01)) found.slower++;
      if (isApart(0)) found.none++;
    }
    // 78 % of 300 experiments; without moved values 8 %.
    expect(found.slower).toBeGreaterThan(0.55 * experiments);
    // At most 1 %: 4 or more of 60 have a chance of 1 in 3000.
    expect(found.none).toBeLessThan(4);
  });
});

describe('equal programs whose neighbouring runs correlate by 0.5', () => {
  it('are called different at the first verdict of 99 % in at most 1.5 % of the experiments of 120 runs', () => {
    const experiments = drawsOf(4000);
    let different = 0;
    for (let k = 0; k < experiments; k++) {
      const random = createRandom(`neighbours ${k}`);
      let level = random.normal();
      const values = Float64Array.from(
        { length: 120 },
        () => 0.014 * (level = 0.5 * level + Math.sqrt(0.75) * random.normal()),
      );
      for (let runs = 14; runs <= values.length; runs++) {
        const ratio = anytimeRatio(values.subarray(0, runs), { confidence: 0.99, conditions: null });
        const verdict = anytimeVerdict(ratio, 0);
        if (verdict === 'undecided') continue;
        if (verdict !== 'dead-heat') different++;
        break;
      }
    }
    expect(different).toBeLessThanOrEqual(binomialQuantile(0.999, experiments, 0.015));
  });
});
