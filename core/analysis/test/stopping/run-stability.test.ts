import { defaultSettings, stableDefaults, type Method, type StableRule } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { invocationTimes } from '../../src/stopping/prepared-iteration.ts';
import { RunStability, stabilityOfRuns } from '../../src/stopping/run-stability.ts';
import { aSide, aTrial } from '../helpers/recordings.ts';

type RunStep = ReturnType<RunStability['begin']>;

const rule: StableRule = { ...stableDefaults, criteria: ['cv'], measured: 4 };
const benchmark = { name: 'sort', params: {} };
const overRuns = { kind: 'stable', minRuns: 2, maxRuns: 3 } as const;

const follow = (
  changes: Partial<StableRule> = {},
  stop: ConstructorParameters<typeof RunStability>[1]['config']['stop'] = overRuns,
) => new RunStability({ ...rule, ...changes }, { benchmark, config: { seed: 'test', stop } });

/** Settles after three iterations. */
const settles = (i: number): number => (i < 3 ? 300 - 50 * i : 100) * (1 + (i % 3) / 10_000);
const never = (i: number): number => 100 + 100 * (i % 2);

/**
 * Makes a run whose sides hear of a decision `late` iterations after it fell.
 *
 * @returns the steps that were told, one for each iteration.
 */
const play = (
  stability: RunStability,
  {
    run,
    level,
    late = 0,
    B = level,
  }: { run: number; level: (i: number) => number; late?: number; B?: (i: number) => number },
): readonly RunStep[] => {
  const told: RunStep[] = [stability.begin({ run, phase: 'measure' })];
  for (let i = 0; ; i++) {
    const heard = told[Math.max(0, i - late)];
    if (heard === undefined || heard === 'stop') return told;
    told.push(stability.take({ A: level(i), B: B(i) }, heard));
  }
};

