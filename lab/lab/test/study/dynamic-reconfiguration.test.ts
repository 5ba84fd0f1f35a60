import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { DynamicReconfiguration } from '../../../../core/analysis/src/stopping/dynamic-reconfiguration.ts';
import type { IterationSample } from '../../../../core/analysis/src/stopping/prepared-iteration.ts';
import { reconfiguredTimeNs, replayReconfiguration } from '../../src/study/replay-reconfiguration.ts';
import {
  paperConfig,
  stabilityCriteria,
  type StoppingOptions,
} from '../../../../core/analysis/src/stopping/stopping-options.ts';

type Fork = readonly (readonly number[])[];

/** A fork of iterations of 40 invocations, each around its level with 1 % of noise. */
const forkOf = (name: string, levels: readonly number[], noise = 0.01): Fork => {
  const random = createRandom(name);
  return levels.map((level) => Array.from({ length: 40 }, () => level * Math.exp(noise * random.normal())));
};
const steady = (length: number, level = 100): number[] => Array.from({ length }, () => level);
const codesOf = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }): string[] =>
  warnings.map(({ code }) => code);
const play = (forks: readonly Fork[], options: Partial<StoppingOptions> = {}) =>
  replayReconfiguration([forks], { criteria: ['cv'], seed: 'test', ...options });

