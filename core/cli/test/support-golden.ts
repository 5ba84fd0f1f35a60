import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

const folder = join(import.meta.dirname, 'fixtures');

/** Compares a text with its golden file, character by character; UPDATE_GOLDEN=1 writes the file instead. */
export function expectGolden(name: string, actual: string): void {
  const path = join(folder, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
