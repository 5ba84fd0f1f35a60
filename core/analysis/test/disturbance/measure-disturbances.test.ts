import type { Benchmark, Method, Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { measureDisturbances, type Disturbances } from '../../src/disturbance/measure-disturbances.ts';
import { aSide, aTrial, iterationsOf } from '../helpers/recordings.ts';
import { itself, studied } from '../../../../lab/lab/test/study/study-support.ts';

/** How a made-up machine runs one process of 10 ms. */
interface Made {
  readonly cpu: number;
  readonly run: number;
  readonly method: Method;
}

const workNs = 10e6;
const runs = 12;

/** Runs that trade cores, with ten executions of equal length in each process. */
const made = (
  method: Method,
  {
    timeNs,
    cpuShare = () => 1,
    steal = () => 0,
  }: {
    readonly timeNs: (process: Made) => number;
    readonly cpuShare?: (process: Made) => number;
    readonly steal?: (run: number) => number;
  },
): readonly Trial[] =>
  Array.from({ length: runs }, (_, run) => {
    const side = (cpu: number) => {
      const process = { cpu, run, method };
      const times = Array.from({ length: 10 }, () => timeNs(process));
      return aSide(iterationsOf(times, { cpu: cpuShare(process) }), { cpu });
    };
    return aTrial({
      run,
      trial: run,
      sides: { A: side(run % 2), B: side(1 - (run % 2)) },
      noise: { stealNs: steal(run), throttledNs: null, contextSwitches: null },
    });
  });

const loop: Partial<Benchmark> = { ...itself, name: 'loop', params: {} };
const found = (
  parts: readonly (readonly [Method, readonly Trial[], Partial<Benchmark>?])[],
): Disturbances<'steal' | 'throttled'> =>
  measureDisturbances(
    parts.map(([method, trials, benchmark]) => studied(method, trials, { ...loop, ...benchmark })),
    {
      seed: 's',
      counts: [
        { name: 'steal', of: ({ noise }) => noise.stealNs },
        { name: 'throttled', of: ({ noise }) => noise.throttledNs },
      ],
      pure: ({ name }) => name === 'loop',
      avoided: ({ params }) => params['aslr'] === 'off',
    },
  );

describe('disturbances', () => {
  it('are told by what was counted in the runs that took longer', () => {
    // In every third run a tenth of the time is stolen and counted.
    const stolen = (run: number): number => (run % 3 === 0 ? 0.1 : 0);
    const timeNs = ({ run }: Made): number => workNs * (1 + stolen(run));
    const { counts, waiting, spreads, speed } = found([
      ['sequential', made('sequential', { timeNs, steal: stolen, cpuShare: ({ run }) => 1 / (1 + stolen(run)) })],
    ]);
    expect(counts.map(({ name }) => name)).toEqual(['steal']);
    expect(counts[0]?.mean).toBeCloseTo(0.1 / 3, 10);
    expect(counts[0]?.explained?.correlation).toBeCloseTo(1, 6);
    // Four runs of twelve at ln 1.1: sqrt(12 / 11 x 1/3 x 2/3) ln 1.1.
    const spread = Math.sqrt((12 / 11) * (2 / 9)) * Math.log(1.1);
    expect(counts[0]?.explained?.share).toBeCloseTo(spread, 6);
    expect(waiting?.explained?.share).toBeCloseTo(spread, 6);
    expect(waiting?.mean).toBeCloseTo((1 - 1 / 1.1) / 3, 6);
    expect(spreads).toMatchObject([{ benchmark: 'loop', method: 'sequential', runs }]);
    expect(spreads[0]?.spread).toBeCloseTo(spread, 2);
    // The core itself was as fast in every run.
    expect(speed?.spread).toBeCloseTo(0, 6);
  });

  it('of the core show in CPU time', () => {
    const timeNs = ({ run }: Made): number => workNs * (run % 2 === 0 ? 1 : 1.1);
    const { speed, waiting } = found([['sequential', made('sequential', { timeNs })]]);
    expect(speed?.runs).toBe(runs);
    // On either core six runs at 1 and six at 1.1 - a core sees both, since the sides trade.
    expect(speed?.spread).toBeCloseTo(Math.sqrt(12 / 11 / 4) * Math.log(1.1), 6);
    expect(waiting?.mean).toBe(0);
  });

  it('by a copy and by the place are ratios with intervals', () => {
    const timeNs = ({ cpu, run, method }: Made): number =>
      workNs * (method === 'sequential' ? 1 : 1.5) * (cpu === 1 ? 1.02 : 1) * (1 + 0.001 * (run % 3));
    const { sharing, places } = found([
      ['sequential', made('sequential', { timeNs })],
      ['sync-duet', made('sync-duet', { timeNs })],
    ]);
    expect(sharing).toHaveLength(1);
    expect(sharing[0]?.ratio).toBeCloseTo(1.5, 6);
    expect(sharing[0]?.low).toBeGreaterThan(1.45);
    expect(places).toHaveLength(1);
    expect(places[0]?.ratio).toBeCloseTo(1.02, 6);
    expect(places[0]?.low).toBeGreaterThan(1.01);
  });

  it('that were avoided in some runs are told by the spread of the others', () => {
    const timeNs = ({ run }: Made): number => workNs * (1 + 0.01 * (run % 4));
    const still = (): number => workNs;
    const { avoided, spreads } = found([
      ['sequential', made('sequential', { timeNs })],
      ['sequential', made('sequential', { timeNs: still }), { params: { aslr: 'off' } }],
    ]);
    expect(avoided?.without).toBeCloseTo(0, 12);
    expect(avoided?.share).toBeCloseTo(avoided?.spread ?? Number.NaN, 12);
    expect(avoided?.p).toBeLessThan(0.001);
    expect(spreads).toHaveLength(1);
  });

  it('are not looked for in tandems, whose wall times are those of both sides', () => {
    const timeNs = ({ run }: Made): number => workNs * (1 + 0.01 * (run % 4));
    // Each side has the core for half of the time, and its CPU time does not vary.
    const both = found([
      ['sequential', made('sequential', { timeNs, steal: (run) => run % 4 })],
      [
        'tandem',
        made('tandem', {
          timeNs: (process) => 2 * timeNs(process),
          cpuShare: (process) => workNs / 2 / timeNs(process),
        }),
      ],
    ]);
    const alone = found([['sequential', made('sequential', { timeNs, steal: (run) => run % 4 })]]);
    expect(both.spreads.map(({ method }) => method)).toEqual(['sequential', 'tandem']);
    expect(both.spreads[1]?.spread).toBeCloseTo(0, 12);
    expect({ ...both, spreads: alone.spreads }).toEqual(alone);
  });

  it('are unknown where nothing was measured', () => {
    expect(found([])).toEqual({
      spreads: [],
      counts: [],
      waiting: null,
      speed: null,
      sharing: [],
      places: [],
      avoided: null,
    });
  });
});
