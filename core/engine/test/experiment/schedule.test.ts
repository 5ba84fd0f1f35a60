import { describe, expect, it } from 'vitest';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  stableDefaults,
  type Benchmark,
  type Command,
  type ExperimentConfig,
  type Method,
  type Trial,
} from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { decideStop } from '../../src/plan/stop.ts';
import { occupiedCpus, planTrial } from '../../src/plan/plan-trial.ts';
import { Schedule } from '../../src/experiment/schedule.ts';
import { createBenchmarkStates, type RunPlace, type BenchmarkState } from '../../src/experiment/benchmark-state.ts';

const command = (name: string): Command => ({ name, commandLine: name, argv: [`/bin/${name}`], executedBy: 'direct' });

function benchmarkOf(name: string, changes: Partial<Benchmark> = {}): Benchmark {
  return { ...benchmarkDefaults, name, commands: { A: command('old'), B: command('new') }, ...changes };
}

/** Tandems of one benchmark on four cores, as many at a time as `lanes`. */
function configOf(changes: Partial<ExperimentConfig> = {}): ExperimentConfig {
  return {
    name: 'test',
    benchmarks: [benchmarkOf('a benchmark')],
    ...defaultSettings('tandem'),
    ...experimentDefaults,
    stop: { kind: 'runs', runs: 21 },
    maxTimeNs: null,
    cpus: [0, 1],
    tandemCpus: [0, 1, 2, 3],
    sequentialCpus: [0, 1, 2, 3],
    lanes: 4,
    seed: 'schedule',
    ...changes,
  };
}

/** A run from its beginning to its end. */
interface Flown extends RunPlace {
  readonly cpus: readonly number[];
  /** CPUs of those that were in flight when it began. */
  readonly beside: readonly (readonly number[])[];
}

interface Flight {
  /** Seed of the order in which runs end; `null` = the one that began first ends first. */
  readonly ends?: string | null;
  readonly recorded?: readonly Trial[];
  /** The method that pilot runs choose. */
  readonly chosen?: Method;
  readonly parts?: Parameters<typeof createBenchmarkStates>[2];
}

/** Makes all runs that a schedule wants, which end in an order that is drawn; gives them as they began. */
function fly(
  config: ExperimentConfig,
  { ends = 'ends', recorded = [], chosen = 'tandem', parts }: Flight = {},
): Flown[] {
  const benchmarkStates = createBenchmarkStates(config, recorded, parts);
  const schedule = new Schedule(config, benchmarkStates);
  const random = ends === null ? null : createRandom(ends);
  const begun: Flown[] = [];
  const inFlight: { readonly run: Flown; readonly state: BenchmarkState; readonly end: () => void }[] = [];
  for (const state of benchmarkStates) decide(state);
  for (;;) {
    for (let next = schedule.next(); next !== null; next = schedule.next()) {
      const { benchmark, phase, run } = next.place;
      const cpus = occupiedCpus(planTrial(next.state.config, { benchmark, phase, run }));
      const flown = { benchmark, phase, run, cpus, beside: inFlight.map((other) => other.run.cpus) };
      begun.push(flown);
      inFlight.push({ run: flown, state: next.state, end: next.end });
      expect(schedule.inFlight).toBe(inFlight.length);
    }
    const [ended] = inFlight.splice(random?.int(Math.max(1, inFlight.length)) ?? 0, 1);
    if (ended === undefined) return begun;
    take(ended.state, ended.run, chosen);
    ended.end();
  }
}

/** What the state of the experiment does with a run that has ended. */
function take(state: BenchmarkState, { phase, run }: RunPlace, method: Method): void {
  if (phase === 'measure') {
    state.runs++;
    state.finishedRuns.add(run);
  } else if (phase === 'warmup') state.warmups++;
  else if (++state.pilots === state.config.pilotRuns) {
    state.benchmark = {
      ...state.benchmark,
      chosen: { method, metric: 'cpu', reason: 'by the pilot runs', aloneNs: null },
    };
    state.config = { ...state.config, method };
  }
  decide(state);
}

function decide(state: BenchmarkState): void {
  const { config, runs } = state;
  const analyse = (): { halfWidth: number; decided: boolean; futile: boolean } => ({
    halfWidth: Infinity,
    decided: false,
    futile: false,
  });
  state.decision = decideStop(config, { runs, elapsedNs: 1, stable: false, family: 1, analyse });
}

