import type { Disturbances, ExplainedSpread } from '@deadheat/analysis';
import { experimentSchema, type Machine, type Trial } from '@deadheat/model';
import { createRandom } from '../../../stats/src/index.ts';
import { describe, expect, it } from 'vitest';
import { findDisturbances, sharpestMethod } from '../../src/doctor/diagnosis.ts';
import { type CountName, type DoctorFacts, measureClock } from '../../src/doctor/facts.ts';
import { layoutFixer, levelledSights, type MethodSight, runCounts } from '../../src/doctor/measure.ts';
import { doctorDraft, fitRuns, hasFixedLayout } from '../../src/doctor/request.ts';
import { machine } from '../../../report/test/support-report.ts';

const quietMachine: Machine = {
  ...machine,
  onlineCpus: 4,
  usableCpus: [0, 1, 2, 3],
  smtSiblings: { 1: [1], 2: [2] },
  turbo: false,
  aslr: 0,
};

const nothing: Disturbances<CountName> = {
  spreads: [],
  counts: [],
  waiting: { mean: 0.001, explained: null },
  speed: { spread: 0.001, runs: 10 },
  sharing: [],
  places: [],
  avoided: null,
};

const facts = (
  changes: Partial<Omit<DoctorFacts, 'machine' | 'disturbances'>> & {
    readonly machine?: Partial<Machine>;
    readonly disturbances?: Partial<Disturbances<CountName>> | null;
  } = {},
): DoctorFacts => ({
  cpus: [1, 2],
  pressure: { cpu: 0, memory: 0 },
  clock: { readNs: 30, stepNs: 20 },
  obstacle: null,
  ...changes,
  machine: { ...quietMachine, ...changes.machine },
  disturbances: changes.disturbances === null ? null : { ...nothing, ...changes.disturbances },
});

const codes = (of: DoctorFacts): readonly string[] => findDisturbances(of).map(({ code }) => code);
const explained = (share: number, changes: Partial<ExplainedSpread> = {}): ExplainedSpread => ({
  share,
  correlation: 0.9,
  p: 0.0001,
  runs: 40,
  ...changes,
});
const count = (
  name: CountName,
  { mean = 0.02, of = explained(0.01) }: { readonly mean?: number; readonly of?: ExplainedSpread | null } = {},
): Disturbances<CountName>['counts'][number] => ({ name, mean, runs: 40, explained: of });

