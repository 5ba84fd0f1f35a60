import { benchmarkDefaults, type Command, type Side, type Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { refuseUnmatched } from '../src/measure.ts';
import type { RecordedSides } from '../src/index.ts';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const config = {
  benchmarks: [{ ...benchmarkDefaults, name: 'x', workload: 'harness' as const, commands: { A: command, B: command } }],
};
const recorded = (held: Readonly<Record<Side, readonly number[]>>): RecordedSides => {
  const of = (side: Side) => held[side].map((length) => ({ benchmark: 'sum', params: { length }, iterations: {} }));
  return { A: of('A'), B: of('B') } as unknown as RecordedSides;
};

/** Refuses, or not, a recording of runs in which the sides held benchmarks of these lengths. */
const refuse = (runs: readonly Readonly<Record<Side, readonly number[]>>[], strict = false): void =>
  refuseUnmatched(
    runs.map((_, trial) => ({ trial, benchmark: 0, status: 'ok', phase: 'measure', failures: [] }) as unknown as Trial),
    { config, records: new Map(runs.map((held, trial) => [trial, recorded(held)])), strict },
  );

describe('a recording', () => {
  it('in which the sides held nothing in common is refused, with what they held', () => {
    expect(() =>
      refuse([
        { A: [1000], B: [2000] },
        { A: [1000], B: [2000] },
      ]),
    ).toThrow(
      expect.objectContaining({
        code: 'NOTHING_IN_COMMON',
        message: expect.stringContaining("A holds 'sum' length=1000; B holds 'sum' length=2000") as string,
      }),
    );
  });

  it('in which one side lacks a benchmark is refused by strict alone', () => {
    const runs = [{ A: [1, 2], B: [1] }];
    expect(() => refuse(runs)).not.toThrow();
    expect(() => refuse(runs, true)).toThrow(expect.objectContaining({ code: 'BENCHMARKS_DIFFER' }));
  });

  it('whose only run failed because of that is refused with its reason', () => {
    const failures = [{ side: 'B' as const, code: 'NOTHING_IN_COMMON' as const, message: 'A holds x; B holds y' }];
    const trial = { trial: 0, benchmark: 0, status: 'failed', phase: 'measure', failures } as unknown as Trial;
    expect(() => refuseUnmatched([trial], { config, records: new Map(), strict: false })).toThrow(
      expect.objectContaining({ code: 'NOTHING_IN_COMMON', message: 'A holds x; B holds y.' }),
    );
  });
});
