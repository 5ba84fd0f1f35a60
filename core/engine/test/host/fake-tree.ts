import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Files below a root, by absolute path. */
export type Files = Readonly<Record<string, string>>;

/** A folder that stands for `/` and holds these files; gone when the test ends. */
export function fakeTree(...layers: readonly Files[]): string {
  const root = mkdtempSync(join(tmpdir(), 'deadheat-host-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  for (const layer of layers) writeFiles(root, layer);
  return root;
}

/** Writes into a tree, over what is there. */
export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