const upTo = (count: number, first = 0): number[] => Array.from({ length: count }, (_, index) => first + index);
const measured = (flown: readonly Flown[], benchmark = 0): number[] =>
  flown.filter((run) => run.phase === 'measure' && run.benchmark === benchmark).map(({ run }) => run);
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const seeds = upTo(12).map((number) => `order ${number}`);

function trialOf(run: number, changes: Partial<Trial> = {}): Trial {
  const sides = { A: {}, B: {} };
  return { benchmark: 0, phase: 'measure', method: 'tandem', status: 'ok', run, wallNs: 1, sides, ...changes } as Trial;
}

describe('a schedule with one lane', () => {
  it('has one run after the other, in the order of their numbers', () => {
    const flown = fly(configOf({ lanes: 1 }));
    expect(measured(flown)).toEqual(upTo(21));
    for (const { beside } of flown) expect(beside).toEqual([]);
  });

  it('begins with the pilot runs, then those of warm-up', () => {
    const phases = fly(configOf({ lanes: 1, pilotRuns: 3, warmupRuns: 2, stop: { kind: 'runs', runs: 4 } })).map(
      ({ phase, run }) => `${phase} ${run}`,
    );
    expect(phases).toEqual([
      'pilot 0',
      'pilot 1',
      'pilot 2',
      'warmup 0',
      'warmup 1',
      'measure 0',
      'measure 1',
      'measure 2',
      'measure 3',
    ]);
  });

  it('has a run of each side alone after every second tandem of different programs, also where it goes on', () => {
    const stop = { kind: 'runs', runs: 6 } as const;
    const different = benchmarkOf('different', { commands: { A: command('gzip'), B: command('xz') } });
    const config = configOf({ lanes: 1, benchmarks: [different], stop });
    const placesOf = (recorded: readonly Trial[] = [], changes: Partial<ExperimentConfig> = {}): string[] =>
      fly({ ...config, ...changes }, { recorded }).map(({ phase, run }) => `${phase} ${run}`);
    const measures = upTo(6).map((run) => `measure ${run}`);
    expect(placesOf()).toEqual([
      'measure 0',
      'pilot 0',
      'measure 1',
      'measure 2',
      'pilot 1',
      'measure 3',
      'measure 4',
      'pilot 2',
      'measure 5',
    ]);
    const recorded = [trialOf(0), trialOf(0, { phase: 'pilot', method: 'alone' }), trialOf(1), trialOf(2)];
    expect(placesOf(recorded)).toEqual(['pilot 1', 'measure 3', 'measure 4', 'pilot 2', 'measure 5']);
    expect(placesOf([], { benchmarks: [benchmarkOf('builds of one')] })).toEqual(measures);
    expect(placesOf([], { method: 'sync-duet' })).toEqual(measures);
    const lanes = fly({ ...config, lanes: 4, stop: { kind: 'runs', runs: 30 } });
    for (const { phase, beside } of lanes.filter(({ phase }) => phase === 'pilot'))
      expect([phase, beside]).toEqual(['pilot', []]);
    expect(lanes.filter(({ phase }) => phase === 'pilot').length).toBeGreaterThanOrEqual(13);
  });

  it('has a run of each benchmark in a round, in random order', () => {
    const benchmarks = ['x', 'y', 'z'].map((name) => benchmarkOf(name));
    const order = fly(configOf({ lanes: 1, benchmarks })).map(({ benchmark }) => benchmark);
    expect(order).toHaveLength(63);
    const rounds = upTo(21).map((round) => order.slice(round * 3, round * 3 + 3));
    for (const round of rounds) expect(ascending(round)).toEqual([0, 1, 2]);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
  });

  it('has one benchmark after another where that was asked for', () => {
    const benchmarks = ['x', 'y'].map((name) => benchmarkOf(name));
    const order = fly(configOf({ lanes: 1, benchmarks, schedule: 'sequential' })).map(({ benchmark }) => benchmark);
    expect(order).toEqual([...Array<number>(21).fill(0), ...Array<number>(21).fill(1)]);
  });
});

