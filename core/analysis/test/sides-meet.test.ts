import type { MeasuredRun, SideResult, Trial } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { chooseByPilot, comparesWaiting, waitingTogether } from '../src/metric/choose-by-pilot.ts';
import { sameFileWritten, threadsConfined } from '../src/warnings/sides-meet.ts';
import { aBenchmark, aConfig, aSide, aTrial } from './helpers/recordings.ts';

interface Times {
  /** Wall time, CPU time and time kept from a CPU, ms. */
  readonly wall: number;
  readonly cpu?: number;
  readonly delay?: number;
}

/** Not a multiple of any tick. */
const precise = 137;

function side({ wall, cpu = 2, delay = 0 }: Times, changes: Partial<SideResult> = {}): SideResult {
  const iteration = {
    i: 0,
    s: 1e9,
    e: 1e9 + Math.round(wall * 1e6),
    c: Math.round(cpu * 1e6) + precise,
    q: delay * 1e6,
  };
  return aSide([iteration], changes);
}

const run = (number: number, [a, b]: readonly [Times, Times], changes: Partial<Trial> = {}): Trial =>
  aTrial({ run: number, sides: { A: side(a), B: side(b) }, ...changes });

const pilot = (number: number, times: readonly [Times, Times], method: Trial['method'] = 'sync-duet'): Trial =>
  run(number, times, { phase: 'pilot', method });

const choose = (trials: readonly Trial[]): ReturnType<typeof chooseByPilot> =>
  chooseByPilot([measuredRuns(trials)], {
    benchmark: aBenchmark(),
    config: aConfig({ method: 'tandem', pilotRuns: 3, metric: 'auto' }),
  });

