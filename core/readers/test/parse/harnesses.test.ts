import { describe, expect, it } from 'vitest';
import { builtInParsers } from '../../src/parse/built-in-parsers.ts';
import { harnessOutputs as outputs } from './harness-outputs.ts';
import { findOperationTime, recogniseHarness } from '../../src/parse/harnesses.ts';

const expected: Readonly<Record<keyof typeof outputs, readonly (readonly [name: string, ns: number])[]>> = {
  go: [
    ['Join/10-2', 170.3],
    ['Split-2', 8_209_334],
  ],
  jmh: [['org.sample.Sort.sort', 1250]],
  'cargo-bench': [
    ['tests::bench_join', 1234],
    ['tests::bench_split', 2345.67],
  ],
  criterion: [
    ['fib 20', 26_251],
    ['a benchmark with a long name/2048', 1_225_100],
  ],
  'google-benchmark': [
    ['BM_Copy/8', 12.2],
    ['BM_Sort', 1_400_000],
    ['BM_Read/real_time', 90],
    ['BM_Wait', 2_000_000],
  ],
  catch2: [['Fibonacci 20', 1704.57]],
  'pytest-benchmark': [
    ['test_sort[a b]', 4701],
    ['test_long', 1_240_000],
  ],
  timeit: [['main', 10_800]],
  pyperf: [
    ['sort', 49_400],
    ['main', 14.1],
  ],
  mitata: [
    ['fib(10)', 267.92],
    ['noop', 0.08645],
  ],
  tinybench: [
    ['faster task', 76_500],
    ['slower task', 1_851_485],
  ],
  'benchmark-js': [
    ['RegExp#test', 1e9 / 4_161_532],
    ['String#indexOf', 1e9 / 6_139_623],
  ],
};

/** Name and parameters of each result that a parser finds. */
function namesIn(parser: keyof typeof outputs, text: string): readonly unknown[] {
  return builtInParsers[parser](text).map(({ benchmark, params }) => [benchmark, params]);
}

it('names of tinybench may hold the border of their table', () => {
  const found = builtInParsers.tinybench(outputs.tinybench.replace(/'faster task' +/, "'a │ b │ c' "));
  expect(found.map(({ benchmark }) => benchmark)).toEqual(['a │ b │ c', 'slower task']);
});

describe('benchmarks of one name are told apart', () => {
  it('by the package of Go, whose lines of one package are repetitions', () => {
    const line = 'BenchmarkNew-2\t1000\t170.3 ns/op\n';
    const text = `goos: linux\npkg: example.org/a\n${line}${line}PASS\nok  \texample.org/a\t1s\npkg: example.org/b\n${line}`;
    const [a, b] = ['a', 'b'].map((name) => ['New-2', { pkg: `example.org/${name}` }]);
    expect(namesIn('go', text)).toEqual([a, a, b]);
  });

  it('by the group of pytest-benchmark, and of one group by their place, which is that of their time', () => {
    const table = (title: string, names: readonly string[]): string =>
      `---- benchmark${title}: ${names.length} tests ----\nName (time in us)   Min   Mean   Median   Rounds   Iterations\n------\n${names.map((name, k) => `${name}  ${k + 1}.0 (1.0)  2.0 (1.0)  ${k + 2}.0 (1.0)  9  1\n`).join('')}------\n\n`;
    const text = table('', ['test_a', 'test_a']) + table(" 'b c'", ['test_a']) + table(` "it's"`, ['test_a']);
    expect(namesIn('pytest-benchmark', text)).toEqual([
      ['test_a', {}],
      ['test_a', { call: '2' }],
      ['test_a', { group: 'b c' }],
      ['test_a', { group: "it's" }],
    ]);
    expect(builtInParsers['pytest-benchmark'](text + text)).toHaveLength(8);
  });

  it('by test case and sections of Catch2, whose long names have several lines', () => {
    const rule = '-'.repeat(79);
    const head = `${rule}\nTITLE\n${rule}\nbench.cpp:7\n${'.'.repeat(79)}\n\nbenchmark name                       samples       iterations    estimated\n                                     mean          low mean      high mean\n                                     std dev       low std dev   high std dev\n${rule}\n`;
    const times = `                                        902.866 ns     838.38 ns    1.03304 us \n                                        197.081 ns    75.9607 ns    295.909 ns \n${' '.repeat(79)}\n`;
    const same = `same                                            20            66    1.34904 ms \n${times}`;
    const long = `a very long name of a benchmark                                                \nthat does not fit into the column                                              \nof Catch2 at all                                20            63    1.33938 ms \n${times}`;
    const text = `${head.replace('TITLE', 'first')}${same}${long}\n${head.replace('TITLE', 'first\n  inner\n    most')}${same}\n${head.replace('TITLE', 'second')}${same}${same}`;
    expect(namesIn('catch2', text)).toEqual([
      ['same', { test: 'first' }],
      ['a very long name of a benchmark that does not fit into the column of Catch2 at all', { test: 'first' }],
      ['same', { test: 'first', section: 'inner / most' }],
      ['same', { test: 'second' }],
      ['same', { test: 'second', call: '2' }],
    ]);
  });

  it('by the group of mitata, which ends with its benchmarks', () => {
    const [rule, row] = [
      `${'-'.repeat(43)} ${'-'.repeat(31)}\n`,
      'noop                         86.45 ns/iter  85.45 ns █\n',
    ];
    const text = `benchmark                   avg (min … max) p75 / p99\n${rule}${row}\n• one\n${rule}${row}${row}\n${rule}${row}`;
    expect(namesIn('mitata', text)).toEqual([
      ['noop', {}],
      ['noop', { group: 'one' }],
      ['noop', { group: 'one', call: '2' }],
      ['noop', { call: '2' }],
    ]);
  });

  it('by their order in the output of others', () => {
    const text = outputs['benchmark-js'].replace('String#indexOf', 'RegExp#test');
    expect(namesIn('benchmark-js', text)).toEqual([
      ['RegExp#test', {}],
      ['RegExp#test', { call: '2' }],
    ]);
  });
});

