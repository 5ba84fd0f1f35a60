import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const examples = [...readFileSync(join(root, 'docs/library.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code = '']) => code,
);

/** What the examples of the page show, in their order. */
const titles = [
  'compares two commands',
  'takes every option',
  'runs several benchmarks',
  'plans',
  'tells how far it is',
  'is interrupted and goes on',
  'judges again',
];

interface Manifest {
  readonly name: string;
  readonly files: readonly string[];
}

/** A folder in which nothing is installed but what would be packed; other packages are found above it. */
let folder: string;

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'library-'));
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
    const target = join(folder, 'node_modules', manifest.name);
    // What npm would pack; the bundle is the one of these tests.
    for (const file of ['package.json', ...manifest.files]) {
      const from = file === 'bundle' ? dirname(inject('bundledCommand')) : join(source, file);
      cpSync(from, join(target, file), { recursive: true });
    }
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'input'), 'text\n'.repeat(2000));
  writeFileSync(
    join(folder, 'sort.mjs'),
    'Array.from({ length: Number(process.argv[2] ?? 10) }, Math.random).sort();\n',
  );
  for (const [index, code] of examples.entries()) writeFileSync(join(folder, `example-${index}.ts`), code);
  const options = {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      types: ['node'],
      outDir: 'built',
    },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed library', () => {
  it('has types that strict programs compile with', () => {
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  });

  it.each([
    ['compares two commands', /^(slower|faster|dead-heat|undecided) .*runs/],
    ['takes every option', /^100: \S+\n200: \S+\n$/],
    ['runs several benchmarks', /^2\n$/],
    ['plans', /sort\.mjs', '10' \] (AB|BA)\n$/],
    ['tells how far it is', /^33 %\n67 %\n100 %\n\S+\n$/],
    ['is interrupted and goes on', /^4\n$/],
    ['judges again', /^\S+\n$/],
  ])('%s as docs/library.md shows', (title, printed) => {
    const index = titles.indexOf(title);
    expect(run(process.execPath, [join('built', `example-${index}.js`)])).toMatch(printed);
  });

  it('has every example of docs/library.md tested, and writes reports', () => {
    expect(examples.length).toBe(titles.length);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('brings the command, which is started from its bundle', () => {
    const manifest = join(folder, 'node_modules/deadheat/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { deadheat: string } };
    const command = join(dirname(manifest), bin.deadheat);
    expect(run(process.execPath, [command, '--version'])).toMatch(/^deadheat \d/);
    // Without its modules the command still executes programs, by those of the packages that start them.
    rmSync(join(folder, 'node_modules/@deadheat/cli/dist/main.js'));
    const result = run(process.execPath, [command, '--runs', '2', '--export-json', '-', process.execPath]);
    expect(JSON.parse(result)).toMatchObject({ comparisons: [{ runs: 2 }] });
  });
});
