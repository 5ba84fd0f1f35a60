import { binomialQuantile, createRandom, requiredRuns, type Random } from '@deadheat/stats';
import { draws } from '../../../../bench/lib/draws.js';
import { describe, expect, it } from 'vitest';
import {
  anytimeRatio,
  anytimeReach,
  isBoundless,
  anytimeVerdict,
  detectableAnytime,
  isFutile,
  isHardlyFaster,
  runsUntil,
  runsUntilDecided,
  countInterimAnalyses,
  isInterimAnalysis,
  largeDifference,
  runsForLarge,
} from '../../src/anytime/anytime-ratio.ts';
import { firstVerdict } from './watched-duet.ts';

const DUETS = 100;

/** Run effects of a side with standard deviation 1. */
const effects: Readonly<Record<string, (random: Random) => number>> = {
  normal: (random) => random.normal(),
  skewed: (random) => -Math.log(1 - random.next()) - 1,
  bimodal: (random) => (random.next() < 0.5 ? -1 : 1) * 0.98 + 0.2 * random.normal(),
};

const verdicts = (
  effect: (random: Random) => number,
  options: { readonly confidence: number; readonly slowdown: number; readonly seed: string; readonly duets: number },
): readonly (number | null)[] =>
  Array.from({ length: options.duets }, (_, duet) => {
    const random = createRandom(`${options.seed} ${duet}`);
    return firstVerdict({
      confidence: options.confidence,
      margin: 0,
      runs: 200,
      conditions: duet % 2 === 0,
      logRatio: () => Math.log1p(options.slowdown) + 0.01 * (effect(random) - effect(random)),
    });
  });

const share = (found: readonly (number | null)[]): number =>
  found.filter((runs) => runs !== null).length / found.length;

// bench/sequential simulates 2 000 duets each. Here 100, of which no more than the level may be called different; the procedure's own
// rates are about 0.3 and 2 %.
describe.each(Object.entries(effects))(
  'equal programs with %s run effects, looked at after every run up to 200',
  (name, effect) => {
    it.each([
      { confidence: 0.99, most: 0.01 },
      { confidence: 0.95, most: 0.05 },
    ])('are rarely called slower or faster at $confidence', ({ confidence, most }) => {
      const found = verdicts(effect, { confidence, slowdown: 0, seed: name, duets: DUETS });
      expect(share(found)).toBeLessThanOrEqual(most);
    });
  },
);

// Both sides of equal programs have the same run effects, so their log ratios are symmetric. These are not: values of mean 0 of which seven
// in ten lie close together, so that the first handful often shows one mode only.
describe('log ratios with a rare mode', () => {
  it('wait until it has shown', () => {
    const found = Array.from({ length: DUETS }, (_, duet) => {
      const random = createRandom(`rare mode ${duet}`);
      const logRatio = (): number => 0.01 * ((random.next() < 0.7 ? 0.3 : -0.7) + 0.1 * random.normal());
      return firstVerdict({ confidence: 0.99, margin: 0, runs: 200, conditions: duet % 2 === 0, logRatio });
    });
    expect(share(found)).toBeLessThanOrEqual(0.02);
  });
});

describe('a slowdown of 2 % with run noise of 1 % a side', () => {
  it('is always found, at the median within 65 % of a fixed design that misses it more often than 200 runs do', () => {
    const found = verdicts((random) => random.normal(), {
      confidence: 0.99,
      slowdown: 0.02,
      seed: 'slow',
      duets: DUETS,
    });
    expect(share(found)).toBe(1);
    const sorted = found.map((runs) => runs ?? Infinity).toSorted((a, b) => a - b);
    // Log ratios have a standard deviation of 1.41 %. At the limit the change is missed with a probability of about 10^-54.
    const fixed = requiredRuns({
      standardDeviation: 0.01 * Math.SQRT2,
      ratio: 1.02,
      confidence: 0.99,
      power: 1 - 1e-5,
    });
    expect(sorted[DUETS / 2]).toBeLessThanOrEqual(0.65 * fixed);
  });
});

const normal = (count: number, { mean = 0, deviation = 0.01, seed = 1 } = {}): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => mean + deviation * random.normal());
};
const ratioOf = (logs: readonly number[], confidence = 0.99) => anytimeRatio(logs, { confidence, conditions: null });

