import { join } from 'node:path';
import { expectGolden as expectGoldenIn } from '../../cli/test/support-golden.ts';

/** Compares a text with a golden file of this package; UPDATE_GOLDEN=1 writes the file instead. */
export function expectGolden(name: string, actual: string): void {
  expectGoldenIn(name, actual, join(import.meta.dirname, 'fixtures'));
}
