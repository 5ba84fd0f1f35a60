import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../../recording/test/read-rows.ts';
import { fileSource, importFile, readMeasuredFile } from '@deadheat/readers';
import type { Recording, Report } from '@deadheat/model';
import { comparisonNames } from '../../src/export/report-formats.ts';
import type { Exported } from '../../src/export/export-format.ts';
import { exportFormats } from '../../src/export/export-formats.ts';
import { toXml } from '../../src/export/junit.ts';
import { expectGolden } from '../support-golden.ts';
import { aRecording, aTandemRecording } from '../../../cli/test/support-recording.ts';
import { aComparison, aDeadHeat, anUndecided, aReport } from '../../../report/test/support-report.ts';

const awkward = 'cat <f> & "g"\t\u0007';
const judged: Report = aReport(
  [
    aComparison({ warnings: [{ code: 'STEAL', message: 'The hypervisor took 3.1 %; use another machine.' }] }),
    aDeadHeat({ benchmark: awkward, params: { size: '10' } }),
    anUndecided({ benchmark: 'sort', method: 'sync-duet' }),
    anUndecided({ benchmark: 'sort', method: 'sequential' }),
  ],
  {
    results: [
      {
        command: 'old',
        mean: 0.5,
        stddev: null,
        median: 0.5,
        user: null,
        system: null,
        min: 0.4,
        max: 0.6,
        times: [0.4, 0.6],
        exit_codes: [0],
        parameters: { size: '10' },
      },
    ],
  },
);

async function make(id: string, report: Report = judged, recording: Recording = aRecording()): Promise<Exported> {
  const format = exportFormats.find((one) => one.id === id);
  if (format === undefined) throw new RangeError(`there is no format ${id}`);
  return format.make({ recording, records: new Map(), report: () => Promise.resolve(report) });
}

async function textOf(id: string, report?: Report, recording?: Recording): Promise<string> {
  const { content } = await make(id, report, recording);
  if (content.kind !== 'text') throw new TypeError(`${id} is no text`);
  return [...content.pieces].join('');
}

const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.warn('XML is not held against a parser: there is no python3 here');

/** Parses XML from standard input; gives the attributes of its test cases. */
const xmlReader = `
import sys, json, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[case.get('name')] + [child.tag for child in case] for case in root.iter('testcase')]))
`;