describe('pilot runs together and alone', () => {
  /** A holds a lock for 200 ms and B for 300 ms: whoever comes second waits for the other one, too. */
  const first: readonly [Times, Times] = [{ wall: 200 }, { wall: 500 }];
  const second: readonly [Times, Times] = [{ wall: 500 }, { wall: 300 }];
  const alone: readonly [Times, Times] = [{ wall: 200 }, { wall: 300 }];

  it('show sides that wait for each other, which are then run one after the other', () => {
    const chosen = choose([pilot(0, first), pilot(1, second), pilot(2, alone, 'sequential')]);
    expect(chosen.method).toBe('sequential');
    expect(chosen.reason).toContain('the sides wait for each other');
    // Median of 700 and 800 ms, and 500 ms, less 2 x 2 ms of CPU time.
    expect(chosen.sidesWait?.togetherNs).toBeCloseTo(746e6, -4);
    expect(chosen.sidesWait?.aloneNs).toBeCloseTo(496e6, -4);
  });

  it('show that although a command that starts others is seen with two tasks in its few busy moments', () => {
    const observed = { samples: 60, runnable: 0.1, tasks: 1.9 };
    const seen = (trial: Trial): Trial => ({
      ...trial,
      sides: { A: { ...trial.sides.A, observed }, B: { ...trial.sides.B, observed } },
    });
    const chosen = choose([pilot(0, first), pilot(1, second), pilot(2, alone, 'sequential')].map(seen));
    expect(chosen.reason).toContain('the sides wait for each other');
  });

  it('leave sides together that wait for something else', () => {
    const chosen = choose([pilot(0, alone), pilot(1, alone), pilot(2, alone, 'sequential')]);
    expect(chosen).toMatchObject({ method: 'sync-duet', metric: 'undelayed' });
    expect(chosen.sidesWait).toBeUndefined();
  });

  it('ask for more runs where the difference is small, and believe three of each kind', () => {
    const slower: readonly [Times, Times] = [{ wall: 230 }, { wall: 345 }];
    const trials = [pilot(0, slower), pilot(1, slower), pilot(2, alone, 'sequential')];
    expect(comparesWaiting(trials)).toBe('perhaps');
    expect(comparesWaiting([...trials, pilot(3, alone, 'sequential')])).toBe('perhaps');
    expect(comparesWaiting([...trials, pilot(3, alone, 'sequential'), pilot(4, alone, 'sequential')])).toBe('yes');
    // One run alone that waits as long is enough to doubt it.
    expect(comparesWaiting([...trials, pilot(3, slower, 'sequential')])).toBe('no');
  });

  it('do not believe a single run together', () => {
    const [together, apart] = [pilot(0, second), pilot(1, alone, 'sequential')];
    expect(comparesWaiting([together, apart])).toBe('perhaps');
    expect(choose([together, apart]).method).not.toBe('sequential');
    expect(comparesWaiting([together, apart, pilot(2, first)])).toBe('yes');
  });

  it('do not take what a busy machine adds to short runs for a lock', () => {
    const short: readonly [Times, Times] = [
      { wall: 1, cpu: 0.6 },
      { wall: 1, cpu: 0.6 },
    ];
    const late = (ms: number): readonly [Times, Times] => [short[0], { wall: 1 + ms, cpu: 0.6 }];
    const after = (ms: number): readonly Trial[] => [
      pilot(0, late(ms)),
      pilot(1, late(ms)),
      pilot(2, short, 'sequential'),
    ];
    expect(comparesWaiting(after(20))).toBe('no');
    expect(comparesWaiting(after(40))).toBe('yes');
  });

  it('do not take a CPU that others use for a lock', () => {
    const kept: readonly [Times, Times] = [
      { wall: 500, delay: 300 },
      { wall: 600, delay: 300 },
    ];
    expect(waitingTogether([pilot(0, kept), pilot(1, kept), pilot(2, alone, 'sequential')])).toBeNull();
    // Nor where only its children are kept from it, which are seen to be runnable.
    const observed = { samples: 50, runnable: 1, tasks: 1 };
    const children = [0, 1].map((number) => pilot(number, [{ wall: 500 }, { wall: 600 }]));
    const seen = children.map((trial) => ({
      ...trial,
      sides: { A: { ...trial.sides.A, observed }, B: { ...trial.sides.B, observed } },
    }));
    expect(waitingTogether([...seen, pilot(2, alone, 'sequential')])).toBeNull();
  });

  it('do not take children for a lock that were too short for looks which came late', () => {
    const unseen = { samples: 0, runnable: 0, tasks: 0 };
    const trials = [0, 1].map((number) => {
      const { sides, ...trial } = pilot(number, [{ wall: 160 }, { wall: 170 }]);
      return { ...trial, sides: { A: { ...sides.A, observed: unseen }, B: sides.B } };
    });
    const short: readonly [Times, Times] = [
      { wall: 35, cpu: 34 },
      { wall: 35, cpu: 34 },
    ];
    const last = pilot(2, short, 'sequential');
    expect(comparesWaiting([...trials, last])).toBe('no');
    // Where none shows it busy, one more might.
    const A = side({ wall: 160 }, { observed: unseen });
    const unknown = [...trials, { ...last, sides: { ...last.sides, A } }];
    expect(comparesWaiting(unknown)).toBe('perhaps');
    const seen = side({ wall: 160 }, { observed: { samples: 30, runnable: 0.2, tasks: 1 } });
    expect(comparesWaiting([...unknown, { ...last, sides: { ...last.sides, A: seen } }])).toBe('no');
  });

  it('show threads that several cores would serve, whose wall times CPU times do not tell', () => {
    const together: readonly [Times, Times] = [
      { wall: 40, cpu: 40 },
      { wall: 40, cpu: 40 },
    ];
    const pilots = (wallB: number): readonly Trial[] => [
      pilot(0, together),
      pilot(1, together),
      pilot(
        2,
        [
          { wall: 40, cpu: 40 },
          { wall: wallB, cpu: 40 },
        ],
        'sequential',
      ),
    ];
    const chosen = choose(pilots(22));
    expect(chosen.method).toBe('sequential');
    expect(chosen.reason).toBe(
      'a side keeps several cores busy (CPU time over wall time: A 1.00, B 1.82), so each gets all CPUs to itself',
    );
    // 40 / 30 = 1.33 on one side alone; 40 / 37 = 1.08 is a helping thread.
    expect(choose(pilots(30)).method).toBe('sequential');
    expect(choose(pilots(37)).method).toBe('tandem');
  });

  it('show one busy core where threads help the one that is seen to compute, as those of an engine do', () => {
    const times: readonly [Times, Times] = [
      { wall: 25, cpu: 40 },
      { wall: 25, cpu: 40 },
    ];
    const of = (tasks: number): string => {
      const looked = (trial: Trial): Trial => ({
        ...trial,
        sides: {
          A: { ...trial.sides.A, observed: { samples: 6, runnable: 1, tasks } },
          B: { ...trial.sides.B, observed: { samples: 6, runnable: 1, tasks } },
        },
      });
      return choose([pilot(0, times), pilot(1, times), pilot(2, times, 'sequential')].map(looked)).method;
    };
    expect(of(1)).toBe('tandem');
    expect(of(1.6)).toBe('sequential');
  });
});

