import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionInJson, type JsonPath } from '../src/malformed-json.ts';

const seeded = { seed: 20_261_121, numRuns: 200 };

/** Paths to all values of a JSON value, each with the value. */
const pathsOf = (value: unknown, path: JsonPath = []): readonly (readonly [JsonPath, unknown])[] => [
  [path, value] as const,
  ...(Array.isArray(value)
    ? value.flatMap((item: unknown, index) => pathsOf(item, [...path, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))
      : []),
];

describe('a position in a JSON text', () => {
  it('is where the value begins, for every value of any text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const text = JSON.stringify(parsed, null, indent);
        for (const [path, expected] of pathsOf(parsed)) {
          const { offset, error } = positionInJson(text, { path });
          expect(error).toBeNull();
          const lines = JSON.stringify(expected, null, indent).split('\n');
          expect(text.startsWith(lines[0] ?? '', offset)).toBe(true);
          expect(path.length === 0 ? offset === 0 : offset > 0).toBe(true);
        }
      }),
      seeded,
    );
  });

  it('is that of the nearest value above when the path leads nowhere', () => {
    // the inner object begins at the sixth character
    expect(positionInJson('{"a":{"b":1}}', { path: ['a', 'c', 'd'] })).toEqual({ offset: 5, error: null });
  });

  it('is said to be where the text breaks exactly when JSON.parse refuses it', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', '\\', '01', '\u0001'),
        (text, at, inserted) => {
          const cut = at % (text.length + 1);
          const damaged = inserted === '' ? text.slice(0, cut) : text.slice(0, cut) + inserted + text.slice(cut);
          let valid = true;
          try {
            JSON.parse(damaged);
          } catch {
            valid = false;
          }
          const { offset, error } = positionInJson(damaged);
          expect(error === null).toBe(valid);
          expect(offset).toBeLessThanOrEqual(damaged.length);
        },
      ),
      { ...seeded, numRuns: 1000 },
    );
  });
});
