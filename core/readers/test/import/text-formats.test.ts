import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { readGoLine } from '../../src/grammar/lines.ts';
import type { ColumnMap } from '../../src/import/adapter.ts';
import { bytesSource, readLines } from '../../src/import/import-source.ts';
import { importFile } from '../../src/import/import-file.ts';
import { readJson } from '../../src/import/json/read-json.ts';
import { readCsv } from '../../src/import/text/read-csv.ts';

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const json = async (text: string | Buffer): Promise<unknown> =>
  (await readJson(bytesSource(Buffer.from(text), 'x.json'), { advice: 'Do.' })).value;

describe('the table of JMH', () => {
  const header = ['Benchmark', 'Mode', 'Threads', 'Samples', 'Score', 'Score Error (99.9%)', 'Unit'];
  const row = (decimal: string): readonly string[] => [
    'a',
    'avgt',
    '1',
    '12',
    `97${decimal}47`,
    `4${decimal}1`,
    'us/op',
  ];
  const read = async (separator: string, decimal: string): ReturnType<typeof importFile> => {
    const lines = [header, row(decimal)].map((fields) => fields.map((field) => `"${field}"`).join(separator));
    return importFile(bytesSource(Buffer.from(`${lines.join('\n')}\n`), 'x.csv'));
  };

  it('is the same where the locale writes numbers with a comma', async () => {
    const expected = await read(',', '.');
    expect(expected.benchmarks[0]?.summary?.meanNs).toBeCloseTo(97_470, 6);
    expect(await read(',', ',')).toEqual(expected);
    expect(await read(';', ',')).toEqual(expected);
  });
});

describe('a JSON file', () => {
  it('is what JSON.parse makes of it, also behind a byte order mark', async () => {
    const text = '{"a": [1, 2.5e3, -0.1, "\\u00e9é\\n", null, true], "a b": {}, "last": {"a": 1, "a": 2}}';
    expect(await json(text)).toEqual(JSON.parse(text));
    expect(await json(`\uFEFF${text}`)).toEqual(JSON.parse(text));
    expect(await json(`${text}\r\n\t `)).toEqual(JSON.parse(text));
  });

  it('holds numbers that are not finite where NaN or Infinity stand outside of texts', async () => {
    const found = await json('{"NaN": [NaN, -Infinity, Infinity, 1], "text": "a \\" NaN, -Infinity"}');
    expect(found).toEqual({ NaN: [Infinity, -Infinity, Infinity, 1], text: 'a " NaN, -Infinity' });
    // C++ streams, and so nanobench's templates
    expect(await json('{"inf": [-nan, nan, inf, -inf, 2]}')).toEqual({
      inf: [-Infinity, Infinity, Infinity, -Infinity, 2],
    });
    await expect(json('[inf, -nan, infinite]')).rejects.toMatchObject({ line: 1, column: 13 });
  });

  it('of very deep lists, very long numbers and keys of prototypes is read', async () => {
    const depth = 100_000;
    let value = await json(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    for (let k = 1; k < depth; k++) [value] = value as unknown[];
    expect(value).toEqual([]);
    expect(await json(`[${'9'.repeat(400)}, 1${'0'.repeat(30)}.5, 1e-999]`)).toEqual([Infinity, 1e30, 0]);
    const own = (await json('{"__proto__": {"polluted": 1}, "constructor": 2}')) as Record<string, unknown>;
    expect([Object.keys(own), Object.hasOwn({}, 'polluted')]).toEqual([['__proto__', 'constructor'], false]);
    const root = await readJson(bytesSource(Buffer.from('{"a": {}}'), 'x'), { advice: '' });
    expect(root.get('constructor').isNothing).toBe(true);
    expect(root.maybe('a', 'toString')).toBeNull();
  });

  it('with parameters too deep for a text is refused with their place', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = `{"results": [{"command": "a", "parameters": {"x": ${deep}}, "times": [1]}]}`;
    const reading = importFile(bytesSource(Buffer.from(text), 'x'), { format: 'hyperfine' });
    await expect(reading).rejects.toMatchObject({ jsonPath: '$.results[0].parameters.x' });
  });

  it('holds the replacement character where it is not UTF-8', async () => {
    expect(await json(Buffer.from([0x22, 0x61, 0xff, 0x22]))).toBe('a\uFFFD');
  });

  it.each([
    ['', 1, 1, 'the JSON ends too early'],
    ['{"a": [1,\n 2', 2, 3, 'the JSON ends too early'],
    ['{"a": 1,\n "b" 2}', 2, 6, "expected ':' after a key, found '2'"],
    ['{"a": 1,\n}', 2, 1, "expected a key in double quotes, found '}'"],
    ['[1\n,2,]', 2, 4, "expected a value, found ']'"],
    ['[1 2]', 1, 4, "expected ',' or ']', found '2'"],
    ['{"a": 1]', 1, 8, "expected ',' or '}', found ']'"],
    ['{"é": tru}', 1, 7, "expected a value, found 't'"],
    ['[1]\n]', 2, 1, "expected the end of the JSON, found ']'"],
    ['["a', 1, 2, 'a text in quotes that does not end'],
    ['["a\n"]', 1, 2, 'holds a line break'],
    ['["\\x"]', 1, 2, 'an unknown escape'],
    ['[1, \u0001]', 1, 5, 'expected a value, found character 1'],
    ['{"results": [', 1, 14, 'the JSON ends too early'],
    [`${'['.repeat(100_000)}}`, 1, 100_001, "expected a value, found '}'"],
  ])('that is none is refused with its place: %.40o', async (text, line, column, what) => {
    await expect(json(text)).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      line,
      column,
      message: expect.stringMatching(/^x\.json:\d+:\d+: .* Do\.$/s),
    });
    await expect(json(text)).rejects.toThrow(what);
  });

  it.each(['01', '1.', '.5', '-', '1e', '1x', '0x1', '1.5.5', '--1', '1e+', '+1'])(
    'with %s as a number is refused',
    async (text) => {
      await expect(json(`[${text}]`)).rejects.toMatchObject({ code: 'MALFORMED_FILE', line: 1, column: 2 });
    },
  );
});

