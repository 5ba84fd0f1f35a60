import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/import/import-source.ts';
import { importFile } from '../../src/import/import-file.ts';
import { ImportError } from '../../src/import/import-error.ts';
import type { ImportedFile } from '../../src/import/imported-file.ts';

const samples: Readonly<Record<string, string>> = {
  hyperfine: JSON.stringify({
    results: [
      {
        command: 'old',
        mean: 0.2,
        stddev: 0.1,
        median: 0.2,
        user: 0.1,
        system: 0,
        min: 0.1,
        max: 0.3,
        times: [0.1, 0.3],
      },
      { command: 'new', mean: 0.2, stddev: null, median: 0.2, user: 0.1, system: 0, min: 0.2, max: 0.2, times: [0.2] },
    ],
  }),
  jmh: JSON.stringify([
    {
      jmhVersion: '1.37',
      benchmark: 'a.B.c',
      mode: 'avgt',
      measurementTime: '1 s',
      params: { size: '10' },
      primaryMetric: {
        score: 2,
        scoreUnit: 'us/op',
        rawData: [
          [1, 3],
          [2, 2.5],
        ],
      },
    },
    {
      jmhVersion: '1.37',
      benchmark: 'a.B.sampled',
      mode: 'sample',
      measurementTime: '1 s',
      primaryMetric: {
        score: 2,
        scoreUnit: 'ms/op',
        rawDataHistogram: [
          [
            [
              [1, 3],
              [5, 1],
            ],
          ],
        ],
      },
    },
    {
      jmhVersion: '1.37',
      benchmark: 'a.B.rate',
      mode: 'thrpt',
      measurementTime: '1 s',
      primaryMetric: { score: 4, scoreUnit: 'ops/ms', rawData: [[4], [5]] },
    },
  ]),
  'google-benchmark': `{"context": {"host_name": "box"}, "benchmarks": [
    {"name": "BM_x", "run_name": "BM_x", "run_type": "iteration", "iterations": 10, "real_time": 2.5, "cpu_time": 2, "time_unit": "us"},
    {"name": "BM_x_mean", "run_name": "BM_x", "run_type": "aggregate", "iterations": 1, "real_time": NaN, "cpu_time": NaN, "time_unit": "us"},
    {"name": "BM_y", "run_name": "BM_y", "run_type": "iteration", "error_occurred": true, "error_message": "no", "iterations": 0, "real_time": 0, "cpu_time": 0, "time_unit": "us"}]}`,
  pyperf: JSON.stringify({
    version: '1.0',
    metadata: { name: 'bench', loops: 4, unit: 'second', hostname: 'box' },
    benchmarks: [
      { runs: [{ warmups: [[4, 0.5]] }, { warmups: [[4, 0.5]], values: [0.25, 0.125] }, { values: [0.25] }] },
    ],
  }),
  renaissance: JSON.stringify({
    format_version: 6,
    environment: { vm: { start_ns: 1000 } },
    data: {
      scrabble: { results: [{ duration_ns: 50, uptime_ns: 7, gc_count: 2 }], termination: 'normal' },
      broken: { results: [], termination: 'failure' },
    },
  }),
  criterion: JSON.stringify({ sampling_mode: 'Linear', iters: [1, 2], times: [100, 220] }),
  'go-bench': [
    'goos: linux',
    'pkg: example.org/p',
    'BenchmarkX-2   100   250 ns/op   16 B/op',
    'BenchmarkX-2   100   240 ns/op   16 B/op',
    'ok  example.org/p 1s',
    'BenchmarkX-2   100   230 ns/op   16 B/op',
    'ok  example.org/p 1s',
  ].join('\n'),
};

const read = (text: string | Uint8Array, format: string | null = null): Promise<ImportedFile> =>
  importFile(bytesSource(Buffer.from(text), 'target/criterion/group/fn/new/sample.json'), { format });
const sample = (id: string): string => samples[id] ?? '';
const failure = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => null,
    (error: unknown) => error,
  );
/** Per-invocation times, ns, a list a run. */
const times = (file: ImportedFile, benchmark = 0): number[][] =>
  (file.benchmarks[benchmark]?.runs ?? []).map(({ iterations }) =>
    Array.from(
      iterations.durationsNs,
      (ns, row) => Math.round((ns / (iterations.metric('n')?.[row] ?? 1)) * 1e6) / 1e6,
    ),
  );

