import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkloadRecord } from '@deadheat/recording';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileAsyncLoop, compileLoop, functionWorker } from '../src/function-worker.ts';
import { createBenchmarks, parameterProduct } from '../src/create-benchmarks.ts';
import { driveSync } from '../src/work.ts';
import { formatTime, summarize, tQuantile975 } from '../src/table-printer.ts';
import { readEnvironment } from '../src/read-environment.ts';
import { RecordWriter } from '../src/part.ts';
import { withFolder } from './support.ts';

describe('parameters', () => {
  it('are combined, the last one changing fastest', () => {
    expect(parameterProduct({ a: [1, 2], b: ['x', 'y'] })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
    expect(parameterProduct({})).toEqual([{}]);
  });

  it('without a value are refused', () => {
    expect(() => parameterProduct({ a: [] })).toThrow('params.a must be an array with at least one value');
    expect(() => parameterProduct({ a: 3 as unknown as number[] })).toThrow('params.a');
  });

  it('are texts in the record', () => {
    const values = ['text', 3, true, null, { deep: [1] }, Math.sqrt];
    const texts = createBenchmarks('x', () => undefined, { params: { value: values } }).map(
      ({ paramTexts }) => paramTexts['value'],
    );
    expect(texts).toEqual(['text', '3', 'true', 'null', '{"deep":[1]}', 'sqrt']);
  });
});

describe('what bench takes', () => {
  function create(options: object) {
    return () => createBenchmarks('x', () => undefined, options);
  }

  it('is checked, and said by name', () => {
    expect(create({ iteration: 3 })).toThrow("there is no option 'iteration'");
    expect(create({ invocations: 0 })).toThrow('invocations is 0; expected a whole number from 1');
    expect(create({ iterations: 1.5 })).toThrow('iterations is 1.5');
    expect(create({ warmup: -1 })).toThrow('warmup is -1; expected a whole number from 0');
    expect(create({ iterationTime: 0 })).toThrow('iterationTime is 0; expected milliseconds above 0');
    expect(() => createBenchmarks('', () => undefined, {})).toThrow('needs a name');
    expect(() => createBenchmarks('x', 3 as unknown as () => void, {})).toThrow('the function to measure');
  });
});

describe('the time of a benchmark of vitest', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['3', '40', 5],
    ['3', '', 200 / 3],
    ['20', '', 10],
  ])('is divided among the iterations of a run: %s, later %s', async (iterations, later, iterationTime) => {
    vi.stubEnv('DEADHEAT_ITERATIONS', iterations);
    vi.stubEnv('DEADHEAT_LATER_ITERATIONS', later);
    vi.resetModules();
    const { harnessOptions } = await import('../src/vitest/tinybench.ts');
    expect(harnessOptions({}, null)).toEqual({ iterationTime, leastInvocations: expect.any(Number) });
  });
});

describe('a loop', () => {
  it('makes exactly so many invocations, also where they do not fill its blocks', () => {
    for (const invocations of [1, 2, 3, 4, 5, 7, 8, 1001]) {
      const seen: unknown[][] = [];
      const times = new BigUint64Array(2);
      compileLoop('state, params, at')(times, invocations, (...args: unknown[]) => seen.push(args), 'state', 'params');
      expect(seen).toEqual(Array.from({ length: invocations }, (_, at) => ['state', 'params', at]));
      expect(times[0]).toBeGreaterThan(0n);
      expect(times[1]).toBeGreaterThanOrEqual(times[0]!);
    }
  });

  it('awaits each promise before the next call', async () => {
    let open = 0;
    let most = 0;

    async function fn(): Promise<void> {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open -= 1;
    }

    await compileAsyncLoop('')(new BigUint64Array(2), 9, fn, undefined, undefined);
    expect(most).toBe(1);
  });

  it('is another one for every benchmark', () => {
    expect(compileLoop('').toString()).not.toBe(compileLoop('').toString());
  });
});

describe('the worker of a function', () => {
  function work(invocations: number) {
    return { invocations, state: 1, params: 2, times: new BigUint64Array(2) };
  }

  it('finds out at the first call whether there are promises', async () => {
    const synchronous = functionWorker(() => 3);
    expect(synchronous(work(1))).toBeUndefined();
    expect(synchronous(work(5))).toBeUndefined();
    const asynchronous = functionWorker(() => Promise.resolve(3));
    expect(await asynchronous(work(1))).toBe(3);
    expect(asynchronous(work(5))).toBeInstanceOf(Promise);
  });

  it('must not give promises where all is synchronous', () => {
    function* steps() {
      yield work(1);
    }

    expect(() =>
      driveSync(
        steps(),
        functionWorker(() => Promise.resolve(3)),
      ),
    ).toThrow('must be synchronous');
  });
});

