import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VersionError } from './version-error.ts';

/** Not copied: what is installed, what git keeps, and recordings. */
const left = new Set(['node_modules', '.git', '.deadheat']);
const mostFiles = 20_000;
const mostBytes = 200e6;
const manifests = new Set(['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc']);

/** The files of a project, without what is installed in it. */
export interface Project {
  readonly folder: string;
  /** From the folder. */
  readonly files: readonly string[];
  /** Hash over what decides what is installed. */
  readonly dependencies: string;
}

/**
 * Lists the files of a folder, without `node_modules`, `.git` and `.deadheat`.
 *
 * @throws VersionError `FOLDER_TOO_LARGE` for more than 20 000 files or 200 MB
 */
export async function readProject(folder: string): Promise<Project> {
  const files: string[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  const walk = async (inside: string): Promise<void> => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left.has(entry.name)) continue;
      const path = join(inside, entry.name);
      if (entry.isDirectory()) {
        await walk(path);
        continue;
      }
      // Sockets and the like cannot be copied.
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      files.push(path);
      bytes += (await lstat(join(folder, path))).size;
      if (files.length > mostFiles || bytes > mostBytes) throw tooLarge(folder);
      if (manifests.has(entry.name)) hash.update(`${path}\0`).update(await readFile(join(folder, path)));
    }
  };
  await walk('');
  return { folder, files, dependencies: hash.digest('hex') };
}

/** Copies a project to `target`, in place of what an earlier copy left there; what is installed stays. */
export async function copyProject({ folder, files }: Project, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(target)) {
    if (name !== 'node_modules') await rm(join(target, name), { recursive: true, force: true });
  }
  for (const file of files) {
    await cp(join(folder, file), join(target, file), { verbatimSymlinks: true, preserveTimestamps: true });
  }
}

function tooLarge(folder: string): VersionError {
  return new VersionError(
    'FOLDER_TOO_LARGE',
    `${folder} holds more than ${mostFiles} files or ${mostBytes / 1e6} MB, and each version gets a copy of it. ` +
      'Go to a folder that holds only the benchmark and what it needs.',
  );
}
