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
      ? await (manifest.name === 'deadheat' ? composeCore : composeHouse)(source, { manifest, target })
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

/** Specifiers of modules of core that the other houses import. */
function importedByHouses() {
  const texts = workspaces
    .filter(({ house }) => house !== 'core')
    .flatMap(({ folder }) =>
      readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .map((name) => readFileSync(join(folder, 'dist', name), 'utf8')),
    );
  return new Set(
    texts.flatMap((text) => text.match(/(?<=['"])(?:@deadheat\/|deadheat(?=['"/]))[\w/-]*(?=['"])/g) ?? []),
  );
}

/** Faces of core's packages that the other houses import: specifier in the source -> name behind `deadheat/internal/`, and module. */
function facesOfCore() {
  const imported = importedByHouses();
  const faces = workspaces
    .filter(({ house, manifest }) => house === 'core' && (manifest.private === true || manifest.name === 'deadheat'))
    .flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports).map(([path, face]) => {
        const specifier = `${manifest.name}${path.slice(1)}`;
        return { specifier, name: specifier.replace('@deadheat/', '').replaceAll('/', '-'), folder, face };
      }),
    );
  return new Map(
    faces
      .filter(({ specifier, face }) => imported.has(specifier) && typeof face === 'object')
      .map(({ specifier, name, folder, face }) => [specifier, { name, file: join(folder, face.default) }]),
  );
}

/** Workspaces whose modules a package with a bundle holds: the private ones of its house, and its own. */
function holdsOf(source) {
  const { house, manifest: own } = workspaceOf(join(source, 'package.json'));
  return workspaces.filter(
    (one) => one.house === house && (one.manifest.private === true || one.manifest.name === own.name),
  );
}

/** The programs of a package by their paths in its folder `dist`, and the places of its modules where it is installed. */
function layoutOf(source, { name }) {
  const held = holdsOf(source);
  const programs = Object.fromEntries(
    [...programPaths(held)].map((path) => [
      relative(join(workspaceOf(path).folder, 'dist'), path).replace(/\.js$/, ''),
      path,
    ]),
  );
  const placeOf = (path) => {
    const { folder, manifest } = workspaceOf(path);
    if (!held.some((one) => one.manifest.name === manifest.name)) return placeInPackage(path);
    return `new URL(${JSON.stringify(relative(folder, path).replaceAll(sep, '/'))}, import.meta.resolve('${name}/package.json')).href`;
  };
  return { programs, placeOf };
}

/**
 * A package of the house track or lab: its private packages in few files. Modules of core come from the installed `deadheat`, whose version has
 * to be the same, so that there is one copy of them in a process.
 */
async function composeHouse(source, { manifest, target }) {
  const { programs, placeOf } = layoutOf(source, manifest);
  const faces = facesOfCore();
  const resolve = (specifier) => {
    const internal = faces.get(specifier);
    return internal === undefined ? null : `deadheat/internal/${internal.name}`;
  };
  const modules = Object.values(manifest.exports).map((face) => face.default.slice('./dist/'.length, -'.js'.length));
  for (const name of modules) programs[name] = join(source, `dist/${name}.js`);
  await bundleModules({ entries: programs, folder: join(target, 'dist'), placeOf, resolve });
  for (const name of modules) writeFileSync(join(target, `dist/${name}.d.ts`), 'export {};\n');
  const schemas = holdsOf(source).flatMap(({ folder }) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.schema.json'))
      .map((name) => ({ folder, name })),
  );
  for (const { folder, name } of schemas) cpSync(join(folder, name), join(target, name));
  const files = schemas.map(({ name }) => name);
  return {
    ...manifest,
    exports: {
      ...manifest.exports,
      ...Object.fromEntries(files.map((name) => [`./${name}`, `./${name}`])),
      './package.json': './package.json',
    },
    files: ['dist', ...files],
    dependencies: Object.fromEntries(
      resolvedIn(target)
        .filter((name) => name !== manifest.name)
        .map((name) => [name, manifest.version]),
    ),
    peerDependencies: { deadheat: manifest.version },
  };
}

/**
 * The package `deadheat`: the command and the library with all private packages of core in few files. The folder `dist` stands for that of each of
 * them: programs that are started as processes or threads of their own lie in it where they lie in their packages.
 */
async function composeCore(source, { manifest, target }) {
  const { programs, placeOf } = layoutOf(source, manifest);
  const library = join(source, 'dist/index.js');
  const command = join(root, 'core/cli/dist/command.js');
  const faces = Object.fromEntries([...facesOfCore().values()].map(({ name, file }) => [`internal/${name}`, file]));
  await bundleModules({ entries: { command, ...faces }, folder: join(target, 'bundle'), placeOf });
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
    exports: { '.': main, './internal/*': './bundle/internal/*.js', ...schemas, './package.json': './package.json' },
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

/** Modules of packages that are started as threads or processes: each is named by a URL beside another one. */
function* programPaths(held) {
  for (const { folder } of held) {
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