describe('a file of hyperfine', () => {
  it.each([
    ['-1', 'expected a number of at least 0, found -1'],
    ['"x"', 'expected a number of at least 0, found "x"'],
    ['[1]', 'expected a number of at least 0, found an array'],
    ['{"a":[1]}', 'expected a number of at least 0, found an object'],
    ['1e300', 'expected a number of at most 10000000000000000000, found 1e+300'],
  ])('with %s as a time is refused with its place', async (bad, found) => {
    const text = `{"results":[{"command":"count","mean":2,"times":[1,${bad},"y",2]}]}`;
    await expect(importFile(bytesSource(Buffer.from(text), 'bad.json'), { format: 'hyperfine' })).rejects.toMatchObject(
      {
        code: 'MALFORMED_FILE',
        jsonPath: '$.results[0].times[1]',
        message: expect.stringContaining(found),
      },
    );
  });
});

describe('executions that failed in a file of hyperfine', () => {
  const read = async (exits: string): Promise<readonly string[]> => {
    const text = `{"results":[{"command":"count","mean":2,"times":[1,3],"exit_codes":${exits}}]}`;
    const { limits } = await importFile(bytesSource(Buffer.from(text), 'x.json'), { format: 'hyperfine' });
    return limits.filter(({ code }) => code === 'NONZERO_EXIT').map(({ message }) => message);
  };

  it('are told by their number', async () => {
    expect(await read('[0,3]')).toEqual([
      expect.stringMatching(/^1 of 2 executions of count ended with another status/),
    ]);
    expect(await read('[null,1]')).toEqual([expect.stringMatching(/^2 of 2 /)]);
    expect(await read('[0,0]')).toEqual([]);
    expect(await read('[]')).toEqual([]);
  });

  it('have to be numbers', async () => {
    await expect(read('[0,"x"]')).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      jsonPath: '$.results[0].exit_codes[1]',
    });
  });
});

