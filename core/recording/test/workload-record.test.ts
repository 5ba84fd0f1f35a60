import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iterationSchema } from '@deadheat/model';
import { readWorkloadRecord, type WorkloadRecord } from '../src/workload-record/read-workload-record.ts';
import { isIteration } from '../src/workload-record/record-parser.ts';

const header = '{"deadheat":1,"benchmark":"sort","params":{"length":"1000"}}\n';
const first = '{"i":0,"s":100,"e":200,"n":10}\n';

let directory: string;
let file: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'workload-record-test-'));
  file = join(directory, 'record.jsonl');
});
afterAll(() => rmSync(directory, { recursive: true }));

const read = (content: string): Promise<WorkloadRecord> => {
  writeFileSync(file, content);
  return readWorkloadRecord(file);
};
const rows = ({ benchmarks }: WorkloadRecord): unknown[][] =>
  benchmarks.map(({ iterations }) => Array.from({ length: iterations.length }, (_, row) => iterations.at(row)));

describe('the record of a workload', () => {
  it('holds benchmarks with their parameters and iterations', async () => {
    const record = await read(
      header +
        '{"i":0,"s":100,"e":200,"n":10,"p":"warmup"}\n' +
        '{"i":1,"s":200,"e":350,"n":10,"c":140,"v":2,"q":3,"p":"measure"}\n' +
        '{"deadheat":1,"benchmark":"parse","params":{"size":3,"deep":true},"runtime":{"gc":"off"}}\n' +
        '{"i":0,"s":400,"e":450}\n',
    );
    expect(record.tornBytes).toBe(0);
    expect(record.benchmarks.map(({ benchmark, params, further }) => ({ benchmark, params, further }))).toEqual([
      { benchmark: 'sort', params: { length: '1000' }, further: {} },
      { benchmark: 'parse', params: { size: '3', deep: 'true' }, further: { runtime: { gc: 'off' } } },
    ]);
    expect(rows(record)).toEqual([
      [
        { i: 0, s: 100, e: 200, n: 10, p: 'warmup' },
        { i: 1, s: 200, e: 350, n: 10, c: 140, v: 2, q: 3, p: 'measure' },
      ],
      [{ i: 0, s: 400, e: 450 }],
    ]);
    const [sort] = record.benchmarks;
    expect([...sort!.iterations.startsNs]).toEqual([100, 200]);
    expect([...sort!.iterations.endsNs]).toEqual([200, 350]);
    expect([...(sort!.iterations.metric('c') ?? [])]).toEqual([Number.NaN, 140]);
    expect(sort!.iterations.metric('absent')).toBeNull();
    expect(sort!.iterations.isWarmup(0)).toBe(true);
    expect(sort!.iterations.isWarmup(1)).toBe(false);
    expect(() => sort!.iterations.at(2)).toThrow(RangeError);
  });

  it('keeps unknown keys, numbers as columns', async () => {
    const lines = ['{"i":0,"s":1,"e":2,"misses":7,"note":"cold"}', '{"i":3,"s":2.0,"e":3, "heap":{"used":1}}'];
    const record = await read(`${header}${lines.join('\r\n')}\n`);
    expect(rows(record)).toEqual([lines.map((line): unknown => JSON.parse(line))]);
    expect([...(record.benchmarks[0]!.iterations.metric('misses') ?? [])]).toEqual([7, Number.NaN]);
  });

  it('tells of the times of single invocations where it has them', async () => {
    const record = await read(`${header}{"i":0,"s":1,"e":9,"n":2,"d":[3,4.5]}\n{"i":1,"s":9,"e":19,"n":2}\n`);
    const { iterations } = record.benchmarks[0]!;
    expect([0, 1].map((row) => iterations.invocationTimes(row))).toEqual([[3, 4.5], null]);
  });

  it('tells the same of long ones after many others were gone through', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => ({
      i: 2 * i,
      s: 5e15 + 3e6 * i,
      e: 5e15 + 3e6 * i + 1e6 + (i % 97),
      n: 1,
      ...(i < 5 ? { p: 'warmup' } : {}),
      ...(i % 3 === 0 ? { c: 1e6 + 0.5 } : {}),
    }));
    const text = header + lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const records: WorkloadRecord[] = [];
    for (let k = 0; k < 20; k++) records.push(await read(text));
    const seen = ({ benchmarks: [benchmark] }: WorkloadRecord): unknown[] => {
      const { iterations } = benchmark!;
      const last = iterations.length - 1;
      return [
        iterations.at(last),
        iterations.rowOf(2 * last),
        iterations.rowOf(3),
        iterations.startsNs[7],
        iterations.endsNs.at(-1),
        [...iterations.metric('c')!.subarray(0, 4)],
        iterations.metric('q'),
        iterations.metrics,
        [4, 5].map((row) => iterations.isWarmup(row)),
      ];
    };
    const expected = [
      lines.at(-1),
      19_999,
      -1,
      lines[7]!.s,
      lines.at(-1)!.e,
      [1e6 + 0.5, Number.NaN, Number.NaN, 1e6 + 0.5],
      null,
      ['n', 'c'],
      [true, false],
    ];
    for (let round = 0; round < 2; round++) expect(records.map(seen)).toEqual(records.map(() => expected));
    expect(rows(records[0]!)).toEqual([lines]);
  });

  it('is read the same however it is written and wherever a block of the file ends', async () => {
    const wide = Array.from({ length: 30_000 }, (_, i) => ({
      i,
      s: i * 1e6 + 1,
      e: i * 1e6 + 9e5,
      n: 1 + (i % 3),
      c: i,
    }));
    // the last two keys change places every few lines, as they may
    for (const [i, line] of wide.entries()) Object.assign(line, i % 7 < 3 ? { misses: i, m: 1 } : { m: 2, hits: 3 });
    const compact = wide.map((line) => `${JSON.stringify(line)}\n`).join('');
    const spaced = wide.map((line) => `${JSON.stringify(line).replaceAll(',', ', ')}\n`).join('');
    expect(rows(await read(header + compact))).toEqual([wide]);
    expect(rows(await read(header + spaced))).toEqual([wide]);
  });

  it('may hold one line of nearly 10 MB', async () => {
    const note = 'x'.repeat(9_900_000);
    const record = await read(`${header}{"i":0,"s":1,"e":2,"note":"${note}"}\n`);
    expect(record.benchmarks[0]!.iterations.at(0)['note']).toBe(note);
  });

  it('lacks a last line that was cut anywhere, and nothing else', async () => {
    const last = '{"i":1,"s":200,"e":300,"p":"warmup","note":"a\\"\\u00e9","ok":[true,null,-1.5e3]}';
    for (let cut = 1; cut < last.length; cut++) {
      const record = await read(header + first + last.slice(0, cut));
      expect([rows(record)[0]!.length, record.tornBytes]).toEqual([1, cut]);
    }
    const whole = await read(header + first + last);
    expect([rows(whole)[0]!.length, whole.tornBytes]).toEqual([2, 0]);
  });

  it('lacks a last line of zeros that a power failure left', async () => {
    const record = await read(`${header}${first}{"i":1,\0\0\0\0\n`);
    expect([rows(record)[0]!.length, record.tornBytes]).toEqual([1, 12]);
    await expect(read(`${header}{"i":1,\0\0\0\0\n${first}`)).rejects.toMatchObject({ code: 'MALFORMED', line: 2 });
  });

  it('takes times beyond 2^53 to the nearest number', async () => {
    const record = await read(`${header}{"i":0,"s":9007199254740993,"e":90071992547409931}\n`);
    expect([...record.benchmarks[0]!.iterations.startsNs]).toEqual([9_007_199_254_740_992]);
  });
});

