import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TimesSummary } from '@deadheat/analysis';
import { studentTQuantile } from '@deadheat/stats';
import { bytesSource, fileSource } from '../../src/import/import-source.ts';
import { importFile } from '../../src/import/import-file.ts';
import { ImportError } from '../../src/import/import-error.ts';
import { deviationOfMargin, type ImportedFile } from '../../src/import/imported-file.ts';

const read = (text: string, format: string | null = null): Promise<ImportedFile> =>
  importFile(bytesSource(Buffer.from(text), 'FILE'), { format });
const fixture = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`fixtures/${path}`, import.meta.url)), 'utf8');
async function summaryOf(text: string, format: string | null = null): Promise<TimesSummary | null> {
  return (await read(text, format)).benchmarks[0]?.summary ?? null;
}
async function failureOf(text: string, format: string): Promise<ImportError> {
  const error: unknown = await read(text, format).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ImportError)) throw new Error(`${format}: was read`);
  return error;
}

/** A fixture in which one line was spoilt, and that line. */
const spoilt: readonly (readonly [format: string, path: string, from: string | RegExp, to: string, line: number])[] = [
  ['google-benchmark-csv', 'google-benchmark-csv/old.csv', ',ns,', ',weeks,', 6],
  ['google-benchmark-csv', 'google-benchmark-csv/old.csv', '"BM_sort/1024",17000', '"BM_sort/1024",1.5', 6],
  ['catch2', 'catch2/old.xml', '<mean value="', '<mean value="x', 6],
  ['catch2', 'catch2/old.xml', '<mean value=', '<mean value', 6],
  ['perf-stat', 'perf-stat/old.txt', /0\.\d+ \+- /, '0.1.2 +- ', 11],
  ['perf-stat-json', 'perf-stat-json/old/0.json', '"counter-value"', '"value"', 1],
  ['perf-stat-json', 'perf-stat-json/old/0.json', '"msec"', '"weeks"', 2],
  ['hyperfine-csv', 'hyperfine-csv/old/0.csv', /,[\d.]+,20\n/, ',soon,20\n', 3],
  ['hyperfine-csv', 'hyperfine-csv/old/0.csv', /,[^,]*,[^,]*,20\n/, '\n', 3],
  ['jmh-csv', 'jmh-csv/old.csv', /,[^,]*,[^,]*\n$/, '\n', 5],
  ['jmh-csv', 'jmh-csv/old.csv', /us\/op/, '#', 3],
  ['benchmark-js-text', 'benchmark-js-text/old.txt', /x [\d,]+ ops/, 'x 0 ops', 3],
  ['tinybench-table', 'tinybench-table/old.txt', /│ 1 +│/, '│ 1 │ 2 │', 5],
  ['multitime', 'multitime/old/0.txt', 'real', 'wall', 4],
  ['shell-time', 'shell-time/old.txt', 'user', 'used', 3],
];

