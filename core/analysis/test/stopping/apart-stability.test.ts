import { stableDefaults, type IterationColumns, type StableRule } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { ApartStability } from '../../src/stopping/run-stability.ts';

const rule: StableRule = { ...stableDefaults, criteria: ['cv'], measured: 4 };
const overRuns = { kind: 'stable', minRuns: 2, maxRuns: 3 } as const;

const follow = (method: 'async-duet' | 'sequential', changes: Partial<StableRule> = {}): ApartStability =>
  new ApartStability(
    { ...rule, ...changes },
    { benchmark: { name: 'sort', params: {} }, config: { seed: 'test', stop: overRuns }, method },
  );

/** Settles after so many iterations. */
const settlesAfter =
  (first: number) =>
  (i: number): number =>
    i < first ? 300 - 10 * i : 100 + (i % 3) / 100;
const never = (i: number): number => 100 + 100 * (i % 2);

/** Iterations one behind the other from 0, the first of them warm-up. */
const made = (
  count: number,
  level: (i: number) => number,
  { warmup = 0, invocations = null as number | null } = {},
): IterationColumns => {
  const ends: number[] = [];
  for (let i = 0; i < count; i++) ends.push((ends.at(-1) ?? 0) + level(i) * (invocations ?? 1));
  const endsNs = Float64Array.from(ends);
  return {
    length: count,
    startsNs: Float64Array.from([0, ...ends.slice(0, -1)]),
    endsNs,
    indices: Float64Array.from({ length: count }, (_, i) => i),
    metric: (key) => (key === 'n' && invocations !== null ? new Float64Array(count).fill(invocations) : null),
    hasPhases: true,
    isWarmup: (row) => row < warmup,
  };
};

const begun = { run: 0, phase: 'measure' } as const;

describe('programs that know nothing of it', () => {
  it('are warm each by itself where they run one after the other', () => {
    const sides = { A: made(30, settlesAfter(3)), B: made(30, settlesAfter(10)) };
    // The window of five after the last that differs.
    expect(follow('sequential').classify(begun, sides)).toEqual({ A: 8, B: 15 });
  });

  it('are not measured before both are warm where they run together', () => {
    const A = made(60, (i) => settlesAfter(3)(i) / 2);
    const B = made(30, settlesAfter(10));
    const { A: ofA, B: ofB } = follow('async-duet').classify(begun, { A, B });
    expect(ofB).toBe(15);
    // What A began before the end of B's fifteenth.
    const warmNs = B.endsNs[14] ?? 0;
    expect(A.startsNs[ofA - 1]).toBeLessThan(warmNs);
    expect(A.startsNs[ofA]).toBeGreaterThanOrEqual(warmNs);
  });

  it('are judged by the time of one invocation', () => {
    const few = made(30, settlesAfter(3));
    const many = made(30, settlesAfter(3), { invocations: 1000 });
    expect(follow('sequential').classify(begun, { A: many, B: few })).toEqual({ A: 8, B: 8 });
  });

  it('are all warm-up when one of them ended before it was warm', () => {
    const sides = { A: made(30, settlesAfter(3)), B: made(12, settlesAfter(10)) };
    expect(follow('async-duet').classify(begun, sides)).toEqual({ A: 30, B: 12 });
    expect(follow('sequential').classify(begun, sides)).toEqual({ A: 8, B: 12 });
  });

  it('end at the cap when they never settle, and it is said by which criterion and how far off', () => {
    const stability = follow('sequential', { mostWarmup: 12, liftCaps: 1.5 });
    const sides = { A: made(30, never), B: made(30, settlesAfter(3)) };
    const warmup = stability.classify(begun, sides);
    expect(warmup).toEqual({ A: 18, B: 8 });
    stability.take(begun, {
      A: made(30, never, { warmup: warmup.A }),
      B: made(30, settlesAfter(3), { warmup: warmup.B }),
    });
    expect(stability.result.runs).toMatchObject([
      {
        decidedAfter: 18,
        stable: false,
        apart: { A: { decidedAfter: 18, stable: false }, B: { decidedAfter: 8, stable: true } },
        checks: [
          { side: 'A', criterion: 'cv', stable: false },
          { side: 'B', criterion: 'cv', stable: true },
        ],
      },
    ]);
    expect(stability.warnings.map(({ message }) => message).join()).toMatch(
      /1 of 1 runs were not stable after 18 warm-up iterations.*\(cv\).*times too far.*--lift-caps 3/,
    );
  });

  it('have enough runs when these are stable together, over what each side measured', () => {
    const stability = follow('sequential');
    for (const run of [0, 1]) {
      expect(stability.isEnough).toBe(false);
      const sides = { A: made(30, settlesAfter(3), { warmup: 8 }), B: made(40, settlesAfter(10), { warmup: 15 }) };
      stability.take({ run, phase: 'measure' }, sides);
    }
    expect(stability.isEnough).toBe(true);
    expect(stability.result.overRuns).toMatchObject({ runs: 2, stable: true });
    expect(stability.warnings).toEqual([]);
  });

  it('that ended by themselves before enough was measured are told of, and no run of theirs is kept', () => {
    const stability = follow('sequential');
    stability.take(begun, {
      A: made(10, settlesAfter(3), { warmup: 8 }),
      B: made(30, settlesAfter(3), { warmup: 8 }),
    });
    expect(stability.result.runs).toEqual([]);
    expect(stability.warnings).toMatchObject([{ code: 'FEW_MEASUREMENTS' }]);
    // 50 of warm-up and 4.
    expect(stability.warnings[0]?.message).toMatch(
      /1 of 1 runs.*before 4 iterations.*\(2 at the fewest\).*54 iterations/,
    );
  });

  it('with a clock that never moves are warm at once, which is told', () => {
    const stability = follow('async-duet');
    const sides = { A: made(20, () => 100), B: made(20, () => 100) };
    expect(stability.classify(begun, sides)).toEqual({ A: 5, B: 5 });
    stability.take(begun, { A: made(20, () => 100, { warmup: 5 }), B: made(20, () => 100, { warmup: 5 }) });
    expect(stability.warnings.map(({ code }) => code)).toContain('ALL_EQUAL');
  });

  it('leave no trace of a warm-up run', () => {
    const stability = follow('sequential');
    const one = made(30, settlesAfter(3), { warmup: 8 });
    stability.take({ run: 0, phase: 'warmup' }, { A: one, B: one });
    expect(stability.result.runs).toEqual([]);
  });

  it('are followed where their output is read, and in no synchronised duet', () => {
    const config = { seed: 'test', stop: overRuns, stable: rule, method: 'async-duet' as const };
    const benchmark = { name: 'sort', params: {}, workload: 'lines' as const };
    expect(ApartStability.of({ benchmark, config })).not.toBeNull();
    expect(ApartStability.of({ benchmark, config: { ...config, stable: null } })).toBeNull();
    expect(ApartStability.of({ benchmark: { ...benchmark, workload: 'harness' }, config })).toBeNull();
    expect(ApartStability.of({ benchmark, config: { ...config, method: 'sync-duet' } })).toBeNull();
  });
});
