import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { reportSchema, type Rejudgement, type Report } from '@deadheat/model';
import { analyseImported } from '../src/analyse-imported.ts';
import { ImportError } from '../src/import/import-error.ts';
import type { ColumnMap } from '../src/import/adapter.ts';
import type { ImportOptions } from '../src/import/import-file.ts';

const fixtures = fileURLToPath(new URL('import/fixtures', import.meta.url));
const columns: Readonly<Record<string, ColumnMap>> = {
  csv: { time: 'ms', run: 'fork', benchmark: 'name', invocations: 'calls' },
  'json-lines': { time: 'ms', run: 'fork', benchmark: 'name' },
};
/** Of which B was made 20 % slower. */
const handwritten = [
  'pytest-benchmark', 'google-benchmark-csv', 'google-benchmark-aggregates', 'catch2', 'nanobench', 'perf-stat', 'perf-stat-json', 'hyperfine-csv',
  'benchmark-js', 'benchmark-js-text', 'tinybench-table', 'tinybench-table-json', 'benchmark-ips', 'multitime', 'shell-time',
]; // prettier-ignore
const directory = mkdtempSync(join(tmpdir(), 'deadheat-imported-'));
afterAll(() => rmSync(directory, { recursive: true }));

const analyse = (paths: readonly [string] | readonly [string, string], options: ImportOptions = {}): Promise<Report> =>
  analyseImported({ paths, reading: { A: options, B: options }, tool: { name: 'deadheat', version: 'test' } });
const failure = (paths: readonly [string] | readonly [string, string]): Promise<unknown> =>
  analyse(paths).then(
    () => null,
    (error: unknown) => error,
  );