describe('a ratio that may be looked at', () => {
  it('has no bounds, and decides nothing, before the first look', () => {
    const few = ratioOf(normal(13, { mean: 0.5 }));
    expect(isBoundless(few)).toBe(true);
    expect(few).toMatchObject({ low: 0, high: Number.MAX_VALUE });
    expect(anytimeVerdict(few, 0)).toBe('undecided');
    expect(detectableAnytime(few, 0)).toBe(Number.MAX_VALUE);
    expect(anytimeVerdict(ratioOf(normal(14, { mean: 0.5 })), 0)).toBe('slower');
  });

  it('does not take the difference between two cores for noise', () => {
    const conditions = Array.from({ length: 20 }, (_, run) => run % 2 === 0);
    const logs = normal(20).map((value, run) => value + (run % 2 === 0 ? 0.3 : -0.3));
    const plain = ratioOf(logs);
    const traded = anytimeRatio(logs, { confidence: 0.99, conditions });
    expect(traded.estimate).toBeCloseTo(plain.estimate, 12);
    expect(traded.high - traded.low).toBeLessThan(0.1 * (plain.high - plain.low));
  });
});

describe('what more runs would bring', () => {
  const ratio = ratioOf(normal(40, { mean: 0.004, seed: 3 }));

  it('is the number at which the interval is narrow enough', () => {
    const runs = runsUntil(ratio, 0.002) ?? 0;
    expect(anytimeReach(ratio, runs)).toBeLessThanOrEqual(0.002);
    expect(anytimeReach(ratio, runs - 1)).toBeGreaterThan(0.002);
    expect(runsUntil(ratio, 1e-9)).toBeNull();
  });

  it('is nothing on the edge of the margin', () => {
    expect(runsUntilDecided(ratio, Math.expm1(Math.abs(ratio.log.mean)))).toBeNull();
  });
});

describe('giving up', () => {
  it('waits for all runs that could still decide', () => {
    const ratio = ratioOf(normal(20, { deviation: 0.05 }));
    expect(isFutile(ratio, { margin: 0, mostRuns: Infinity })).toBe(false);
    expect(isFutile(ratio, { margin: 0, mostRuns: 1000 })).toBe(false);
    expect(isFutile(ratio, { margin: 0, mostRuns: 24 })).toBe(true);
    // half of the interval of 1 000 runs, about 0.006, fits into the margin
    expect(isFutile(ratio, { margin: 0.01, mostRuns: 1000 })).toBe(false);
    // and that of 24 runs with a fifth of the spread into the 2 % of a dead heat without a margin
    expect(isFutile(ratioOf(normal(20)), { margin: 0, mostRuns: 24 })).toBe(false);
  });

  it('gives up a gain that is unlikely, and waits for one that may come', () => {
    const limits = { margin: 0, mostRuns: 60 };
    expect(isHardlyFaster(ratioOf(normal(30, { mean: 0, seed: 2 })), limits)).toBe(true);
    expect(isHardlyFaster(ratioOf(normal(15, { mean: -0.02, seed: 2 })), limits)).toBe(false);
    expect(isHardlyFaster(ratioOf(normal(15, { mean: 0.02, seed: 2 })), limits)).toBe(true);
    // Without a limit, and before anything could be said, nothing is given up.
    expect(isHardlyFaster(ratioOf(normal(15, { mean: 0 })), { margin: 0, mostRuns: Infinity })).toBe(false);
    expect(isHardlyFaster(ratioOf(normal(9, { mean: 0 })), limits)).toBe(false);
    // At 99 % there is no interval before 14 runs.
    expect(isHardlyFaster(ratioOf(normal(12, { mean: -0.05 })), { margin: 0, mostRuns: 13 })).toBe(true);
  });

  it('does not take two spikes for a spread that hides every gain', () => {
    const logs = normal(15, { mean: -0.02, seed: 2 });
    const spiky = logs.map((value, n) => (n === 3 || n === 9 ? value + 0.3 : value));
    const ratio = ratioOf(spiky);
    expect(ratio.log.moved.standardDeviation).toBeLessThan(ratio.log.standardDeviation / 2);
    expect(isHardlyFaster(ratio, { margin: 0, mostRuns: 60 })).toBe(false);
  });

  it('hardly ever gives up what the limit would have decided', () => {
    let given = 0;
    let wrong = 0;
    for (let duet = 0; duet < DUETS; duet++) {
      const logs = normal(100, { mean: 0.02, deviation: 0.05, seed: 1000 + duet });
      const at = (runs: number) => ratioOf(logs.slice(0, runs), 0.95);
      const isDecided = (runs: number) => anytimeVerdict(at(runs), 0) !== 'undecided';
      for (let runs = 10; runs <= 100; runs++) {
        if (isDecided(runs)) break;
        if (!isFutile(at(runs), { margin: 0, mostRuns: 100 })) continue;
        given++;
        if (isDecided(100)) wrong++;
        break;
      }
    }
    expect(given).toBeGreaterThan(10);
    expect(wrong / DUETS).toBeLessThanOrEqual(0.05);
  });
});