describe('a record that is not as the protocol says', () => {
  for (const [what, content, line, column, message] of [
    ['is empty', '', 1, 1, /expected a first line such as/],
    ['holds only a cut line', '{"deadheat":1,"bench', 1, 1, /expected a first line such as/],
    ['has no first line', first, 1, 1, /expected a first line such as/],
    ['holds garbage', `${header}${first}hello world\n`, 3, 1, /not JSON.*one JSON line an iteration/],
    ['ends in garbage without a line feed', `${header}${first}hello`, 3, 1, /not JSON/],
    ['holds an empty line', `${header}\n${first}`, 2, 1, /ends too early/],
    ['holds NaN', `${header}{"i":0,"s":NaN,"e":2}\n`, 2, 12, /not JSON/],
    ['ends in NaN without a line feed', `${header}{"i":0,"s":NaN`, 2, 12, /not JSON/],
    ['holds a line cut in its middle', `${header}{"i":0,"s":1\n${first}`, 2, 13, /ends too early/],
    ['holds a time too large', `${header}{"i":0,"s":1e999,"e":2}\n`, 2, 12, /at s/],
    ['holds a fraction', `${header}{"i":0,"s":1.5,"e":2}\n`, 2, 12, /whole nanoseconds expected at s/],
    ['holds a negative index', `${header}{"i":-1,"s":1,"e":2}\n`, 2, 6, />=0 at i/],
    ['holds a leading zero', `${header}{"i":0,"s":01,"e":2}\n`, 2, 12, /not JSON/],
    ['holds text for a time', `${header}{"i":0,"s":"1","e":2}\n`, 2, 12, /expected number.* at s/],
    ['lacks an end', `${header}{"i":0,"s":1}\n`, 2, 1, /expected number.* at e/],
    ['holds no invocations', `${header}{"i":0,"s":1,"e":2,"n":0}\n`, 2, 24, />0 at n/],
    ['holds another phase', `${header}{"i":0,"s":1,"e":2,"p":"cold"}\n`, 2, 24, /warmup.* at p/],
    ['holds one time of all invocations', `${header}{"i":0,"s":1,"e":2,"d":7}\n`, 2, 24, /expected array.* at d/],
    ['holds no times of invocations', `${header}{"i":0,"s":1,"e":2,"d":[]}\n`, 2, 24, />=1.* at d/],
    ['holds an array', `${header}[0,1,2]\n`, 2, 1, /expected object/],
    [
      'ends an iteration before its start',
      `${header}{"i":0,"s":5,"e":4}\n`,
      2,
      18,
      /at 5 or later, its start, found 4/,
    ],
    ['starts before the end before', `${header}${first}{"i":1,"s":199,"e":300}\n`, 3, 12, /at 200 or later.*found 199/],
    ['repeats an index', `${header}${first}{"i":0,"s":200,"e":300}\n`, 3, 6, /iteration 0 is there twice/],
    [
      'goes back in its indices',
      `${header}{"i":4,"s":1,"e":2}\n{"i":3,"s":2,"e":3}\n`,
      3,
      6,
      /iteration 3 comes after 4; expected indices that grow/,
    ],
    ['repeats a benchmark', `${header}${first}${header}`, 3, 27, /'sort' with these parameters has begun before/],
    [
      'runs back in the next benchmark',
      `${header}${first}{"deadheat":1,"benchmark":"b"}\n${first}`,
      4,
      12,
      /backwards/,
    ],
    [
      'mixes a first line and an iteration',
      `${header}{"deadheat":1,"i":0,"s":1,"e":2}\n`,
      2,
      1,
      /name of the benchmark/,
    ],
    ['lacks a name', '{"deadheat":1}\n', 1, 1, /expected the name of the benchmark/],
    ['holds a list of parameters', '{"deadheat":1,"benchmark":"b","params":[]}\n', 1, 40, /object of parameters/],
    [
      'holds an object for one',
      '{"deadheat":1,"benchmark":"b","params":{"a":{}}}\n',
      1,
      45,
      /expected a text, a number/,
    ],
    ['has no version', '{"deadheat":"x","benchmark":"b"}\n', 1, 13, /version of the record, 1/],
  ] as const) {
    it(`is refused with file, line and column when it ${what}`, async () => {
      const error: unknown = await read(content).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'RecordError', code: 'MALFORMED', path: file, line, column });
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).toContain(`${file}:${line}:${column}: `);
    });
  }

  it('is refused when a line is above 10 MB, without being held', async () => {
    for (const end of ['\n', '']) {
      const content = `${header}${first}${'x'.repeat(10_000_001)}${end}`;
      await expect(read(content)).rejects.toMatchObject({ code: 'MALFORMED', line: 3, column: 1 });
    }
  });

  it('is refused when it is deeply nested or one huge wrong line', async () => {
    for (const line of ['['.repeat(1_000_000), `{"a":"${'x'.repeat(9_000_000)}`, `{"i":${'{"a":'.repeat(10_000)}`]) {
      await expect(read(`${header}${line}\n`)).rejects.toMatchObject({ code: 'MALFORMED', line: 2 });
    }
  });

  it('is refused when it is of a later version, with both numbers', async () => {
    await expect(read('{"deadheat":2,"benchmark":"b"}\n')).rejects.toMatchObject({
      code: 'NEWER_VERSION',
      versions: { found: 2, supported: 1 },
    });
  });

  it('is named when it is not there', async () => {
    const absent = join(directory, 'absent.jsonl');
    await expect(readWorkloadRecord(absent)).rejects.toMatchObject({ code: 'NOT_FOUND', path: absent });
    await expect(readWorkloadRecord(directory)).rejects.toMatchObject({ code: 'IO', path: directory });
  });
});

describe('the check of an iteration by hand', () => {
  it('says what the schema of the model says, for any values of the keys', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        0,
        1,
        -1,
        1.5,
        2 ** 53,
        2 ** 60,
        'warmup',
        'measure',
        '1',
        null,
        true,
        Number.NaN,
        Infinity,
      ),
      fc.nat(),
    );
    const optional = fc.option(value, { nil: undefined });
    const likely = fc.oneof({ weight: 5, arbitrary: fc.nat() }, { weight: 1, arbitrary: value });
    fc.assert(
      fc.property(
        fc.record({ i: likely, s: likely, e: likely }),
        fc.record({
          n: optional,
          p: optional,
          c: optional,
          q: optional,
          v: optional,
          d: fc.option(fc.oneof(value, fc.array(value)), { nil: undefined }),
        }),
        (needed, further) => {
          const iteration = { ...needed, ...further };
          expect(isIteration(iteration)).toBe(iterationSchema.safeParse(iteration).success);
        },
      ),
      { seed: 20_261_121, numRuns: 3000 },
    );
  });
});