const fixture = (name: string): string => join(fixtures, name);
const write = (name: string, content: unknown): string => {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const hyperfine = (times: Readonly<Record<string, readonly number[]>>): object => ({
  results: Object.entries(times).map(([command, list]) => ({ command, mean: 1, stddev: 0.1, times: list })),
});
const steady = (base: number): readonly number[] => Array.from({ length: 12 }, (_, k) => base * (1 + (k % 5) / 1000));

/** The pair of files of a fixture, or the one that holds both sides. */
const pathsOf = (name: string, entries: readonly string[]): readonly [string] | readonly [string, string] => {
  const find = (start: string): string | undefined => entries.find((entry) => entry.startsWith(start));
  const [A, B, both] = [find('old'), find('new'), find('both')];
  if (A === undefined || B === undefined) return [join(fixtures, name, both ?? '')];
  return [join(fixtures, name, A), join(fixtures, name, B)];
};

const pairs = readdirSync(fixtures).map((name) => ({ name, paths: pathsOf(name, readdirSync(fixture(name))) }));

describe('result files of other tools', () => {
  it('get no advice to take options of an experiment, of which files have none', async () => {
    const rows = Array.from({ length: 400 }, (_, k) => `${k % 10},${100 + 2 * Math.floor(k / 10) + (k % 3)}`);
    const path = write('rising.csv', ['run,ms', ...rows].join('\n'));
    const options = { columns: { time: 'ms', run: 'run' }, unit: 'ms' } as const;
    const { comparisons } = await analyseImported({
      paths: [path, path],
      reading: { A: options, B: options },
      segments: { intervals: true },
      tool: { name: 'deadheat', version: 'test' },
    });
    const warnings = comparisons.flatMap((one) => one.warnings);
    expect(warnings.find(({ code }) => code === 'TREND')?.message).toMatch(/or take more warm-up away, and compare/);
    expect(warnings.map(({ message }) => message).join('\n')).not.toMatch(/--(runs|iterations|warmup)/);
  });

  it.each(pairs)('of the fixture $name are compared', async ({ name, paths }) => {
    const report = await analyse(paths, { columns: columns[name] ?? null, unit: 'ms' });
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.comparisons.length).toBeGreaterThan(0);
    expect(report.experiment.files).toEqual(paths);
    const lines = report.comparisons.map((one) => {
      const { benchmark, method, runs, resampled, warnings } = one;
      const codes = warnings.map(({ code }) => code).join(' ');
      return `${benchmark}: ${method}, ${runs} runs, ${resampled.count} ${resampled.unit}s; ${codes}`;
    });
    expect([...lines, report.warnings.map(({ code }) => code).join(' ')]).toMatchSnapshot();
  });

  it('see what was put into the handwritten fixtures: B takes 20 % longer', async () => {
    for (const name of ['jmh', 'pyperf', 'renaissance-csv', 'csv', 'dacapo', ...handwritten]) {
      const { paths } = pairs.find((pair) => pair.name === name) ?? { paths: [name] as const };
      const { comparisons } = await analyse(paths, { columns: columns[name] ?? null, unit: 'ms' });
      for (const { interval: ratio, verdict } of comparisons) {
        expect(verdict, name).toBe('slower');
        expect(Math.abs(ratio.estimate - 1.2), name).toBeLessThan(0.05);
      }
    }
  });

  it('of a busy Google Benchmark are compared by CPU time, unless another metric is asked for', async () => {
    const paths = [fixture('google-benchmark-csv/old.csv'), fixture('google-benchmark-csv/new.csv')] as const;
    const metricOf = async (changes: Rejudgement): Promise<unknown> => {
      const reading = { A: {}, B: {} };
      const report = await analyseImported({ paths, reading, changes, tool: { name: 'deadheat', version: 'test' } });
      return report.comparisons.find(({ benchmark }) => benchmark === 'BM_busy')?.metric;
    };
    expect(await metricOf({})).toBe('cpu');
    expect(await metricOf({ metric: 'time' })).toBe('time');
  });

  it('may be of two kinds', async () => {
    const A = write('kinds.json', hyperfine({ sort: steady(0.1) }));
    const B = write('kinds.txt', Array.from({ length: 5 }, () => 'BenchmarkX 10 130000000 ns/op\nok  p 1s\n').join(''));
    const { comparisons, warnings } = await analyse([A, B]);
    expect(comparisons[0]?.interval.estimate).toBeCloseTo(1.3, 1);
    expect(warnings.map(({ code }) => code)).toEqual(['NAMES_DIFFER']);
  });

  it('of criterion are told apart by their folders, whatever is around these and whatever a function is called', async () => {
    const sampled = (side: string, folders: string, ns: number): void => {
      const below = join(directory, 'criterion', side, folders);
      mkdirSync(below, { recursive: true });
      const times = steady(10 * ns);
      writeFileSync(
        join(below, 'sample.json'),
        JSON.stringify({ sampling_mode: 'Flat', iters: times.map(() => 10), times }),
      );
    };
    const factors = { 'alloc/base': 2, 'alloc/new': 3, 'sort/new': 4 };
    for (const side of ['A', 'B'])
      for (const state of ['base', 'new'])
        for (const [benchmark, factor] of Object.entries(factors))
          sampled(side, `${benchmark}/${state}`, side === 'B' && state === 'new' ? 100 * factor : 100);
    const { comparisons } = await analyse([join(directory, 'criterion/A'), join(directory, 'criterion/B')]);
    const found = comparisons.map(({ benchmark, interval }) => [benchmark, Math.round(interval.estimate)] as const);
    expect(Object.fromEntries(found)).toEqual(factors);
  });

  it('are matched by name and parameters, and what only one holds is named', async () => {
    const A = write('names-a.json', hyperfine({ sort: steady(0.1), gone: steady(0.1) }));
    const B = write('names-b.json', hyperfine({ new: steady(0.1), sort: steady(0.2) }));
    const { comparisons, warnings } = await analyse([A, B]);
    expect(comparisons.map(({ benchmark, verdict }) => [benchmark, verdict])).toEqual([['sort', 'slower']]);
    expect(warnings.map(({ code }) => code)).toEqual(['BENCHMARKS_UNMATCHED']);
    expect(warnings[0]?.message).toMatch(/only .*names-a\.json holds 'gone'; only .*names-b\.json holds 'new'/);
    const refused = await analyseImported({
      paths: [A, B],
      reading: { A: {}, B: {} },
      changes: { strict: true },
      tool: { name: 'deadheat', version: 'test' },
    }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'BENCHMARKS_UNMATCHED', category: 'workload' });
  });

  describe('of JMH', () => {
    const jmhResult = (mode: string, facts: object = {}): object => ({
      jmhVersion: '1.37',
      benchmark: 'p.Sort.sort',
      mode,
      threads: 1,
      jvmArgs: [],
      ...facts,
      primaryMetric: { scoreUnit: mode === 'thrpt' ? 'ops/ms' : 'ms/op', rawData: steady(5).map((time) => [time]) },
    });

    it('are never compared across modes, also where each file holds one benchmark', async () => {
      const [A, B] = [write('mode-a.json', [jmhResult('thrpt')]), write('mode-b.json', [jmhResult('ss')])];
      const error = await failure([A, B]);
      expect(error).toMatchObject({ code: 'NOTHING_IN_COMMON' });
      expect(String(error)).toMatch(/A holds 'p.Sort.sort' mode=thrpt; B holds 'p.Sort.sort' mode=ss/);
    });

    it('are told apart by mode and threads, which stand in the title', async () => {
      const two = [jmhResult('avgt'), jmhResult('ss'), jmhResult('ss', { threads: 4 })];
      const found = await analyse([write('modes-a.json', two), write('modes-b.json', two.toReversed())]);
      expect(found.comparisons.map(({ params }) => params)).toEqual([
        { mode: 'avgt' },
        { mode: 'ss' },
        { mode: 'ss', threads: '4' },
      ]);
      expect(found.comparisons.map(({ interval }) => interval.estimate)).toEqual([1, 1, 1]);
    });

    it('are told apart by the calls of an operation', async () => {
      const [one, ten] = [jmhResult('ss'), jmhResult('ss', { measurementBatchSize: 10 })];
      const found = await analyse([write('batch-a.json', [one, ten]), write('batch-b.json', [ten, one])]);
      expect(found.comparisons.map(({ params }) => params)).toEqual([{ mode: 'ss' }, { mode: 'ss', batch: '10' }]);
    });

    it('are compared under two sets of JVM arguments, and these are told', async () => {
      const [serial, parallel] = ['-XX:+UseSerialGC', '-XX:+UseParallelGC'].map((arg) =>
        jmhResult('avgt', { jvmArgs: ['-Xmx1g', arg] }),
      );
      const differ = await analyse([write('gc-a.json', [serial]), write('gc-b.json', [parallel])]);
      expect(differ.warnings.map(({ code }) => code)).toEqual(['NAMES_DIFFER']);
      expect(differ.warnings[0]?.message).toMatch(/jvmArgs=-Xmx1g -XX:\+UseSerialGC on side A and with .*Parallel/);
      const both = await analyse([write('gcs-a.json', [serial, parallel]), write('gcs-b.json', [parallel, serial])]);
      expect(both.warnings).toEqual([]);
      expect(both.comparisons.map(({ params }) => params['jvmArgs'])).toEqual([
        '-Xmx1g -XX:+UseSerialGC',
        '-Xmx1g -XX:+UseParallelGC',
      ]);
    });
  });

  it('without a benchmark in common are refused, with what they hold', async () => {
    const A = write('apart-a.json', hyperfine({ one: steady(0.1), two: steady(0.1) }));
    const B = write('apart-b.json', hyperfine({ three: steady(0.1), four: steady(0.1) }));
    const error = await failure([A, B]);
    expect(error).toMatchObject({ code: 'NOTHING_IN_COMMON' });
    expect(String(error)).toMatch(/A holds 'one', 'two'; B holds 'three', 'four'/);
  });

  it('that are one and hold one side are refused with the reason', async () => {
    const error = await failure([fixture('jmh/old.json')]);
    expect(error).toBeInstanceOf(ImportError);
    expect(error).toMatchObject({ code: 'ONE_SIDE_ONLY' });
    expect(String(error)).toMatch(/A\/A split/);
  });

  it('with one run a side are refused with what makes more of them', async () => {
    const go = (name: string, ns: number): string => write(name, `pkg: x\nBenchmarkA-2 \t 100\t ${ns} ns/op\n`);
    expect(await failure([go('one.txt', 123), go('another.txt', 150)])).toMatchObject({
      code: 'TOO_FEW_RUNS',
      message:
        'A-2 (pkg = x): 1 usable runs of sequential; a comparison needs at least 2. Have the tool make more of them (forks, processes), or name a folder with the files of several',
    });
  });

  it('with three alternatives do not say which is A', async () => {
    const path = write('three.json', hyperfine({ a: steady(1), b: steady(1), c: steady(1) }));
    expect(await failure([path])).toMatchObject({ code: 'SIDES_NOT_CLEAR' });
  });

  it('in a folder are the runs of one side, and others are told', async () => {
    for (const side of ['old', 'new']) {
      mkdirSync(join(directory, side));
      for (let run = 0; run < 4; run++) {
        const text = readFileSync(fixture(`renaissance/${side}.json`), 'utf8');
        writeFileSync(join(directory, side, `${run}.json`), text);
      }
      writeFileSync(join(directory, side, 'notes.txt'), 'nothing known');
    }
    const report = await analyse([join(directory, 'old'), join(directory, 'new')]);
    expect(report.comparisons[0]).toMatchObject({ runs: 4, resampled: { unit: 'run', count: 4 } });
    expect(report.comparisons[0]?.warnings.map(({ code }) => code)).not.toContain('NO_RUN_VARIANCE');
    expect(report.warnings.map(({ code }) => code)).toContain('FILES_IGNORED');
    mkdirSync(join(directory, 'empty'));
    expect(await failure([join(directory, 'empty')])).toMatchObject({ code: 'NOTHING_TO_IMPORT' });
  });

  it.each([
    ['with their rounds', [true, true]],
    ['with their summary', [false, false]],
    ['with rounds of one and a summary of the other', [true, false]],
  ] as const)(
    'of one process of CPython a side, %s, are not believed on 9 %',
    async (_name, [hasDataOfA, hasDataOfB]) => {
      const rounds = (scale: number, hasData: boolean): string => {
        const data = Array.from({ length: 200 }, (_, k) => scale * (1e-4 + 1e-8 * (k % 7)));
        const of = {
          mean: scale * 1e-4,
          stddev: 1e-7,
          median: scale * 1e-4,
          iqr: 1e-8,
          min: scale * 1e-4,
          max: scale * 1.01e-4,
        };
        const stats = { ...of, rounds: 200, iterations: 1, ...(hasData ? { data } : {}) };
        return write(`python-${scale}.json`, { machine_info: {}, benchmarks: [{ fullname: 'test', stats }] });
      };
      const verdictOf = async (scale: number): Promise<unknown> =>
        (await analyse([rounds(1, hasDataOfA), rounds(scale, hasDataOfB)])).comparisons.map(({ verdict }) => verdict);
      expect([await verdictOf(1.09), await verdictOf(1.3)]).toEqual([['undecided'], ['slower']]);
    },
  );

  it('in a folder that hold means only are so many runs', async () => {
    for (const [side, base] of [
      ['means-a', 0.2],
      ['means-b', 0.3],
    ] as const) {
      mkdirSync(join(directory, side));
      for (let run = 0; run < 4; run++) {
        const result = { command: 'sort', mean: base + run / 1000, stddev: 0.1, median: 0.2, min: 0.1, max: 0.9 };
        write(`${side}/${run}.json`, { results: [{ ...result, exit_codes: [0, 0, 0] }] });
      }
    }
    const report = await analyse([join(directory, 'means-a'), join(directory, 'means-b')]);
    expect(report.comparisons).toMatchObject([{ runs: 4, resampled: { unit: 'run', count: 4 }, verdict: 'slower' }]);
    expect(report.warnings.map(({ code }) => code)).toContain('SUMMARY_ONLY');
  });

  it('of two machines are told apart', async () => {
    const elsewhere = join(directory, 'elsewhere.json');
    cpSync(fixture('pyperf/new.json'), elsewhere);
    writeFileSync(elsewhere, readFileSync(elsewhere, 'utf8').replace('"box"', '"other"'));
    const { warnings } = await analyse([fixture('pyperf/old.json'), elsewhere]);
    expect(warnings.map(({ code }) => code)).toEqual(['MACHINES_DIFFER']);
  });

  it('compare times below the nanosecond of the clock', async () => {
    const mitata = (ns: number): object => ({
      layout: [],
      benchmarks: [
        {
          alias: 'x',
          runs: [{ name: 'x', args: {}, stats: { samples: Array.from({ length: 30 }, (_, k) => ns + k / 1e4) } }],
        },
      ],
      context: {},
    });
    const { comparisons } = await analyse([write('tiny-a.json', mitata(0.1)), write('tiny-b.json', mitata(0.2))]);
    // The middles of times that reach from 0.1 to 0.1029 ns and from 0.2 to 0.2029 ns.
    expect(comparisons[0]?.interval.estimate).toBeCloseTo(0.20145 / 0.10145, 4);
  });
});
