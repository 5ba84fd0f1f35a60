import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function find(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'data');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return join(from, 'shared', 'data');
  }
}

/** Folder of the data sets: DEADHEAT_DATA, or the nearest `shared/data` beside a folder above the repository. */
export const dataFolder: string = process.env.DEADHEAT_DATA ?? find(fileURLToPath(new URL('.', import.meta.url)));