describe('runs of a duet', () => {
  const codesOf = (trials: readonly Trial[]): readonly string[] => {
    const runs: readonly MeasuredRun[] = measuredRuns(trials);
    const comparison = compareBenchmark({ runs, benchmark: aBenchmark(), config: aConfig({ replicates: 100 }) });
    return comparison.warnings.map(({ code }) => code);
  };

  it('warn of sides that wait in turn', () => {
    const random = createRandom('turns');
    const jitter = (): number => 5 * random.next();
    const turns = Array.from({ length: 12 }, (_, number) =>
      random.int(2) === 0
        ? run(number, [{ wall: 50 + jitter() }, { wall: 130 + jitter() }])
        : run(number, [{ wall: 130 + jitter() }, { wall: 80 + jitter() }]),
    );
    expect(codesOf(turns)).toContain('SIDES_WAIT');
    expect(codesOf(turns.slice(0, 9))).not.toContain('SIDES_WAIT');
  });

  it('do not warn of sides whose waiting has nothing to do with each other, or goes together', () => {
    let alarms = 0;
    for (let repetition = 0; repetition < 200; repetition++) {
      const random = createRandom(`apart ${repetition}`);
      const waits = Array.from({ length: 20 }, (_, number) => {
        const shared = 40 * random.next();
        return run(number, [{ wall: 60 + 40 * random.next() }, { wall: 60 + shared }]);
      });
      if (codesOf(waits).includes('SIDES_WAIT')) alarms++;
    }
    // The level is 0.001 and the correlation has to be below -0.7: among 200 not one is expected.
    expect(alarms).toBe(0);
    const together = Array.from({ length: 20 }, (_, number) =>
      run(number, [{ wall: 60 + number }, { wall: 60 + number }]),
    );
    expect(codesOf(together)).not.toContain('SIDES_WAIT');
  });

  it('do not warn where a neighbour takes the core of one side and then that of the other', () => {
    const kept = Array.from({ length: 20 }, (_, number) =>
      run(number, number % 2 === 0 ? [{ wall: 60, delay: 30 }, { wall: 30 }] : [{ wall: 30 }, { wall: 60, delay: 30 }]),
    );
    expect(codesOf(kept)).not.toContain('SIDES_WAIT');
  });
});

describe('runs of several threads', () => {
  it('say so where wall time differs and CPU time does not', () => {
    const trials = Array.from({ length: 20 }, (_, number) =>
      run(
        number,
        [
          { wall: 40 + number / 100, cpu: 40 },
          { wall: 23 + number / 100, cpu: 40.1 },
        ],
        { method: 'sequential' },
      ),
    );
    const comparison = compareBenchmark({
      runs: measuredRuns(trials),
      benchmark: aBenchmark(),
      config: aConfig({ method: 'sequential', metric: 'auto', margin: 0.02 }),
    });
    expect(comparison).toMatchObject({ metric: 'time', verdict: 'faster' });
    const told = comparison.warnings.find(({ code }) => code === 'METRICS_DISAGREE')?.message;
    // Medians: 23.095 / 40.095 - 1 = -42 %, 40.1 / 40 - 1 = +0.2 %.
    expect(told).toMatch(
      /^B is faster by wall time \(-42 %\) and not by CPU time \(\+0\.\d %\): a side computes on several cores/,
    );
    expect(told).toContain('pass --metric cpu');
  });
});

describe('a file that both sides write', () => {
  const written = (number: number, files: Readonly<Record<'A' | 'B', readonly string[]>>): Trial => {
    const observed = (paths: readonly string[]): SideResult['observed'] => ({
      samples: 1,
      runnable: 1,
      tasks: 1,
      written: [...paths],
    });
    return aTrial({
      run: number,
      phase: 'pilot',
      sides: {
        A: side({ wall: 5 }, { observed: observed(files.A) }),
        B: side({ wall: 5 }, { observed: observed(files.B) }),
      },
    });
  };

  it('is told where they run at the same time, also when each was seen in another run', () => {
    const pilots = [
      written(0, { A: ['/tmp/a', '/tmp/same'], B: [] }),
      written(1, { A: [], B: ['/tmp/b', '/tmp/same'] }),
    ];
    const [warning, ...more] = sameFileWritten('zip', { trials: pilots, method: 'tandem' });
    expect(warning?.code).toBe('SAME_FILE_WRITTEN');
    expect(warning?.message).toMatch(/^zip: both sides write \/tmp\/same, and they run at the same time/);
    expect(warning?.message).toContain('{side}');
    expect(more).toEqual([]);
    expect(sameFileWritten('zip', { trials: pilots, method: 'sequential' })).toEqual([]);
  });

  it('is none where each has its own', () => {
    const pilots = [written(0, { A: ['/tmp/a'], B: ['/tmp/b'] })];
    expect(sameFileWritten('zip', { trials: pilots, method: 'sync-duet' })).toEqual([]);
    expect(sameFileWritten('zip', { trials: [run(0, [{ wall: 5 }, { wall: 5 }])], method: 'sync-duet' })).toEqual([]);
  });
});

describe('threads on one core', () => {
  const trials = [0, 1].map((number) => {
    const observed = (tasks: number): SideResult['observed'] => ({ samples: 3, runnable: 1, tasks });
    return aTrial({
      run: number,
      sides: { A: side({ wall: 20 }, { observed: observed(1) }), B: side({ wall: 20 }, { observed: observed(2) }) },
    });
  });

  it('are told of where the method gives a side one core', () => {
    const [warning] = threadsConfined('make', { trials, method: 'sync-duet' });
    expect(warning?.code).toBe('THREADS_CONFINED');
    expect(warning?.message).toContain('(on average A 1.00, B 2.00), and sync-duet gives it one core');
    expect(threadsConfined('make', { trials, method: 'sequential' })).toEqual([]);
    // Three samples are too few.
    expect(threadsConfined('make', { trials: trials.slice(1), method: 'sync-duet' })).toEqual([]);
  });
});