describe('the findings of the doctor', () => {
  it('are none on a quiet machine', () => {
    expect(findDisturbances(facts())).toEqual([]);
  });

  it('stand in the order of their measured effects: what makes runs differ, what shifts them, known risks', () => {
    const found = findDisturbances(
      facts({
        machine: { governor: 'powersave', turbo: true, smtActive: true, aslr: 2, load1: 3 },
        disturbances: {
          waiting: { mean: 0.03, explained: explained(0.02) },
          counts: [count('steal', { of: explained(0.05) }), count('frequency', { of: null })],
          sharing: [{ benchmark: 'memory', ratio: 1.4, low: 1.3, high: 1.5 }],
          places: [{ benchmark: 'integer', ratio: 0.97, low: 0.96, high: 0.98 }],
        },
      }),
    );
    expect(found.map(({ code, effect }) => [code, effect?.kind ?? null])).toEqual([
      ['STEAL', 'spread'],
      ['LOAD', 'spread'],
      ['SHARED_MEMORY', 'shift'],
      ['CORES_DIFFER', 'shift'],
      ['FREQUENCY', null],
      ['SMT', null],
      ['MEMORY_LAYOUT', null],
    ]);
    // Time on CPU 2 is 0.97 of that on CPU 1: CPU 1 takes 1 / 0.97 - 1 = 3.1 % longer.
    expect(found[3]?.effect?.how).toBe('integer takes 3.1 % longer on CPU 1 than on CPU 2 in duets');
    expect(found.find(({ code }) => code === 'FREQUENCY')?.applies).toBe('governor,turbo');
  });

  it('have an effect only where the times go along with it, the right way, and clearly', () => {
    const effectOf = (of: ExplainedSpread): unknown =>
      findDisturbances(facts({ disturbances: { counts: [count('steal', { of })] } })).map(
        ({ effect }) => effect?.share,
      );
    expect(effectOf(explained(0.05))).toEqual([0.05]);
    // Seen all the same: 2 % were stolen.
    expect(effectOf(explained(0.05, { p: 0.02 }))).toEqual([undefined]);
    expect(effectOf(explained(0.05, { correlation: -0.9 }))).toEqual([undefined]);
    expect(effectOf(explained(0.0005))).toEqual([undefined]);
    const faster = count('frequency', { mean: Math.log(3e9), of: explained(0.03, { correlation: -0.8 }) });
    expect(findDisturbances(facts({ disturbances: { counts: [faster] } }))).toMatchObject([
      { code: 'FREQUENCY', effect: { share: 0.03 }, evidence: expect.stringContaining('3.00 GHz') as string },
    ]);
  });

  it.each([
    ['CPU_QUOTA', facts({ machine: { cpuQuota: 1.5 }, disturbances: null })],
    ['CPU_QUOTA', facts({ disturbances: { counts: [count('throttled')] } })],
    ['LOAD', facts({ machine: { load1: 2 }, disturbances: null })],
    ['LOAD', facts({ pressure: { cpu: 0.3, memory: null }, disturbances: null })],
    ['LOAD', facts({ disturbances: { waiting: { mean: 0.02, explained: null } } })],
    ['MEMORY_PRESSURE', facts({ machine: { memoryAvailableBytes: 5 } })],
    ['MEMORY_PRESSURE', facts({ disturbances: { counts: [count('memory-pressure', { of: null })] } })],
    ['HEAT', facts({ disturbances: { counts: [count('heat', { mean: 0.5, of: null })] } })],
    ['CORE_SPEED', facts({ disturbances: { speed: { spread: 0.02, runs: 10 } } })],
    ['DRIFT', facts({ disturbances: { counts: [count('time', { of: explained(0.02, { correlation: -0.7 }) })] } })],
    ['SHARED_CORE', facts({ disturbances: { sharing: [{ benchmark: 'integer', ratio: 1.6, low: 1.5, high: 1.7 }] } })],
    ['SHARED_CORE', facts({ machine: { smtActive: true, smtSiblings: { 1: [1, 2], 2: [1, 2] } }, disturbances: null })],
    ['CLOCK', facts({ machine: { clockSource: 'hpet' } })],
    ['CLOCK', facts({ clock: { readNs: 20, stepNs: 1e6 } })],
    ['NO_DUET', facts({ obstacle: { code: 'SINGLE_CORE', why: 'There is one CPU.', advice: 'Give it two.' } })],
  ])('tell %s', (code, of) => {
    expect(codes(of)).toEqual([code]);
  });

  it('say what is left without duets', () => {
    const told = (code: 'SINGLE_CORE' | 'NO_SHARED_MEMORY'): string => {
      const obstacle = { code, why: 'There is one CPU.', advice: 'Give it two.' };
      const [finding] = findDisturbances(facts({ obstacle }));
      return `${finding?.title ?? ''}: ${finding?.advice.withoutRoot ?? ''}`;
    };
    expect(told('SINGLE_CORE')).toMatch(/no duets here, but tandems: .*share the one CPU.*Give it two\.$/);
    expect(told('NO_SHARED_MEMORY')).toBe('There are neither tandems nor duets here: Give it two.');
  });

  it('each say what was seen and what to do, with and without root', () => {
    const everything = facts({
      machine: { cpuQuota: 1, load1: 9, governor: 'powersave', smtActive: true, aslr: 2, clockSource: 'hpet' },
      disturbances: { counts: [count('steal'), count('heat'), count('time')], speed: { spread: 0.05, runs: 9 } },
    });
    for (const { evidence, advice, title } of findDisturbances(everything)) {
      for (const text of [evidence, advice.withoutRoot, title]) expect(text.length).toBeGreaterThan(10);
      expect(advice.withoutRoot).toMatch(/\.$/);
      if (advice.asRoot !== null) expect(advice.asRoot).toMatch(/\.$/);
    }
  });
});