describe('a schedule with lanes', () => {
  it('never has two runs in flight on one core, nor more than there are lanes', () => {
    for (const lanes of [2, 3, 4]) {
      for (const ends of seeds) {
        for (const { cpus, beside } of fly(configOf({ lanes }), { ends })) {
          expect(beside.length).toBeLessThan(lanes);
          for (const others of beside) expect(others).not.toEqual(expect.arrayContaining([...cpus]));
        }
      }
    }
  });

  it('keeps all of them busy while runs take equally long', () => {
    const flown = fly(configOf({ stop: { kind: 'runs', runs: 100 } }), { ends: null });
    // One alone, and then one after the other until there are four; at the end a core may have made its 25 before others.
    expect(flown.slice(0, 5).map(({ beside }) => beside.length)).toEqual([0, 0, 1, 2, 3]);
    for (const { beside } of flown.slice(4, 96)) expect(beside).toHaveLength(3);
  });

  it('makes the wanted number of runs and no other, whatever the order in which they end', () => {
    for (const ends of seeds) expect(ascending(measured(fly(configOf(), { ends })))).toEqual(upTo(21));
    for (const runs of [1, 2, 5, 8]) {
      for (const ends of seeds) {
        const flown = fly(configOf({ lanes: 2, tandemCpus: [0, 1], stop: { kind: 'runs', runs } }), { ends });
        expect(ascending(measured(flown))).toEqual(upTo(runs));
      }
    }
  });

  it('makes no more than the most runs that a rule allows', () => {
    for (const stop of [
      { kind: 'decided', minRuns: 5, maxRuns: 17 },
      { kind: 'precision', precision: 0.01, minRuns: 5, maxRuns: 17 },
      { kind: 'enough', minRuns: 5, minTimeNs: 1e9, maxRuns: 17 },
    ] as const) {
      for (const ends of seeds) expect(ascending(measured(fly(configOf({ stop }), { ends })))).toEqual(upTo(17));
    }
  });

  it('begins no run after the decision that there are enough; those in flight end', () => {
    for (const ends of seeds) {
      const flown = fly(configOf({ stop: { kind: 'enough', minRuns: 20, minTimeNs: 0, maxRuns: null } }), { ends });
      // At most three others are in flight when the twentieth ends.
      expect(flown.length).toBeGreaterThanOrEqual(20);
      expect(flown.length).toBeLessThanOrEqual(23);
      expect(new Set(measured(flown)).size).toBe(flown.length);
    }
  });

  it('has the first run of a benchmark to itself, before which it is set up', () => {
    for (const ends of seeds) {
      const flown = fly(configOf({ benchmarks: [benchmarkOf('x'), benchmarkOf('y')] }), { ends });
      for (const benchmark of [0, 1]) {
        const first = flown.findIndex((run) => run.benchmark === benchmark);
        expect(flown[first]?.beside).toEqual([]);
        // Nothing begins before it is over, either.
        expect(flown[first + 1]?.beside).toEqual([]);
      }
    }
  });

  it('has every pilot run to itself, and lanes for warm-up', () => {
    for (const ends of seeds) {
      const flown = fly(configOf({ pilotRuns: 3, warmupRuns: 8 }), { ends });
      const pilots = flown.filter(({ phase }) => phase === 'pilot');
      expect(pilots.map(({ run }) => run)).toEqual([0, 1, 2]);
      expect(flown.slice(0, 4).map(({ beside }) => beside)).toEqual([[], [], [], []]);
      const warmups = flown.filter(({ phase }) => phase === 'warmup');
      expect(ascending(warmups.map(({ run }) => run))).toEqual(upTo(8));
      expect(ascending(measured(flown))).toEqual(upTo(21));
    }
    const warmups = seeds.flatMap((ends) => fly(configOf({ warmupRuns: 8 }), { ends }));
    expect(warmups.some(({ phase, beside }) => phase === 'warmup' && beside.length > 0)).toBe(true);
  });

  it.each(['sync-duet', 'async-duet', 'sequential'] as const)('has every run of %s to itself', (method) => {
    for (const { beside } of fly(configOf({ method }))) expect(beside).toEqual([]);
    const flown = fly(configOf({ pilotRuns: 3 }), { chosen: method });
    expect(measured(flown)).toEqual(upTo(21));
    for (const { beside } of flown) expect(beside).toEqual([]);
  });

  it('has runs that are followed until they are stable one after the other, as what follows them needs', () => {
    const stable = { criteria: ['cv' as const], ...stableDefaults };
    const flown = fly(configOf({ stable }));
    expect(measured(flown)).toEqual(upTo(21));
    for (const { beside } of flown) expect(beside).toEqual([]);
  });

  it('interleaves two benchmarks in rounds, each with all of its runs', () => {
    const benchmarks = [benchmarkOf('x'), benchmarkOf('y')];
    let mixed = 0;
    for (const ends of seeds) {
      const flown = fly(configOf({ benchmarks }), { ends });
      for (const benchmark of [0, 1]) expect(ascending(measured(flown, benchmark))).toEqual(upTo(21));
      // Each round has a run of each, so that neither is ahead by more than one that has begun.
      for (let begun = 1; begun <= flown.length; begun++) {
        const some = flown.slice(0, begun);
        expect(Math.abs(measured(some, 0).length - measured(some, 1).length)).toBeLessThanOrEqual(1);
      }
      mixed += flown.filter(({ beside }) => beside.length > 0).length;
    }
    expect(mixed).toBeGreaterThan(0);
  });

  it('has a tandem and what needs the machine for itself take turns', () => {
    const benchmarks = [benchmarkOf('x'), benchmarkOf('y', { own: { method: 'sequential' } }), benchmarkOf('z')];
    for (const ends of seeds) {
      const flown = fly(configOf({ benchmarks }), { ends });
      for (const benchmark of [0, 1, 2]) expect(ascending(measured(flown, benchmark))).toEqual(upTo(21));
      for (const { benchmark, beside } of flown) if (benchmark === 1) expect(beside).toEqual([]);
    }
  });

  it('does not begin anything while a run has the machine to itself', () => {
    const config = configOf({ pilotRuns: 1 });
    const benchmarkStates = createBenchmarkStates(config, [], undefined);
    const schedule = new Schedule(config, benchmarkStates);
    const pilot = schedule.next();
    expect(pilot?.place).toMatchObject({ phase: 'pilot', run: 0 });
    expect(schedule.next()).toBeNull();
    pilot?.end();
    expect(schedule.inFlight).toBe(0);
    expect(schedule.next()).not.toBeNull();
  });

  it('makes only what a part holds', () => {
    for (const ends of seeds) {
      const flown = fly(configOf(), { ends, parts: { count: 3, taken: [2], folder: '/x' } });
      // Tandems have no cores to trade: 21 runs are seven for each part.
      expect(ascending(measured(flown))).toEqual(upTo(7, 7));
    }
  });
});