describe('the stability of runs', () => {
  it('ends warm-up when a window is stable, and the run after its measured iterations', () => {
    const stability = follow();
    const told = play(stability, { run: 0, level: settles });
    // Five iterations after the three, then four measured.
    expect(told).toEqual([...Array(8).fill('warmup'), ...Array(4).fill('measure'), 'stop']);
    expect(stability.result.runs).toMatchObject([{ run: 0, warmup: 8, decidedAfter: 8, stable: true }]);
    expect(stability.warnings).toEqual([]);
  });

  it.each([
    ['an array', (times: readonly number[]) => times],
    ['a typed array', (times: readonly number[]) => Float64Array.from(times)],
    ['a histogram', (values: readonly number[]) => ({ values, counts: values.map(() => 1) })],
  ])('does not call invocations that differ constant, given as %s', (_, given) => {
    const stability = follow({}, { kind: 'runs', runs: 1 });
    let step = stability.begin({ run: 0, phase: 'measure' });
    for (let i = 0; step !== 'stop'; i++) {
      const times = given([100, 101, 102 + (i % 2)]);
      step = stability.take({ A: times, B: times }, step);
    }
    expect(stability.warnings).toEqual([]);
  });

  it('decides the same for sides that hear of it late, and says how much they made', () => {
    const stability = follow();
    play(stability, { run: 0, level: settles, late: 2 });
    play(stability, { run: 1, level: settles });
    expect(stability.result.runs.map(({ warmup, decidedAfter }) => [warmup, decidedAfter])).toEqual([
      [10, 8],
      [8, 8],
    ]);
    expect(stability.isEnough).toBe(true);
    expect(stability.result.overRuns).toMatchObject({ runs: 2, stable: true });
  });

  it('waits for both sides', () => {
    const stability = follow({ mostWarmup: 12 });
    play(stability, { run: 0, level: settles, B: never });
    const [first] = stability.result.runs;
    expect(first).toMatchObject({ decidedAfter: 12, stable: false });
    expect(first?.checks.map(({ side, stable }) => [side, stable])).toEqual([
      ['A', true],
      ['B', false],
    ]);
  });

  it('goes to the caps, lifted where asked, and says what was missing', () => {
    const stability = follow({ mostWarmup: 10, liftCaps: 1.5 });
    // The measured iterations of one run lie far from those of the other.
    const drifting = (factor: number) => (i: number) => never(i) * factor ** i;
    [1, 2, 3, 4].forEach((factor, run) => play(stability, { run, level: drifting(factor) }));
    expect(stability.result.runs.map(({ decidedAfter }) => decidedAfter)).toEqual([15, 15, 15, 15]);
    expect(stability.isEnough).toBe(true);
    expect(stability.result.overRuns).toMatchObject({ runs: 4, stable: false });
    const codes = stability.warnings.map(({ code }) => code);
    expect(codes).toEqual(['WARMUP_NOT_STABLE', 'RUNS_NOT_STABLE']);
    expect(stability.warnings[0]?.message).toMatch(
      /4 of 4 runs were not stable after 15 .* \(\d+ times too far\).*\(--lift-caps 3, in a file lift-caps: 3\)/,
    );
  });

  it('follows warm-up alone where the number of runs is fixed', () => {
    const stability = follow({}, { kind: 'runs', runs: 9 });
    for (let run = 0; run < 9; run++) play(stability, { run, level: settles });
    expect(stability.isEnough).toBe(false);
    expect(stability.result.overRuns).toBeNull();
    expect(stability.result.runs).toHaveLength(9);
  });

  it('goes on following runs after there were enough', () => {
    const stability = follow();
    for (let run = 0; run < 4; run++) play(stability, { run, level: settles });
    expect(stability.result.overRuns?.runs).toBe(2);
    expect(stability.result.runs.map(({ decidedAfter }) => decidedAfter)).toEqual([8, 8, 8, 8]);
  });

  it('keeps nothing of pilot and warm-up runs and of runs that ended too soon', () => {
    const stability = follow();
    for (const phase of ['pilot', 'warmup'] as const) {
      stability.begin({ run: 0, phase });
      for (let i = 0; i < 20; i++) stability.take({ A: 1, B: 1 }, i < 5 ? 'warmup' : 'measure');
    }
    stability.begin({ run: 0, phase: 'measure' });
    stability.take({ A: 1, B: 1 }, 'warmup');
    play(stability, { run: 1, level: settles });
    expect(stability.result.runs.map(({ run }) => run)).toEqual([1]);
    expect(() => follow().take({ A: 1, B: 1 }, 'warmup')).toThrow(/call begin first/);
  });

  it('warns of a clock that never moves, and of two runs at most', () => {
    const stability = follow({}, { kind: 'stable', minRuns: 2, maxRuns: 2 });
    for (let run = 0; run < 2; run++) play(stability, { run, level: () => 1e6 });
    expect(stability.result.runs.map(({ decidedAfter }) => decidedAfter)).toEqual([5, 5]);
    expect(stability.warnings.map(({ code }) => code)).toEqual(['ALL_EQUAL', 'FEW_RUNS']);
  });

  it('is for programs of the workload protocol that meet, with a rule', () => {
    const config = { ...defaultSettings('sync-duet', 'harness'), seed: 'test', stable: rule };
    const harness = { ...benchmark, workload: 'harness' } as const;
    expect(RunStability.of({ benchmark: harness, config })?.metric).toBe('time');
    expect(RunStability.of({ benchmark: harness, config: { ...config, method: 'tandem' } })?.metric).toBe('cpu');
    expect(RunStability.of({ benchmark: harness, config: { ...config, stable: null } })).toBeNull();
    for (const method of ['async-duet', 'sequential'] as const) {
      expect(RunStability.of({ benchmark: harness, config: { ...config, method } })).toBeNull();
    }
    expect(RunStability.of({ benchmark: { ...harness, workload: 'lines' }, config })).toBeNull();
  });
});