describe('what the doctor counts in a run', () => {
  it('are parts of its time, and what the look after it told', () => {
    const stress = { cpuPressure: 0.5, memoryPressure: null, heatThrottles: 2, frequencyHz: 1e9 };
    const counts = runCounts(new Map([[7, stress]]));
    const told = (trial: number): unknown => {
      const noise = { stealNs: 20e6, throttledNs: null, contextSwitches: 3 };
      const run = { trial, wallNs: 100e6, noise, sides: { A: { cpu: 0 }, B: { cpu: 1 } } } as Trial;
      return Object.fromEntries(counts.map(({ name, of }) => [name, of(run)]));
    };
    // 20 ms of two cores' 100 ms.
    expect(told(7)).toEqual({
      steal: 0.1,
      throttled: null,
      'cpu-pressure': 0.5,
      'memory-pressure': null,
      heat: 2,
      frequency: Math.log(1e9),
      time: 7,
    });
    expect(told(8)).toMatchObject({ steal: 0.1, 'cpu-pressure': null, frequency: null });
  });

  it('knows what reading the clock costs', () => {
    let now = 0;
    // Every second reading moves the clock by 100 ns: 50 ns a reading.
    let reading = 0;
    const { readNs, stepNs } = measureClock(() => (now += reading++ % 2 === 0 ? 0 : 100));
    expect(stepNs).toBe(100);
    expect(readNs).toBeCloseTo(50, 1);
  });
});

describe('the size of the measurement', () => {
  const methods = ['tandem', 'sync-duet', 'async-duet', 'sequential'] as const;
  // Start 50 ms, work 200 ms, overhead 50 ms: 0.3 s a process; a round of 6, for both sides of a tandem share a core, and 2 more with
  // fixed layouts.
  const sized = [{ startNs: 50e6 }];
  const fit = (budgetNs: number, wanted: number | null = null) =>
    fitRuns({ sized, methods, canFixLayout: true, budgetNs, wanted });

  it('fits into the time, down to six runs, which it takes in any case', () => {
    // 0.75 x 48 s over 2.4 s a round.
    expect(fit(48e9)).toEqual({ runs: 15, fixedLayout: true, expectedNs: 15 * 2.4e9 });
    // With fixed layouts only five would fit; 0.75 x 16 s over 1.8 s.
    expect(fit(16e9)).toEqual({ runs: 6, fixedLayout: false, expectedNs: 6 * 1.8e9 });
    expect(fit(1e9)).toMatchObject({ runs: 6, fixedLayout: false });
    expect(fit(3600e9).runs).toBe(30);
    expect(fit(1e9, 2)).toEqual({ runs: 2, fixedLayout: true, expectedNs: 2 * 2.4e9 });
  });

  it('makes an experiment of every workload by every method, and with a fixed layout one after the other', () => {
    const draft = doctorDraft(
      { cpus: null, seed: 's' },
      {
        sized: [{ workload: 'integer', amount: 7, startNs: 1 }],
        methods,
        runs: 8,
        limitNs: 5e9,
        fixLayout: ['/usr/bin/setarch', 'x86_64', '-R'],
      },
    );
    expect(
      experimentSchema.shape.config.safeParse({ ...draft, cpus: [0, 1], tandemCpus: [], sequentialCpus: [], lanes: 1 })
        .error,
    ).toBeUndefined();
    expect(draft.benchmarks.map(({ own, params }) => [own.method, params])).toEqual([
      ['tandem', {}],
      ['sync-duet', {}],
      ['async-duet', {}],
      ['sequential', {}],
      ['sequential', { aslr: 'off' }],
    ]);
    expect(draft.benchmarks.map((benchmark) => hasFixedLayout(benchmark))).toEqual([false, false, false, false, true]);
    const [tandem, , , plain, fixed] = draft.benchmarks;
    // The wall time of a side in a tandem is that of both; and what is counted in a run is that run's.
    expect([draft.metric, tandem?.own.metric, draft.lanes]).toEqual(['time', 'cpu', 1]);
    expect(fixed?.commands.A.argv).toEqual(['/usr/bin/setarch', 'x86_64', '-R', ...(plain?.commands.A.argv ?? [])]);
    expect(draft).toMatchObject({ stop: { kind: 'runs', runs: 8 }, experimentTimeoutNs: 5e9, confidence: 0.95 });
  });

  it('does without fixed layouts where there is no program for them', () => {
    expect(layoutFixer({ PATH: '' })).toBeNull();
  });
});

