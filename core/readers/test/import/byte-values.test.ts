import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { readGoLine } from '../../src/grammar/lines.ts';
import { GoBytes } from '../../src/import/adapters/go-bench.ts';
import { bytesSource } from '../../src/import/import-source.ts';
import { readJson } from '../../src/import/json/json-tree.ts';
import { ByteTexts, DecimalReader } from '../../src/import/text/byte-values.ts';
import { JsonLine } from '../../src/import/text/json-line.ts';
import { readCsvBatches, splitCsv } from '../../src/import/text/read-csv.ts';

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Texts of up to 30 numbers of all sizes, as tools write them. */
function digitsOf(random: Random): string {
  const whole = Array.from({ length: 1 + random.int(19) }, () => random.int(10)).join('');
  const part = Array.from({ length: random.int(26) }, () => random.int(10)).join('');
  return part === '' ? whole : `${whole}.${part}`;
}

describe('a decimal number', () => {
  it('is the one that Number makes of it, or is left to Number', () => {
    const random = createRandom('decimal numbers');
    const decimal = new DecimalReader();
    let read = 0;
    for (let round = 0; round < 4000; round++) {
      const text = digitsOf(random);
      const bytes = Buffer.from(`x${text},`);
      const value = decimal.read(bytes, 1);
      expect([decimal.end, decimal.hasPoint]).toEqual([1 + text.length, text.includes('.')]);
      if (Number.isNaN(value)) continue;
      read += 1;
      expect(value, text).toBe(Number(text));
    }
    expect(read).toBeGreaterThan(600);
  });

  it.each(['', 'x', '.5', '5.', '.', '-1', '+1', '9007199254740993', '0.00000000000000000000001'])(
    'is not told from %o',
    (text) => {
      expect(new DecimalReader().read(Buffer.from(text), 0)).toBeNaN();
    },
  );

  it('of JSON is the one that JSON.parse makes of it', async () => {
    const random = createRandom('numbers of JSON');
    const texts = Array.from({ length: 2000 }, () => {
      const text = digitsOf(random).replace(/^0+(?=\d)/, '');
      const exponent = random.int(4) === 0 ? `${pick(random, ['e', 'E-', 'e+'])}${random.int(40)}` : '';
      return `${pick(random, ['', '-'])}${text}${exponent}`;
    });
    const all = `[${texts.join(',')}]`;
    const { value } = await readJson(bytesSource(Buffer.from(all), 'x'), { advice: '' });
    expect(value).toEqual(JSON.parse(all));
    for (const text of ['01', '1.', '.5', '-', '1e', '1x', '0x1', '1.5.5', '--1', '1e+']) {
      const reading = readJson(bytesSource(Buffer.from(`[${text}]`), 'x'), { advice: '' });
      await expect(reading, text).rejects.toMatchObject({ code: 'MALFORMED_FILE', line: 1 });
    }
  });
});

describe('texts of bytes', () => {
  it('are those of the bytes, however many there are', () => {
    const random = createRandom('texts of bytes');
    const texts = new ByteTexts();
    const known = Array.from({ length: 300 }, () =>
      Array.from({ length: random.int(200) }, () => pick(random, ['a', 'b', '/', 'é', '\u{1F600}', ' '])).join(''),
    );
    for (let round = 0; round < 4000; round++) {
      const text = random.int(3) === 0 ? String(random.int(10_000)) : pick(random, known);
      const bytes = Buffer.from(`,${text},`);
      expect(texts.textOf(bytes, 1, bytes.length - 1)).toBe(text);
    }
  });

  it('stay what they are when their bytes change', () => {
    const texts = new ByteTexts();
    const bytes = Buffer.from('first');
    const first = texts.textOf(bytes, 0, 5);
    bytes.write('other');
    expect([first, texts.textOf(bytes, 0, 5)]).toEqual(['first', 'other']);
  });
});

