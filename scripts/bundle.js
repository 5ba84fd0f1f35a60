// Puts the built command into a few files, so that its hundreds of modules need not be found and read one by one. What is loaded late,
// such as `fleet`, `serve` and `push`, stays in files of its own. As a program it writes packages/cli/bundle, which `npm ci`,
// `npm run build` and `npm pack` do; the end-to-end tests write a bundle of their own.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'packages');

/** Writes the bundle into a folder, from where the packages `@deadheat/*` must be found; its `command.js` is the command. */
export async function bundle(folder) {
  const { metafile } = await build({
    entryPoints: [join(packages, 'cli/dist/command.js')],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native, or loaded only where somebody has installed it.
    external: ['koffi', 'pg-native', '@duckdb/*'],
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
    plugins: [{ name: 'modules', setup: prepareModules }],
  });
  writeFileSync(join(folder, 'licences.txt'), licencesOf(Object.keys(metafile.inputs)));
}

/** Module by module: those that read or start files beside their own, such as launchers and workers, find them where the package is installed. */
function prepareModules(hooks) {
  hooks.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    // The object `z` holds everything of zod, such as its forty languages; of a namespace only what is used is taken.
    const contents = text.replace("import { z } from 'zod'", "import * as z from 'zod'");
    if (!contents.includes('import.meta.url')) return { contents };
    const folder = join(packages, relative(packages, path).split(sep)[0]);
    const { name, exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const fromEntry = relative(dirname(join(folder, exports['.'].default)), path).replaceAll(sep, '/');
    const place = `new URL(${JSON.stringify(fromEntry)}, import.meta.resolve(${JSON.stringify(name)})).href`;
    return { contents: contents.replaceAll('import.meta.url', place) };
  });
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
  const builds = readdirSync(packages).map((name) => join(packages, name, 'tsconfig.tsbuildinfo'));
  return [...builds, join(root, 'node_modules/.package-lock.json'), fileURLToPath(import.meta.url)].filter(existsSync);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(packages, 'cli/bundle');
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