const sights: readonly MethodSight[] = [
  { workload: 'integer', method: 'tandem', runs: 10, detectableSlowdown: 0.002, pairingGain: 9, spread: 0.019 },
  { workload: 'integer', method: 'sync-duet', runs: 10, detectableSlowdown: 0.004, pairingGain: 3, spread: 0.02 },
  { workload: 'integer', method: 'sequential', runs: 10, detectableSlowdown: 0.02, pairingGain: null, spread: 0.021 },
  { workload: 'memory', method: 'tandem', runs: 10, detectableSlowdown: 0.008, pairingGain: 4, spread: 0.045 },
  { workload: 'memory', method: 'sync-duet', runs: 10, detectableSlowdown: 0.03, pairingGain: 1.5, spread: 0.05 },
  { workload: 'memory', method: 'sequential', runs: 10, detectableSlowdown: 0.02, pairingGain: null, spread: null },
];

it('the sharpest method is the one that sees most over all workloads', () => {
  // sqrt(0.002 x 0.008) = 0.004 against sqrt(0.004 x 0.03) = 0.011 and 0.02.
  expect(sharpestMethod(sights)).toBe('tandem');
  const apart = sights.filter(({ method }) => method !== 'tandem');
  expect(sharpestMethod(apart)).toBe('sync-duet');
  expect(sharpestMethod([])).toBeNull();
  // A method that lacks a workload is not compared.
  const without = apart.map((sight) =>
    sight.method === 'sync-duet' && sight.workload === 'memory'
      ? { ...sight, runs: 0, detectableSlowdown: null }
      : sight,
  );
  expect(sharpestMethod(without)).toBe('sequential');
});

describe('levelled sights', () => {
  const of = (slowdowns: readonly (number | null)[], runs: number) =>
    slowdowns.map((detectableSlowdown) => ({ workload: 'integer', runs, detectableSlowdown }));
  const levelled = (slowdowns: readonly (number | null)[], runs: number) =>
    levelledSights(of(slowdowns, runs)).map(({ detectableSlowdown }) => detectableSlowdown);

  it('agree where methods differ by no more than chance, and stay apart where they differ by far', () => {
    const [low, middle, high] = levelled([0.009, 0.01, 0.0111], 10) as [number, number, number];
    expect(high / low).toBeCloseTo(1, 6);
    expect(middle).toBeCloseTo((0.009 * 0.01 * 0.0111) ** (1 / 3), 6);
    const [tandem, duet, sequential] = levelled([0.001, 0.01, 0.1], 30) as [number, number, number];
    expect(tandem).toBeLessThan(0.0011);
    expect(duet).toBeCloseTo(0.01, 6);
    expect(sequential).toBeGreaterThan(0.09);
  });

  it('leave out what is not known, and a workload of one method as it is', () => {
    expect(levelled([null, 0.01], 10)).toEqual([null, 0.01]);
    expect(levelled([Number.MAX_VALUE, 0, 0.01], 10)).toEqual([Number.MAX_VALUE, 0, 0.01]);
  });

  it('take from the smallest of equal ones that it was the smallest by chance', () => {
    const random = createRandom('levelled');
    const [draws, runs, truth] = [500, 12, 0.01];
    const sums = { own: 0, levelled: 0 };
    for (let draw = 0; draw < draws; draw++) {
      const own = Array.from({ length: 4 }, () => truth * Math.exp(random.normal() / Math.sqrt(runs - 1)));
      sums.own += Math.log(Math.min(...own) / truth) / draws;
      sums.levelled += Math.log(Math.min(...(levelled(own, runs) as number[])) / truth) / draws;
    }
    expect(sums.own).toBeLessThan(-0.25);
    expect(sums.levelled).toBeGreaterThan(-0.12);
  });
});
