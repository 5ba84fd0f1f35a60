import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '@deadheat/recording';

/** Programs that have a wrapper of that name first in `PATH` while a layout is built. */
const wrapped = ['cc', 'c++', 'gcc', 'g++', 'clang', 'clang++', 'ld', 'ld.lld', 'go'];

/**
 * Writes wrappers of compilers and linkers that draw the layout of what they make from a seed, into a folder.
 *
 * @returns variables for what is built: `PATH` with the wrappers first, and the seed in `DEADHEAT_LAYOUT_SEED`, for build scripts that know it
 */
export async function writeLayoutTools(
  folder: string,
  { seed, inherited }: { readonly seed: string; readonly inherited: NodeJS.ProcessEnv },
): Promise<Readonly<Record<string, string>>> {
  const path = inherited['PATH'] ?? '';
  // Build scripts choose among the compilers that they find.
  const there = wrapped.filter((tool) => path.split(delimiter).some((place) => existsSync(join(place, tool))));
  // A copy, so that what is kept needs no version of deadheat.
  const shim = join(folder, 'shim.mjs');
  await makeFolder(folder);
  await copyFile(fileURLToPath(new URL('./shim.js', import.meta.url)), shim);
  for (const [place, tools] of [
    ['bin', there],
    // Found by the compiler alone, which is asked to look there.
    ['as', ['as']],
  ] as const) {
    await makeFolder(join(folder, place));
    for (const tool of tools) {
      const words = [process.execPath, shim, tool, folder, seed].map(quoted).join(' ');
      await writeFile(join(folder, place, tool), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    }
  }
  return {
    PATH: [join(folder, 'bin'), path].join(delimiter),
    DEADHEAT_LAYOUT_SEED: seed,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
