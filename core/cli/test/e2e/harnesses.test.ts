import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Iteration } from '@deadheat/model';
import { beforeEach, describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene } from './support.ts';

const clients = join(import.meta.dirname, '../../../../clients/java');
const standIns = join(import.meta.dirname, '../fixtures/harnesses');
const noJava = ['javac', 'java'].find((tool) => spawnSync(tool, ['-version']).status !== 0);
const skipped = noDuets ?? (noJava === undefined ? null : `there is no ${noJava} here`);

/** The adapter of each stand-in, and how it is started with it. */
const harnesses = {
  dacapo: { adapter: 'DuetDaCapo', start: 'Harness -c DuetDaCapo -n 50 avrora' },
  scalabench: { adapter: 'DuetScalaBench', start: 'Harness -c DuetScalaBench -n 50 kiama' },
  renaissance: { adapter: 'DuetRenaissance', start: 'Renaissance --policy renaissance!DuetRenaissance scrabble' },
  jmh: {
    adapter: 'DuetJmh',
    start: 'org.openjdk.jmh.Main -prof DuetJmh -wi 2 -i 500 -bm sample org.sample.Sorting.sort',
  },
};

describe.skipIf(skipped !== null)(`harnesses of Java${skipped === null ? '' : ` (skipped: ${skipped})`}`, () => {
  const scene = useScene(leavesNothing);

  beforeEach(() => {
    for (const [name, { adapter }] of Object.entries(harnesses)) {
      const sources = readdirSync(join(standIns, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.java'))
        .map((file) => join(standIns, name, file));
      const own = ['Duet.java', 'adapters/DuetHarness.java', `adapters/${adapter}.java`];
      const files = [...sources, ...own.map((file) => join(clients, file))];
      execFileSync('javac', ['-nowarn', '-d', scene.path(name), ...files], { stdio: 'pipe' });
    }
  });

  function recorded(trial: number): readonly Iteration[] {
    const lines = readFileSync(scene.path(`rec/iterations/${trial}-A.jsonl`), 'utf8')
      .trim()
      .split('\n');
    return lines.slice(1).map((line) => JSON.parse(line) as Iteration);
  }

  it('keep what JMH samples inside the iteration, also where the sampled operations were preempted', async () => {
    const command = `java -Dpreempted=9 -XX:TieredStopAtLevel=1 -cp jmh ${harnesses.jmh.start}`;
    const ended = await scene.run([
      '--harness',
      '--method',
      'sync-duet',
      '--runs',
      '2',
      '--iterations',
      '4',
      '--output',
      'rec',
      '--export',
      'json:-',
      command,
    ]);
    expect(ended.status, ended.stderr).toBe(0);
    const iterations = recorded(0);
    for (const [place, { s }] of iterations.entries()) {
      if (place > 0) expect(s).toBeGreaterThanOrEqual(iterations[place - 1]!.e);
    }
  });

  it('take part in synchronous duets, and can be asked when they are warm', async () => {
    const benchmarks = Object.entries(harnesses).map(([name, { start }]) => [
      name,
      { command: `exec java -XX:TieredStopAtLevel=1 -cp ${name} ${start}` },
    ]);
    const settings = {
      runs: 2,
      iterations: 6,
      'warmup-iterations': 2,
      methods: ['sync-duet'],
      workload: 'harness',
      seed: 'duets',
    };
    writeFileSync(
      scene.path('deadheat.yaml'),
      JSON.stringify({ ...settings, benchmarks: Object.fromEntries(benchmarks) }),
    );
    const ended = await scene.run(['run', '--output', 'rec', '--export', 'json:-']);
    expect(ended.status, ended.stderr).toBe(0);
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ benchmark, params, method, runs }) => [benchmark, params, method, runs])).toEqual([
      ['dacapo/avrora', {}, 'sync-duet', 2],
      ['scalabench/kiama', {}, 'sync-duet', 2],
      ['renaissance/scrabble', {}, 'sync-duet', 2],
      ['jmh/org.sample.Sorting.sort', { mode: 'sample', length: '20000' }, 'sync-duet', 2],
    ]);
    const counters = { gcCount: expect.any(Number), gcMs: expect.any(Number), heapBytes: expect.any(Number) };
    for (const { benchmark, trial } of scene.trials('rec')) {
      const iterations = recorded(trial);
      // As many as the runner asks for, whatever the harness was told; the first two are warm-up.
      expect(iterations.map(({ i, p }) => [i, p])).toEqual(
        [0, 1, 2, 3, 4, 5].map((i) => [i, i < 2 ? 'warmup' : undefined]),
      );
      expect(iterations[5]).toMatchObject(counters);
      // Benchmark 2 is Renaissance, whose stand-in counts branch misses; 3 is JMH, which knows every operation.
      if (benchmark === 2)
        expect(iterations.map((one) => one['branch-misses'])).toEqual([0, 1, 2, 3, 4, 5].map((i) => 20_000 + i));
      if (benchmark === 3) {
        expect(iterations.map(({ n, d }) => [n, (d as readonly number[]).length])).toEqual(Array(6).fill([40, 40]));
        for (const { s, e, d } of iterations) {
          const total = (d as readonly number[]).reduce((sum, time) => sum + time, 0);
          expect(Math.abs(e - s - total)).toBeLessThan(1000);
        }
      }
    }

    for (const [name, benchmark] of [
      ['dacapo', 'avrora'],
      ['jmh', 'org.sample.Sorting.sort mode=sample length=20000'],
    ] as const) {
      const warm = ['lab', 'warmup', '--runs', '1', '--iterations', '30', '--export', 'json:-'];
      const found = await scene.run([...warm, `java -cp ${name} ${harnesses[name].start}`]);
      expect(found.status, found.stderr).toBe(0);
      expect(JSON.parse(found.stdout)).toMatchObject({
        runtime: 'java',
        runs: [{ benchmarks: [{ benchmark, iterations: 30 }] }],
      });
    }
  });

  it.each([
    ['icpe20.yaml', ['kiama'], ['--length', '3'], ['sync-duet', 'sequential']],
    ['thesis23.yaml', ['scrabble', 'kiama'], ['--length', '3'], ['sync-duet', 'async-duet', 'sequential']],
    ['oopsla26.yaml', ['scrabble'], ['--length', '3'], ['sequential']],
    ['fse20.yaml', ['log4j2'], ['--iterations', '3', '-L', 'benchmark', 'org.sample.Sorting.sort'], ['sequential']],
  ])('take part in the experiment of %s', async (file, benchmarks, shorter, methods) => {
    cpSync(join(import.meta.dirname, '../../../../suites', file), scene.path(file));
    for (const name of ['renaissance', 'jmh']) cpSync(scene.path(name), scene.path('duet'), { recursive: true });
    execFileSync('jar', ['-cfe', 'suite.jar', 'Renaissance', '-C', 'renaissance', '.'], { cwd: scene.directory });
    const variables = ['RENAISSANCE=suite.jar', 'SCALABENCH=scalabench', 'JVM=-Xmx64m'].concat(
      file.startsWith('icpe') ? 'SUITE=scalabench' : 'SUITE=suite.jar',
    );
    const words = [
      ...benchmarks.flatMap((name) => ['--filter', name]),
      ...variables.flatMap((variable) => ['--environment', variable]),
    ];
    const ended = await scene.run(['run', file, ...words, ...shorter, '--runs', '2', '--output', 'rec']);
    expect(ended.status, ended.stderr).toBe(0);
    const measured = scene.trials('rec').filter(({ phase, status }) => phase === 'measure' && status === 'ok');
    expect(new Set(measured.map(({ method }) => method))).toEqual(new Set(methods));
    expect(measured).toHaveLength(2 * benchmarks.length * methods.length);
    expect(recorded(0).length).toBeGreaterThanOrEqual(3);
  });
});
