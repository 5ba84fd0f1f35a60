import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const folder = process.env['DEADHEAT_GOLDEN'] ?? fileURLToPath(new URL('../fixtures/golden', import.meta.url));

/** A file of golden values: from the folder in DEADHEAT_GOLDEN, else from the fixtures. */
export const readGolden = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** Whether there is such a file. */
export const hasGolden = (file: string): boolean => existsSync(join(folder, file));

/** An end of a bootstrap interval over many reference bootstraps, and how far one of ours may lie from their mean. */
interface GoldenEnd {
  readonly mean: number;
  readonly tol: number;
}

export interface GoldenInterval {
  readonly lo: GoldenEnd;
  readonly hi: GoldenEnd;
  readonly level: number;
  readonly replicates_B: number;
}