describe('rows of a table', () => {
  const names = ['a', 'b', 'c'];
  /** The rows as a table of lines is read that are texts. */
  function rowsOf(text: string, separator: string): readonly (readonly (string | number)[])[] {
    const rows: (string | number)[][] = [];
    let pending = '';
    let first = 0;
    for (const [index, part] of text.split('\n').entries()) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part;
      if (pending === '') {
        if (line.trim() === '') continue;
        first = index + 1;
      }
      const whole = pending === '' ? line : `${pending}\n${line}`;
      const fields = splitCsv(whole, separator);
      pending = fields === null ? whole : '';
      if (fields !== null) rows.push([first, ...names.map((_, column) => (fields[column] ?? '').trim())]);
    }
    return rows.slice(1);
  }

  it.each([',', ';', '\t'])('are the same from bytes and from text, separated by %o', async (separator) => {
    const random = createRandom(`rows of a table ${separator}`);
    const fields = [
      '',
      '1',
      '12.5',
      ' x ',
      'é',
      '\u00a0y',
      '"q"',
      `"a${separator}b"`,
      '"two\nlines"',
      '"""',
      'NaN',
      '007',
    ];
    let compared = 0;
    for (let round = 0; round < 300; round++) {
      const lines = Array.from({ length: random.int(8) }, () =>
        Array.from({ length: random.int(4) }, () => pick(random, fields)).join(separator),
      );
      const end = pick(random, ['\n', '\r\n']);
      const text = [names.join(separator), ...lines, ...pick(random, [[], ['']])].join(end);
      const expected = rowsOf(text, separator);
      const found: (string | number)[][] = [];
      // Pieces of few bytes: fields, characters and line ends are cut.
      const bytes = Buffer.from(pick(random, ['', '\uFEFF']) + text);
      const source = {
        path: 'x',
        chunks: async function* (): AsyncGenerator<Buffer> {
          for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
        },
      };
      try {
        for await (const batch of readCsvBatches(source, { separator: [separator], advice: '', required: names }))
          for (const row of batch) found.push([row.line, ...names.map((name) => row.text(name))]);
      } catch (error) {
        expect(error, text).toMatchObject({ code: 'MALFORMED_FILE' });
        continue;
      }
      expect(found, text).toEqual(expected);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(150);
  });

  it('have amounts, which are those of their texts', async () => {
    const bytes = Buffer.from('a,b,c\n1,2.5, 3 \n1e3,"4",NA\n.5,007,\n');
    const rows: (number | null)[][] = [];
    for await (const batch of readCsvBatches(bytesSource(bytes, 'x'), {
      separator: [','],
      advice: '',
      required: names,
    }))
      for (const row of batch) rows.push(names.map((name) => row.amountOrNull(name)));
    expect(rows).toEqual([
      [1, 2.5, 3],
      [1000, 4, null],
      [0.5, 7, null],
    ]);
  });

  it.each([
    ['1,x,2', "column b: expected a number of at least 0, found 'x'", 3],
    ['1,"x",2', "column b: expected a number of at least 0, found 'x'", 3],
    ['1,2,3,4', '4 fields in a table of 3 columns', 1],
  ])('that cannot be read are named with their place: %s', async (line, message, column) => {
    const bytes = Buffer.from(`a,b,c\n1,2,3\n${line}\n`);
    async function read(): Promise<void> {
      for await (const batch of readCsvBatches(bytesSource(bytes, 'x'), {
        separator: [','],
        advice: '',
        required: names,
      }))
        for (const row of batch) for (const name of names) row.amountOrNull(name);
    }
    await expect(read()).rejects.toMatchObject({ line: 3, column, message: expect.stringContaining(message) });
  });
});