describe('the environment', () => {
  it('takes empty variables as absent', () => {
    expect(
      readEnvironment({
        DEADHEAT_SIDE: '',
        DEADHEAT_PAGE: '',
        DEADHEAT_FILL: '',
        DEADHEAT_WAIT: '',
        DEADHEAT_TRADE: '',
      }),
    ).toEqual({
      side: null,
      page: null,
      record: null,
      iterations: null,
      warmup: null,
      fill: false,
      wait: null,
      calibration: null,
      trade: null,
    });
  });

  it('reads what the runner says', () => {
    const { trade, fill, wait, iterations } = readEnvironment({
      DEADHEAT_SIDE: 'B',
      DEADHEAT_PAGE: '/page',
      DEADHEAT_FILL: '1',
      DEADHEAT_WAIT: 'spin',
      DEADHEAT_ITERATIONS: '12',
      DEADHEAT_TRADE: '10:0,3',
    });
    expect(trade).toEqual({ period: 10, cpus: [0, 3] });
    expect({ fill, wait, iterations }).toEqual({ fill: true, wait: 'spin', iterations: 12 });
  });

  it('names the variable that makes no sense', () => {
    function read(variables: Record<string, string>) {
      return () => readEnvironment(variables);
    }

    expect(read({ DEADHEAT_SIDE: 'C' })).toThrow("DEADHEAT_SIDE is 'C'; A or B expected");
    expect(read({ DEADHEAT_PAGE: '/page' })).toThrow("DEADHEAT_SIDE is ''");
    expect(read({ DEADHEAT_ITERATIONS: '0' })).toThrow("DEADHEAT_ITERATIONS is '0'; a whole number from 1");
    expect(read({ DEADHEAT_WARMUP: '1e3' })).toThrow('DEADHEAT_WARMUP');
    expect(read({ DEADHEAT_FILL: '1' })).toThrow('a page (DEADHEAT_PAGE) beside it');
    const shared = { DEADHEAT_SIDE: 'A', DEADHEAT_PAGE: '/page', DEADHEAT_WAIT: 'yield', DEADHEAT_FILL: '1' };
    expect(read(shared)).toThrow("DEADHEAT_FILL is '1'; a core for each side");
    expect(read({ DEADHEAT_WAIT: 'sleep' })).toThrow("DEADHEAT_WAIT is 'sleep'; spin or yield expected");
    for (const trade of ['10', '0:0,1', '10:0', '10:0,1,2']) {
      expect(read({ DEADHEAT_TRADE: trade })).toThrow('PERIOD:X,Y such as 10:0,1');
    }
  });
});

describe('the record', () => {
  it('has exactly these lines, and the reader takes them', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'record.jsonl');
      const [sort] = createBenchmarks('sort "quick"', () => undefined, { params: { length: [20_000] } });
      const writer = new RecordWriter(path);
      writer.begin(sort!);
      // More digits than a float64 has: the text is exact.
      const times = new BigUint64Array([9_007_199_254_740_993n, 9_007_199_254_740_995n]);
      writer.append({ index: 0, times, invocations: 1000, warmup: true, processNs: 12, threadNs: 7, delayNs: 3 });
      times.set([9_007_199_254_740_996n, 9_007_199_254_740_999n]);
      writer.append({
        index: 1,
        times,
        invocations: 1000,
        warmup: false,
        processNs: 15,
        threadNs: null,
        delayNs: null,
      });
      expect(readFileSync(path, 'utf8')).toBe(
        '{"deadheat":1,"benchmark":"sort \\"quick\\"","params":{"length":"20000"}}\n' +
          '{"i":0,"s":9007199254740993,"e":9007199254740995,"n":1000,"p":"warmup","c":12,"t":7,"q":3}\n' +
          '{"i":1,"s":9007199254740996,"e":9007199254740999,"n":1000,"c":15}\n',
      );
      const { benchmarks, tornBytes } = await readWorkloadRecord(path);
      expect(tornBytes).toBe(0);
      expect(benchmarks.map(({ benchmark, params }) => [benchmark, params])).toEqual([
        ['sort "quick"', { length: '20000' }],
      ]);
      expect(benchmarks[0]?.iterations.at(0)).toMatchObject({ i: 0, n: 1000, p: 'warmup', c: 12, t: 7 });
      expect(benchmarks[0]?.iterations.length).toBe(2);
    });
  });

  it('that cannot be opened is named', () => {
    expect(() => new RecordWriter('/nonexistent/record')).toThrow(
      /^cannot open the record \/nonexistent\/record: ENOENT/,
    );
  });
});

describe('the table', () => {
  it('has quantiles of t that agree with published tables', () => {
    // To the three decimals of any table; the expansion is a little low at 3 degrees of freedom.
    const published = { 1: 12.706, 2: 4.303, 4: 2.776, 5: 2.571, 9: 2.262, 19: 2.093, 120: 1.98 };
    for (const [degrees, value] of Object.entries(published)) {
      expect(Math.abs(tQuantile975(Number(degrees)) / value - 1)).toBeLessThan(5e-4);
    }
    expect(Math.abs(tQuantile975(3) / 3.182 - 1)).toBeLessThan(1.3e-3);
  });

  it('sums up: median, mean, t interval, coefficient of variation', () => {
    // Mean 4, deviation sqrt(10 / 3), t(3 degrees) = 3.18: half a width of 2.90.
    const { median, mean, interval, variation } = summarize([6, 2, 5, 3]);
    expect([median, mean]).toEqual([4, 4]);
    expect(interval?.low).toBeCloseTo(4 - 2.905, 1);
    expect(interval?.high).toBeCloseTo(4 + 2.905, 1);
    expect(variation).toBeCloseTo(Math.sqrt(10 / 3) / 4, 12);
    expect(summarize([7])).toEqual({ median: 7, mean: 7, interval: null, variation: null });
    expect(summarize([0, 0]).variation).toBeNull();
  });

  it('writes times in the unit that fits', () => {
    expect([0.0314, 1, 12.345, 999.96, 1234, 5_678_000, 2.5e9, 4e12].map((ns) => formatTime(ns))).toEqual([
      '0.031 ns',
      '1.000 ns',
      '12.35 ns',
      '1000.0 ns',
      '1.234 µs',
      '5.678 ms',
      '2.500 s',
      '4000 s',
    ]);
  });
});