describe('dynamic reconfiguration', () => {
  it('says after each iteration what is to be done next', () => {
    const config = { wiMin: 2, wiMax: 8, mi: 2, fMin: 1, fMax: 3 };
    const live = new DynamicReconfiguration({ criteria: ['cv'], seed: 'test', window: 2, config });
    expect(live.next).toBe('fork');
    expect(live.beginFork()).toBe('warmup');
    const [first, second] = [forkOf('first', steady(6)), forkOf('second', steady(6))];
    expect(live.observe(first[0]!)).toEqual({ next: 'warmup', phase: 'warmup', checks: [] });
    const checked = live.observe(first[1]!);
    expect(checked).toMatchObject({ next: 'measure', phase: 'warmup', checks: [{ criterion: 'cv', stable: true }] });
    expect(live.observe(first[2]!)).toEqual({ next: 'measure', phase: 'measure', checks: [] });
    // One fork has no other that it could agree with, so the first checkpoint cannot stop.
    expect(live.observe(first[3]!)).toMatchObject({ next: 'fork', phase: 'measure', checks: [{ value: null }] });
    // What a fork still makes while its end is on the way does not count.
    expect(live.observe(first[4]!)).toEqual({ next: 'fork', phase: null, checks: [] });
    live.beginFork();
    const phases = second.slice(0, 4).map((iteration) => live.observe(iteration).phase);
    expect(phases).toEqual(['warmup', 'warmup', 'measure', 'measure']);
    expect(live.next).toBe('stop');
    expect(live.summary).toMatchObject({
      stable: true,
      warnings: [],
      forks: [{ warmup: 2 }, { warmup: 2, stable: true }],
    });
    expect(() => live.beginFork()).toThrow(/all forks were made/);
  });

  it('asks the side that is not stable, and every side where warm-up ends', () => {
    const config = { wiMin: 2, wiMax: 6, mi: 1, fMin: 1, fMax: 1 };
    const calm = forkOf('calm', steady(7));
    const wild = forkOf('wild', [100, 900, 100, 900, 100, 900, 100]);
    const sidesAsked = (one: Fork, other: Fork): readonly string[] => {
      const live = new DynamicReconfiguration({ criteria: ['cv'], seed: 'test', window: 2, config }, { sides: 2 });
      live.beginFork();
      return [0, 1, 2, 3, 4, 5].map((place) => {
        const { next, checks } = live.observe(one[place]!, other[place]!);
        return `${next} ${checks.map(({ side, stable }) => `${side}${stable ? '+' : '-'}`).join(' ')}`.trim();
      });
    };
    const first = sidesAsked(calm, wild);
    expect(first.slice(0, 5)).toEqual(['warmup', 'warmup 0+ 1-', 'warmup 1-', 'warmup 1-', 'warmup 1-']);
    expect(first[5]).toMatch(/^measure 0[+-] 1-$/);
    expect(sidesAsked(wild, calm).slice(0, 5)).toEqual(['warmup', 'warmup 0-', 'warmup 0-', 'warmup 0-', 'warmup 0-']);
    expect(sidesAsked(calm, calm)[1]).toBe('measure 0+ 1+');
  });

  it('forgets a fork that the next one began in place of', () => {
    const forks = [forkOf('a', steady(20)), forkOf('b', steady(20))];
    const live = new DynamicReconfiguration({ criteria: ['cv'], seed: 'test' });
    live.beginFork();
    live.observe([1e9]);
    for (const fork of forks) {
      live.beginFork();
      for (const iteration of fork) live.observe(iteration);
    }
    expect(live.summary.forks.map(({ warmup }) => warmup)).toEqual([5, 5]);
    expect(live.next).toBe('stop');
  });

  it('runs warm-up forks as the others and leaves them out', () => {
    const far = forkOf('far', steady(20, 900));
    const replay = play([far, forkOf('a', steady(20)), forkOf('b', steady(20))], { config: { wf: 1 } });
    expect(replay).toMatchObject({ complete: true, stable: true, warmupForks: [5] });
    expect(replay.forks).toHaveLength(2);
    expect(reconfiguredTimeNs(replay, { config: paperConfig, overhead: 0.1 })).toBeCloseTo(3 * (5 * 1.1 + 10) * 1e9, 0);
  });

  it.each(stabilityCriteria)('%s: settles soon after a workload that settles after 3 iterations', (criterion) => {
    // 400, 250, 160, then 100: a window of 5 (kld: 6) without the first three begins with the fourth.
    const levels = [400, 250, 160, ...steady(60)];
    const forks = Array.from({ length: 5 }, (_, f) => forkOf(`settles ${f}`, levels));
    const { forks: made, warnings } = play(forks, { criteria: [criterion] });
    for (const { warmup, stable } of made) {
      expect(stable).toBe(true);
      expect(warmup).toBeGreaterThanOrEqual(5);
      expect(warmup).toBeLessThanOrEqual(12);
    }
    expect(codesOf({ warnings })).not.toContain('WARMUP_NOT_STABLE');
  });

  it.each(stabilityCriteria)(
    '%s: a workload that never settles reaches the caps and says how far off it was',
    (criterion) => {
      const random = createRandom('restless');
      const fork = (): Fork =>
        forkOf(
          `${random.next()}`,
          Array.from({ length: 60 }, () => 100 * Math.exp(random.normal())),
        );
      const replay = play([fork(), fork(), fork(), fork(), fork()], { criteria: [criterion] });
      expect(replay).toMatchObject({ complete: true, stable: false });
      expect(replay.forks.map(({ warmup, stable }) => [warmup, stable])).toEqual(Array(5).fill([50, false]));
      expect(codesOf(replay)).toEqual(['WARMUP_NOT_STABLE', 'RUNS_NOT_STABLE']);
      for (const { message } of replay.warnings) {
        expect(message).toContain(`(${criterion})`);
        expect(message).toMatch(/\d times too far/);
        expect(message).toContain('--lift-caps 2');
      }
    },
  );

  it('lifts the caps while nothing is stable, and only then', () => {
    const late = [...Array.from({ length: 60 }, (_, i) => 1000 * 0.95 ** i), ...steady(60, 46)];
    const forks = [forkOf('late 1', late), forkOf('late 2', late)];
    expect(play(forks, { config: { fMax: 2 } }).forks[0]).toMatchObject({ warmup: 50, stable: false });
    const lifted = play(forks, { liftCaps: 2 });
    expect(lifted.forks.every(({ warmup, stable }) => stable && warmup > 50 && warmup < 80)).toBe(true);
    expect(codesOf(lifted)).toEqual([]);
    const live = new DynamicReconfiguration({ criteria: ['cv'], seed: 'test', liftCaps: 2 });
    expect(live.iterationsAtMost).toBe(110);
    const early = [forkOf('early 1', steady(120)), forkOf('early 2', steady(120))];
    expect(play(early, { liftCaps: 2 }).forks.map(({ warmup }) => warmup)).toEqual([5, 5]);
    // Forks that differ by half never agree: twice as many as usual are made.
    const apart = Array.from({ length: 12 }, (_, f) => forkOf(`apart ${f}`, steady(70, f % 2 === 0 ? 100 : 50)));
    expect(play(apart).forks).toHaveLength(5);
    expect(play(apart, { liftCaps: 2 }).forks).toHaveLength(10);
  });

  it.each([0, 7])('a clock that always says %d is stable at once, and a warning says why', (time) => {
    const forks = Array.from({ length: 5 }, () => Array.from({ length: 60 }, () => [time, time, time]));
    for (const criterion of stabilityCriteria) {
      for (const like of ['paper', 'jmh-reconfigure'] as const) {
        const replay = play(forks, { criteria: [criterion], like });
        expect(replay.stable, `${criterion} ${like}`).toBe(true);
        expect(replay.forks.map(({ warmup }) => warmup)).toEqual(criterion === 'kld' ? [6, 6] : [5, 5]);
        expect(codesOf(replay)).toEqual(['ALL_EQUAL']);
      }
    }
  });

  it('takes two levels of one fork each for a difference, not for a constant clock', () => {
    const forks = [1, 2].map((time) => Array.from({ length: 60 }, () => [time, time]));
    expect(codesOf(play(forks, { config: { fMax: 2 } }))).toEqual(['RUNS_NOT_STABLE', 'FEW_RUNS']);
  });

  it('warns when no more than two forks are allowed, and says when a recording has fewer than asked for', () => {
    const forks = [forkOf('one', steady(70)), forkOf('two', steady(70, 120))];
    expect(codesOf(play(forks, { config: { fMax: 2 } }))).toEqual(['RUNS_NOT_STABLE', 'FEW_RUNS']);
    expect(play(forks)).toMatchObject({ complete: false, stable: false, warnings: [] });
    const agreeing = [forkOf('one', steady(70)), forkOf('same', steady(70))];
    expect(codesOf(play(agreeing, { config: { fMax: 2 } }))).toEqual(['FEW_RUNS']);
    expect(() => play([forkOf('short', steady(8))])).toThrow(/run 1 has 8 iterations/);
  });

  it('combines criteria: all must agree, or any may', () => {
    const noisy = Array.from({ length: 5 }, (_, f) => forkOf(`noisy ${f}`, steady(70), 0.2));
    const alone = stabilityCriteria.map((criterion) => play(noisy, { criteria: [criterion] }).forks[0]!.warmup);
    const together = (combine: 'all' | 'any') => play(noisy, { criteria: stabilityCriteria, combine }).forks[0]!.warmup;
    expect(together('any')).toBe(Math.min(...alone));
    expect(together('all')).toBeGreaterThanOrEqual(Math.max(...alone));
    expect(Math.min(...alone)).toBeLessThan(Math.max(...alone));
  });

  it('calls a duet stable when both sides are', () => {
    const quick = forkOf('quick', steady(60));
    const slow = forkOf('slow', [...Array.from({ length: 20 }, (_, i) => 500 * 0.85 ** i), ...steady(40, 20)]);
    const config = { fMin: 1, fMax: 1 };
    const options = { criteria: ['cv'] as const, seed: 'test', config };
    const [alone] = replayReconfiguration([[slow]], options).forks;
    for (const sides of [
      [[quick], [slow]],
      [[slow], [quick]],
    ]) {
      expect(replayReconfiguration(sides, options).forks).toMatchObject([{ warmup: alone!.warmup, stable: true }]);
    }
    expect(alone!.warmup).toBeGreaterThan(5);
    const live = new DynamicReconfiguration(options, { sides: 2 });
    live.beginFork();
    expect(() => live.observe(1)).toThrow(/each of 2 sides/);
  });

  it('draws by frequency where an iteration has more invocations than it takes', () => {
    const random = createRandom('histograms');
    const histogram = (): IterationSample => ({
      values: [10, 11, 12].map((value) => value + 0.01 * random.next()),
      counts: [5000, 90_000, 5000],
    });
    const forks = Array.from({ length: 5 }, () => Array.from({ length: 60 }, histogram));
    const first = replayReconfiguration([forks], { criteria: ['cv'], seed: 'test' });
    expect(first).toMatchObject({ complete: true, stable: true });
    expect(replayReconfiguration([forks], { criteria: ['cv'], seed: 'test' })).toEqual(first);
    const other = replayReconfiguration([forks], { criteria: ['cv'], seed: 'other' });
    expect(other.forks[0]!.checks[0]!.value).not.toBe(first.forks[0]!.checks[0]!.value);
    const twice = { values: [3, 4], counts: [2, 0] };
    const one = { criteria: ['cv'] as const, seed: 'test', config: { fMin: 1, fMax: 1 } };
    const constant = replayReconfiguration([[Array.from({ length: 15 }, () => twice)]], one);
    expect(codesOf(constant)).toEqual(['RUNS_NOT_STABLE', 'FEW_RUNS', 'ALL_EQUAL']);
  });

  it.each([
    [/criteria must name some of/, { criteria: [] }],
    [/criteria must name some of/, { criteria: ['cv', 'cv'] }],
    [/wiMax must be a whole number of at least 5/, { config: { wiMax: 4 } }],
    [/fMin must be a whole number of at least 1/, { config: { fMin: 0 } }],
    [/mtNs must lie between/, { config: { mtNs: 0 } }],
    [/window must be/, { window: 1 }],
    [/replicates must be/, { replicates: 10 }],
    [/thresholds.kld must lie between 0 and 1/, { thresholds: { kld: 1 } }],
    [/liftCaps must be at least 1/, { liftCaps: 0.5 }],
  ] as const)('refuses options: %s', (message, options) => {
    expect(() => new DynamicReconfiguration({ criteria: ['cv'], seed: 'test', ...options })).toThrow(message);
  });

  it.each([
    [/at least 1 invocation/, []],
    [/at least 1 invocation/, { values: [1], counts: [0] }],
    [/a count for each of 2 values/, { values: [1, 2], counts: [1] }],
    [/whole number/, { values: [1], counts: [1.5] }],
    [/finite and not negative, got -1/, [1, -1]],
    [/finite and not negative, got NaN/, Number.NaN],
  ] as const)('refuses iterations: %s', (message, sample) => {
    const live = new DynamicReconfiguration({ criteria: ['cv'], seed: 'test' });
    expect(() => live.observe(1)).toThrow(/call beginFork/);
    live.beginFork();
    expect(() => live.observe(sample)).toThrow(message);
  });
});