describe('a result of go test -bench', () => {
  it('is the same from bytes and from text', () => {
    const random = createRandom('results of go');
    const reader = new GoBytes();
    /** One of the first as a rule, now and then one of the others. */
    function mostly(usual: readonly string[], odd: readonly string[]): string {
      return pick(random, random.int(12) === 0 ? odd : usual);
    }
    function value(): string {
      return mostly(['1000', '20', '12.5', '0'], ['1e9', 'NaN', '-4', '007', '9007199254740993', 'x', '']);
    }
    function blank(): string {
      return mostly([' ', '   \t  ', '\t'], ['\u00a0', '\r', '']);
    }
    function unit(): string {
      return mostly(['ns/op', 'B/op', 'allocs/op', 'MB/s'], ['sec/op', 'x', 'µs/op']);
    }
    let read = 0;
    for (let round = 0; round < 4000; round++) {
      const name = mostly(['BenchmarkA-2', 'BenchmarkB/c=1-2'], ['Benchmarké', 'Benchmark', 'benchmark']);
      const pairs = Array.from({ length: random.int(4) }, () => `${blank()}${value()}${blank()}${unit()}`).join('');
      const text = name + blank() + value() + pairs + mostly(['', '\r', ' '], [' 5', ' \u00a0']);
      const bytes = Buffer.from(`x${text}\n`);
      const found = reader.read(bytes, 1, bytes.length - 1);
      if (found === null) continue;
      read += 1;
      expect(found, text).toEqual(readGoLine(text.endsWith('\r') ? text.slice(0, -1) : text));
    }
    expect(read).toBeGreaterThan(300);
  });

  it('is read from bytes as Go writes it', () => {
    const bytes = Buffer.from('BenchmarkSort/size=4-2   \t   10000\t    1042.5 ns/op\t  16 B/op\t   2 allocs/op\r\n');
    expect(new GoBytes().read(bytes, 0, bytes.length - 1)).toEqual({
      benchmark: 'Sort/size=4-2',
      invocations: 10_000,
      opNs: 1042.5,
      metrics: { 'B/op': 16, 'allocs/op': 2 },
    });
  });
});

describe('a line of JSON', () => {
  const keys = ['ms', 'é', '__proto__'];
  /** What the line is for `JSON.parse`: the values of the keys, `null` = no object. */
  function parsed(text: string): readonly unknown[] | null {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
      return keys.map((key) => (Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : null));
    } catch {
      return null;
    }
  }

  it('holds what JSON.parse makes of it', () => {
    const random = createRandom('lines of JSON');
    const row = new JsonLine(keys);
    const values = ['1', '12.5', '0', '"a"', '"é"', '""', 'null', 'true', 'false', '[1,{"ms":3}]', '{"ms":2}', '"\\n"', '1e3', '-2']; // prettier-ignore
    const bad = ['01', '1.', 'tru', 'nullx', '"a', '', 'NaN', '"\t"', '+1', '1 2'];
    const names = ['"ms"', '"ms"', '"é"', '"__proto__"', '"m\\u0073"', '"other"'];
    let [objects, plain] = [0, 0];
    for (let round = 0; round < 4000; round++) {
      const blank = (): string => pick(random, ['', '', ' ', '\t']);
      const pairs = Array.from({ length: random.int(5) }, () => {
        const value = pick(random, random.int(20) === 0 ? bad : values);
        return `${blank()}${pick(random, names)}${blank()}:${blank()}${value}${blank()}`;
      });
      const text = `${blank()}{${pairs.join(',')}}${random.int(20) === 0 ? pick(random, ['}', ',', 'x']) : blank()}`;
      const bytes = Buffer.from(`}\n${text}${pick(random, ['\n}', '\r\n', ''])}`);
      const end = bytes.indexOf('\n', 2);
      const expected = parsed(text);
      expect(row.hold(bytes, 2, end === -1 ? bytes.length : end), text).toBe(expected !== null);
      if (expected === null) continue;
      objects += 1;
      expect(keys.map((key) => row.value(key)), text).toEqual(expected); // prettier-ignore
      for (const [index, key] of keys.entries()) {
        const [value, number, told] = [expected[index], row.number(key), row.text(key)];
        if (number !== undefined) plain += 1;
        if (number !== undefined) expect(number, text).toBe(value);
        if (told !== undefined) expect(told, text).toBe(String(value));
      }
    }
    expect(objects).toBeGreaterThan(1500);
    expect(plain).toBeGreaterThan(200);
  });
});
