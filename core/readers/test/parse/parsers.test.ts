import fc from 'fast-check';
import { builtInParserSchema, type BuiltInParser } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { builtInParsers } from '../../src/parse/built-in-parsers.ts';
import { checkIterations } from '../../src/parse/parse-text.ts';
import { harnessOutputs } from './harness-outputs.ts';

// All outputs here are written by hand after the sources of the suites; none is from a real run.

const renaissancePrinted = `NOTE: 'scrabble' benchmark uses Spark local executor with 2 threads.
====== scrabble (functional) [default], iteration 0 started ======
GC before operation: completed in 5.118 ms, heap usage 24.5 MB -> 10.8 MB.
====== scrabble (functional) [default], iteration 0 completed (702.411 ms) ======
====== scrabble (functional) [default], iteration 1 started ======
====== scrabble (functional) [default], iteration 1 completed (301.020 ms) ======
`;

const renaissanceJson = (vm: object): string =>
  JSON.stringify({
    format_version: 6,
    benchmarks: ['scrabble'],
    environment: { os: {}, vm, jre: {} },
    suite: { name: 'renaissance' },
    data: { scrabble: { results: [{ duration_ns: 702, uptime_ns: 1000 }], termination: 'normal' } },
  });

const dacapoPrinted = `Using scaled threading model. 2 processors detected, 2 threads used to drive the workload
===== DaCapo 9.12-bach avrora starting warmup 1 =====
===== DaCapo 9.12-bach avrora completed warmup 1 in 3120 msec =====
===== DaCapo 9.12-bach avrora starting =====
===== DaCapo 9.12-bach avrora PASSED in 2871 msec =====
`;

const specLog = `Running (#1) 505.mcf_r refrate (ref) base 1
Benchmark Times:
 Run Start:    2022-06-01 14:04:52 (1654092292)
 Rate Start:   2022-06-01 14:04:52 (1654092292.5)
 Rate End:     2022-06-01 14:12:37 (1654092757.75)
 Run Stop:     2022-06-01 14:12:37 (1654092757)
`;

const jmhPrinted = `# JMH version: 1.37
# Warmup: 1 iterations, 1 s each
# Measurement: 2 iterations, 100 ms each
# Benchmark mode: Average time, time/op
# Benchmark: org.sample.Sort.sort
# Parameters: (size = 10, kind = a, b)

# Run progress: 0.00% complete, ETA 00:00:03
# Fork: 1 of 1
# Warmup Iteration   1: 2.000 us/op
Iteration   1: 1.000 us/op
Iteration   2: 1.250 us/op

Result "org.sample.Sort.sort":
  1.125 ±(99.9%) 1.000 us/op [Average]
`;

const goPrinted = `goos: linux
pkg: example.com/sort
BenchmarkSort/size=10-2   	 1000000	      1042 ns/op	     512 B/op	       1 allocs/op
BenchmarkSort/size=10-2   	 1000000	      1050 ns/op	     512 B/op	       1 allocs/op
PASS
ok  	example.com/sort	2.345s
`;