describe('a file of', () => {
  it.each(spoilt)('%s that is malformed (%s, %s) names file and line', async (format, path, from, to, line) => {
    const text = fixture(path);
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    const error = await failureOf(changed, format);
    expect(error).toMatchObject({ code: 'MALFORMED_FILE', path: 'FILE', line });
    expect(error.message).toContain(`FILE:${line}:`);
  });

  it.each([
    ['pytest-benchmark', 'pytest-benchmark/old.json', '"rounds": 24', '"rounds": -1', '$.benchmarks[2].stats.rounds'],
    ['nanobench', 'nanobench/old.json', '"elapsed": ', '"elapsed": -', '$.results[0].measurements[0].elapsed'],
    ['benchmark-ips', 'benchmark-ips/old.json', '"ips": ', '"ips": -', '$[0].ips'],
    ['benchmark-js', 'benchmark-js/old.json', '"count": ', '"count": -', '$[0].count'],
  ])('%s that is malformed names file and place', async (format, path, from, to, place) => {
    const spoiltText = fixture(path).replaceAll(from, to);
    expect(await failureOf(spoiltText, format)).toMatchObject({
      code: 'MALFORMED_FILE',
      path: 'FILE',
      jsonPath: place,
    });
  });

  it('benchmark.js is not taken for one of tinybench', async () => {
    const file = await read(fixture('benchmark-js/old.json'));
    expect(file.format).toBe('benchmark-js');
    expect(file.limits.map(({ code }) => code)).not.toContain('SORTED_SAMPLES');
    // A suite has its benchmarks under numbers.
    const [first, second]: unknown[] = JSON.parse(fixture('benchmark-js/old.json')) as unknown[];
    const suite = await read(JSON.stringify({ 0: first, 1: second, length: 2, name: 'suite' }));
    expect(suite.benchmarks.map(({ name }) => name)).toEqual(['RegExp#test', 'String#indexOf']);
  });

  it('go test and benchmark.js is read with times behind what a benchmark prints, and says of lines without one', async () => {
    const go = await read(
      'BenchmarkA-2 \t 10 \t 5 ns/op\nBenchmarkB-2 \thello\n 20 \t 7 ns/op\nBenchmarkCut-2 \t 100 \t 1\n',
    );
    expect(go.benchmarks.map(({ name }) => name)).toEqual(['A-2', 'B-2']);
    expect((await read('BenchmarkB-2 \thello\n 20 \t 7 ns/op\n')).benchmarks.map(({ name }) => name)).toEqual(['B-2']);
    const js = await read('a x 2,000 ops/sec ±1.00% (25 runs sampled)\nb x Infinity ops/sec ±NaN% (1 run sampled)\n');
    for (const { limits } of [go, js]) expect(limits.map(({ code }) => code)).toContain('FAILED_RUNS_IGNORED');
  });

  it('benchmark.js tells the standard deviation by the margin of a 95 % interval', async () => {
    const summary = await summaryOf('a b x 2,000 ops/sec ±1.00% (25 runs sampled)');
    expect(summary?.meanNs).toBe(500_000);
    // 1.00 % may have been 1.005 %: 5025 ns are t(24) standard errors of 25 values.
    expect(summary?.standardDeviationNs).toBeCloseTo((5025 * 5) / studentTQuantile(0.975, 24), 6);
  });

  it('a margin that was rounded to nothing is not one without scatter', () => {
    expect(deviationOfMargin('0.00', { mean: 100, samples: 100 })).toBeCloseTo((0.005 * 10) / 1.96, 9);
    expect(deviationOfMargin('1.5', { mean: 100, samples: 1 })).toBeNull();
  });

  it('tinybench 2 has the margin in a column of its own', async () => {
    const table = [
      '┌─────────┬───────────┬──────────────┬───────────────────┬──────────┬─────────┐',
      '│ (index) │ Task Name │   ops/sec    │ Average Time (ns) │  Margin  │ Samples │',
      '├─────────┼───────────┼──────────────┼───────────────────┼──────────┼─────────┤',
      "│    0    │   'a'     │ '10,107,403' │ 98.93738          │ '±0.70%' │ 1010741 │",
    ].join('\n');
    expect(await summaryOf(table)).toMatchObject({ meanNs: 98.93738, samples: 1_010_741 });
    expect((await summaryOf(table))?.standardDeviationNs).toBeGreaterThan(0);
  });
});

