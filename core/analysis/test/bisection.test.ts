import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import {
  Bisection,
  halfOfSlowdown,
  judgeVersion,
  runsForAnyStep,
  type BisectionOutcome,
} from '../src/bisection/bisection.ts';

/** Searches by `look`, and tells what was measured. */
function search(
  { versions, confidence = 0.95 }: { readonly versions: number; readonly confidence?: number },
  look: (version: number, confidence: number) => BisectionOutcome,
): { readonly bisection: Bisection; readonly measured: readonly number[]; readonly levels: readonly number[] } {
  const bisection = new Bisection({ versions, confidence });
  const measured: number[] = [];
  const levels: number[] = [];
  for (let step = bisection.next(); step !== null; step = bisection.next()) {
    measured.push(step.version);
    levels.push(step.confidence);
    bisection.record(look(step.version, step.confidence));
  }
  return { bisection, measured, levels };
}

const badFrom =
  (first: number) =>
  (version: number): BisectionOutcome =>
    version >= first ? 'bad' : 'good';

describe('a bisection', () => {
  it('finds every first bad version, after the last one in at most log2 n steps', () => {
    for (const versions of [1, 2, 3, 8, 20]) {
      for (let first = 0; first < versions; first += 1) {
        const { bisection, measured } = search({ versions }, badFrom(first));
        expect(bisection.interval).toEqual({ good: first - 1, bad: first });
        expect(measured[0]).toBe(versions - 1);
        expect(measured.length).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(versions)));
      }
    }
  });

  it('gives all steps of a search without gaps the same part of the error', () => {
    // 8 versions: the last one, 3 halvings, and a part in reserve: 5 parts of 5 %.
    const { bisection, levels } = search({ versions: 8 }, badFrom(3));
    expect(levels).toHaveLength(4);
    for (const level of levels) expect(level).toBeCloseTo(0.99, 12);
    expect(bisection.confidence).toBeCloseTo(0.96, 12);
  });

  it('does not search when the last version is not bad', () => {
    for (const outcome of ['good', 'undecided', 'skipped'] as const) {
      const { bisection, measured } = search({ versions: 8 }, () => outcome);
      expect(measured).toEqual([7]);
      expect(bisection.interval).toBeNull();
    }
  });

  it('goes round versions that cannot be measured, and tells the interval that they leave', () => {
    const broken = new Set([3, 4, 5]);
    const { bisection } = search({ versions: 10 }, (version) =>
      broken.has(version) ? 'skipped' : badFrom(4)(version),
    );
    expect(bisection.interval).toEqual({ good: 2, bad: 6 });
    const { bisection: beside } = search({ versions: 10 }, (version) =>
      broken.has(version) ? 'skipped' : badFrom(7)(version),
    );
    expect(beside.interval).toEqual({ good: 6, bad: 7 });
  });

  it('leaves a run of broken versions soon, and pays nothing for them', () => {
    const { bisection, measured } = search({ versions: 64 }, (version) =>
      version >= 20 && version < 44 ? 'skipped' : badFrom(50)(version),
    );
    expect(bisection.interval).toEqual({ good: 49, bad: 50 });
    expect(measured.filter((version) => version >= 20 && version < 44).length).toBeLessThan(6);
    expect(bisection.confidence).toBeGreaterThan(0.95);
  });

  it('never spends more than its error, however many steps stay undecided', () => {
    const { bisection } = search({ versions: 40 }, (version) => (version === 39 ? 'bad' : 'undecided'));
    expect(bisection.interval).toEqual({ good: -1, bad: 39 });
    expect(bisection.confidence).toBeGreaterThan(0.95);
  });

  it('misses the first bad version no oftener than its level says, when every step errs as often as it may', () => {
    const random = createRandom('bisection');
    const searches = 20_000;
    let missed = 0;
    for (let n = 0; n < searches; n += 1) {
      const versions = 1 + Math.floor(random.next() * 30);
      const first = Math.floor(random.next() * versions);
      const { bisection } = search({ versions, confidence: 0.9 }, (version, confidence) => {
        const outcome = random.next();
        if (outcome < 0.1) return 'skipped';
        if (outcome < 0.3) return 'undecided';
        const isWrong = random.next() < 1 - confidence;
        return version >= first === isWrong ? 'good' : 'bad';
      });
      const { interval } = bisection;
      if (interval !== null && !(interval.good < first && first <= interval.bad)) missed += 1;
    }
    expect(missed / searches).toBeLessThan(0.1);
    expect(missed / searches).toBeGreaterThan(0.01);
  });

  it('refuses what cannot be searched', () => {
    expect(() => new Bisection({ versions: 0, confidence: 0.9 })).toThrow(RangeError);
    expect(() => new Bisection({ versions: 3, confidence: 1 })).toThrow(RangeError);
    const over = new Bisection({ versions: 1, confidence: 0.9 });
    over.record('good');
    expect(() => over.record('good')).toThrow(RangeError);
  });
});

describe('a version', () => {
  it('is bad beyond the threshold, good below it, undecided across it', () => {
    expect(judgeVersion({ low: 1.021, high: 1.05 }, 0.02)).toBe('bad');
    expect(judgeVersion({ low: 1.0, high: 1.019 }, 0.02)).toBe('good');
    expect(judgeVersion({ low: 0.8, high: 0.9 }, 0.02)).toBe('good');
    expect(judgeVersion({ low: 1.019, high: 1.021 }, 0.02)).toBe('undecided');
  });

  it('is judged half way to the slowdown of the last', () => {
    expect(halfOfSlowdown(1.21)).toBeCloseTo(0.1, 12);
    expect(halfOfSlowdown(0.9)).toBe(0);
  });
});

describe('a step that stayed undecided', () => {
  const step = { interval: { low: 0.99, high: 1.01, level: 0.98 }, runs: 30, threshold: 0.05, whole: 1.1 };

  it('says nothing of the others where its interval fits beside the threshold', () => {
    expect(runsForAnyStep(step)).toBeNull();
  });

  it('ends the search where no interval of its width would fit, and says how many runs it takes', () => {
    // On the log scale: reach 0.1, room ln 1.05 = 0.0488, 30 * (0.1 / 0.0488) ** 2 = 126.
    const interval = { low: Math.exp(-0.1), high: Math.exp(0.1), level: 0.98 };
    expect(runsForAnyStep({ ...step, interval })).toBe(127);
    // BAD is far away: what is as slow as BAD can still be told.
    expect(runsForAnyStep({ ...step, interval, whole: 2 })).toBeNull();
  });

  it('ends the search where there are fewer runs than any verdict at its level needs', () => {
    const interval = { low: 0, high: Number.MAX_VALUE, level: 0.98 };
    expect(runsForAnyStep({ ...step, interval, runs: 3 })).toBeGreaterThan(4);
  });
});