describe('a built-in parser', () => {
  it('finds what Renaissance prints, at the lines that end iterations', () => {
    expect(builtInParsers.renaissance(renaissancePrinted)).toEqual([
      { benchmark: 'scrabble', durationNs: 702_411_000, line: 4 },
      { benchmark: 'scrabble', durationNs: 301_020_000, line: 6 },
    ]);
    // Before it had configurations.
    const older = '====== scrabble (functional), iteration 0 completed (1.5 ms) ======\n';
    expect(builtInParsers.renaissance(older)).toEqual([{ benchmark: 'scrabble', durationNs: 1_500_000, line: 1 }]);
  });

  it('places what Renaissance writes on a clock that both sides share', () => {
    const monotonic = renaissanceJson({ start_unix_ms: 1_700_000_000_000, start_ns: 5_000_000 });
    expect(builtInParsers.renaissance(monotonic)).toEqual([
      { benchmark: 'scrabble', durationNs: 702, startNs: 5_001_000 },
    ]);
    const wall = renaissanceJson({ start_unix_ms: 1_700_000_000_000 });
    expect(builtInParsers.renaissance(wall)[0]?.startNs).toBe(1.7e18 + 1000);
    expect(builtInParsers.renaissance(renaissanceJson({}))[0]).not.toHaveProperty('startNs');
    const table =
      'benchmark,duration_ns,uptime_ns,vm_start_unix_ms,vm_start_ns\nscrabble,702,1000,1700000000000,5000000\n';
    expect(builtInParsers.renaissance(table)).toEqual([{ benchmark: 'scrabble', durationNs: 702, startNs: 5_001_000 }]);
    expect(() => builtInParsers.renaissance('{"data":{}}')).toThrow('environment is no object');
    expect(() => builtInParsers.renaissance(wall.replace('normal', 'failure'))).toThrow('scrabble failed');
  });

  it('finds what DaCapo and ScalaBench print, and no mark of warm-up in it', () => {
    const found = [
      { benchmark: 'avrora', durationNs: 3_120_000_000, line: 3 },
      { benchmark: 'avrora', durationNs: 2_871_000_000, line: 5 },
    ];
    expect(builtInParsers.dacapo(dacapoPrinted)).toEqual(found);
    expect(builtInParsers.scalabench(dacapoPrinted)).toEqual(found);
    const failed = dacapoPrinted.replace('PASSED in 2871 msec ', 'FAILED ');
    expect(() => builtInParsers.dacapo(failed)).toThrow('avrora failed its validation (line 5)');
  });

  it('reads both kinds of start in the table of the D3S fork', () => {
    const newer = 'benchmark,iteration_time_ns,start_unix\navrora,3120,1700000000000\n';
    expect(builtInParsers.dacapo(newer)).toEqual([{ benchmark: 'avrora', durationNs: 3120, startNs: 1.7e18 }]);
    const older = 'benchmark,iteration_time_ns,total_ms\navrora,3120,12\n';
    expect(builtInParsers.dacapo(older)).toEqual([{ benchmark: 'avrora', durationNs: 3120 }]);
  });

  it('takes what lies between the edges in the log of SPEC CPU', () => {
    expect(builtInParsers['spec-cpu'](specLog)).toEqual([
      { benchmark: '505.mcf_r', startNs: 1_654_092_292_500_000_000, endNs: 1_654_092_757_750_000_000 },
    ]);
    expect(() => builtInParsers['spec-cpu'](specLog.replace('Rate Start', 'Rate Begun'))).toThrow('line 5');
  });

  it('makes iterations of the scores that JMH prints', () => {
    const named = { benchmark: 'org.sample.Sort.sort', params: { mode: 'avgt', size: '10', kind: 'a, b' } };
    // A second of operations of 2 us are 500 000; 100 ms of 1 us are 100 000, and of 1.25 us 80 000.
    expect(builtInParsers.jmh(jmhPrinted)).toEqual([
      { ...named, phase: 'warmup', line: 10, durationNs: 1e9, invocations: 500_000 },
      { ...named, phase: 'measure', line: 11, durationNs: 1e8, invocations: 100_000 },
      { ...named, phase: 'measure', line: 12, durationNs: 1e8, invocations: 80_000 },
    ]);
    // What the virtual machine logs stands before it and begins as JSON does.
    const logged = `[0.9s][info][jfr,startup] Started recording 1.\n${jmhPrinted}`;
    const moved = builtInParsers.jmh(jmhPrinted).map(({ line, ...one }) => ({ ...one, line: (line ?? 0) + 1 }));
    expect(builtInParsers.jmh(logged)).toEqual(moved);
    const rate = jmhPrinted.replaceAll(' us/op', ' ops/us');
    // 1.25 operations in a us are 125 000 in 100 ms.
    expect(builtInParsers.jmh(rate)[2]).toMatchObject({ durationNs: 1e8, invocations: 125_000 });
    for (const score of ['≈ 10⁻³ us/op', '1,25 us/op']) {
      expect(() => builtInParsers.jmh(jmhPrinted.replace('1.250 us/op', score))).toThrow('line 12');
    }
  });

  it('makes iterations of the JSON of JMH, and refuses that of its sample mode', () => {
    const metric = { scoreUnit: 'us/op', rawData: [[1, 2], [4]] };
    const result = { benchmark: 'b', mode: 'avgt', measurementTime: '1 ms', params: { n: '1' }, primaryMetric: metric };
    const found = builtInParsers.jmh(JSON.stringify([result]));
    expect(found.map(({ invocations }) => invocations)).toEqual([1000, 500, 250]);
    expect(found[0]).toMatchObject({ benchmark: 'b', params: { n: '1' }, phase: 'measure' });
    const single = JSON.stringify([{ ...result, mode: 'ss' }]);
    expect(builtInParsers.jmh(single)[0]).toMatchObject({ durationNs: 1000, invocations: 1 });
    const sampled = JSON.stringify([{ ...result, primaryMetric: { scoreUnit: 'us/op', rawDataHistogram: [] } }]);
    expect(() => builtInParsers.jmh(sampled)).toThrow('sample mode');
  });

  it('takes a line of Go for an iteration of many invocations', () => {
    expect(builtInParsers.go(goPrinted)).toEqual([
      {
        benchmark: 'Sort/size=10-2',
        params: { pkg: 'example.com/sort' },
        invocations: 1_000_000,
        durationNs: 1_042_000_000,
        line: 3,
        metrics: { 'B/op': 512, 'allocs/op': 1 },
      },
      expect.objectContaining({ durationNs: 1_050_000_000, line: 4 }),
    ]);
  });

  it('gives iterations or an error that says what is wrong, whatever was printed', () => {
    const samples: Readonly<Record<BuiltInParser, string>> = {
      ...harnessOutputs,
      renaissance: `${renaissancePrinted}${renaissanceJson({ start_ns: 1 })}`,
      dacapo: dacapoPrinted,
      scalabench: dacapoPrinted,
      'spec-cpu': specLog,
      jmh: jmhPrinted,
      go: goPrinted,
    };
    for (const name of builtInParserSchema.options) {
      const sample = samples[name];
      const damaged = fc
        .tuple(fc.nat(sample.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 8 }))
        .map(([at, length, put]) => sample.slice(0, at) + put + sample.slice(at + length));
      fc.assert(
        fc.property(damaged, (text) => {
          try {
            checkIterations(builtInParsers[name](text));
          } catch (error) {
            expect((error as Error).message).not.toBe('');
          }
        }),
        { seed: 5, numRuns: 500 },
      );
    }
  });
});

describe('what a parser returned', () => {
  const messageOf = (value: unknown): string => {
    try {
      checkIterations(value);
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };

  it('is refused with the place that is wrong', () => {
    expect(messageOf([{ durationNs: 1, line: 2, phase: 'warmup', invocations: 3, metrics: { x: -1 } }])).toBe(
      'accepted',
    );
    expect(messageOf(undefined)).toContain('at it: expected a list of iterations, found nothing');
    expect(messageOf([1])).toContain('at [0]: expected an iteration, found 1');
    expect(messageOf([{ durationNs: 1 }, { durationNs: -1 }])).toContain('at [1].durationNs');
    expect(messageOf([{ startNs: 1 }])).toContain('two of startNs, endNs and durationNs');
    expect(messageOf([{ durationNs: 1, duration: 1 }])).toContain('[0].duration;');
    expect(messageOf([{ durationNs: Number.NaN }])).toContain('at [0].durationNs');
    expect(messageOf([{ durationNs: 1, phase: 'cold' }])).toContain("'warmup' or 'measure'");
  });
});