describe('Google Benchmark', () => {
  const rows = (name: string, cpu: number): string =>
    [
      'name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message',
      ...Array.from({ length: 5 }, (_, k) => `"${name}",10,${1000 + k},${cpu},us,,,,,`),
    ].join('\n');
  const timedBy = async (text: string): Promise<unknown> => (await read(text)).benchmarks[0]?.timedBy;

  it('is compared by CPU time where real time is far from it, and says so', async () => {
    const file = await read(rows('BM_x', 100));
    expect(file.benchmarks[0]?.timedBy).toBe('cpu');
    const warning = file.limits.find(({ code }) => code === 'REAL_TIME_FAR_OFF');
    expect(warning?.message).toMatch(/10\.0 times as much real time as CPU time of BM_x: .* CPU time is compared/);
    const json = {
      context: {},
      benchmarks: [{ name: 'b', run_name: 'b', iterations: 1, real_time: 10, cpu_time: 1, time_unit: 'ms' }],
    };
    expect(await timedBy(JSON.stringify(json))).toBe('cpu');
  });

  it('is compared by what the times suggest where they agree, or the benchmark asks for real time', async () => {
    expect(await timedBy(rows('BM_x', 950))).toBeNull();
    expect(await timedBy(rows('BM_x/real_time', 100))).toBeNull();
    expect(await timedBy(rows('BM_x/100/manual_time', 100))).toBeNull();
    expect(await timedBy(rows('BM_x/threads:4', 100))).toBeNull();
    expect(await timedBy(rows('BM_x/threads:1', 100))).toBe('cpu');
  });

  it('says so where its table breaks off in a row, whose times do not count', async () => {
    const table = rows('BM_x', 950);
    for (const end of [',,,,', ',950,us,,,,,', '0,1004,950,us,,,,,']) {
      expect(table).toContain(end);
      const { benchmarks, limits } = await read(table.slice(0, -end.length));
      expect(benchmarks[0]?.runs[0]?.iterations.length).toBe(4);
      expect(limits.find(({ code }) => code === 'FAILED_RUNS_IGNORED')?.message).toMatch(
        /1 entry was left out: .* breaks off/,
      );
    }
    expect((await read(table)).limits.map(({ code }) => code)).not.toContain('FAILED_RUNS_IGNORED');
    const [head = '', ...others] = table.split('\n');
    await expect(read([head, '"BM_x",10,1000', ...others].join('\n'))).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
    });
  });

  it('leaves its aggregates out where there are repetitions', async () => {
    const { benchmarks } = await read(fixture('google-benchmark-csv/old.csv'));
    const sort = benchmarks.filter(({ name }) => name === 'BM_sort/1024');
    expect(sort.map(({ runs, summary }) => [runs[0]?.iterations.length, summary])).toEqual([[10, null]]);
  });
});

describe('nanobench', () => {
  it('tells batches of two sizes apart, whose times are of the whole batch', async () => {
    const measurements = [{ iterations: 10, elapsed: 1e-6 }];
    const results = [1, 1000].map((batch) => ({
      title: 'benchmark',
      name: 'x',
      batch,
      'median(elapsed)': 1e-6,
      measurements,
    }));
    const { benchmarks } = await read(JSON.stringify({ results }));
    expect(benchmarks.map(({ params }) => params)).toEqual([{}, { batch: '1000' }]);
  });
});

describe('DaCapo and Renaissance', () => {
  it('lose a run that broke off before another of the same benchmark', async () => {
    const line = (end: string): string => `===== DaCapo 9.12 x ${end} =====\n`;
    const whole = line('completed warmup 1 in 9 msec') + line('PASSED in 5 msec');
    const broken = line('completed warmup 1 in 90 msec') + line('completed warmup 2 in 50 msec');
    const { benchmarks, limits } = await read(whole + broken + whole);
    expect(benchmarks[0]?.runs.map(({ iterations }) => [...iterations.durationsNs])).toEqual([
      [9e6, 5e6],
      [9e6, 5e6],
    ]);
    expect(limits.find(({ code }) => code === 'FAILED_RUNS_IGNORED')?.message).toMatch(/^1 entry .* before PASSED/);
  });

  it('refuse a table that breaks off in a row, whose time may be cut', async () => {
    const table = 'benchmark,duration_ns,uptime_ns,vm_start_unix_ms\nx,50000000,7,1700\nx,5000';
    expect(await failureOf(table, 'renaissance-csv')).toMatchObject({ code: 'MALFORMED_FILE', line: 3 });
  });
});