it('names of Google Benchmark that end as those of its statistics are benchmarks, unless mean and deviation are of as many', () => {
  const names = ['mean', 'median', 'stddev', 'cv'];
  function table(stem: string, counts: readonly number[]): string {
    return names.map((name, index) => `${stem}_${name}    12.2 ns      12.1 ns     ${counts[index]}\n`).join('');
  }
  const benchmarks = names.map((name) => [`BM a_${name}`, {}]);
  expect(namesIn('google-benchmark', table('BM a', [100, 120, 130, 140]))).toEqual(benchmarks);
  expect(namesIn('google-benchmark', table('BM a', [3, 3, 3, 3]))).toEqual([]);
});

describe('a harness that fills a time', () => {
  it.each(Object.keys(outputs) as (keyof typeof outputs)[])('%s is recognised and read', (parser) => {
    const text = outputs[parser];
    expect(recogniseHarness([text, text])).toMatchObject({ parser });
    // One side is enough.
    expect(recogniseHarness(['done\n', text])).toMatchObject({ parser });
    const read = builtInParsers[parser](text).map(({ benchmark, durationNs = 0, invocations = 1 }) => {
      // A record holds whole ns of an iteration: that must not cost more than a millionth.
      expect(Math.abs(Math.round(durationNs) / durationNs - 1)).toBeLessThan(1e-6);
      return [benchmark, durationNs / invocations];
    });
    expect(read).toEqual(expected[parser].map(([name, ns]) => [name, expect.closeTo(ns, 6)]));
  });

  it.each([
    [
      'vitest bench',
      '     name                   hz     min     max    mean     p75     p99    p995    p999     rme  samples',
    ],
    ['divan', 'example       fastest       │ slowest       │ median        │ mean          │ samples │ iters'],
    ['BenchmarkDotNet', '| Method |      Mean |     Error |    StdDev |'],
  ])('%s is recognised', (name, text) => {
    expect(recogniseHarness([text, text])).toEqual({ name, parser: null, results: 1, slowestNs: null });
  });

  it('does fixed work if both sides executed all benchmarks equally often, a round number of times', () => {
    const [one, other] = ['BenchmarkJoin-2\t100\t170.3 ns/op\n', 'BenchmarkJoin-2\t100\t9000 ns/op\n'];
    expect(recogniseHarness([one, other])).toBe('fixed-work');
    expect(recogniseHarness([one, other.replace('100', '200')])).toMatchObject({ parser: 'go' });
    // As often by chance: no number that someone types.
    for (const count of ['88', '5', '20']) {
      expect(recogniseHarness([one, other].map((text) => text.replace('100', count)))).toMatchObject({ parser: 'go' });
    }
    // An operation that takes longer than the budget.
    expect(recogniseHarness([one, other].map((text) => text.replace('100', '1')))).toBe('fixed-work');
    const timeit = '100 loops, best of 5: 10.8 usec per loop\n';
    expect(recogniseHarness([timeit, timeit])).toBe('fixed-work');
    const singleShot = outputs.jmh.replace('100 ms each', 'single-shot each');
    expect(recogniseHarness([singleShot, singleShot])).toBeNull();
  });

  it('is none in other output', () => {
    const text = 'Benchmark of nothing\ntest one ... ok\nsorted 100 items in 12 ms\nname hz\nreal 0m1.0s\n';
    expect(recogniseHarness([text, text])).toBeNull();
    expect(findOperationTime(text)).toBeNull();
  });
});

it.each(['join: 12.5 ns/op', 'took 1,234 us/iter', '12 µs / call', '5.1e6 ops/sec', '300 op/s'])(
  '%s looks like the time of an operation',
  (line) => {
    expect(findOperationTime(`begin\n${line}\n`)).toBe(line);
  },
);

it.each(['12 MB/s', 'https://example.org/op', '3 runs/day', 'reads 500 lines/s'])('%s does not', (line) => {
  expect(findOperationTime(line)).toBeNull();
});
