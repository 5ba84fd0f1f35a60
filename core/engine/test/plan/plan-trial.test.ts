import { describe, expect, it } from 'vitest';
import { occupiedCpus, isAlonePilot, planTrial, type PlannedTrial } from '../../src/plan/plan-trial.ts';

type Config = Parameters<typeof planTrial>[0];

const base: Config = {
  seed: 'a seed',
  method: 'sync-duet',
  pilotRuns: 3,
  swap: 'pair',
  cpus: [2, 5],
  tandemCpus: [1, 2, 3, 5, 7],
  sequentialCpus: [0, 1, 2, 3],
};
const runs = Array.from({ length: 400 }, (_, run) => run);

function plan(run: number, changes: Partial<Config> = {}): PlannedTrial {
  return planTrial({ ...base, ...changes }, { benchmark: 0, run, phase: 'measure' });
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
        return planTrial({ ...base, ...changes }, where).padBytes.A;
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
    const beginnings = new Set<number | undefined>();
    for (let run = 0; run < 400; run += 2) {
      const [first, second] = [plan(run).cpus, plan(run + 1).cpus];
      expect(second).toEqual({ A: first.B, B: first.A });
      beginnings.add(first.A[0]);
    }
    expect(beginnings).toEqual(new Set([2, 5]));
  });

  it('tosses for the cores of every run with --swap run, and keeps them with --swap never', () => {
    const tossed = runs.map((run) => plan(run, { swap: 'run' }).cpus.A[0]);
    const same = tossed.slice(1).filter((cpu, i) => cpu === tossed[i]).length;
    expect(same).toBeGreaterThan(160);
    expect(same).toBeLessThan(240);
    for (const run of runs) expect(plan(run, { swap: 'never' }).cpus).toEqual({ A: [2], B: [5] });
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

describe('the plan of a tandem', () => {
  const pool = base.tandemCpus;
  const tandem = (run: number, changes: Partial<Config> = {}): PlannedTrial =>
    plan(run, { method: 'tandem', ...changes });

  it('gives both sides the same core', () => {
    for (const run of runs) {
      const { method, cpus } = tandem(run);
      expect(method).toBe('tandem');
      expect(cpus.A).toHaveLength(1);
      expect(cpus.B).toEqual(cpus.A);
      expect(occupiedCpus({ cpus })).toEqual(cpus.A);
    }
  });

  it('takes every core once in each block of as many runs as there are cores, in an order that is drawn', () => {
    const orders = new Set<string>();
    for (let first = 0; first < runs.length; first += pool.length) {
      const block = pool.map((_, place) => tandem(first + place).cpus.A[0] ?? -1);
      expect(block.toSorted((a, b) => a - b)).toEqual(pool);
      orders.add(block.join());
    }
    // 80 draws of 120 orders: about 58 different ones are expected
    expect(orders.size).toBeGreaterThan(40);
  });

  it('is the same whatever other runs are made before it, so that lanes and resuming change nothing', () => {
    const inOrder = runs.map((run) => tandem(run));
    const mixed = runs.toSorted((a, b) => ((a * 151) % 401) - ((b * 151) % 401));
    expect(mixed).not.toEqual(runs);
    for (const run of mixed) expect(tandem(run)).toEqual(inOrder[run]);
  });

  it('does not depend on whether cores are traded, and differs between seeds and benchmarks', () => {
    const cores = (changes: Partial<Config>, benchmark = 0): unknown[] =>
      runs.map((run) => {
        const where = { benchmark, run, phase: 'measure' } as const;
        return planTrial({ ...base, method: 'tandem', ...changes }, where).cpus.A[0];
      });
    expect(cores({ swap: 'never' })).toEqual(cores({}));
    expect(cores({ seed: 'other' })).not.toEqual(cores({}));
    expect(cores({}, 1)).not.toEqual(cores({}));
  });

  it('uses the cores of the duet in a recording that names no others', () => {
    const cores = runs.map((run) => tandem(run, { tandemCpus: [] }).cpus.A[0]);
    for (let run = 0; run < runs.length; run += 2) expect(new Set(cores.slice(run, run + 2))).toEqual(new Set([2, 5]));
    expect(tandem(7, { tandemCpus: [], cpus: [4, 4] }).cpus).toEqual({ A: [4], B: [4] });
  });
});

describe('the plan of sides alone on one core', () => {
  it('gives both the same core, as a tandem, and takes every core once', () => {
    const cores = base.tandemCpus.map((_, run) => {
      const { method, cpus } = plan(run, { method: 'alone' });
      expect(method).toBe('alone');
      expect(cpus.B).toEqual(cpus.A);
      return cpus.A[0];
    });
    expect(new Set(cores)).toEqual(new Set(base.tandemCpus));
  });

  it('is that of what is run beside tandems that no pilot runs chose', () => {
    const where = { benchmark: 0, run: 1, phase: 'pilot' } as const;
    const { method, cpus } = planTrial({ ...base, method: 'tandem', pilotRuns: 0 }, where);
    expect(method).toBe('alone');
    expect(cpus.A).toHaveLength(1);
    expect(cpus.B).toEqual(cpus.A);
  });
});

describe('the plan of a sequential run', () => {
  it('gives each side all CPUs, and the core of a duet in a recording that names no others', () => {
    const { cpus } = plan(3, { method: 'sequential' });
    expect(cpus).toEqual({ A: [0, 1, 2, 3], B: [0, 1, 2, 3] });
    expect(occupiedCpus({ cpus })).toEqual([0, 1, 2, 3]);
    expect(plan(3, { method: 'sequential', sequentialCpus: [], swap: 'never' }).cpus).toEqual({ A: [2], B: [5] });
  });
});

describe('the plan of a pilot run', () => {
  const pilot = (changes: Partial<Config> = {}): PlannedTrial =>
    planTrial({ ...base, method: 'tandem', ...changes }, { benchmark: 0, run: 1, phase: 'pilot' });

  it('is a duet, whatever the method is until then', () => {
    const { method, cpus } = pilot();
    expect(method).toBe('sync-duet');
    expect([...cpus.A, ...cpus.B].toSorted((a, b) => a - b)).toEqual([2, 5]);
    expect(pilot({ method: 'sequential' })).toEqual(pilot());
  });

  it('that shows the sides alone gives each all CPUs', () => {
    const { method, cpus } = planTrial(base, { benchmark: 0, run: 2, phase: 'pilot', alone: true });
    expect(method).toBe('sequential');
    expect(cpus).toEqual({ A: [0, 1, 2, 3], B: [0, 1, 2, 3] });
  });

  it('shows the sides alone in the last of three and in those that are added, of commands on two CPUs', () => {
    const isAlone = (run: number, changes: Partial<Parameters<typeof isAlonePilot>[0]> = {}): boolean =>
      isAlonePilot(
        { pilotRuns: 3, cpus: [0, 1], ...changes },
        { run, benchmark: { workload: 'command', containers: null } },
      );
    expect([0, 1, 2, 3, 4].map((run) => isAlone(run))).toEqual([false, false, true, true, true]);
    expect(isAlone(2, { cpus: [1, 1] })).toBe(false);
    expect(isAlone(1, { pilotRuns: 2 })).toBe(false);
    const harness = { workload: 'harness', containers: null } as const;
    expect(isAlonePilot({ pilotRuns: 3, cpus: [0, 1] }, { run: 2, benchmark: harness })).toBe(false);
  });

  it('has the sides one after the other where there is a single CPU', () => {
    expect(pilot({ cpus: [3, 3], tandemCpus: [3], sequentialCpus: [3] })).toMatchObject({
      method: 'sequential',
      cpus: { A: [3], B: [3] },
    });
  });
});