it('looks are counted from the first run that could decide, two by two where cores are traded', () => {
  const schedule = {
    stop: { kind: 'decided', minRuns: 5, maxRuns: null },
    method: 'sync-duet',
    confidence: 0.99,
  } as const;
  expect([13, 14, 15, 40].map((runs) => countInterimAnalyses(runs, { ...schedule, swap: 'pair' }))).toEqual([
    0, 1, 1, 14,
  ]);
  expect([13, 14, 15, 40].map((runs) => countInterimAnalyses(runs, { ...schedule, swap: 'run' }))).toEqual([
    0, 1, 2, 27,
  ]);
  expect(countInterimAnalyses(40, { ...schedule, swap: 'pair', stop: { kind: 'runs', runs: 40 } })).toBe(0);
  // The sides of a tandem have no cores to trade.
  const tandem = { ...schedule, method: 'tandem', swap: 'pair' } as const;
  expect([13, 14, 15, 40].map((runs) => countInterimAnalyses(runs, tandem))).toEqual([0, 1, 2, 27]);
});

it.each(['normal', 'bimodal'] as const)(
  'the slowdown that is said to be found in 4 of 5 experiments is, of %s runs',
  (name) => {
    const made = draws(2000);
    for (const runs of [20, 40]) {
      const random = createRandom(`detectable ${name} ${runs}`);
      const ratioOf = (shift: number) =>
        anytimeRatio(
          Float64Array.from({ length: runs }, () => shift + 0.01 * (effects[name]!(random) - effects[name]!(random))),
          { confidence: 0.99, conditions: null },
        );
      let found = 0;
      for (let draw = 0; draw < made; draw++) {
        const shift = Math.log1p(detectableAnytime(ratioOf(0), 0));
        if (anytimeVerdict(ratioOf(shift), 0) === 'slower') found++;
      }
      expect(found).toBeGreaterThan(binomialQuantile(0.001, made, 0.77));
      expect(found).toBeLessThan(binomialQuantile(0.999, made, 0.9));
    }
  },
);

describe('a large difference', () => {
  const level = { confidence: 0.95, margin: 0 };

  it('is claimed after 5 runs at 95 %, 7 at 99 %, and more in a family', () => {
    expect([0.95, 0.99, 0.9995].map(runsForLarge)).toEqual([5, 7, 10]);
  });

  it('is one that every run shows, beyond a quarter and the margin', () => {
    const twice = Float64Array.from({ length: 5 }, () => Math.log(2));
    expect(largeDifference(twice, level)).toBe('slower');
    expect(
      largeDifference(
        twice.map((log) => -log),
        level,
      ),
    ).toBe('faster');
    expect(largeDifference(twice.slice(1), level)).toBe('undecided');
    expect(largeDifference(twice, { ...level, margin: 1 })).toBe('undecided');
    expect(largeDifference(Float64Array.of(...twice.slice(1), Math.log(1.2)), level)).toBe('undecided');
  });

  it('is hardly ever seen of equal programs, however often it is looked for, also where a run of ten takes three times as long', () => {
    const random = createRandom('large differences');
    const side = (): number => 0.1 * random.normal() + (random.next() < 0.1 ? Math.log(3) : 0);
    let seen = 0;
    for (let k = 0; k < 4000; k++) {
      const logs = Float64Array.from({ length: 9 }, () => side() - side());
      if ([5, 6, 7, 8, 9].some((runs) => largeDifference(logs.slice(0, runs), level) !== 'undecided')) seen++;
    }
    expect(seen).toBeLessThan((4000 * 0.05) / 6);
  });

  it('is looked for before the first interim analysis, where a verdict is waited for, and counts as none of them', () => {
    const schedule = { stop: { kind: 'decided', minRuns: 5, maxRuns: null }, swap: 'pair', method: 'tandem' } as const;
    const looks = Array.from({ length: 12 }, (_, k) => k + 1).filter((runs) =>
      isInterimAnalysis(runs, { ...schedule, confidence: 0.95 }),
    );
    expect(looks).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(countInterimAnalyses(9, { ...schedule, confidence: 0.95 })).toBe(0);
    const precise = { ...schedule, stop: { kind: 'precision', precision: 0.01, minRuns: 5, maxRuns: null } } as const;
    expect(isInterimAnalysis(9, { ...precise, confidence: 0.95 })).toBe(false);
  });
});
