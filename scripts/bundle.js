// Puts the built command into a few files, so that its hundreds of modules need not be found and read one by one. What is loaded late,
// such as `doctor` and `history serve`, stays in files of its own. As a program it writes core/cli/bundle, which `npm ci` and
// `npm run build` do; the end-to-end tests and `npm run pack` write bundles of their own.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root, workspaceOf, workspaces } from './lib/workspaces.js';

/** Writes the bundle into a folder, from where the packages `@deadheat/*` must be found; its `command.js` is the command. */
export async function bundle(folder) {
  await bundleModules({
    entries: { command: join(root, 'core/cli/dist/command.js') },
    folder,
    placeOf: placeInPackage,
    withHouses: true,
  });
}

/**
 * Writes modules, with everything that they import, into a folder.
 *
 * @param entries path of each module by its path in the folder, without `.js`
 * @param placeOf gives an expression for the URL that a module has where it is installed; modules that read or start files beside their
 *   own, such as launchers and workers, find them by it
 * @param withHouses puts the packages that core loads by their names at plug points into the bundle too, so that all share the modules of core
 * @param resolve gives the specifier under which a package is imported from outside of the bundle; `null` = it is in the bundle
 */
export async function bundleModules({ entries, folder, placeOf, withHouses = false, resolve = () => null }) {
  const { metafile } = await build({
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native; what the driver of PostgreSQL would use elsewhere is loaded nowhere.
    external: ['koffi', 'pg-native', 'pg-cloudflare'],
    // For packages that are CommonJS.
    banner: {
      js: "import * as nodeModule from 'node:module';\nconst require = nodeModule.createRequire(import.meta.url);",
    },
    // Half as much for Node to read; names stay as they are.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
    plugins: [{ name: 'modules', setup: (hooks) => prepareModules(hooks, { placeOf, withHouses, resolve }) }],
  });
  writeFileSync(join(folder, 'licences.txt'), licencesOf(Object.keys(metafile.inputs)));
}

/** Packages that core loads at its plug points. */
const plugs = workspaces
  .map(({ manifest }) => manifest.name)
  .filter((name) => ['@deadheat/track', '@deadheat/lab'].includes(name));

function prepareModules(hooks, { placeOf, withHouses, resolve }) {
  hooks.onResolve({ filter: /^(?:@deadheat\/|deadheat(?:\/|$))/ }, ({ path }) => {
    const outside = resolve(path);
    return outside === null ? undefined : { path: outside, external: true };
  });
  hooks.onLoad({ filter: /[\\/](?:core|track|lab)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    // The object `z` holds everything of zod, such as its forty languages; of a namespace only what is used is taken.
    let contents = text.replace("import { z } from 'zod'", "import * as z from 'zod'");
    if (withHouses && path.endsWith('recording/dist/tool.js')) {
      const known = plugs.map((name) => `'${name}': () => import('${name}')`).join(', ');
      contents = contents.replace(/import\((?:name|\w+\(name\))\)/, `({ ${known} }[name] ?? (() => import(name)))()`);
    }
    if (!contents.includes('import.meta.url')) return { contents };
    return { contents: contents.replaceAll('import.meta.url', placeOf(path)) };
  });
}

/** The place of a module in its own package, where that is installed. */
export function placeInPackage(path) {
  const { folder, manifest } = workspaceOf(path);
  const { name, exports } = manifest;
  const fromEntry = relative(dirname(join(folder, exports['.'].default)), path).replaceAll(sep, '/');
  return `new URL(${JSON.stringify(fromEntry)}, import.meta.resolve(${JSON.stringify(name)})).href`;
}

/** The licences of other packages of which the bundle holds code. */
function licencesOf(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
      const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(72)}\n\n`);
}

/** Files that change whenever a package is built or another one installed. */
function inputs() {
  const builds = workspaces.map(({ folder }) => join(folder, 'tsconfig.tsbuildinfo'));
  return [...builds, join(root, 'node_modules/.package-lock.json'), fileURLToPath(import.meta.url)].filter(existsSync);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, 'core/cli/bundle');
  const made = `${folder}-${process.pid}`;
  // Read before, so that what is built in the meantime makes the bundle old.
  const times = inputs().map((path) => [relative(folder, path), statSync(path).mtimeMs]);
  try {
    mkdirSync(made);
    await bundle(made);
    writeFileSync(join(made, 'inputs.json'), JSON.stringify(times));
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
