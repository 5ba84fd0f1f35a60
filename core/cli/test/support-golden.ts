import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

/**
 * Compares a text with its golden file, character by character; UPDATE_GOLDEN=1 writes the file instead.
 *
 * @param folder of the golden files; of this package where it is left out
 */
export function expectGolden(
  name: string,
  actual: string,
  folder: string = join(import.meta.dirname, 'fixtures'),
): void {
  const path = join(folder, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
