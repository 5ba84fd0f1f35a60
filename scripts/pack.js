// Makes the packages that are published: every package that is not private, with its LICENSE and README, without source maps. A
// package that builds on private ones contains what it needs of them and of other libraries, so that it brings few packages along.
// As a program (`npm run pack`) it writes their tarballs into the folder `tarballs`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModules, placeInPackage } from './bundle.js';
import { root, workspaceOf, workspaces } from './lib/workspaces.js';

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Owner and place of the repository, which links and the provenance of the packages name: the field `repository` of package.json. */
const { repository } = manifestOf(root);
const homepage = repository.url.replace(/^git\+|\.git$/g, '');

const published = workspaces.filter(({ manifest }) => manifest.private !== true);
const isPublished = (name) => published.some(({ manifest }) => manifest.name === name);

/**
 * Writes the published packages, each into a folder of its own.
 *
 * @returns path of each package by its name
 */
export async function composePackages(folder) {
  const places = new Map();
  for (const { folder: source, manifest } of published) {
    const target = join(folder, manifest.name.replace('/', '-'));
    mkdirSync(target, { recursive: true });
    const needsPrivate = Object.keys(manifest.dependencies ?? {}).some(
      (name) => !isPublished(name) && workspaces.some((one) => one.manifest.name === name),
    );
    const composed = needsPrivate
      ? await composeBundled(source, { manifest, target })
      : composePlain(source, { manifest, target });
    const directory = relative(root, source).replaceAll(sep, '/');
    const about = {
      repository: { ...repository, directory },
      homepage: `${homepage}#readme`,
      bugs: `${homepage}/issues`,
    };
    // JSON leaves out what is undefined.
    const shipped = { ...composed, ...about, devDependencies: undefined, scripts: undefined };
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);
    cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
    writeFileSync(join(target, 'README.md'), readmeOf(source));
    places.set(manifest.name, target);
  }
  return places;
}

/** A package whose dependencies are published as well: its files as they were built. */
function composePlain(source, { manifest, target }) {
  for (const name of manifest.files) {
    cpSync(join(source, name), join(target, name), { recursive: true, filter: (path) => !path.endsWith('.map') });
  }
  // The sources that a map leads to are not in the package.
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|d\.ts)$/.test(name)) continue;
    const text = readFileSync(join(target, name), 'utf8');
    writeFileSync(join(target, name), text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  }
  return manifest;
}

/**
 * The package `deadheat`: the command and the library with all private packages in few files. The folder `dist` stands for that of each of
 * them: programs that are started as processes or threads of their own lie in it where they lie in their packages.
 */
async function composeBundled(source, { manifest, target }) {
  const programs = Object.fromEntries(
    [...programPaths()].map((path) => [
      relative(join(workspaceOf(path).folder, 'dist'), path).replace(/\.js$/, ''),
      path,
    ]),
  );
  const library = join(source, 'dist/index.js');
  const placeOf = (path) => {
    const { folder, manifest: own } = workspaceOf(path);
    if (isPublished(own.name) && own.name !== 'deadheat') return placeInPackage(path);
    return `new URL(${JSON.stringify(relative(folder, path).replaceAll(sep, '/'))}, import.meta.resolve('deadheat/package.json')).href`;
  };
  const command = join(root, 'core/cli/dist/command.js');
  await bundleModules({ entries: { command }, folder: join(target, 'bundle'), placeOf });
  await bundleModules({ entries: { index: library, ...programs }, folder: join(target, 'dist'), placeOf });
  writeFileSync(join(target, 'dist/index.d.ts'), compactTypes(readFileSync(join(source, 'types/index.d.ts'), 'utf8')));
  for (const name of ['completions', 'demo'])
    cpSync(join(root, 'core/cli', name), join(target, name), { recursive: true });
  cpSync(join(root, 'core/workloads/c'), join(target, 'c'), { recursive: true });
  cpSync(join(root, 'clients/c/deadheat.h'), join(target, 'c/deadheat.h'));
  for (const name of ['schema', 'man']) cpSync(join(source, name), join(target, name), { recursive: true });
  mkdirSync(join(target, 'bin'));
  const bin = readFileSync(join(source, 'bin/deadheat.js'), 'utf8');
  writeFileSync(join(target, 'bin/deadheat.js'), bin.replace("'@deadheat/cli/command'", "'../bundle/command.js'"), {
    mode: 0o755,
  });
  const { '.': main, ...others } = manifest.exports;
  const schemas = Object.fromEntries(Object.entries(others).filter(([name]) => name.startsWith('./schema/')));
  return {
    ...manifest,
    exports: { '.': main, ...schemas, './package.json': './package.json' },
    files: ['bin', 'bundle', 'c', 'completions', 'demo', 'dist', 'man', 'schema'],
    dependencies: Object.fromEntries(resolvedIn(target).map((name) => [name, manifest.version])),
  };
}

/** The published packages that the code in a folder finds by their names when it runs. */
function resolvedIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(/import\.meta\.resolve\(["'](@[^/"']+\/[^/"']+)/g)]);
  return [...new Set(names.map(([, name]) => name))].sort((one, other) => one.localeCompare(other));
}

/** Modules of private packages, and of the library, that are started as threads or processes: each is named by a URL beside another one. */
function* programPaths() {
  for (const { folder, manifest } of workspaces) {
    if (isPublished(manifest.name) && manifest.name !== 'deadheat') continue;
    for (const name of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.js')) continue;
      const text = readFileSync(join(folder, 'dist', name), 'utf8');
      for (const [, path] of text.matchAll(/new URL\('(\.\/[^']+\.js)', import\.meta\.url\)/g)) {
        yield join(folder, 'dist', name, '..', path);
      }
    }
  }
}

/** The declarations of the library without line breaks and blanks that only make them readable. */
function compactTypes(text) {
  return text.replaceAll(/^ +(?! ?\*)/gm, '').replaceAll(/\n\| /g, ' | ');
}

/** The README of a package; that of the whole project for `deadheat`, whose links to other pages lead into the repository. */
function readmeOf(folder) {
  const own = join(folder, 'README.md');
  const text = readFileSync(existsSync(own) ? own : join(root, 'README.md'), 'utf8');
  return text.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](${homepage}/blob/main/$1)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = join(root, 'tarballs');
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-pack-'));
  try {
    rmSync(destination, { recursive: true, force: true });
    mkdirSync(destination);
    const places = await composePackages(folder);
    const args = ['pack', '--silent', '--pack-destination', destination];
    execFileSync('npm', [...args, ...places.values()], { stdio: 'inherit', cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
