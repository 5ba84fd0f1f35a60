import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '@deadheat/model';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { furtherMetrics, iterationRows, writeIterationsParquet } from '../src/index.ts';
import { readRows } from './read-rows.ts';
import { writeParquet } from '../src/parquet.ts';
import { experiment, failureOf, makeTrial, temporaryFolder, withIterations } from './sample.ts';

const write = async (trials: readonly Trial[]): Promise<string> => {
  const path = join(temporaryFolder(), 'iterations.parquet');
  await writeIterationsParquet(path, { trials, experiment, records: new Map() });
  return path;
};

describe('the table of iterations', () => {
  it('gives back every iteration of the trials that count', async () => {
    const trials = [
      makeTrial(0, { phase: 'warmup' }),
      makeTrial(1, { status: 'failed' }),
      withIterations(makeTrial(2), [
        { i: 0, s: 5, e: 9, p: 'warmup', n: 1000 },
        { i: 1, s: 10, e: 17, c: 6.5, v: 3, misses: 0.25, run: 4, note: 'kept out' },
      ]),
    ];
    const rows = await readRows(await write(trials));

    expect(rows).toEqual([
      ...iterationRows(trials, { experiment, metrics: furtherMetrics(trials, new Map()), records: new Map() }),
    ]);
    expect(rows.map(({ run, side, phase }) => [run, side, phase])).toEqual([
      [0, 'A', 'warmup'],
      [0, 'B', 'warmup'],
      [2, 'A', 'warmup'],
      [2, 'A', 'measure'],
      [2, 'B', 'warmup'],
      [2, 'B', 'measure'],
    ]);
    expect(rows[5]).toEqual({
      experiment: 'experiment-1',
      suite: 'true against false',
      benchmark: 'größe 5',
      params: '{"size":"5"}',
      method: 'sync-duet',
      run: 2,
      side: 'B',
      order: 'AB',
      cpu: 1,
      iteration: 1,
      phase: 'measure',
      startNs: 10,
      endNs: 17,
      durationNs: 7,
      invocations: 1,
      cpuNs: 7,
      runDelayNs: null,
      involuntarySwitches: 3,
      metrics: { misses: 0.25, run: 4 },
    });
    expect(rows[4]).toMatchObject({ invocations: 1000, cpuNs: null, metrics: { misses: null, run: null } });
  });

  it('is a plain Parquet file with the documented columns and types', async () => {
    const path = await write([withIterations(makeTrial(0), [{ i: 0, s: 5, e: 9, Cpu: 2, misses: 1 }])]);
    const file = await asyncBufferFromFile(path);
    const { schema } = await parquetMetadataAsync(file);

    expect(
      schema.slice(1).map(({ name, type, converted_type }) => `${name} ${type} ${converted_type ?? ''}`.trim()),
    ).toEqual([
      'experiment BYTE_ARRAY UTF8',
      'suite BYTE_ARRAY UTF8',
      'benchmark BYTE_ARRAY UTF8',
      'params BYTE_ARRAY UTF8',
      'method BYTE_ARRAY UTF8',
      'run INT32',
      'side BYTE_ARRAY UTF8',
      'order BYTE_ARRAY UTF8',
      'cpu INT32',
      'iteration INT32',
      'phase BYTE_ARRAY UTF8',
      'start_ns INT64',
      'end_ns INT64',
      'duration_ns INT64',
      'invocations INT64',
      'cpu_ns INT64',
      'run_delay_ns INT64',
      'involuntary_switches INT64',
      'metric_Cpu DOUBLE',
      'misses DOUBLE',
    ]);
    const [row] = await parquetReadObjects({ file });
    expect(row).toMatchObject({ side: 'A', run: 0, start_ns: 5n, duration_ns: 4n, cpu_ns: null, metric_Cpu: 2 });
  });

  it('keeps nanoseconds exact up to the largest whole number that JSON can hold', async () => {
    const e = Number.MAX_SAFE_INTEGER;
    const rows = await readRows(await write([withIterations(makeTrial(0), [{ i: 0, s: e - 1, e }])]));
    expect(rows[0]).toMatchObject({ startNs: e - 1, endNs: e, durationNs: 1 });
  });

  it('is written in row groups, and all of them are read', async () => {
    const iterations = Array.from({ length: 25_000 }, (_, i) => ({ i, s: i * 10, e: i * 10 + 7, c: 5 }));
    const path = await write([withIterations(makeTrial(0), iterations)]);
    const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    // 50 000 rows in groups of 20 000
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([20_000n, 20_000n, 10_000n]);
    const rows = await readRows(path);
    expect(rows).toHaveLength(50_000);
    expect(rows[49_999]).toMatchObject({ side: 'B', iteration: 24_999, startNs: 249_990, durationNs: 7 });
  });

  it('may be empty', async () => {
    expect(await readRows(await write([makeTrial(0, { status: 'failed' })]))).toEqual([]);
  });

  it('replaces an older table and leaves no temporary file', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'iterations.parquet');
    for (const count of [3, 1]) {
      const trials = Array.from({ length: count }, (_, trial) => makeTrial(trial));
      await writeIterationsParquet(path, { trials, experiment, records: new Map() });
      expect(await readRows(path)).toHaveLength(2 * count);
    }
    expect(readdirSync(folder)).toEqual(['iterations.parquet']);
  });
});

describe('a file that is not such a table', () => {
  it('is refused when it is missing, no Parquet, or of another program', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'iterations.parquet');
    expect(await failureOf(() => readRows(path))).toMatchObject({ code: 'NOT_FOUND' });
    for (const content of ['', 'PAR1', 'certainly not a Parquet file']) {
      writeFileSync(path, content);
      expect(await failureOf(() => readRows(path))).toMatchObject({ code: 'MALFORMED', path });
    }
    await writeForeign(path, {});
    expect(await failureOf(() => readRows(path))).toMatchObject({ code: 'MALFORMED' });
  });

  it('is refused with both versions when it is newer, and with the column when one is missing', async () => {
    const path = join(temporaryFolder(), 'iterations.parquet');
    await writeForeign(path, { 'deadheat.schema': 'deadheat.iterations/3' });
    expect(await failureOf(() => readRows(path))).toMatchObject({
      code: 'NEWER_VERSION',
      versions: { found: 3, supported: 1 },
    });
    await writeForeign(path, { 'deadheat.schema': 'deadheat.iterations/1' });
    const failure = await failureOf(() => readRows(path));
    expect(failure).toMatchObject({ code: 'MALFORMED' });
    expect(String(failure)).toContain('column suite');
  });
});

const writeForeign = async (path: string, metadata: Readonly<Record<string, string>>): Promise<void> => {
  const chunks: Buffer[] = [];
  await writeParquet({
    columns: [{ name: 'experiment', type: 'text', nullable: false }],
    rows: [['one']],
    rowsPerGroup: 10,
    metadata,
    write: async (chunk) => {
      chunks.push(Buffer.from(chunk));
    },
  });
  writeFileSync(path, Buffer.concat(chunks));
};
