import type { Failure } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { ownReadings, type OwnSubject } from '../src/experiment/own-benchmarks.ts';

function subjectOf(
  commandLine: string,
  { parser, benchmarks = 1, operationNs, isParallel, ...more }: Partial<OwnSubject> & Partial<Failure>,
): OwnSubject {
  const found = { parser, operationNs, isParallel };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return {
    failures: [{ side: 'A', code: 'TIME_BUDGETED', message: '', benchmarks, ...known }],
    commandLines: [commandLine, commandLine],
    typed: {},
    variables: {},
    maxTimeNs: 60e9,
    ...more,
  };
}

/** The variables and the command of each way to measure. */
function waysOf(commandLine: string, subject: Parameters<typeof subjectOf>[1]): readonly unknown[] {
  return ownReadings(subjectOf(commandLine, subject)).map(
    ({ layer, rewrite }) => layer.workload ?? layer.environment ?? rewrite(commandLine),
  );
}

describe('a harness with a time budget is measured', () => {
  // 60 s hold 20 runs of both sides: 1.5 s a process, of which a benchmark takes about two budgets.
  it.each([
    ['go', 1, 'go test -bench .', { GOFLAGS: '-vet=off -run=^$ -benchtime=200us -count=500' }],
    ['go', 5, 'make bench', { GOFLAGS: '-vet=off -run=^$ -benchtime=200us -count=100' }],
    ['go', 500, 'make bench', { GOFLAGS: '-vet=off -run=^$ -benchtime=200us -count=10' }],
    ['timeit', 1, "python3 -m timeit 'f()'", "python3 -m timeit -n 1 -r 2500 -vvv 'f()'"],
    ['google-benchmark', 5, 'make bench', { BENCHMARK_MIN_TIME: '0.1' }],
    ['pytest-benchmark', 10, 'pytest', { PYTEST_ADDOPTS: '--benchmark-name=long --benchmark-max-time=0.05' }],
    [
      'criterion',
      5,
      'cargo bench',
      'cargo bench -- --noplot --sample-size 10 --nresamples 1001 --warm-up-time 0.1 --measurement-time 0.1',
    ],
    [
      'criterion',
      5,
      'cargo bench --bench work -- sort',
      'cargo bench --bench work -- sort --noplot --sample-size 10 --nresamples 1001 --warm-up-time 0.1 --measurement-time 0.1',
    ],
    ['catch2', 5, './bench', './bench --benchmark-samples 20 --benchmark-resamples 1000 --benchmark-warmup-time 50'],
  ] as const)(
    '%s with %i benchmarks in short processes, and as it is where these fail',
    (parser, benchmarks, line, short) => {
      expect(waysOf(line, { parser, benchmarks })).toEqual([short, line]);
    },
  );

  it('in times of operations that are shorter than a turn of the scheduler, fewer where an operation takes longer', () => {
    const ways = (ns: number) => waysOf('python -m timeit "f()"', { parser: 'timeit', operationNs: ns })[0];
    expect(ways(10_000)).toBe('python -m timeit -n 20 -r 2500 -vvv "f()"');
    expect(ways(100_000_000)).toBe('python -m timeit -n 1 -r 40 -vvv "f()"');
    const ofMany = { parser: 'go', benchmarks: 50, operationNs: 1e6 } as const;
    expect(waysOf('go test -bench .', ofMany)[0]).toEqual({
      GOFLAGS: '-vet=off -run=^$ -benchtime=200us -count=10',
    });
  });

  it.each(['catch2', 'criterion', 'jmh'] as const)(
    'one after the other by means of %s, which hold turns of the other side',
    (parser) => {
      const line = parser === 'criterion' ? 'cargo bench' : parser === 'jmh' ? 'java -jar benchmarks.jar' : './bench';
      const readings = ownReadings(subjectOf(line, { parser, benchmarks: 5 }));
      expect(readings.map(({ layer }) => layer.methods)).toEqual([['sequential'], ['sequential']]);
    },
  );

  it('one after the other where several threads compute at once, an operation is longer than most turns, or since that was typed', () => {
    const ofParallel = ownReadings(subjectOf('go test -bench .', { parser: 'go', isParallel: true }));
    expect(ofParallel.map(({ layer }) => layer.methods)).toEqual([['sequential'], ['sequential']]);
    expect(ofParallel[0]?.layer.environment).toEqual({ GOFLAGS: '-vet=off -run=^$ -benchtime=0.5s' });
    const ofLong = ownReadings(subjectOf('go test -bench .', { parser: 'go', operationNs: 2e6 }));
    expect(ofLong.map(({ layer }) => layer.methods)).toEqual([['sequential'], ['sequential']]);
    const typed = ownReadings(subjectOf('go test -bench .', { parser: 'go', typed: { methods: ['sequential'] } }));
    expect(typed.map(({ layer }) => layer.methods)).toEqual([['sequential'], ['sequential']]);
    const others = ownReadings(subjectOf('go test -bench .', { parser: 'go' }));
    expect(others.map(({ layer }) => layer.methods)).toEqual([['async-tandem'], ['sequential']]);
  });

  it.each([
    ['a budget of its own', 'go test -bench . -benchtime=3s', {}],
    ['one in the environment', 'make bench', { variables: { GOFLAGS: '-benchtime=3s' } }],
    ['a variable that was typed', 'make bench', { typed: { environment: { GOFLAGS: '-mod=vendor' } } }],
    ['no limit of time', 'make bench', { maxTimeNs: null }],
    ['enough time', 'make bench', { maxTimeNs: 3600e9 }],
  ])('as it is with %s', (_, line, more) => {
    expect(waysOf(line, { parser: 'go', benchmarks: 1, ...more })).toEqual([line]);
  });

  it('with what its variable holds already', () => {
    const [short] = waysOf('make bench', {
      parser: 'google-benchmark',
      benchmarks: 5,
      variables: { BENCHMARK_MIN_TIME: '' },
    });
    expect(short).toEqual({ BENCHMARK_MIN_TIME: '0.1' });
    expect(
      waysOf('make', { parser: 'pytest-benchmark', benchmarks: 5, variables: { PYTEST_ADDOPTS: '-q' } })[0],
    ).toEqual({
      PYTEST_ADDOPTS: '-q --benchmark-name=long --benchmark-max-time=0.1',
    });
  });

  it('with the short names of pytest-benchmark where the commands differ, as paths in long ones do then', () => {
    const subject = { parser: 'pytest-benchmark', benchmarks: 5, commandLines: ['pytest old', 'pytest new'] } as const;
    expect(waysOf('pytest', subject)[0]).toEqual({ PYTEST_ADDOPTS: '--benchmark-max-time=0.1' });
  });

  it('as it is where a shell would read the options', () => {
    expect(waysOf('cargo bench | tee out', { parser: 'criterion', benchmarks: 5 })).toEqual(['cargo bench | tee out']);
  });

  it('by hooks first where it runs in Node', () => {
    expect(waysOf('npm run bench', { parser: 'tinybench' })).toEqual(['harness', 'npm run bench']);
    expect(waysOf('npm run bench', { parser: 'tinybench', typed: { methods: ['sequential'] } })).toEqual([
      'npm run bench',
    ]);
  });

  it('before its first run where that takes minutes', () => {
    const line = 'java -jar target/benchmarks.jar';
    const own = { ...subjectOf(line, { parser: undefined, benchmarks: undefined }), failures: null };
    const [reading, ...others] = ownReadings(own);
    expect(others).toEqual([]);
    expect(reading?.rewrite(line)).toBe(`${line} -f 1 -wi 3 -w 100ms -i 20 -r 5ms`);
    expect(reading?.layer.methods).toEqual(['sequential']);
    expect(ownReadings({ ...own, commandLines: [`${line} -f 2`] })).toEqual([]);
    expect(ownReadings({ ...own, typed: { 'whole-process': true } })).toEqual([]);
    expect(ownReadings({ ...own, commandLines: ['go test -bench .'] })).toEqual([]);
  });

  it.each([{ workload: 'lines' }, { parser: 'go' }, { methods: ['alone'] }] as const)('not at all with %o', (typed) => {
    expect(waysOf('go test -bench .', { parser: 'go', typed })).toEqual([]);
  });
});