describe('a table', () => {
  const names = ['a', 'b', 'c'];
  async function rowsOf(text: string, separator = [',']): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    const table = { separator, advice: 'Do.', required: names };
    await readCsv(bytesSource(Buffer.from(text), 'x'), table, (row) => {
      rows.push([row.line, ...names.map((name) => row.text(name))]);
    });
    return rows;
  }

  it.each([',', ';', '\t'])(
    'separated by %o gives back the fields that were written, with their lines',
    async (separator) => {
      const random = createRandom(`rows of a table ${separator}`);
      const fields: readonly string[] = [
        '',
        '1',
        '12.5',
        'x',
        'é',
        'q"q',
        `a${separator}b`,
        'two\nlines',
        '""',
        'NaN',
        '007',
      ];
      for (let round = 0; round < 200; round++) {
        const end = pick(random, ['\n', '\r\n']);
        const expected: unknown[][] = [];
        let text = `${pick(random, ['', '\uFEFF'])}${names.join(separator)}${end}`;
        for (let [k, line] = [random.int(6), 2]; k > 0; k--) {
          if (random.int(5) === 0) {
            text += end;
            line += 1;
          }
          const row = names.map((): string => pick(random, fields));
          if (row.join('') === '') row[0] = 'x';
          expected.push([line, ...row]);
          const written = row.map((field) =>
            /["\n]/.test(field) || field.includes(separator) || random.int(3) === 0
              ? `"${field.replaceAll('"', '""')}"`
              : field,
          );
          text += written.join(separator) + end;
          line += 1 + row.filter((field) => field.includes('\n')).length;
        }
        expect(await rowsOf(text, [separator]), text).toEqual(expected);
      }
    },
  );

  it('may have fewer fields in a row, blanks around them, and no end in its last line', async () => {
    expect(await rowsOf('a,b,c\n1, 2 \n\n  \n\u00a0y,é,')).toEqual([
      [2, '1', '2', ''],
      [5, 'y', 'é', ''],
    ]);
  });

  it('has amounts, which are those of its texts', async () => {
    const rows: (number | null)[][] = [];
    const table = { separator: [','], advice: '', required: names };
    await readCsv(bytesSource(Buffer.from('a,b,c\n1,2.5, 3 \n1e3,"4",NA\n.5,007,\n'), 'x'), table, (row) => {
      rows.push(names.map((name) => row.amountOrNull(name)));
    });
    expect(rows).toEqual([
      [1, 2.5, 3],
      [1000, 4, null],
      [0.5, 7, null],
    ]);
  });

  it.each([
    ['1,x,2', "column b: expected a number of at least 0, found 'x'", 3, 3],
    ['1,"x",2', "column b: expected a number of at least 0, found 'x'", 3, 3],
    ['1,2,1e999', 'column c: expected a number of at least 0', 3, 5],
    ['1,2,3,4', '4 fields in a table of 3 columns', 3, 1],
    ['1,"two\nlines",3\n1,"2\n,3\n', 'a quote that is not closed', 5, 1],
  ])('that cannot be read is refused with the place: %s', async (line, message, number, column) => {
    const table = { separator: [','], advice: '', required: names };
    const reading = readCsv(bytesSource(Buffer.from(`a,b,c\n1,2,3\n${line}\n`), 'x'), table, (row) => {
      for (const name of names) if (!row.text(name).includes('lines')) row.amountOrNull(name);
    });
    await expect(reading).rejects.toMatchObject({ line: number, column, message: expect.stringContaining(message) });
    await expect(rowsOf('a,b\n1,2')).rejects.toThrow('x:1:1: the first row lacks the column c');
  });
});

describe('the lines of a file', () => {
  it('are without their ends and without a byte order mark', async () => {
    const lines = await readLines(bytesSource(Buffer.from('\uFEFFé\r\n\n\rb\r\r\nlast'), 'x'));
    expect(Array.from(lines, ({ number, text }) => [number, text])).toEqual([
      [1, 'é'],
      [2, ''],
      [3, '\rb\r'],
      [4, 'last'],
    ]);
    expect([...(await readLines(bytesSource(Buffer.alloc(0), 'x')))]).toEqual([]);
  });

  it('above 16 MiB are refused with their number', async () => {
    const text = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(17 * 2 ** 20, 'b')]);
    const lines = await readLines(bytesSource(text, 'x'));
    expect(() => [...lines]).toThrow('x:2:1: a line of more than 16 MiB');
  });
});

describe('a line of go test -bench', () => {
  it('is read as Go writes it', () => {
    expect(readGoLine('BenchmarkSort/size=4-2   \t   10000\t    1042.5 ns/op\t  16 B/op\t   2 allocs/op')).toEqual({
      benchmark: 'Sort/size=4-2',
      invocations: 10_000,
      opNs: 1042.5,
      metrics: { 'B/op': 16, 'allocs/op': 2 },
    });
  });
});

describe('lines of JSON', () => {
  const columns: ColumnMap = { time: 'ms', benchmark: '__proto__' };
  const read = (text: string): ReturnType<typeof importFile> =>
    importFile(bytesSource(Buffer.from(text), 'x'), { columns, unit: 'ms' });

  it('are what JSON.parse makes of them, keys of prototypes too', async () => {
    const { benchmarks } = await read(
      '{"ms": 1, "__proto__": "a"}\r\n\n {"m\\u0073": 2e0, "ms": 3, "__proto__": "a"}\n{"ms": 4}\n{"ms": 5, "o": {"ms": 6}}',
    );
    expect(benchmarks.map(({ name, runs }) => [name, [...(runs[0]?.iterations.durationsNs ?? [])]])).toEqual([
      ['a', [1e6, 3e6]],
      ['benchmark', [4e6, 5e6]],
    ]);
  });

  it.each([
    ['{"ms": 1}\n{"ms": 01}', 2, 'expected a JSON object in this line'],
    ['{"ms": 1}\n[1]', 2, 'expected a JSON object in this line'],
    ['{"ms": 1}{"ms": 1}', 1, 'expected a JSON object in this line'],
    ['{"ms": NaN}', 1, 'expected a JSON object in this line'],
    ['{"ms": -1}', 1, 'key ms: expected a number of at least 0, found -1'],
    ['{"ms": "1"}', 1, 'key ms: expected a number of at least 0, found "1"'],
    ['{"a": 1}', 1, 'key ms: expected a time of at least 0'],
  ])('that are none are refused with their number: %s', async (text, line, message) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'MALFORMED_FILE', line });
    await expect(read(text)).rejects.toThrow(message);
  });
});
