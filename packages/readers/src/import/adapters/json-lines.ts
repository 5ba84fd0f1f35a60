import type { Adapter } from '../adapter.ts';
import { ImportError } from '../import-error.ts';
import { malformedText } from '../malformed-text.ts';
import { readLines } from '../text/read-lines.ts';
import { TableReader } from './table-reader.ts';

const advice = 'Name its keys with --columns time=KEY,run=KEY,benchmark=KEY,side=KEY.';

/** Any text with a JSON object a line. */
export const jsonLines: Adapter = {
  id: 'json-lines',
  describe: 'any JSON lines, with --columns',
  reads: 'a line is an iteration; keys say its time, and if there are any run, benchmark, side, start, invocations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: () => false,
  read: async (source, { columns, unit }) => {
    const { path } = source;
    if (columns === null) {
      throw new ImportError('COLUMNS_NEEDED', `${path} is to be read as json-lines. ${advice}`, { path });
    }
    const table = new TableReader(columns, unit);
    for await (const { number: line, text } of readLines(source)) {
      if (text.trim() === '') continue;
      const fail = (what: string): ImportError => malformedText({ path, line, column: 1 }, { what, advice });
      const row = objectOf(text);
      if (row === null) throw fail('expected a JSON object in this line');
      const error = (key: string, expected: string): ImportError =>
        fail(`key ${key}: expected ${expected}, found ${JSON.stringify(row.get(key) ?? null).slice(0, 40)}`);
      table.take({
        error,
        text: (key) => {
          const value = row.get(key) ?? null;
          if (value === null || typeof value === 'string') return value;
          if (typeof value !== 'number') throw error(key, 'a text or number');
          return String(value);
        },
        amount: (key) => {
          const value = row.get(key) ?? null;
          if (value === null) return null;
          if (typeof value !== 'number' || !(value >= 0) || value === Infinity)
            throw error(key, 'a number of at least 0');
          return value;
        },
      });
    }
    return { benchmarks: table.benchmarks() };
  },
};

/** The keys and values of a line; `null` when it is no object. */
const objectOf = (text: string): ReadonlyMap<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
};
