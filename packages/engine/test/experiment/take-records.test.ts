import type { Benchmark, Command, Side } from '@deadheat/model';
import { benchmarkDefaults } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { takeRecords } from '../../src/experiment/take-records.ts';
import type { RecordedBenchmark, TrialRecords } from '../../src/record/index.ts';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const benchmark: Benchmark = {
  ...benchmarkDefaults,
  name: 'x',
  workload: 'harness',
  commands: { A: command, B: command },
};

/** What comes of a run whose sides recorded benchmarks of these lengths. */
async function take(lengths: Readonly<Record<Side, readonly number[]>>, strict: boolean) {
  const files = {
    take: (_: number, { side }: { readonly side: Side }) =>
      Promise.resolve({
        record: `${side}.ndjson`,
        benchmarks: lengths[side].map(
          (length) =>
            ({ benchmark: 'sum', params: { length }, iterations: { length: 1 } }) as unknown as RecordedBenchmark,
        ),
      }),
  } as unknown as TrialRecords;
  return takeRecords(files, { trial: 0, benchmark, method: 'sync-duet', seen: null, classify: null, strict });
}

describe('the records of a run', () => {
  it('of sides whose parameters differ make it a failed one, with what both hold', async () => {
    const { failures, recorded, records } = await take({ A: [1000], B: [2000] }, false);
    expect(failures).toMatchObject([{ code: 'NOTHING_IN_COMMON' }]);
    expect(failures[0]!.message).toContain("A holds 'sum' length=1000; B holds 'sum' length=2000");
    expect([recorded, records]).toEqual([null, { A: null, B: null }]);
  });

  it('of sides with one benchmark in common count, unless strict was asked for', async () => {
    const sides = { A: [1, 2], B: [2, 3] };
    expect((await take(sides, false)).failures).toEqual([]);
    const { failures } = await take(sides, true);
    expect(failures.map(({ side, code }) => [side, code])).toEqual([
      ['A', 'BENCHMARKS_DIFFER'],
      ['B', 'BENCHMARKS_DIFFER'],
    ]);
    expect(failures[0]!.message).toContain("A lacks 'sum' length=3");
    expect((await take({ A: [1, 2], B: [2, 1] }, true)).failures).toEqual([]);
  });
});
