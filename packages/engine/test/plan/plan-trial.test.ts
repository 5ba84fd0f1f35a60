import { describe, expect, it } from 'vitest';
import { planTrial } from '../../src/plan/plan-trial.ts';

const base = { seed: 'a seed', swap: 'pair', cpus: [2, 5] } as const;
const runs = Array.from({ length: 400 }, (_, run) => run);

function plan(run: number, changes: Partial<Parameters<typeof planTrial>[0]> = {}) {
  return planTrial({ ...base, cpus: [2, 5], ...changes }, { benchmark: 0, run, phase: 'measure' });
}

describe('the plan of a run', () => {
  it('is the same for the same seed and place, in whatever order runs are asked for', () => {
    const forwards = runs.map((run) => plan(run));
    const backwards = runs.toReversed().map((run) => plan(run));
    expect(backwards.reverse()).toEqual(forwards);
  });

  it('differs between seeds, benchmarks and phases', () => {
    const pads = (changes: object, place: object): number[] =>
      runs.map((run) => {
        const where = { benchmark: 0, run, phase: 'measure', ...place } as const;
        return planTrial({ ...base, cpus: [2, 5], ...changes }, where).padBytes.A;
      });
    const first = pads({}, {});
    expect(pads({ seed: 'other' }, {})).not.toEqual(first);
    expect(pads({}, { benchmark: 1 })).not.toEqual(first);
    expect(pads({}, { phase: 'warmup' })).not.toEqual(first);
  });

  it('starts either side first about equally often', () => {
    const ab = runs.filter((run) => plan(run).order === 'AB').length;
    // 400 fair tosses: 200 ± 4 standard deviations of 10
    expect(ab).toBeGreaterThan(160);
    expect(ab).toBeLessThan(240);
  });

  it('has the sides trade cores inside every block of two runs, beginning at random', () => {
    const beginnings = new Set<number>();
    for (let run = 0; run < 400; run += 2) {
      const [first, second] = [plan(run).cpus, plan(run + 1).cpus];
      expect(second).toEqual({ A: first.B, B: first.A });
      beginnings.add(first.A);
    }
    expect(beginnings).toEqual(new Set([2, 5]));
  });

  it('tosses for the cores of every run with --swap run, and keeps them with --swap never', () => {
    const tossed = runs.map((run) => plan(run, { swap: 'run' }).cpus.A);
    const same = tossed.slice(1).filter((cpu, i) => cpu === tossed[i]).length;
    expect(same).toBeGreaterThan(160);
    expect(same).toBeLessThan(240);
    for (const run of runs) expect(plan(run, { swap: 'never' }).cpus).toEqual({ A: 2, B: 5 });
  });

  it('moves both stacks independently by up to a page', () => {
    const pads = runs.map((run) => plan(run).padBytes);
    for (const { A, B } of pads) {
      expect(A).toBeGreaterThanOrEqual(0);
      expect(Math.max(A, B)).toBeLessThan(4096);
    }
    expect(new Set(pads.map(({ A }) => A)).size).toBeGreaterThan(300);
    expect(pads.filter(({ A, B }) => A === B).length).toBeLessThan(10);
  });
});
