import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { compare } from 'deadheat';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SceneRepository, skipped } from './support-repository.ts';
import { noDuets, parseReport, Scene } from './support.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

/** Prints what Go's harness does: as many operations as fit 20 ms, and the cost of one, which the argument gives in ns. */
const goBench = `awk -v cost="$1" 'BEGIN {
  srand(); n = int(2e7 / cost * (1 + rand() / 10))
  for (k = 1; k <= 2; k++) printf "BenchmarkJoin/%d-2   \\t %d\\t       %.1f ns/op\\n", k, n, cost * k * (1 + rand() / 100)
  print "PASS" }'; sleep 0.02`;

/** The same with -benchtime=100x. */
const fixedWork = `printf 'BenchmarkJoin-2\\t100\\t%s ns/op\\n' "$1"`;

describe('commands that fill a time whatever an operation costs', () => {
  it('are compared by the times of operations that they print', async () => {
    scene.script('bench', goBench);
    const ended = await scene.run([
      './bench 170',
      './bench 3599',
      '--runs',
      '7',
      '--output',
      'rec',
      '--export',
      'json:-',
    ]);
    expect(ended.stderr).toContain('as --parser go --method sequential');
    expect(ended.status).toBe(0);
    const { comparisons, experiment } = parseReport(ended.stdout);
    expect(experiment.method).toBe('sequential');
    expect(comparisons.map(({ benchmark, verdict }) => [benchmark, verdict])).toEqual([
      ['Join/1-2', 'slower'],
      ['Join/2-2', 'slower'],
    ]);
    // 3599 / 170 = 21.17, and a hundredth on either side.
    for (const { interval } of comparisons) expect(Math.abs(interval.estimate / 21.17 - 1)).toBeLessThan(0.02);
    expect(existsSync(scene.path('rec/report.json'))).toBe(true);
  });

  it.skipIf(skipped !== null)('are compared so in two commits', async () => {
    scene.script('bench', goBench);
    const repository = new SceneRepository(scene);
    mkdirSync(repository.folder);
    repository.git('init', '-q');
    repository.commit('fast', { cost: '170' });
    repository.commit('slow', { cost: '3599' });
    const ended = await scene.run(
      ['git', 'HEAD~1..HEAD', '--runs', '7', '--export', 'json:-', '--', `sh -c '${scene.path('bench')} $(cat cost)'`],
      { cwd: 'repo' },
    );
    expect(ended.stderr).toContain('as --parser go --method sequential');
    expect(ended.status).toBe(0);
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ benchmark, verdict }) => [benchmark, verdict])).toEqual([
      ['Join/1-2', 'slower'],
      ['Join/2-2', 'slower'],
    ]);
  });

  it.each([
    ['with options of another method', ['--swap', 'run']],
    ['by a method that cannot read what they print', ['--method', 'alone']],
    ['as warm-up runs show as well', ['--method', 'alone', '--warmup', '1']],
  ])('are refused %s', async (_, options) => {
    scene.script('bench', goBench);
    const ended = await scene.run(['./bench 170', './bench 3599', '--runs', '5', ...options]);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toContain('TIME_BUDGETED: go test -bench repeats an operation until a time is over');
    expect(ended.stderr).toContain('--parser go --method sequential');
  });

  it('are refused in a file, which can name their parser', async () => {
    scene.script('bench', goBench);
    const file = (more: string): string =>
      `runs: 5\n${more}benchmarks:\n  join: { A: { command: ./bench 170 }, B: { command: ./bench 3599 } }\n`;
    writeFileSync(scene.path('deadheat.yaml'), file(''));
    const refused = await scene.run(['run']);
    expect(refused.status).toBe(4);
    expect(refused.stderr).toContain('parser: go with methods: [sequential] in a file');
    writeFileSync(scene.path('deadheat.yaml'), file('whole-process: true\n'));
    expect((await scene.run(['run'])).status).toBe(0);
  });

  it('are refused by the library, with a code of their own', async () => {
    scene.script('bench', goBench);
    const [a, b] = [170, 3599].map((ns) => `${scene.path('bench')} ${ns}`);
    const refused = compare({ a: a ?? '', b: b ?? '', runs: 5, output: scene.path('rec') });
    await expect(refused).rejects.toMatchObject({ code: 'TIME_BUDGETED', category: 'workload' });
  });

  it('are compared as whole processes by those who mean it', async () => {
    scene.script('bench', goBench);
    const ended = await scene.run([
      './bench 170',
      './bench 3599',
      '--runs',
      '5',
      '--whole-process',
      '--export',
      'json:-',
    ]);
    expect(ended.status).toBe(0);
    expect(parseReport(ended.stdout).comparisons.map(({ benchmark }) => benchmark)).toEqual([
      './bench 170 vs ./bench 3599',
    ]);
  });

  it('are commands as others are with a fixed number of operations', async () => {
    scene.script('bench', fixedWork);
    const ended = await scene.run(['./bench 170', './bench 3599', '--runs', '5', '--export', 'json:-']);
    expect(ended.stderr).not.toContain('--parser');
    expect(ended.status).toBe(0);
    expect(parseReport(ended.stdout).warnings.map(({ code }) => code)).not.toContain('OPERATION_TIMES_PRINTED');
  });
});

it('what a command prints is read once, and no more of it than a harness prints', async () => {
  // The last line is that of a harness, behind 40 MB.
  scene.script('large', `[ -e seen-$DEADHEAT_SIDE ] || yes | head -c 40000000; : > seen-$DEADHEAT_SIDE; ${goBench}`);
  const ended = await scene.run([
    './large 170',
    './large 3599',
    '--runs',
    '5',
    '--output',
    'rec',
    '--export',
    'json:-',
  ]);
  expect(ended.status).toBe(0);
  expect(parseReport(ended.stdout).comparisons).toHaveLength(1);
  expect(existsSync(scene.path('rec/iterations/0-A.jsonl'))).toBe(false);
});

it.skipIf(noDuets !== null)('times of operations in any other form are warned of', async () => {
  scene.script('own', 'echo "join: $1 ns/op" >&2');
  const ended = await scene.run(['./own 170', './own 3599', '--runs', '5', '--export', 'json:-']);
  expect(ended.status).toBe(0);
  const warning = parseReport(ended.stdout).warnings.find(({ code }) => code === 'OPERATION_TIMES_PRINTED');
  expect(warning?.message).toContain('join: 170 ns/op');
});