describe('the runs of a tandem', () => {
  /** As recorded: wall times that never settle, CPU times that do, `n` invocations an iteration. */
  const runs = (method: Method, n?: number) =>
    measuredRuns(
      [0, 1].map((run) => {
        const iterations = Array.from({ length: 12 }, (_, i) => ({
          i,
          s: i * 1e6,
          e: i * 1e6 + never(i) * 1000,
          c: settles(i) * 1000 * (n ?? 1),
          ...(n === undefined ? {} : { n }),
          p: i < 8 ? ('warmup' as const) : ('measure' as const),
        }));
        return aTrial({ run, method, sides: { A: aSide(iterations), B: aSide(iterations) } });
      }),
    );
  const harness = { ...benchmark, workload: 'harness' } as const;
  const settings = { ...defaultSettings('tandem', 'harness'), seed: 'test', stable: { ...rule, mostWarmup: 8 } };
  const followed = (method: Method) => ({ benchmark: harness, config: { ...settings, method } });

  it('are followed by CPU time, since wall time is that of both sides', () => {
    const endsOf = (method: Method, n?: number): unknown =>
      stabilityOfRuns(runs(method, n), followed(method))?.result.runs.map(({ decidedAfter, stable }) => [
        decidedAfter,
        stable,
      ]);
    expect(endsOf('tandem')).toEqual([
      [8, true],
      [8, true],
    ]);
    expect(endsOf('sync-duet')).toEqual([
      [8, false],
      [8, false],
    ]);
    expect(endsOf('tandem', 50)).toEqual(endsOf('tandem'));
  });

  it('have wall time stand for CPU time that a program does not record', () => {
    const [A] = runs('tandem').map(({ iterations }) => iterations.A);
    if (A === undefined) throw new RangeError('no run');
    const { length, indices, startsNs, endsNs, hasPhases } = A;
    const isWarmup = (row: number): boolean => A.isWarmup(row);
    const without = { length, indices, startsNs, endsNs, hasPhases, isWarmup, metric: () => null };
    expect([0, 1, 2].map(invocationTimes(A, 'cpu'))).toEqual([0, 1, 2].map((i) => settles(i) * 1000));
    expect([0, 1, 2].map(invocationTimes(without, 'cpu'))).toEqual([100_000, 200_000, 100_000]);
    expect([0, 1, 2].map(invocationTimes(A))).toEqual([100_000, 200_000, 100_000]);
  });
});

describe('times of single invocations', () => {
  /** Invocations whose mean is the same in every iteration, and whose spread is not. */
  const spread = (i: number): readonly number[] => (i % 2 === 0 ? [100, 100, 100, 100] : [50, 150, 50, 150]);

  it('are judged where the record tells of them, and the mean where it does not', () => {
    const means = follow();
    const invocations = follow();
    for (const stability of [means, invocations]) stability.begin({ run: 0, phase: 'measure' });
    for (let i = 0; i < 5; i++) {
      means.take({ A: 100, B: 100 }, 'warmup');
      invocations.take({ A: spread(i), B: 100 }, 'warmup');
    }
    expect(means.take({ A: 100, B: 100 }, 'measure')).toBe('measure');
    expect(invocations.take({ A: spread(5), B: 100 }, 'warmup')).toBe('warmup');
  });

  it('that are all equal, like means that are, show a clock that is too coarse', () => {
    const stability = follow({}, { kind: 'runs', runs: 2 });
    const constant = (): readonly number[] => [100, 100];
    const told = [stability.begin({ run: 0, phase: 'measure' })];
    for (let i = 0; i < 9; i++) told.push(stability.take({ A: constant(), B: 100 }, i < 5 ? 'warmup' : 'measure'));
    expect(told.at(-1)).toBe('stop');
    expect(stability.warnings.map(({ code }) => code)).toContain('ALL_EQUAL');
  });
});
