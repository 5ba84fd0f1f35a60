import {
  stableDefaults,
  type Benchmark,
  type ChosenMethod,
  type ExperimentConfig,
  type MeasuredRun,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { chooseByPilot } from '../src/metric/choose-by-pilot.ts';
import { aBenchmark, aConfig, aSide, aTrial } from './helpers/recordings.ts';

interface Seen {
  /** Wall time of an execution, ms. */
  readonly wall?: number;
  /** CPU time, ms; `null` = not measured. */
  readonly cpu?: number | null;
  /** Time in which it was runnable and another one ran, ms. */
  readonly delay?: number;
  readonly observed?: SideResult['observed'];
}

/** Not a multiple of any tick. */
const precise = 137;

const sideOf = ({ wall = 20, cpu = wall, delay = 0, observed }: Seen, run: number): SideResult => {
  const iteration = { i: 0, s: 1e9, e: 1e9 + Math.round(wall * 1e6) + precise + run, q: delay * 1e6 };
  return aSide(
    [cpu === null ? iteration : { ...iteration, c: Math.round(cpu * 1e6) + precise + run }],
    observed === undefined ? {} : { observed, ...(cpu === null ? {} : { userNs: cpu * 1e6, systemNs: 0 }) },
  );
};

const pilotOf = (run: number, sides: Trial['sides'], changes: Partial<Trial> = {}): Trial =>
  aTrial({ run, phase: 'pilot', method: 'sync-duet', sides, ...changes });

/** Three pilot runs in which the sides were seen so. */
const pilots = (A: Seen, B: Seen = A, changes: Partial<Trial> = {}): readonly MeasuredRun[] =>
  measuredRuns([0, 1, 2].map((run) => pilotOf(run, { A: sideOf(A, run), B: sideOf(B, run) }, changes)));

const chooseFrom = (
  benchmarks: readonly (readonly MeasuredRun[])[],
  { config = {}, benchmark = {} }: { config?: Partial<ExperimentConfig>; benchmark?: Partial<Benchmark> } = {},
): ChosenMethod =>
  chooseByPilot(benchmarks, {
    benchmark: aBenchmark(benchmark),
    config: aConfig({ method: 'tandem', pilotRuns: 3, metric: 'auto', ...config }),
  });

const choose = (A: Seen, B: Seen = A, config: Partial<ExperimentConfig> = {}): ChosenMethod =>
  chooseFrom([pilots(A, B)], { config });

const singleCpu = { cpus: [3, 3] as [number, number] };

describe('pilot runs', () => {
  it('choose tandem where both sides keep a core busy, and tell their times alone', () => {
    const chosen = choose({ wall: 20 }, { wall: 30 });
    expect(chosen.method).toBe('tandem');
    const busy = 'both sides keep one core busy (share of the time: A 1.00, B 1.00)';
    expect(chosen.reason).toBe(`${busy}, and as builds of one program lose the same by sharing it (within 1 %)`);
    const { B } = aBenchmark().commands;
    expect(chooseFrom([pilots({})], { benchmark: { commands: { A: B, B } } }).reason).toBe(busy);
    // The middle one of three.
    expect(chosen.aloneNs).toEqual({ A: 20e6 + precise + 1, B: 30e6 + precise + 1 });
  });

  it('choose each side alone where the programs differ, but those whose stability is followed at a barrier', () => {
    const command = (name: string) => ({
      name,
      commandLine: name,
      argv: [`/usr/bin/${name}`],
      executedBy: 'direct' as const,
    });
    const benchmark = { commands: { A: command('gzip'), B: command('xz') } };
    const stable = { ...stableDefaults, criteria: ['cv' as const] };
    expect(chooseFrom([pilots({})], { benchmark })).toMatchObject({
      method: 'alone',
      metric: 'cpu',
      reason:
        'both sides keep one core busy (share of the time: A 1.00, B 1.00), and as different programs may share its caches unequally',
    });
    expect(chooseFrom([pilots({})], { benchmark, config: { stable } }).method).toBe('tandem');
    expect(chooseFrom([pilots({ wall: 50, cpu: 3 })], { benchmark }).method).toBe('sync-duet');
  });

  it('choose tandem also where others kept a side from its core', () => {
    expect(choose({ wall: 40, cpu: 20, delay: 19 })).toMatchObject({ method: 'tandem' });
    expect(choose({ wall: 40, cpu: 20, delay: 10 })).toMatchObject({ method: 'sync-duet' });
  });

  it('choose sync-duet where a side waits, and say how much', () => {
    const { method, reason } = choose({ wall: 20 }, { wall: 100, cpu: 50 });
    expect(method).toBe('sync-duet');
    expect(reason).toBe(
      'a side waits for other things than its core (share of the time in which it computes: A 1.00, B 0.50)',
    );
    expect(choose({ wall: 50, cpu: 3 }).method).toBe('sync-duet');
    expect(choose({ wall: 100, cpu: 86 }).method).toBe('tandem');
    expect(choose({ wall: 100, cpu: 84 }).method).toBe('sync-duet');
  });

  it('choose by what was seen of all threads where the times are of the first one alone', () => {
    const observed = { samples: 10, runnable: 1, tasks: 1 };
    expect(choose({ wall: 100, cpu: 50, observed }).method).toBe('tandem');
    expect(choose({ wall: 100, cpu: 50, observed: { ...observed, runnable: 0.6 } }).method).toBe('sync-duet');
    // Times that show it busy are not overruled.
    expect(choose({ wall: 100, cpu: 100, observed: { ...observed, runnable: 0.6 } }).method).toBe('tandem');
  });

  it('take a side for one that computes where a busy machine let nobody look whether its threads wait for a CPU', () => {
    const unseen = { samples: 0, runnable: 0, tasks: 0 };
    const chosen = choose({ wall: 100, cpu: 40, observed: unseen }, {});
    expect(chosen.method).toBe('tandem');
    expect(chosen.reason).toContain('(share of the time: A not seen, B 1.00)');
    expect(choose({ wall: 100, cpu: 9, observed: unseen }).method).toBe('sync-duet');
    // Too short for looks on any machine.
    expect(choose({ wall: 30, cpu: 12, observed: unseen }).method).toBe('sync-duet');
  });

  it('do not take the start of a program for its iterations, which only wait and know how long', () => {
    const observed = { samples: 60, runnable: 0.95, tasks: 1 };
    const side = sideOf({ wall: 20, cpu: 3, observed }, 0);
    const record = { ...side, record: 'iterations/0-a.jsonl' };
    const ofProgram = { benchmark: { workload: 'harness' as const } };
    const [run] = measuredRuns([pilotOf(0, { A: side, B: side })]);
    if (run === undefined) throw new Error('the run was not measured');
    const { trial, iterations } = run;
    const recorded = { iterations, trial: { ...trial, sides: { A: record, B: record } } };
    expect(chooseFrom([[recorded]], ofProgram)).toMatchObject({ method: 'sync-duet', metric: 'undelayed' });
    expect(chooseFrom([[run]]).method).toBe('tandem');
  });

  it('choose sequential for a command that computes in several threads at once, and say on how many', () => {
    const parallel = { wall: 20, cpu: 40, observed: { samples: 5, runnable: 1, tasks: 2.04 } };
    const { method, reason } = choose({ wall: 20 }, parallel);
    expect(method).toBe('sequential');
    expect(reason).toBe(
      'a side computes in several threads at once (on average A not seen, B 2.04), so each gets all CPUs to itself',
    );
    expect(choose(parallel, { wall: 20 }).method).toBe('sequential');
  });

  it('count threads only in the looks in which one computed', () => {
    // In half of the looks it waited; in the other half two threads computed.
    expect(choose({ wall: 20, cpu: 20, observed: { samples: 10, runnable: 0.5, tasks: 2 } }).method).toBe('sequential');
    expect(choose({ wall: 20, observed: { samples: 10, runnable: 1, tasks: 1.4 } }).method).toBe('tandem');
    expect(choose({ wall: 20, observed: { samples: 10, runnable: 0, tasks: 0 } }).method).toBe('tandem');
    // Of all samples of three runs three: too few to tell.
    expect(choose({ wall: 20, observed: { samples: 10, runnable: 0.1, tasks: 2 } }).method).toBe('tandem');
  });

  it('do not take the programs that a script starts, as few looks on a busy machine see them, for threads', () => {
    // 300 ms of sleep, of which it waits for a CPU in 60 and computes in 8.
    const observed = { samples: 75, runnable: 0.2, tasks: 1.6, seenNs: 8e6 };
    const of = (cpu: number, changes: Partial<typeof observed> = {}): string =>
      choose({ wall: 300, cpu, delay: 6, observed: { ...observed, ...changes } }).method;
    expect(of(8)).toBe('sync-duet');
    // Work of as much time as it waits, and work that a machine with a hundred others had wait.
    expect(of(60, { seenNs: 60e6 })).toBe('sequential');
    expect(of(2, { runnable: 0.9, seenNs: 2e6 })).toBe('sequential');
  });

  it('weigh looks, not runs', () => {
    const looks = (samples: number, tasks: number): Seen => ({ observed: { samples, runnable: 1, tasks } });
    const runs = [looks(2, 4), looks(2, 4), looks(100, 1)].map((seen, run) =>
      pilotOf(run, { A: sideOf(seen, run), B: sideOf({}, run) }),
    );
    // 116 threads in 104 looks.
    expect(chooseFrom([measuredRuns(runs)]).method).toBe('tandem');
  });

  it('do not believe fewer than five looks', () => {
    const observed = (samples: number): Seen => ({ observed: { samples, runnable: 1, tasks: 3 } });
    const of = (samples: number): ChosenMethod =>
      chooseFrom([measuredRuns([pilotOf(0, { A: sideOf(observed(samples), 0), B: sideOf({}, 0) })])]);
    expect(of(4).method).toBe('tandem');
    expect(of(5).method).toBe('sequential');
  });

  it('leave a harness its helping threads, such as a garbage collector', () => {
    const observed = { samples: 50, runnable: 1, tasks: 1.9 };
    const benchmark = { workload: 'harness' } as const;
    expect(chooseFrom([pilots({ observed })], { benchmark }).method).toBe('tandem');
    expect(chooseFrom([pilots({ observed })]).method).toBe('sequential');
  });

  it('choose sync-duet where CPU time was not measured', () => {
    expect(choose({ wall: 20 }, { wall: 20, cpu: null })).toMatchObject({
      method: 'sync-duet',
      reason: 'CPU time was not measured for every execution',
    });
  });

  it('choose sync-duet for commands that are too short for the clock of CPU time', () => {
    expect(choose({ wall: 20 }, { wall: 0.8, cpu: 0.754 })).toMatchObject({
      method: 'sync-duet',
      reason: 'an execution uses 0.75 ms of CPU time, too short for its clock',
    });
    expect(choose({ wall: 1 }).method).toBe('tandem');
    const benchmark = { workload: 'harness' } as const;
    expect(chooseFrom([pilots({ wall: 0.002 })], { benchmark }).method).toBe('tandem');
  });

  it('choose sync-duet where CPU time is told in coarse steps', () => {
    const ticks = [20e6, 30e6, 20e6].map((c, run) => {
      const side = aSide([{ i: 0, s: 0, e: c, c }]);
      return pilotOf(run, { A: side, B: sideOf({}, run) });
    });
    expect(chooseFrom([measuredRuns(ticks)])).toMatchObject({
      method: 'sync-duet',
      reason: 'CPU time is reported in steps of 10 ms on this machine, too coarse',
    });
  });

  it('choose sync-duet where wall time was asked for, whatever was seen', () => {
    const parallel = { cpu: 40, observed: { samples: 50, runnable: 1, tasks: 2 } };
    for (const seen of [{}, parallel, { wall: 100, cpu: 5 }, { cpu: null }]) {
      expect(choose(seen, seen, { metric: 'time' })).toMatchObject({
        method: 'sync-duet',
        reason: 'wall time was asked for',
      });
    }
  });

  it('choose sequential instead of sync-duet on a single CPU', () => {
    const alone = (A: Seen, config: Partial<ExperimentConfig> = {}): ChosenMethod =>
      chooseFrom([pilots(A, {}, { method: 'sequential' })], { config: { ...singleCpu, ...config } });
    const reasons = [
      alone({}, { metric: 'time' }),
      alone({ wall: 100, cpu: 50 }),
      alone({ cpu: null }),
      alone({ wall: 0.5 }),
    ];
    for (const { method } of reasons) expect(method).toBe('sequential');
    expect(new Set(reasons.map(({ reason }) => reason)).size).toBe(4);
    expect(alone({}).method).toBe('tandem');
  });

  it('choose by the machines that made them, whatever the one has that gathers them', () => {
    const waiting = { wall: 100, cpu: 50 };
    expect(choose(waiting, {}, singleCpu).method).toBe('sync-duet');
    expect(chooseFrom([pilots(waiting, {}, { method: 'sequential' })]).method).toBe('sequential');
  });

  describe('of a program that holds several benchmarks', () => {
    const benchmark = { workload: 'harness' } as const;
    const busy = pilots({ wall: 5 });
    const waiting = pilots({ wall: 100, cpu: 30 });

    it('choose tandem where each of them keeps a core busy', () => {
      expect(chooseFrom([busy, pilots({ wall: 7 })], { benchmark })).toMatchObject({ method: 'tandem', aloneNs: null });
    });

    it('choose what the one needs that would not get a tandem', () => {
      const { method, reason, aloneNs } = chooseFrom([busy, waiting, busy], { benchmark });
      expect(method).toBe('sync-duet');
      expect(reason).toContain('A 0.30, B 0.30');
      expect(aloneNs).toBeNull();
    });

    it('do not ask those that only failed', () => {
      const failed = pilots({ wall: 100, cpu: 30 }, {}, { status: 'failed' });
      expect(chooseFrom([busy, failed], { benchmark })).toMatchObject({ method: 'tandem' });
    });
  });

  it('of a harness count without their warm-up', () => {
    const runs = [0, 1, 2].map((run) => {
      // The first two iterations wait for a file.
      const iterations = [100, 100, 10, 11].map((wall, i) => ({
        i,
        s: i * 1e9,
        e: i * 1e9 + wall * 1e6,
        c: 10e6 + precise + i,
      }));
      return pilotOf(run, { A: aSide(iterations), B: aSide(iterations) });
    });
    const context = { benchmark: { workload: 'harness' }, config: { warmup: { kind: 'first-half' } } } as const;
    expect(chooseFrom([measuredRuns(runs)], context)).toMatchObject({
      method: 'tandem',
      aloneNs: { A: 10.5e6, B: 10.5e6 },
    });
  });

  it('that failed do not count', () => {
    const sound = [0, 1, 2].map((run) => pilotOf(run, { A: sideOf({}, run), B: sideOf({}, run) }));
    const waiting = sideOf({ wall: 500, cpu: 1 }, 3);
    const failed = pilotOf(3, { A: waiting, B: waiting }, { status: 'failed' });
    expect(chooseFrom([measuredRuns([...sound, failed])])).toEqual(chooseFrom([measuredRuns(sound)]));
  });

  it('that measured nothing leave what works for every program', () => {
    const reason = 'the pilot runs measured nothing';
    const empty = measuredRuns([pilotOf(0, { A: aSide([]), B: aSide([]) })]);
    for (const runs of [[], [empty], [pilots({}, {}, { status: 'failed' })]]) {
      expect(chooseFrom(runs)).toEqual({ method: 'sync-duet', metric: 'time', reason, aloneNs: null });
      expect(chooseFrom(runs, { config: singleCpu })).toEqual({
        method: 'sequential',
        metric: 'time',
        reason,
        aloneNs: null,
      });
    }
  });
});
