import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMeasured } from '../../src/study/read-measured.ts';
import { studyRecordings } from '../../src/study/study-recordings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-measured-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** duetbench's table: two runs of three iterations by each of two methods. */
const duetTable = (): string => {
  const head = 'suite,benchmark,type,runid,pair,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns';
  const rows = ['syncduet', 'seqn'].flatMap((type) =>
    [0, 1].flatMap((run) =>
      ['A', 'B'].flatMap((pair) =>
        Array.from({ length: 6 }, (_, i) => {
          const start = 10_000_000 * i;
          const time = 1_000_000 + 1000 * ((7 * i + 3 * run + (pair === 'A' ? 0 : 1)) % 5);
          return `dacapo,sort,${type},${run},${pair},${i},${start},${start + time},${time}`;
        }),
      ),
    ),
  );
  return `${[head, ...rows].join('\n')}\n`;
};

describe('what a study reads', () => {
  it('may be a table of duetbench, with both sides of every method', async () => {
    const { sources, notes } = await readMeasured([write('duet.csv', duetTable())]);
    const [source] = sources;
    expect(notes).toEqual([]);
    expect(source!.benchmarks.map(({ config, runs }) => [config.method, runs.length])).toEqual([
      ['sync-duet', 2],
      ['sequential', 2],
    ]);
    const { study } = await studyRecordings('accuracy', {
      paths: [join(folder, 'duet.csv')],
      seed: 'x',
      power: 0.8,
      by: ['suite'],
    });
    expect(study.tables[0]!.rows.map((row) => row.slice(0, 5))).toEqual([['dacapo', 'sort', 'wall', 2, 3]]);
  });

  it('may be JMH, with the histograms of its iterations', async () => {
    const result = {
      jmhVersion: '1.37',
      benchmark: 'a.B.c',
      mode: 'sample',
      primaryMetric: {
        scoreUnit: 'us/op',
        rawDataHistogram: [
          [
            [
              [1, 3],
              [2, 1],
            ],
            [[1.5, 2]],
          ],
        ],
      },
    };
    const { sources } = await readMeasured([write('jmh.json', JSON.stringify([result]))], { histograms: true });
    const { A, B } = sources[0]!.benchmarks[0]!.runs[0]!.iterations;
    expect(B).toHaveLength(0);
    const histogram = A.histogram!(0)!;
    expect([...(histogram.values as Float32Array)]).toEqual([1000, 2000]);
    expect([...(histogram.counts as Uint32Array)]).toEqual([3, 1]);
    // (3 x 1 + 2) us
    expect(A.metric('w')![0]).toBeCloseTo(5000, 9);
  });

  it('may be published series, packed or not, with the invocations that 100 ms held', async () => {
    const text = JSON.stringify({ benchmark: 'owner__name#a#x=1', unit: 's', series: [[0.5, 0.25], [0.04]] });
    const { sources } = await readMeasured([write('a.json.gz', gzipSync(text))]);
    expect(sources[0]!.steady).toEqual([
      {
        name: 'owner__name#a#x=1',
        project: 'owner/name',
        forks: [Float64Array.of(5e8, 2.5e8), Float64Array.of(4e7)],
      },
    ]);
    // 100 ms / 40 ms, rounded up
    expect(sources[0]!.benchmarks[0]!.runs[1]!.iterations.A.metric('n')).toEqual(Float64Array.of(3));
  });

  it.each([
    [/has the unit "ms"/, { unit: 'ms', series: [[1]] }],
    [/series\[1\]/, { series: [[1], []] }],
    [/has 0 as series\[0\]\[1\]/, { series: [[1, 0]] }],
  ])('is refused with the place where published series are broken: %s', async (message, content) => {
    await expect(readMeasured([write('bad.json', JSON.stringify(content))])).rejects.toThrow(message);
  });

  it('counts once where it is given twice', async () => {
    const path = write('duet.csv', duetTable());
    cpSync(path, join(folder, 'copy.csv'));
    const { sources, notes } = await readMeasured([path, join(folder, 'copy.csv')]);
    expect(sources).toHaveLength(1);
    expect(notes).toEqual([`${join(folder, 'copy.csv')} is the same file as ${path}, and counts once`]);
  });

  it('is refused with the kinds that there are where it is none of them', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    await expect(readMeasured([empty])).rejects.toMatchObject({
      code: 'NOT_A_RECORDING',
      hint: expect.stringMatching(/JMH, duetbench, DaCapo/) as string,
    });
    await expect(readMeasured([write('x.txt', 'hello\n')])).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' });
    await expect(readMeasured([join(folder, 'nowhere')])).rejects.toThrow(/nowhere/);
  });
});
