import { createHash, randomUUID } from 'node:crypto';
import { readFile, stat, writeFile, cp, lstat, readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { freeEnvironment } from './repository.ts';
import type { ReadyVersion, VersionCache } from './version-cache.ts';
import { quoteTail, runProgram } from '@deadheat/engine';
import { DeadheatError } from '@deadheat/model';
import { makeFolder } from '@deadheat/recording';
import { treeOf } from './worktree.ts';

/** A package that is to be installed. */
export interface InstallRequest {
  /** The package in npm's syntax: `name@version`, or a tarball: `./name-1.0.0.tgz`. */
  readonly spec: string;
  /** The side, as messages begin: `A`. */
  readonly what: string;
  /** Folder of the project that uses it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** `true` = it is installed although that was done before. */
  readonly fresh: boolean;
  /** Called before it is installed, which takes its time. */
  readonly onInstall: () => void;
}

/** A project with a package installed. */
export interface InstalledPackage extends ReadyVersion {
  /** Name and version as they were installed; the spec where they are unknown. */
  readonly label: string;
}

/** A package as npm is asked for it. */
interface PackageSpec {
  readonly spec: string;
  /** `null` = a tarball, whose name only its content contains. */
  readonly name: string | null;
  /** The text that identifies this version; `null` = the same request may install another one tomorrow. */
  readonly identity: string | null;
}

/**
 * Copies the project in `cwd` to a folder of its own and installs its dependencies there, with the package in the version asked for.
 * The installation is kept, where the version is exact; the project's files are copied anew each time.
 *
 * @throws DeadheatError `BAD_PACKAGE`, `NPM_MISSING`, `FOLDER_TOO_LARGE`, `INSTALL_FAILED` with the last lines that npm wrote,
 *   `INTERRUPTED`; nothing is left then
 */
export async function installPackage(request: InstallRequest, cache: VersionCache): Promise<InstalledPackage> {
  const { what, cwd, signal } = request;
  const asked = await readSpec(request.spec, cwd);
  const project = await readProject(cwd);
  const slot = await cache.take(
    {
      package: asked.spec,
      identity: asked.identity ?? randomUUID(),
      dependencies: project.dependencies,
      node: process.version,
    },
    { fresh: request.fresh },
  );
  const wasReady = slot.ready;
  const folder = treeOf(slot.folder);
  try {
    await copyProject(project, folder);
    await writeManifest(folder, asked);
    if (!wasReady) {
      request.onInstall();
      await install(asked, { what, folder, signal });
      if (asked.identity !== null) {
        await slot.finish({ kind: 'package', origin: cwd, version: asked.spec, setup: null });
      }
    }
    const label = await installedAs(asked, folder);
    return { folder, root: folder, label, wasReady, release: () => slot.release() };
  } catch (error) {
    await slot.release();
    throw error;
  }
}

async function install(
  { spec }: PackageSpec,
  { what, folder, signal }: { readonly what: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<void> {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, tail } = await runProgram(['npm', 'install', ...flags, '--', spec], {
    cwd: folder,
    environment: freeEnvironment(),
    signal,
  });
  if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted');
  if (status === 'not-found') {
    throw new DeadheatError('NPM_MISSING', 'npm was not found. Install it, or put it into PATH.');
  }
  if (status === 0) return;
  throw new DeadheatError(
    'INSTALL_FAILED',
    `${what}, ${spec}, cannot be installed: npm install failed${quoteTail(tail)}`,
  );
}

/** A folder becomes a project of npm; one that has the name of the package would import itself in its place. */
async function writeManifest(folder: string, { name }: PackageSpec): Promise<void> {
  const path = join(folder, 'package.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) {
    await writeFile(path, '{ "private": true }\n');
    return;
  }
  try {
    const { name: own, ...rest } = JSON.parse(text) as { name?: unknown };
    if (name !== null && own === name) await writeFile(path, `${JSON.stringify(rest, null, 2)}\n`);
  } catch {
    // npm reports its errors.
  }
}

const exactVersion = /^v?\d+\.\d+\.\d+(?:[-+].*)?$/;

/** @throws DeadheatError `BAD_PACKAGE` */
async function readSpec(spec: string, cwd: string): Promise<PackageSpec> {
  function bad(why: string): DeadheatError {
    return new DeadheatError(
      'BAD_PACKAGE',
      `${spec} ${why} Give a package and version, ms@2.1.0, or a tarball, ./ms-2.1.0.tgz.`,
    );
  }
  if (spec.startsWith('-') || spec.trim() === '') throw bad('cannot be a package.');
  if (/^(?:file:|\.{0,2}\/)/.test(spec) || /\.tgz$|\.tar\.gz$/.test(spec)) {
    if (/^https?:/.test(spec)) return { spec, name: null, identity: null };
    const path = resolve(cwd, spec.replace(/^file:/, ''));
    const found = await stat(path).catch(() => null);
    if (found === null) throw bad('is not there.');
    if (!found.isFile()) throw bad('is a folder, of which npm would install a link; make a tarball of it: npm pack.');
    const identity = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    return { spec: `file:${path}`, name: null, identity };
  }
  const [, name, version] = /^(@[^/@\s]+\/[^/@\s]+|[^/@\s:]+)(?:@(.+))?$/.exec(spec) ?? [];
  if (name === undefined) throw bad('is no name of a package.');
  return { spec, name, identity: version !== undefined && exactVersion.test(version) ? spec : null };
}

async function installedAs({ spec, name }: PackageSpec, folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  try {
    const found = name ?? (await nameOfTarball(spec, modules));
    if (found === null) return basename(spec);
    const { version } = JSON.parse(await readFile(join(modules, found, 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof version === 'string' ? `${found}@${version}` : spec;
  } catch {
    return name === null ? basename(spec) : spec;
  }
}

/** The name that npm noted for a tarball that it installed. */
async function nameOfTarball(spec: string, modules: string): Promise<string | null> {
  const { packages } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  const [place] =
    Object.entries(packages).find(
      ([, { resolved }]) => resolved?.startsWith('file:') === true && basename(resolved) === basename(spec),
    ) ?? [];
  return place?.replace(/^node_modules\//, '') ?? null;
}

/** Folders that are not copied: installed packages, git's data, and recordings. */
const left = new Set(['node_modules', '.git', '.deadheat']);
const mostFiles = 20_000;
const mostBytes = 200e6;
const manifests = new Set(['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc']);

/** The files of a project, without its installed packages. */
interface Project {
  readonly folder: string;
  /** From the folder. */
  readonly files: readonly string[];
  /** Hash over the files that decide which packages are installed. */
  readonly dependencies: string;
}

/**
 * Lists the files of a folder, without `node_modules`, `.git` and `.deadheat`.
 *
 * @throws DeadheatError `FOLDER_TOO_LARGE` for more than 20 000 files or 200 MB
 */
async function readProject(folder: string): Promise<Project> {
  const files: string[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  async function walk(inside: string): Promise<void> {
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
  }
  await walk('');
  return { folder, files, dependencies: hash.digest('hex') };
}

/** Copies a project to `target`, in place of an earlier copy; installed packages stay. */
async function copyProject({ folder, files }: Project, target: string): Promise<void> {
  await makeFolder(target);
  for (const name of await readdir(target)) {
    if (name !== 'node_modules') await rm(join(target, name), { recursive: true, force: true });
  }
  for (const file of files) {
    await cp(join(folder, file), join(target, file), { verbatimSymlinks: true, preserveTimestamps: true });
  }
}

function tooLarge(folder: string): DeadheatError {
  return new DeadheatError(
    'FOLDER_TOO_LARGE',
    `${folder} holds more than ${mostFiles} files or ${mostBytes / 1e6} MB, and each version gets a copy of it. ` +
      'Go to a folder that holds only the benchmark and what it needs.',
  );
}
