import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { reportSchema, type Report } from '@deadheat/model';
import { analyseImported, fileSource, formats, importFile } from '@deadheat/readers';
import { renderReport } from '@deadheat/report';
import { describeFixtures } from '../../../../core/readers/test/import/support-fixtures.ts';
import { formatReader } from '../../src/plugs.ts';

const folder = fileURLToPath(new URL('fixtures', import.meta.url));
const ids = formats.flatMap((format) => ('package' in format && format.package === '@deadheat/lab' ? [format.id] : []));

describeFixtures({
  folder,
  readers: Object.fromEntries(ids.map((id) => [id, formatReader(id)])),
  formatOf: { 'dacapo-csv-older': 'dacapo-csv', 'duet-results': 'dacapo-csv' },
});

const directory = mkdtempSync(join(tmpdir(), 'deadheat-formats-'));
afterAll(() => rmSync(directory, { recursive: true }));

const analyse = (paths: readonly string[]): Promise<Report> =>
  analyseImported({
    paths: paths as [string, string],
    reading: { A: {}, B: {} },
    tool: { name: 'deadheat', version: 'test' },
  });

/** Writes a file and gives its path. */
function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(directory, name), lines.join('\n'));
  return join(directory, name);
}

/** The pair of files of a fixture, or the one that holds both sides. */
const pathsOf = (name: string): readonly string[] =>
  readdirSync(join(folder, name))
    .toSorted((left, right) => (left < right ? 1 : -1))
    .map((file) => join(folder, name, file));
const pairs = readdirSync(folder).map((name) => ({ name, paths: pathsOf(name) }));

describe('result files of other tools', () => {
  it.each(pairs)('of the fixture $name are compared', async ({ name, paths }) => {
    const report = await analyse(paths);
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.experiment.files).toEqual(paths);
    const lines = report.comparisons.map(({ benchmark, method, runs, resampled, warnings }) => {
      const codes = warnings.map(({ code }) => code).join(' ');
      return `${benchmark}: ${method}, ${runs} runs, ${resampled.count} ${resampled.unit}s; ${codes}`;
    });
    expect([...lines, report.warnings.map(({ code }) => code).join(' ')]).toMatchSnapshot();
    for (const { interval: ratio, verdict, sides } of report.comparisons) {
      expect(ratio.low <= ratio.estimate && ratio.estimate <= ratio.high).toBe(true);
      // Seconds that a time of the fixtures may take: from an addition to a benchmark of SPEC CPU.
      for (const { mean } of [sides.A, sides.B]) expect(mean > 1e-10 && mean < 1000).toBe(true);
      // B of these was made 20 % slower.
      if (['krun', 'pa-csv', 'warmup-stats-csv'].includes(name)) {
        expect(verdict).toBe('slower');
        expect(Math.abs(ratio.estimate - 1.2)).toBeLessThan(0.05);
      }
    }
    const text = renderReport(report, { width: null, color: false, quiet: false });
    for (const { code } of report.warnings) expect(text).toContain(`warning ${code}:`);
    expect(text).not.toMatch(/NaN|undefined|\ntook|wall time of 0/);
  });

  it('with a single side are refused with the reason', async () => {
    for (const { name, paths } of pairs.filter((one) => one.paths.length === 2)) {
      await expect(analyse(paths.slice(0, 1)), name).rejects.toThrow(
        /holds one side.*A\/A split.*deadheat analyse OLD NEW/,
      );
    }
  });

  it('that hold both sides stand alone', async () => {
    const both = join(folder, 'duet-csv/both.csv');
    expect((await analyse([both])).comparisons.map(({ method }) => method)).toEqual([
      'async-duet',
      'sync-duet',
      'sequential',
    ]);
    await expect(analyse([both, both])).rejects.toMatchObject({ code: 'SIDES_NOT_CLEAR' });
  });

  it('keep differences of some hundred ns whose clock counts from 1970', async () => {
    const rows = Array.from({ length: 8 }, (_, k) => {
      const start = 1_700_000_000_000_000_000n + BigInt(k) * 1_000_000n;
      return ['A', 'B'].map((side, b) => {
        const time = 700 + 70 * b + (k % 3);
        return `s,x,syncduet,${k},${side},0,${start},${start + BigInt(time)},${time}`;
      });
    }).flat();
    const head = 'suite,benchmark,type,runid,pair,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns';
    const { comparisons } = await analyse([write('clock.csv', [head, ...rows])]);
    expect(comparisons[0]?.interval.estimate).toBeCloseTo(1.1, 3);
  });
});

/** Times of one invocation, ns, a list a run. */
async function timesOf(path: string): Promise<number[][]> {
  const { benchmarks } = await importFile(fileSource(path));
  return (benchmarks[0]?.runs ?? []).map(({ iterations }) =>
    Array.from(iterations.durationsNs, (ns, row) => ns / (iterations.metric('n')?.[row] ?? 1)),
  );
}

describe('a table of bencher and pa', () => {
  const rows = [
    'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value',
    'p;c;b;n=1;i;0;0;0;sample;ns/op;3;100',
    'p;c;b;n=1;i;0;0;0;sample;ns/op;1;200',
    'p;c;b;n=1;i;0;1;0;sample;ns/op;1;300',
  ];

  it('has the mean of the histogram of an iteration', async () => {
    // (3 x 100 + 200) / 4
    expect(await timesOf(write('pa.csv', rows))).toEqual([[125], [300]]);
  });

  it('that is malformed is refused with its line', async () => {
    const path = write('bad.csv', [...rows.slice(0, 3), rows[3]!.replace(';300', ';fast')]);
    await expect(timesOf(path)).rejects.toMatchObject({ name: 'ImportError', code: 'MALFORMED_FILE', line: 4 });
  });
});

it('a log of SPEC CPU with very long lines is read without trying a pattern on them', async () => {
  const lines = ['Rate Start: x (1.5)', 'Rate End: x (2.0)', 'Rate Start: '.repeat(20_000)];
  expect(await timesOf(write('spec.log', lines))).toEqual([[5e8]]);
});
