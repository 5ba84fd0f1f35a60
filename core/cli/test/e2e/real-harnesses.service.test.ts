import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Iteration } from '@deadheat/model';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene } from './support.ts';
import { TestEngine } from './support-containers.ts';

const clients = join(import.meta.dirname, '../../../../clients/java');
/** What `lab/harnesses/build.js` has made. */
const built = process.env['DEADHEAT_HARNESSES'] ?? null;
const noJava = ['javac', 'java', 'unzip'].find((tool) => spawnSync(tool, ['-version']).error !== undefined);
const skipped =
  built === null
    ? 'DEADHEAT_HARNESSES names no folder of lab/harnesses/build.js'
    : (noDuets ?? (noJava === undefined ? null : `there is no ${noJava} here`));
if (skipped !== null) console.log(`tests of real harnesses are skipped: ${skipped}`);

interface Harness {
  /** Jar of the suite, whose name the commands below have. */
  readonly jar: string;
  readonly adapter: string;
  /** Class path for `javac`, where it is not the jar. */
  readonly compiledAgainst?: string;
  /** Command that takes part by the adapter, and one that knows nothing of deadheat and makes 30 iterations. */
  readonly taking: string;
  readonly printing: string;
  readonly parser: string;
  readonly benchmark: string;
  /** JMH records invocations, which `rciw` and `kld` are about. */
  readonly criteria: readonly string[];
  readonly sampling?: string;
}

const dacapo = { jar: 'dacapo.jar', parser: 'dacapo', benchmark: 'toy', criteria: ['cv', 'rciw'] };
const scratch = '--scratch-directory scratch-$DEADHEAT_SIDE';
const jmh = {
  jar: 'benchmarks.jar',
  adapter: 'DuetJmh',
  taking:
    "java -Djmh.ignoreLock=true -cp benchmarks.jar:duet org.openjdk.jmh.Main -prof DuetJmh -f 1 -wi 0 -i 1000000 -r 50ms '^toy.Sorting.sort$'",
  printing: 'java -Djmh.ignoreLock=true -jar benchmarks.jar -f 1 -wi 0 -i 30 -r 100ms Sorting.sort',
  parser: 'jmh',
  benchmark: 'toy.Sorting.sort',
  criteria: ['cv', 'rciw', 'kld'],
  sampling: '-bm sample',
};

/** The cells of docs/suites.md, one harness a row. */
const harnesses: Readonly<Record<string, Harness>> = {
  jmh,
  'jmh-reconfigure': { ...jmh, sampling: '-bm re' },
  'dacapo-9.12': {
    ...dacapo,
    adapter: 'DuetScalaBench',
    taking: `java -cp dacapo.jar:duet Harness -c DuetScalaBench -n 1000000 ${scratch} toy`,
    printing: `java -cp dacapo.jar Harness -n 30 ${scratch} toy`,
  },
  'dacapo-9.12-MR1': {
    ...dacapo,
    adapter: 'DuetDaCapo',
    compiledAgainst: 'dacapo/harness',
    taking: `java -Ddacapo.callback.classpath=duet -cp dacapo.jar Harness -c DuetDaCapo -n 1000000 ${scratch} toy`,
    printing: `java -jar dacapo.jar -n 30 ${scratch} toy`,
  },
  'dacapo-chopin': {
    ...dacapo,
    adapter: 'DuetDaCapo',
    taking: `java -cp dacapo.jar:duet Harness -c DuetDaCapo -n 1000000 ${scratch} toy`,
    printing: `java -jar dacapo.jar -n 30 ${scratch} toy`,
  },
  renaissance: {
    jar: 'renaissance.jar',
    adapter: 'DuetRenaissance',
    taking: 'java -jar renaissance.jar --policy duet!DuetRenaissance toy',
    printing: 'java -jar renaissance.jar -r 30 toy',
    parser: 'renaissance',
    benchmark: 'toy',
    criteria: ['cv', 'rciw'],
  },
};

/** The same with twice the work. */
const slower = (command: string): string => command.replace('java ', 'java -Drounds=800 ');

const engine = skipped === null ? TestEngine.find() : skipped;
const noEngine = typeof engine === 'string' ? engine : null;
if (skipped === null && noEngine !== null) console.warn(`real harnesses in containers are skipped: ${noEngine}`);
afterAll(() => {
  if (typeof engine !== 'string') engine.end();
  if (java !== null) rmSync(java, { recursive: true, force: true });
});

let java: string | null = null;