describe('perf stat', () => {
  const counters = (runs: string, time: string): string =>
    ` Performance counter stats for './x'${runs}:\n\n   1.234,50 msec task-clock   #  0,97 CPUs utilized\n\n   ${time}\n`;

  it('tells the standard error of a mean, and of one execution its CPU time', async () => {
    const mean = await summaryOf(counters(' (16 runs)', '0.200 +- 0.001 seconds time elapsed  ( +-  0.50% )'));
    expect(mean).toMatchObject({ meanNs: 0.2e9, samples: 16 });
    expect(mean?.standardDeviationNs).toBeCloseTo(4e6, 3);
    const { benchmarks } = await read(counters('', '1,300500000 seconds time elapsed'));
    const iterations = benchmarks[0]?.runs[0]?.iterations;
    expect([...(iterations?.durationsNs ?? [])]).toEqual([1_300_500_000]);
    expect([...(iterations?.metric('c') ?? [])]).toEqual([1_234_500_000]);
  });

  it('has a decimal comma in what passed, however many digits are behind it', async () => {
    const mean = await summaryOf(counters(' (10 runs)', '5,234 +- 0,200 seconds time elapsed  ( +-  3,82% )'));
    expect(mean).toMatchObject({ meanNs: 5.234e9, samples: 10 });
    expect(mean?.standardDeviationNs).toBeCloseTo(0.2e9 * Math.sqrt(10), 3);
    const table = '5,250 (+0,016) #\n   5,218 (-0,016) #\n\n   5,234 +- 0,200 seconds time elapsed';
    const { benchmarks } = await read(counters(' (2 runs)', table));
    expect(benchmarks.flatMap(({ runs }) => runs.map(({ iterations }) => iterations.durationsNs[0]))).toEqual([
      5.25e9, 5.218e9,
    ]);
  });

  it('of a command of any length is its own, and two times below one command are refused', async () => {
    const long = `java -cp ${'lib/some.jar:'.repeat(200)} Main`;
    const both = counters('', '0,100000000 seconds time elapsed') + counters('', '9,5 seconds time elapsed');
    const { benchmarks } = await read(both.replace(/'\.\/x'(?=[^']*$)/, () => `'${long}'`));
    expect(benchmarks.map(({ name }) => name)).toEqual(['./x', long]);
    const lines = both.replace(/'\.\/x'(?=[^']*$)/, () => "'sh -c a\nb'");
    await expect(read(lines)).rejects.toMatchObject({ code: 'MALFORMED_FILE', line: 11 });
  });

  it('as JSON lines of several executions has a run of each', async () => {
    const line = (event: string, ms: number): string =>
      `{"counter-value" : "${ms}", "unit" : "msec", "event" : "${event}", "event-runtime" : 1, "pcnt-running" : 100.00}\n`;
    const text = [5, 6, 7].map((ms) => line('duration_time', ms) + line('task-clock', ms - 1)).join('');
    const [benchmark] = (await read(text)).benchmarks;
    const runs = benchmark?.runs.map(({ iterations }) => [iterations.durationsNs[0], iterations.metric('c')?.[0]]);
    expect(runs).toEqual([5, 6, 7].map((ms) => [ms * 1e6, (ms - 1) * 1e6]));
  });

  it('that counts CPU time alone is read, with a warning', async () => {
    const line = (variance: string): string =>
      `{"counter-value" : "12.5", "unit" : "msec", "event" : "task-clock:u", ${variance}"event-runtime" : 1, "pcnt-running" : 100.00}\n`;
    const file = await read(line(''));
    expect([...(file.benchmarks[0]?.runs[0]?.iterations.durationsNs ?? [])]).toEqual([12.5e6]);
    expect(file.limits.map(({ code }) => code)).toContain('METRIC_UNAVAILABLE');
    expect(await summaryOf(line('"variance" : 1.25, '))).toMatchObject({ meanNs: 12.5e6, samples: null });
  });
});

describe('the time of a shell', () => {
  it('is read from bash and from time -p, with a warning of how coarse it is', async () => {
    const bash = await read('\nreal\t1m0,105s\nuser\t0m0,100s\nsys\t0m0,002s\n');
    const posix = await read('real 0.10\nuser 0.09\nsys 0.01\nreal 0.20\nuser 0.19\nsys 0.01\n');
    expect(bash.benchmarks[0]?.runs.map(({ iterations }) => [...iterations.durationsNs])).toEqual([[60_105_000_000]]);
    expect(posix.benchmarks[0]?.runs.map(({ iterations }) => [...iterations.durationsNs])).toEqual([[1e8], [2e8]]);
    expect(posix.limits.find(({ code }) => code === 'COARSE_CLOCK')?.message).toContain('whole hundredths of a second');
  });
});

describe("Catch2's XML", () => {
  const results = (attributes: string): string =>
    `<BenchmarkResults ${attributes} samples="100"><mean value="5"/></BenchmarkResults>`;

  it('is read over lines, comments, data and entities', async () => {
    const text = `<?xml version="1.0"?>\n<Catch2TestRun><TestCase name="1 &lt; &#50; &amp;"\n  x='y="'><!-- <b>\n -->${results('name=\'"a"\'')}<![CDATA[<c>]]>text &gt; </TestCase></Catch2TestRun>`;
    const { benchmarks } = await read(text, 'catch2');
    expect(benchmarks.map(({ name, params }) => [name, params])).toEqual([['"a"', { test: '1 < 2 &' }]]);
  });

  it('that breaks off, or is none, is refused with its line', async () => {
    const begin = `<Catch2TestRun>\n${results('name="a"')}`;
    for (const end of ['<b <c>', '<b x="1', '<b x=1>', '<!-- a', '</Catch>', `</Catch2TestRun>${'<a>'.repeat(100)}`]) {
      const error = await failureOf(begin + end, 'catch2');
      expect(error, end).toMatchObject({ code: 'MALFORMED_FILE', path: 'FILE' });
      expect([1, 2], end).toContain(error.line);
    }
  });

  it('that is nested very deeply, or whose entities grow without end, is refused', async () => {
    const deep = `${'<a>'.repeat(100_000)}${results('name="a"')}${'</a>'.repeat(100_000)}`;
    expect(await failureOf(deep, 'catch2')).toMatchObject({ code: 'MALFORMED_FILE' });
    const entities = Array.from({ length: 30 }, (_, k) => `<!ENTITY e${k + 1} "&e${k};&e${k};">`).join('');
    const laughs = `<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]><x>${results('name="&e30;"')}</x>`;
    const found = await read(laughs, 'catch2').then(
      ({ benchmarks }) => benchmarks[0]?.name ?? '',
      (error: unknown) => error,
    );
    if (typeof found === 'string') expect(found.length).toBeLessThan(1e6);
    else expect(found).toMatchObject({ code: 'MALFORMED_FILE' });
  });
});

describe('a table of Parquet', () => {
  const path = fileURLToPath(new URL('fixtures/parquet/both.parquet', import.meta.url));

  it('of deadheat has both sides, warm-up, starts, CPU time and further metrics of every run', async () => {
    const { format, benchmarks, limits } = await importFile(fileSource(path));
    expect([format, limits]).toEqual(['parquet', []]);
    expect(benchmarks.map(({ name, params, side, method, runs }) => [name, params, side, method, runs.length])).toEqual(
      [
        ['sort', { size: '10' }, 'A', 'sync-duet', 4],
        ['sort', { size: '10' }, 'B', 'sync-duet', 4],
        ['merge', {}, 'A', 'sync-duet', 4],
        ['merge', {}, 'B', 'sync-duet', 4],
      ],
    );
    const { label, iterations } = benchmarks[1]?.runs[2] ?? {};
    expect([label, iterations?.length, iterations?.measured, iterations?.hasTimestamps]).toEqual(['2', 6, 4, true]);
    expect(iterations?.isWarmup(1)).toBe(true);
    expect(iterations?.metric('n')).toEqual(new Float64Array(6).fill(100));
    expect(iterations?.metric('heap')).toEqual(new Float64Array(6).fill(4096 + 2 + 512));
    expect(iterations?.metric('c')).toEqual(iterations?.durationsNs.map((ns) => ns - 5000));
    expect(iterations?.metric('q')?.[5]).toBeNaN();
  });

  it('of any kind is read by its columns', async () => {
    const columns = { time: 'duration_ns', run: 'run', benchmark: 'benchmark', side: 'side', start: 'start_ns' };
    const { format, benchmarks } = await importFile(fileSource(path), { columns, unit: 'ns' });
    const own = await importFile(fileSource(path));
    expect(format).toBe('parquet');
    const timesOf = (found: typeof benchmarks): unknown =>
      found.map(({ name, side, runs }) => [
        name,
        side,
        runs.map(({ label, iterations: one }) => [label, one.startsNs, one.durationsNs]),
      ]);
    expect(timesOf(benchmarks)).toEqual(timesOf(own.benchmarks));
    const missing = importFile(fileSource(path), { columns: { time: 'ms' } });
    await expect(missing).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('lacks the column ms'),
    });
    const text = importFile(fileSource(path), { columns: { time: 'side' } });
    await expect(text).rejects.toMatchObject({
      message: expect.stringContaining('row 1, column side: expected a number'),
    });
  });

  it('that breaks off is refused with its name', async () => {
    const bytes = readFileSync(path);
    for (const length of [4, 100, bytes.length - 1]) {
      const reading = importFile(bytesSource(bytes.subarray(0, length), 'cut.parquet'));
      await expect(reading).rejects.toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('cut.parquet'),
      });
    }
  });
});
