import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, type Command, type Side, benchmarkDefaults } from '@deadheat/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeRecords } from '../../src/experiment/take-records.ts';
import { TrialRecords, type RecordedBenchmark } from '@deadheat/recording';

const command: Command = { name: 'x', commandLine: 'x', argv: ['/bin/x'], executedBy: 'direct' };
const benchmark: Benchmark = {
  ...benchmarkDefaults,
  name: 'x',
  workload: 'harness',
  commands: { A: command, B: command },
  lines: null,
};

const common = {
  needsInvocations: false,
  trial: 0,
  method: 'sync-duet',
  seen: null,
  classify: null,
} as const;

/** What comes of a run whose sides recorded benchmarks of these lengths. */
async function take(lengths: Readonly<Record<Side, readonly number[]>>, strict: boolean) {
  const files = {
    take: (_: number, side: Side) =>
      Promise.resolve({
        record: `${side}.ndjson`,
        benchmarks: lengths[side].map(
          (length) =>
            ({ benchmark: 'sum', params: { length }, iterations: { length: 1 } }) as unknown as RecordedBenchmark,
        ),
      }),
  } as unknown as TrialRecords;
  return takeRecords(files, { ...common, benchmark, strict, quotesOutput: true });
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

describe('times of invocations', () => {
  it('are missed only where no iteration holds several: a cold one may hold a single time', async () => {
    const failuresOf = async (counts: readonly number[]) => {
      const iterations = {
        length: counts.length,
        invocationTimes: (row: number) => Array<number>(counts[row]!).fill(1),
      };
      const benchmarks = [{ benchmark: 'sum', params: {}, iterations } as unknown as RecordedBenchmark];
      const files = { take: () => Promise.resolve({ record: 'A.jsonl', benchmarks }) } as unknown as TrialRecords;
      const options = { ...common, needsInvocations: true, benchmark, strict: false, quotesOutput: true };
      return (await takeRecords(files, options)).failures;
    };
    expect(await failuresOf([1, 3, 160])).toEqual([]);
    expect(await failuresOf([1, 1, 1])).toMatchObject([{ code: 'BAD_RECORD' }, { code: 'BAD_RECORD' }]);
  });
});

describe('what a program wrote', () => {
  const secret = 'root:$6$not-for-submitters';
  let folder: string;
  let iterations: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'take-records-'));
    iterations = join(folder, 'iterations');
    mkdirSync(iterations);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function messages(changes: Partial<Benchmark>, quotesOutput: boolean): Promise<string> {
    const options = { ...common, benchmark: { ...benchmark, ...changes }, strict: false, quotesOutput };
    const { failures } = await takeRecords(new TrialRecords(folder), options);
    expect(failures).toMatchObject([{ code: expect.stringMatching(/^BAD_/) }, {}]);
    return failures.map(({ message }) => message).join('\n');
  }

  it('is quoted to who runs the experiment, and not to who submitted it', async () => {
    const lines: Partial<Benchmark> = { workload: 'lines', lines: { pattern: '(?<time>.*)', unit: 's' } };
    for (const side of ['A', 'B']) writeFileSync(join(iterations, `0-${side}.txt`), `${secret}\n`);
    expect(await messages(lines, true)).toContain(secret);
    const told = await messages(lines, false);
    expect(told).not.toContain('root');
    expect(told).toContain('MALFORMED in line 1, column 1 (the text itself is shown only where');
  });

  it('is not quoted where it is a record', async () => {
    for (const side of ['A', 'B'])
      writeFileSync(join(iterations, `0-${side}.jsonl`), `{"deadheat":1,"benchmark":"x"}\n${secret}\n`);
    expect(await messages({}, false)).toContain('MALFORMED in line 2, column 1');
  });

  it('is not read by what is no pattern, which ends nothing but the run', async () => {
    const lines: Partial<Benchmark> = { workload: 'lines', lines: { pattern: '(', unit: 's' } };
    for (const side of ['A', 'B']) writeFileSync(join(iterations, `0-${side}.txt`), 'a\n');
    expect(await messages(lines, false)).toContain('PARSER_FAILED');
  });
});