it('reads a benchmark of Google Benchmark CSV whose name ends as that of a statistic', async () => {
  const names = ['x_mean', 'x_median', 'x_stddev', 'x_cv', 'x_RMS'];
  const head = 'name,iterations,real_time,cpu_time,time_unit\n';
  const rows = names.map((name, index) => `"${name}",${1000 + index},12,11,ns\n`);
  const file = await read(`${head}${rows.join('')}`);
  expect(file.benchmarks.map(({ name }) => name)).toEqual(names);
  const repeated = ['x', 'x', ...names.slice(0, 4)].map(
    (name, index) => `"${name}",${index < 2 ? 1000 : 2},12,11,ns\n`,
  );
  expect((await read(`${head}${repeated.join('')}"x_RMS",,12,11,\n`)).benchmarks).toMatchObject([
    { name: 'x', summary: null },
  ]);
});

describe('a file of another tool', () => {
  it.each(Object.keys(samples))('is recognised by its content: %s', async (id) => {
    expect(await read(sample(id))).toMatchObject({ format: id });
    expect(await read(gzipSync(sample(id)))).toMatchObject({ format: id });
  });

  it('gives times of one invocation in ns, a list a run', async () => {
    expect(times(await read(sample('hyperfine')))).toEqual([[1e8], [3e8]]);
    const jmh = await read(sample('jmh'));
    expect(times(jmh)).toEqual([
      [1000, 3000],
      [2000, 2500],
    ]);
    // (3 x 1 ms + 1 x 5 ms) / 4
    expect(times(jmh, 1)).toEqual([[2e6]]);
    // 4 and 5 operations a millisecond
    expect(times(jmh, 2)).toEqual([[250_000], [200_000]]);
    expect(times(await read(sample('google-benchmark')))).toEqual([[2500]]);
    expect(times(await read(sample('pyperf')))).toEqual([[5e8, 2.5e8, 1.25e8], [2.5e8]]);
    expect(times(await read(sample('criterion')))).toEqual([[100, 110]]);
    expect(times(await read(sample('go-bench')))).toEqual([[250, 240], [230]]);
  });

  it('keeps starts, phases, CPU time and sides where they are told', async () => {
    const { benchmarks } = await read(sample('renaissance'));
    const [run] = benchmarks[0]?.runs ?? [];
    expect([run?.iterations.startsNs[0], run?.iterations.endsNs[0]]).toEqual([1007, 1057]);
    expect(run?.iterations.hasTimestamps).toBe(true);
    const warm = (await read(sample('pyperf'))).benchmarks[0]?.runs[0]?.iterations;
    expect([warm?.isWarmup(0), warm?.isWarmup(1), warm?.measured]).toEqual([true, false, 2]);
    expect((await read(sample('google-benchmark'))).benchmarks[0]?.runs[0]?.iterations.metric('c')?.[0]).toBe(20_000);
  });

  it('says what it cannot support', async () => {
    const codes = async (id: string): Promise<string[]> => (await read(sample(id))).limits.map(({ code }) => code);
    expect(await codes('criterion')).toContain('NO_RUN_VARIANCE');
    expect(await codes('hyperfine')).toContain('NO_TIMESTAMPS');
    expect(await codes('jmh')).toContain('RATE_INVERTED');
    expect(await codes('google-benchmark')).toContain('FAILED_RUNS_IGNORED');
  });

  it('refuses times that no clock measures, with their place', async () => {
    function timed(times: string): Promise<unknown> {
      const summary = '"mean": 1, "stddev": 0, "median": 1, "user": 1, "system": 0, "min": 1, "max": 1';
      return failure(read(`{"results": [{"command": "a", ${summary}, "times": [${times}]}]}`, 'hyperfine'));
    }
    for (const time of ['1e308', '1e20', '1e999', '-1']) {
      expect(await timed(`1, ${time}`)).toMatchObject({
        code: 'MALFORMED_FILE',
        jsonPath: '$.results[0].times[1]',
      });
    }
    // without a place, in a text that no format checks
    const text = 'BenchmarkX 1 1e308 ns/op\nBenchmarkX 1 1e308 ns/op\n';
    expect(await failure(read(text, 'go-bench'))).toMatchObject({ code: 'MALFORMED_FILE' });
  });

  it('is told apart with its place when it is broken', async () => {
    expect(await failure(read('{"results": [\n  {"command": x}]}', 'hyperfine'))).toMatchObject({
      code: 'MALFORMED_FILE',
      line: 2,
      column: 15,
    });
    expect(await failure(read('{"results": [{"command": 1, "times": [1]}]}', 'hyperfine'))).toMatchObject({
      jsonPath: '$.results[0].command',
    });
    expect(await failure(read('{"results": [{"command": "a", "times": [1]}, 5, []]}', 'hyperfine'))).toMatchObject({
      jsonPath: '$.results[1]',
    });
    expect(await failure(read('nothing known'))).toMatchObject({ code: 'UNKNOWN_FORMAT' });
    expect(await failure(read(sample('jmh'), 'jhm'))).toMatchObject({ code: 'UNKNOWN_FORMAT' });
  });

  it('is read behind a byte order mark, in UTF-16 as PowerShell writes it, too', async () => {
    const text = 'name,iterations,real_time,cpu_time,time_unit\r\n"BM_é",10,7,7,ns\r\n';
    for (const bytes of [`\uFEFF${text}`, Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const file = await read(bytes);
      expect(file.benchmarks.map(({ name }) => name)).toEqual(['BM_é']);
      expect(times(file)).toEqual([[7]]);
    }
  });

  it('keeps benchmarks of one name apart: by the group of mitata, else by their order', async () => {
    const stats = { samples: [1, 2], avg: 1, heap: null };
    const mitata = (groups: readonly number[]): string =>
      JSON.stringify({
        layout: [
          { name: 'small', types: [] },
          { name: null, types: [] },
        ],
        benchmarks: groups.map((group) => ({ alias: 'sort', group, runs: [{ name: 'sort', args: {}, stats }] })),
      });
    const { benchmarks } = await read(mitata([0, 1, 1]));
    expect(benchmarks.map(({ params }) => params)).toEqual([{ group: 'small' }, {}, { call: '2' }]);
  });

  it('is told apart from a report of deadheat, whose recording or files are named', async () => {
    const report = (experiment: object): string =>
      `\uFEFF${JSON.stringify({ schema: 'deadheat.report/1', tool: {}, experiment, comparisons: [] })}`;
    expect(await failure(read(report({ recording: ".deadheat/it's" })))).toMatchObject({
      code: 'FILE_OF_DEADHEAT',
      message: expect.stringContaining(String.raw`deadheat analyse '.deadheat/it'\''s'. Its page`),
    });
    expect(await failure(read(report({ recording: 'a b.json', files: ['a b.json', 'c.json'] })))).toMatchObject({
      message: expect.stringMatching(/made of: deadheat analyse 'a b\.json' c\.json\.$/),
    });
    expect(await failure(read('{"schema": "deadheat.report/1", "tool":'))).toMatchObject({ code: 'UNKNOWN_FORMAT' });
  });

  it('does not make a pattern try very long lines', async () => {
    const blanks = ' '.repeat(200_000);
    const dacapo = `===== DaCapo 9 x PASSED in 5 msec =====\n===== DaCapo 9 x PASSED${blanks}\n`;
    expect(times(await read(dacapo))).toEqual([[5e6]]);
  });

  it('never gives an unnamed error when it is mutated', async () => {
    let state = 20_261_121;
    const draw = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const rounds = Number(process.env['DEADHEAT_FUZZ'] ?? 300);
    let refused = 0;
    for (const id of Object.keys(samples)) {
      for (let round = 0; round < rounds; round += 1) {
        const bytes = Buffer.from(sample(id));
        for (let k = draw(3); k >= 0; k -= 1)
          bytes[draw(bytes.length)] = draw(2) === 0 ? draw(256) : '0-9eE.,;:{}[]"n\n'.charCodeAt(draw(16));
        const error = await failure(read(draw(4) === 0 ? bytes.subarray(0, draw(bytes.length)) : bytes, id));
        if (error === null) continue;
        refused += 1;
        expect(error, bytes.toString()).toBeInstanceOf(ImportError);
      }
    }
    expect(refused).toBeGreaterThan(rounds);
  });
});