/** A Java of the modules that harnesses need, with the libraries of the system that it is linked to, as files of an image. */
function javaForImages(): Readonly<Record<string, string>> {
  const folder = join((java ??= mkdtempSync(join(tmpdir(), 'deadheat-java-'))), 'jdk');
  if (!existsSync(folder)) {
    const modules = ['--add-modules', 'java.se,jdk.unsupported,jdk.management,jdk.zipfs'];
    execFileSync('jlink', [...modules, '--strip-debug', '--no-header-files', '--no-man-pages', '--output', folder]);
  }
  const linked = execFileSync('ldd', [join(folder, 'bin/java'), join(folder, 'lib/server/libjvm.so')], {
    encoding: 'utf8',
  });
  const libraries = [...linked.matchAll(/(?:=> |^\s+)(\/lib\S+) \(/gm)].map(([, path = '']) => [
    path.slice(1),
    realpathSync(path),
  ]);
  return { ...Object.fromEntries(libraries), ...filesBelow(folder, 'jdk') };
}

function filesBelow(folder: string, place: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [join(place, relative(folder, file)), file]));
}

describe.skipIf(skipped !== null).each(Object.entries(harnesses))('%s itself', (name, harness) => {
  const folder = join(built ?? '', name);
  const scene = useScene(leavesNothing);
  const isBuilt = existsSync(join(folder, harness.jar));
  if (skipped === null && !isBuilt) console.warn(`${name} is skipped: there is no ${join(folder, harness.jar)}`);

  beforeEach(() => {
    if (!isBuilt) return;
    for (const file of readdirSync(folder)) cpSync(join(folder, file), scene.path(file), { recursive: true });
    const typed = harness.compiledAgainst === undefined ? '' : `unzip -q ${harness.jar} "harness/*" -d dacapo && `;
    const own = ['Duet.java', 'adapters/DuetHarness.java', `adapters/${harness.adapter}.java`];
    const files = own.map((file) => join(clients, file)).join(' ');
    const compile = `${typed}javac -cp ${harness.compiledAgainst ?? harness.jar} -d duet ${files}`;
    execFileSync('sh', ['-c', compile], { cwd: scene.directory, stdio: 'pipe' });
  });

  function recorded(recording: string, file: string): readonly Iteration[] {
    const lines = readFileSync(scene.path(`${recording}/iterations/${file}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    return lines.slice(1).map((line) => JSON.parse(line) as Iteration);
  }

  async function compare(args: readonly string[], commands: readonly string[]): Promise<readonly unknown[]> {
    const ended = await scene.run([...args, '--export', 'json:-', ...commands]);
    expect(ended.status, ended.stderr + ended.stdout).toBe(0);
    return parseReport(ended.stdout).comparisons;
  }

  it.skipIf(!isBuilt)('takes part in synchronous duets and tandems by the adapter', async () => {
    for (const method of ['sync-duet', 'tandem']) {
      const asked = ['--harness', '--method', method, '--runs', '2', '--iterations', '8', '--warmup', '2'];
      const compared = await compare([...asked, '--output', method], [harness.taking, slower(harness.taking)]);
      expect(compared).toMatchObject([{ benchmark: harness.benchmark, method, runs: 2 }]);
      const [a, b] = ['0-A', '0-B'].map((file) => recorded(method, file));
      expect(a?.map(({ p }) => p)).toEqual(b?.map(({ p }) => p));
      expect(a).toHaveLength(8);
      expect(a?.[7]).toMatchObject({ gcCount: expect.any(Number), compileMs: expect.any(Number) });
      for (const { c, n } of [...a!, ...b!]) {
        expect(c).toBeGreaterThan(0);
        expect(n ?? 1).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it.skipIf(!isBuilt)('is read in asynchronous duets', async () => {
    // JMH's iterations are long enough for their lines to be seen one by one.
    const printing = harness.printing.replace('-i 30 -r 100ms', '-i 6 -r 500ms');
    const command = harness.parser === 'dacapo' ? `exec ${printing} 2>&1` : `exec ${printing}`;
    const sides = { A: { command }, B: { command: slower(command) } };
    const config = { runs: 2, methods: ['async-duet'], benchmarks: { toy: { parser: harness.parser, ...sides } } };
    writeFileSync(scene.path('deadheat.yaml'), JSON.stringify(config));
    await compare(['run', '--output', 'rec'], []);
    for (const side of ['A', 'B']) {
      const iterations = recorded('rec', `0-${side}`);
      expect(iterations).toHaveLength(harness.parser === 'jmh' ? 6 : 30);
      for (const { s, e } of iterations) expect(e).toBeGreaterThanOrEqual(s);
    }
  });

  it.skipIf(!isBuilt).each(['cv', 'rciw', 'kld'])('stops when it is stable by %s', async (criterion) => {
    const taking =
      harness.sampling === undefined ? harness.taking : harness.taking.replace('-f 1', `${harness.sampling} -f 1`);
    const asked = ['--harness', '--method', 'sync-duet', '--stable', criterion, '-M', '2', '--export', 'json:-'];
    const ended = await scene.run([...asked, taking, slower(taking)]);
    if (!harness.criteria.includes(criterion)) {
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain('recorded one time for each iteration');
      return;
    }
    expect(ended.status, ended.stderr).toBe(0);
    const [compared] = parseReport(ended.stdout).comparisons;
    expect(compared).toMatchObject({ benchmark: harness.benchmark, runs: 2 });
    for (const run of compared!.stability!.runs) expect(run.decidedAfter).toBeLessThanOrEqual(50);
  });

  it.skipIf(!isBuilt)('is asked when it is warm, by the adapter and by what it prints', async () => {
    const asked = ['lab', 'warmup', '--runs', '1', '--export', 'json:-'];
    const program = (command: string): string => command.replace(`${scratch} `, '').replace('-f 1', '-f 0');
    for (const args of [
      ['--iterations', '30', program(harness.taking)],
      ['--parser', harness.parser, program(harness.printing)],
    ]) {
      const found = await scene.run([...asked, ...args]);
      expect(found.status, found.stderr).toBe(0);
      expect(JSON.parse(found.stdout)).toMatchObject({ runs: [{ benchmarks: [{ iterations: 30 }] }] });
    }
  });

  it.skipIf(!isBuilt)('is calibrated, planned and run', async () => {
    const long = ['--shift-rate', '20%', '--long-runs', '2'];
    const short = ['--short-runs', '3', '--short-iterations', '4', '--warmup-iterations', '2'];
    const sides = [harness.taking, slower(harness.taking)];
    for (const args of [
      ['calibrate', '--method', 'sync-duet', ...long, ...short, '--output', 'calibration', ...sides],
      ['plan', 'calibration', '--budget', '10m'],
      ['run', '--dry-run'],
    ]) {
      const ended = await scene.run(args);
      expect(ended.status, ended.stderr).toBe(0);
    }
    const planned = readFileSync(scene.path('deadheat.yaml'), 'utf8').replace(/^( +)runs: \d+/m, '$1runs: 2');
    writeFileSync(scene.path('few.yaml'), planned.replace(/iterations: \d+/, 'iterations: 4'));
    expect(await compare(['run', 'few.yaml'], [])).toMatchObject([{ method: 'sync-duet', runs: 2 }]);
  });

  it.skipIf(!isBuilt || noEngine !== null).each([
    ['sync-duet', 'the adapter'],
    ['tandem', 'the adapter'],
    ['async-duet', 'the parser'],
  ])('is measured in containers: %s by %s', async (method, reader) => {
    const podman = engine as TestEngine;
    const classes = filesBelow(scene.path('duet'), 'duet');
    const image = podman.image(name.toLowerCase(), { ...javaForImages(), ...classes, ...filesBelow(folder, '.') });
    const printing = `${harness.printing.replace('-i 30 -r 100ms', '-i 6 -r 500ms')} 2>&1`;
    const typed = (reader === 'the adapter' ? harness.taking : printing).replace('java ', '/jdk/bin/java ');
    const kind = reader === 'the adapter' ? { workload: 'harness' } : { parser: harness.parser };
    const sides = { A: { image, command: typed }, B: { image, command: typed.replace('java ', 'java -Drounds=800 ') } };
    const shared = { runs: 2, iterations: 8, 'warmup-iterations': 2, methods: [method] };
    writeFileSync(
      scene.path('deadheat.yaml'),
      JSON.stringify({ ...shared, benchmarks: { toy: { ...kind, ...sides } } }),
    );
    const asked = ['run', '--engine', 'podman', '--output', 'rec'];
    const ended = await scene.run(asked, { env: podman.environment });
    expect(ended.status, ended.stderr).toBe(0);
    const trials = scene.trials('rec');
    expect(trials).toHaveLength(2);
    for (const { trial } of trials) expect(recorded('rec', `${trial}-B`).length).toBeGreaterThanOrEqual(6);
  });

  it.skipIf(!isBuilt || harness.parser !== 'jmh')('writes histograms that studies of stopping read', async () => {
    const short = harness.printing.replace('-i 30', '-i 20 -bm sample').replace('100ms', '10ms');
    execFileSync('sh', ['-c', `${short} -rf json -rff jmh.json`], { cwd: scene.directory, stdio: 'ignore' });
    expect(readFileSync(scene.path('jmh.json'), 'utf8')).toContain('rawDataHistogram');
    const studied = await scene.run(['lab', 'study', 'stopping', 'jmh.json']);
    expect(studied.status, studied.stderr).toBe(0);
    expect(studied.stdout).toContain('toy.Sorting.sort');
  });
});