describe('a schedule that goes on with a recording', () => {
  it('fills the gaps that lanes left, and makes no number twice', () => {
    const recorded = [0, 1, 2, 5, 6, 9].map((run) => trialOf(run));
    for (const lanes of [1, 4]) {
      for (const ends of seeds) {
        const numbers = measured(fly(configOf({ lanes }), { ends, recorded }));
        expect(ascending(numbers)).toEqual([3, 4, 7, 8, ...upTo(11, 10)]);
        if (lanes === 1) expect(numbers).toEqual(ascending(numbers));
      }
    }
  });

  it('gives every run the core that it would have had', () => {
    const cores = (flown: readonly Flown[]): Map<number, readonly number[]> =>
      new Map(flown.map(({ run, cpus }) => [run, cpus]));
    const whole = cores(fly(configOf()));
    const rest = cores(fly(configOf(), { recorded: [0, 1, 4].map((run) => trialOf(run)) }));
    for (const [run, cpus] of rest) expect(cpus).toEqual(whole.get(run));
  });

  it('makes the pilot runs that are missing', () => {
    const recorded = [trialOf(0, { phase: 'pilot' }), trialOf(1, { phase: 'pilot' })];
    const flown = fly(configOf({ pilotRuns: 3 }), { recorded });
    expect(flown.filter(({ phase }) => phase === 'pilot').map(({ run }) => run)).toEqual([2]);
  });

  it('has the first run to itself, since what it needs is set up again', () => {
    const flown = fly(configOf(), { recorded: [0, 1, 2].map((run) => trialOf(run)) });
    expect(flown[1]?.beside).toEqual([]);
    expect(flown.some(({ beside }) => beside.length > 0)).toBe(true);
  });

  it('has nothing to do where everything was made', () => {
    expect(fly(configOf(), { recorded: upTo(21).map((run) => trialOf(run)) })).toEqual([]);
  });
});

describe('a limit on the number of runs', () => {
  const runsOf = (changes: Partial<ExperimentConfig>): number => fly(configOf({ lanes: 1, ...changes })).length;
  const stop = { kind: 'enough', minRuns: 5, minTimeNs: 1e9, maxRuns: 17 } as const;

  it('is for whole blocks of two runs that trade cores', () => {
    expect(runsOf({ stop, method: 'sync-duet', swap: 'pair' })).toBe(18);
    expect(runsOf({ stop, method: 'sync-duet', swap: 'never' })).toBe(17);
    expect(runsOf({ stop, method: 'tandem', swap: 'pair' })).toBe(17);
  });

  it('is as many times as high where the caps of a stable rule are lifted', () => {
    const stable = { criteria: ['cv' as const], ...stableDefaults, liftCaps: 2 };
    expect(runsOf({ stable, stop: { kind: 'stable', minRuns: 2, maxRuns: 5 }, swap: 'never' })).toBe(10);
  });
});
