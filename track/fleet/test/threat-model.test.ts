import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const place = new URL('../../../docs/threat-model.md', import.meta.url);

/** Names of tests, each with the file that is linked after it; several may share a link. */
function claims(page: string): readonly { readonly test: string; readonly file: string }[] {
  const found: { test: string; file: string }[] = [];
  let waiting: string[] = [];
  for (const [, test, file] of page.matchAll(/“([^”]+)”|\]\((\.\.\/(?:core|track)\/[^)]+\.test\.ts)\)/g)) {
    if (test !== undefined) waiting.push(test);
    if (file === undefined) continue;
    found.push(...waiting.map((one) => ({ test: one, file })));
    waiting = [];
  }
  expect(waiting).toEqual([]);
  return found;
}

describe('the threat model', () => {
  const shown = claims(readFileSync(place, 'utf8'));

  it('shows what it claims by tests', () => {
    expect(shown.length).toBeGreaterThan(20);
  });

  it.each(shown)('names a test that is there: $test', ({ test, file }) => {
    expect(readFileSync(new URL(file, place), 'utf8')).toContain(`'${test}'`);
  });
});
