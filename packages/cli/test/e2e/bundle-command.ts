import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the command `deadheat` in few files. */
    readonly bundledCommand: string;
  }
}

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Vitest's set-up of all test files: puts the built command into a few files, once. To read its 1 200 modules takes two
 * thirds of a second of CPU time, and end-to-end tests start it hundreds of times.
 *
 * Only files of ours that start others, by paths beside their own, are told where they were; what is started, such as
 * launchers, workers and the guardian, is what was built.
 *
 * @returns removes it
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(root, `node_modules/.cache/deadheat-${process.pid}`);
  await bundle(folder);
  project.provide('bundledCommand', join(folder, 'deadheat.js'));
  project.onTestsRerun(() => bundle(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}

async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'packages/cli/bin/deadheat.js')],
    outdir: folder,
    bundle: true,
    // What is loaded late stays in files of its own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native, or loaded only where somebody has installed it.
    external: ['koffi', 'pg', 'pg-*', '@duckdb/*'],
    // For packages that are CommonJS.
    banner: {
      js: "import * as nodeModule from 'node:module';\nconst require = nodeModule.createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    plugins: [
      {
        name: 'places',
        setup: (hooks): void =>
          hooks.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/](?:dist|bin)[\\/].*\.js$/ }, async ({ path: file }) => {
            const text = await readFile(file, 'utf8');
            const place = JSON.stringify(pathToFileURL(file).href);
            return { contents: text.replaceAll('import.meta.url', place), loader: 'js' };
          }),
      },
    ],
  });
}
