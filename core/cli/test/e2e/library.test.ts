import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionComparison } from 'deadheat';
import { composePackages } from '../../../../scripts/pack.js';

const root = join(import.meta.dirname, '../../../..');
const formats = join(root, 'lab/lab/test/formats/fixtures');
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
  'compares two functions',
];

/** A folder outside the repository in which the tarballs are installed, and nothing else. */
let folder: string;

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function installed(...path: readonly string[]): string {
  return join(folder, 'node_modules', ...path);
}

/** Runs the installed command. */
function deadheat(args: readonly string[], nodeOptions: readonly string[] = []): SpawnSyncReturns<string> {
  const command = installed('deadheat/bin/deadheat.js');
  return spawnSync(process.execPath, [...nodeOptions, command, ...args], { cwd: folder, encoding: 'utf8' });
}

function manifestOf(...name: readonly string[]): Manifest {
  return JSON.parse(readFileSync(installed(...name, 'package.json'), 'utf8')) as Manifest;
}

interface Packed {
  readonly name: string;
  readonly filename: string;
}

interface Manifest {
  readonly repository: { readonly url: string };
  readonly keywords: readonly string[];
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly devDependencies?: object;
  readonly scripts?: object;
  readonly peerDependencies?: object;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-packed-'));
  const places = await composePackages(join(folder, 'packages'));
  const npm = (...args: readonly string[]): string => run('npm', [...args, '--silent', '--offline']);
  const tarballs = npm('pack', '--json', ...places.values());
  const dependencies: Record<string, string> = {};
  for (const { name, filename } of Object.values(JSON.parse(tarballs) as readonly Packed[])) {
    // A registry alone brings what the protocol of tools needs.
    if (name !== '@deadheat/mcp') dependencies[name] = `file:${filename}`;
  }
  // What a registry would bring along is taken from the repository, so that nothing is asked of the network.
  for (const name of ['koffi', `@koromix/koffi-${process.platform}-${process.arch}`]) {
    const source = join(root, 'node_modules', name);
    if (existsSync(source)) dependencies[name] = `file:${source}`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  npm('install', '--install-links', '--ignore-scripts', '--no-package-lock');
  writeFileSync(join(folder, 'input'), 'text\n'.repeat(2000));
  writeFileSync(join(folder, 'duet.yml'), 'duetbench: { duets: [a], run_base: /bin/true }\na: { A: { run: -x } }\n');
  writeFileSync(join(folder, 'bad.yml'), 'duetbench: { duets: [gone, 7], verbose: maybe, suite: [] }\n');
  writeFileSync(join(folder, 'bad.csv'), 'benchmark,total_ms,iteration_time_ns\nb,1,-1\n');
  writeFileSync(
    join(folder, 'sort.mjs'),
    'Array.from({ length: Number(process.argv[2] ?? 10) }, Math.random).sort();\n',
  );
  writeFileSync(
    join(folder, 'bench.ts'),
    "import { bench, keep } from '@deadheat/harness';\nbench('sum', () => keep([1, 2].reduce((a, b) => a + b)));\n",
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
      typeRoots: [join(root, 'node_modules/@types')],
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
    ['compares two functions', /^(slower|faster|dead-heat|undecided) two-processes .*\(in two processes\)/],
  ])('%s as docs/library.md shows', (title, printed) => {
    const index = titles.indexOf(title);
    expect(run(process.execPath, [join('built', `example-${index}.js`)])).toMatch(printed);
  });

  it('repeats the call of two functions in two processes, the second one of a place, too, or says why it cannot', () => {
    const script = join(folder, 'functions.mjs');
    writeFileSync(
      script,
      `import { compare } from 'deadheat';
      const work = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; };
      const seen = [];
      for (const factor of [1, 4]) seen.push(await compare({ a: () => work(4e4), b: () => work(4e4 * factor), maxTime: '20s' }));
      if (process.argv[2] === 'more') seen.push(await compare({ a: () => work(1e4), b: () => work(1e4) }));
      console.log(JSON.stringify(seen));`,
    );
    const [same, slower, unreached] = JSON.parse(
      run(process.execPath, [script, 'more']),
    ) as readonly FunctionComparison[];
    expect(same?.method).toBe('two-processes');
    expect(slower).toMatchObject({ method: 'two-processes', verdict: 'slower' });
    expect(slower?.interval.estimate).toBeGreaterThan(2);
    expect(unreached).toMatchObject({ method: 'one-process' });
    expect(unreached?.sentence).toMatch(/not in two processes: .*/);
  });

