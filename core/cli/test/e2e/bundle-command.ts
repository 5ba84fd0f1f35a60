import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../../../scripts/bundle.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the command `deadheat` in few files. */
    readonly bundledCommand: string;
  }
}

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Vitest's set-up of all test files: puts what was built into a few files, as the published command is, once and for these tests alone.
 *
 * @returns removes them
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(root, `node_modules/.cache/deadheat-${process.pid}`);
  await bundle(folder);
  project.provide('bundledCommand', join(folder, 'command.js'));
  project.onTestsRerun(() => bundle(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}