describe('an export', () => {
  it.each(['hyperfine', 'csv', 'bmf', 'github-action-benchmark', 'go', 'junit', 'duet-csv'])(
    'as %s is as it always was',
    async (id) => expectGolden(`export-${id}.txt`, await textOf(id)),
  );

  it('says of every format what it has no place for', async () => {
    for (const { id } of exportFormats) expect((await make(id)).losses, id).not.toEqual([]);
  });

  it('as hyperfine JSON has a number for every time and a code for every execution', async () => {
    const { results } = JSON.parse(await textOf('hyperfine')) as { results: Record<string, unknown>[] };
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ user: 0, system: 0, stddev: null, exit_codes: [0, 0] });
    expect((await make('hyperfine')).losses).toHaveLength(2);
    const known = aReport([], { results: judged.results.map((result) => ({ ...result, user: 0.1, system: 0.1 })) });
    expect((await make('hyperfine', known)).losses).toHaveLength(1);
    const [first] = judged.results;
    const differing = aReport([], { results: first === undefined ? [] : [{ ...first, exit_codes: [0, 1, 0] }] });
    expect(JSON.parse(await textOf('hyperfine', differing))).toMatchObject({ results: [{ exit_codes: [null, null] }] });
  });

  it('as BMF has ns, and bounds around the ratio', async () => {
    const metrics = Object.values(JSON.parse(await textOf('bmf')) as Record<string, Record<string, { value: number }>>);
    expect(metrics).toHaveLength(4);
    // B takes 12.6 ms.
    expect(metrics[0]?.['latency']?.value).toBeCloseTo(12_600_000, 3);
    for (const { ratio } of metrics) {
      const { value, lower_value: low, upper_value: high } = ratio as Record<string, number>;
      expect(low).toBeLessThan(value ?? 0);
      expect(high).toBeGreaterThan(value ?? 0);
    }
  });

  it('as Go text has a line a run that counts, with names that Go takes', async () => {
    const lines = (await textOf('go')).trimEnd().split('\n');
    const runs = lines.filter((line) => line.startsWith('Benchmark'));
    // Two runs by each of two methods, two sides; warm-up and failed runs are left out.
    expect(runs).toHaveLength(8);
    for (const line of runs) expect(line).toMatch(/^Benchmark\p{Lu}\S*\t\d+\t[\d.]+ ns\/op\t[\d.]+ cpu-ns\/op$/u);
    expect(lines.indexOf('side: A')).toBeLessThan(lines.indexOf('side: B'));
  });

  it.skipIf(!python)('as JUnit is XML, whatever commands are called', async () => {
    const { stdout, stderr, status } = spawnSync('python3', ['-c', xmlReader], { input: await textOf('junit') });
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString())).toEqual([
      [judged.comparisons[0]?.benchmark, 'failure', 'system-out'],
      ['cat <f> & "g"\t\uFFFD size=10', 'system-out'],
      ['sort (sync-duet)', 'error', 'system-out'],
      ['sort (sequential)', 'error', 'system-out'],
    ]);
  });

  it('as duet CSV has the base columns of duetbench, and no empty field', async () => {
    const [head = '', ...rows] = (await textOf('duet-csv')).trimEnd().split('\n');
    expect(head.split(',').slice(0, 9)).toEqual([
      'suite',
      'benchmark',
      'type',
      'runid',
      'pair',
      'iteration',
      'iteration_start_ns',
      'iteration_end_ns',
      'iteration_time_ns',
    ]);
    expect(rows).toHaveLength(8);
    expect(new Set(rows.map((row) => row.split(',')[3]))).toEqual(new Set(['duet', 'seqn']));
    for (const row of rows) expect(`,${row},`).not.toContain(',,');
  });

  it('as duet CSV is read back with the same pairs, and with the side that was started first', async () => {
    const recorded = aRecording();
    const trials = recorded.trials.map((trial, at) => ({ ...trial, order: at % 2 === 0 ? 'BA' : 'AB' }) as const);
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-export-'));
    try {
      const path = join(folder, 'rows.csv');
      writeFileSync(path, await textOf('duet-csv', judged, { ...recorded, trials }));
      const { benchmarks } = await readMeasuredFile(path);
      const found = benchmarks.flatMap(({ runs }) =>
        runs.map(({ trial: { method, order }, iterations: { A, B } }) => [
          method,
          order,
          [A, B].map(({ startsNs, endsNs }) => Array.from(endsNs, (end, i) => end - startsNs[i]!)),
          B.startsNs[0]! - A.startsNs[0]!,
        ]),
      );
      const counted = trials.filter(({ phase, status }) => phase === 'measure' && status === 'ok');
      const wanted = counted.map(({ method, order, sides: { A, B } }) => [
        method,
        order,
        [A, B].map(({ iterations }) => iterations.map(({ s, e }) => e - s)),
        method === 'sequential' ? 0 : B.iterations[0]!.s - A.iterations[0]!.s,
      ]);
      expect(found).toHaveLength(wanted.length);
      expect(found).toEqual(expect.arrayContaining(wanted));
      expect(new Set(wanted.map(([, order]) => order)).size).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves out pilot runs, and tells CPU time as the time of a side in a tandem', async () => {
    const tandem = aTandemRecording();
    const rowsOf = async (id: string): Promise<readonly string[]> =>
      (await textOf(id, judged, tandem)).trimEnd().split('\n').slice(1);
    // A warm-up run and two measured ones, two sides.
    const csv = await rowsOf('csv');
    expect(csv.map((row) => [row.includes('tandem'), row.includes('warmup')])).toEqual([
      [true, true],
      [true, true],
      ...Array.from({ length: 4 }, () => [true, false]),
    ]);
    const go = (await rowsOf('go')).filter((line) => line.startsWith('Benchmark'));
    expect(go).toEqual(
      [900_000, 900_000, 1_900_000, 1_900_000].map(
        (ns) => `BenchmarkSort,_quickly/size=5\t1\t${ns} ns/op\t${ns} cpu-ns/op`,
      ),
    );
    // The name of the benchmark holds a comma.
    const duet = (await rowsOf('duet-csv')).map((row) => row.split('",')[1]?.split(',') ?? []);
    expect(duet.map(([type, run, side, , , , ns]) => `${type} ${run}${side} ${ns}`)).toEqual([
      'tandem 0A 900000',
      'tandem 0B 1900000',
      'tandem 1A 900000',
      'tandem 1B 1900000',
    ]);
    for (const id of ['csv', 'parquet', 'go', 'duet-csv']) {
      expect((await make(id, judged, tandem)).losses.join('\n'), id).toMatch(/on one core the wall time of a side/);
      expect((await make(id)).losses.join('\n'), id).not.toContain('tandem');
    }
  });

  it('as Parquet is read back, and as CSV holds the same rows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-export-'));
    try {
      const path = join(folder, 'rows.parquet');
      const { content } = await make('parquet');
      if (content.kind !== 'file') throw new TypeError('Parquet is no text');
      await content.write(path);
      const rows = await readRows(path);
      // Five runs that did not fail, two sides.
      expect(rows).toHaveLength(10);
      expect(rows[0]).toMatchObject({ phase: 'warmup', side: 'A', durationNs: 1_000_000, metrics: { misses: 12 } });
      const [, ...lines] = (await textOf('csv')).trimEnd().split('\n');
      expect(lines).toHaveLength(rows.length);
      // The warm-up run, which has the number of the run behind it, is left out.
      const { benchmarks } = await importFile(fileSource(path));
      const times = benchmarks.flatMap(({ side, runs }) =>
        runs.flatMap(({ label, iterations: one }) =>
          [...one.startsNs].map((start, at) => [
            side,
            Number.parseInt(label, 10),
            start,
            one.durationsNs[at],
            one.metric('misses')?.[at] ?? null,
          ]),
        ),
      );
      const measured = rows
        .filter(({ phase }) => phase === 'measure')
        .map(({ side, run, startNs, durationNs, metrics }) => [
          side,
          run,
          startNs,
          durationNs,
          metrics['misses'] ?? null,
        ]);
      // The table has A before B in every run, the file all of A first.
      expect(times.map(String).toSorted(byText)).toEqual(measured.map(String).toSorted(byText));
      expect(existsSync(join(folder, 'rows.parquet'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

describe('a document', () => {
  it('has no character that XML cannot hold, and keeps all others', () => {
    const xml = toXml({ name: 'a', attributes: { b: '"<>&\n\u0000\uD800', c: null }, text: ']]>\r\n\u{1F600}' });
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<a b="&quot;&lt;&gt;&amp;&#10;\uFFFD\uFFFD">]]&gt;&#13;\n\u{1F600}</a>\n',
    );
  });
});

describe('the name of a comparison', () => {
  it('tells parameters always, and the method where several measured the same', () => {
    const params = { size: '5' };
    expect(
      comparisonNames([
        { benchmark: 'sort', params, method: 'sync-duet' },
        { benchmark: 'sort', params, method: 'sequential' },
        { benchmark: 'sort', params: {}, method: 'sequential' },
      ]),
    ).toEqual(['sort size=5 (sync-duet)', 'sort size=5 (sequential)', 'sort']);
  });
});