  it('has every example of docs/library.md tested, and writes reports', () => {
    expect(examples.length).toBe(titles.length);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('brings few and small packages along', () => {
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
    const packages = files.filter((file) => /^(?:@[^/]+\/)?[^/@.]+\/package\.json$/.test(file));
    // deadheat, track, sync, harness, stats, vitest, koffi and its library for this machine.
    expect(packages.length).toBeLessThanOrEqual(12);
    const core = files.filter((file) => !file.startsWith('@deadheat/track/'));
    const bytes = core.reduce((sum, file) => sum + statSync(installed(file)).size, 0);
    expect(bytes).toBeLessThan(15e6);
  });
});

describe('the packed command', () => {
  it('compares commands, also those that threads and other files of the package serve', () => {
    expect(deadheat(['--version']).stdout).toMatch(/^deadheat \d/);
    const compared = deadheat(['--runs', '2', '--export', 'json:-', process.execPath]);
    expect(JSON.parse(compared.stdout)).toMatchObject({ comparisons: [{ runs: 2 }] });
    expect(deadheat(['cleanup', '--help']).stderr).toBe('');
  });

  it('runs benchmarks of the packed harness', () => {
    expect(run(process.execPath, [join('built', 'bench.js')])).toContain('sum');
  });

  it.each([
    [['history', 'serve', '--host', '0.0.0.0'], '@deadheat/track', /--token-file/],
    [['fleet', 'worker', '--fleet', 'postgres://u@127.0.0.1:9/x'], '@deadheat/track', /would refuse everything/],
    [['history', 'push', '.deadheat', '--to', 'store'], '@deadheat/track', null],
    [['history', 'show', '--from', 'store'], '@deadheat/track', null],
    [['analyse', join(formats, 'krun/old.json'), join(formats, 'krun/new.json')], '@deadheat/lab', null],
    [['analyse', join(formats, 'duet-results/both')], '@deadheat/lab', null],
    [['run', 'duet.yml', '--dry-run'], '@deadheat/lab', null],
    [['run', 'bad.yml'], '@deadheat/lab', /bad\.yml:1:41: verbose must be true or false, not 'maybe'/],
    [['analyse', 'bad.csv'], '@deadheat/lab', /bad\.csv:2:5: column iteration_time_ns: expected a number/],
  ] as const)('names the package that %j needs, and works with it', (args, name, refusal) => {
    const place = installed(name);
    renameSync(place, `${place}-away`);
    const { status, stderr } = deadheat(args);
    renameSync(`${place}-away`, place);
    expect(status).toBe(5);
    expect(stderr).toContain(`needs the package ${name}, which is not installed.\nInstall it`);
    expect(stderr).toContain(`npm install ${name}@0.1.0`);
    const withIt = deadheat(args);
    expect(withIt.status).toBe(refusal === null ? 0 : 2);
    expect(withIt.stderr).toMatch(refusal ?? /^$/);
  });

  it('gives errors of its own for files that a package reads, in the library too', () => {
    const code = `import { analyse, DeadheatError } from 'deadheat';
      await analyse('bad.csv').catch((error) => console.log(error instanceof DeadheatError, error.code));`;
    expect(run(process.execPath, ['--input-type=module', '--eval', code])).toBe('true MALFORMED_FILE\n');
  });

  it('says which Node it needs where that is older', () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`;
    const { status, stderr } = deadheat(
      ['--version'],
      ['--import', `data:text/javascript,${encodeURIComponent(older)}`],
    );
    expect(stderr).toBe('deadheat: this is Node 18.20.4; deadheat needs Node 20.19 or newer.\n');
    expect(status).toBe(2);
  });
});

describe.each([['deadheat'], ['@deadheat/track'], ['@deadheat/sync'], ['@deadheat/harness']])(
  'the package %s',
  (name) => {
    it('has what a package needs, and nothing that is of no use there', () => {
      const files = readdirSync(installed(name), { recursive: true, encoding: 'utf8' });
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(files.filter((file) => file.endsWith('.map') || /(?:^|\/)src\//.test(file))).toEqual([]);
      const texts = files
        .filter((file) => /\.(?:js|d\.ts)$/.test(file))
        .map((file) => readFileSync(installed(name, file), 'utf8'));
      expect(texts.filter((text) => /^\/\/# sourceMappingURL/m.test(text))).toEqual([]);
      expect(texts.filter((text) => text.includes(root))).toEqual([]);
      const manifest = manifestOf(name);
      expect(manifest.repository.url).toMatch(/^git\+https:/);
      expect(manifest.keywords.length).toBeGreaterThan(3);
      const resolved = texts.flatMap((text) => text.match(/(?<=import\.meta\.resolve\(["'])@[^/"']+\/[^/"']+/g) ?? []);
      expect(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })).toEqual(
        expect.arrayContaining(resolved.filter((found) => found !== name)),
      );
      expect([manifest.devDependencies, manifest.scripts]).toEqual([undefined, undefined]);
      expect(readFileSync(installed(name, 'README.md'), 'utf8')).not.toMatch(/\]\((?!https?:|#)/);
    });

    it('is as publint wants it', async () => {
      const { messages, pkg } = await publint({ pkgDir: installed(name), level: 'warning', pack: false });
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    });
  },
);
