import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readWorkloadRecord } from '@deadheat/recording';
import type { Report } from '@deadheat/model';
import { splitWords } from 'deadheat/internals';
import { leavesNothing, noDuets, parseReport, useScene } from './support.ts';

const root = join(import.meta.dirname, '../../../..');

/** The arguments of each command of `examples/README.md`, by the folder that it is typed in. */
const commands = new Map(
  [...readFileSync(join(root, 'examples/README.md'), 'utf8').matchAll(/^ {4}cd (\S+) && npx deadheat (.*)$/gm)].map(
    ([, folder = '', line = '']) => [folder, splitWords(line).words],
  ),
);

const missingTool = ['gcc', 'javac', 'java', 'python3'].find((tool) => spawnSync(tool, ['--version']).status !== 0);

/** Fewer runs and iterations than somebody who wants to know would make. */
const shorter = (text: string): string => text.replace(/^runs: \d+$/m, 'runs: 2').replace(/^(iterations: )20$/m, '$16');

const name = `the examples${noDuets === null ? '' : ` (skipped: ${noDuets})`}`;
describe.skipIf(noDuets !== null)(name, () => {
  const scene = useScene(leavesNothing);
  beforeEach(() => {
    // A clone of its own, with what was installed.
    for (const folder of ['examples', 'clients']) cpSync(join(root, folder), scene.path(folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), scene.path('node_modules'));
  });

  /** Types the command of the README, shortened. */
  async function run(folder: string): Promise<Report> {
    const words = commands.get(folder) ?? [];
    const file = join(scene.path(folder), 'deadheat.yaml');
    const isConfigured = words[0] === 'run';
    if (isConfigured) writeFileSync(file, shorter(readFileSync(file, 'utf8')));
    const short = isConfigured
      ? words
      : words.includes('--stable')
        ? ['-M', '2', ...words]
        : words.toSpliced(words.indexOf('--runs'), 2, '--runs', '2', '--iterations', '6');
    const [first = '', ...rest] = short;
    const output = ['--output', scene.path('recording'), '--export', 'json:-'];
    const ended = await scene.run(isConfigured ? [first, ...output, ...rest] : [...output, ...short], { cwd: folder });
    expect(ended.status, ended.stderr).toBe(0);
    return parseReport(ended.stdout);
  }

  /** With the method where somebody chose it; what pilot runs choose may depend on what else the machine does. */
  const compared = ({ comparisons }: Report): unknown =>
    comparisons.map(({ benchmark, params, method, methodReason, runs }) => {
      if (methodReason === null) return [benchmark, params, method, runs];
      expect(['tandem', 'alone', 'sync-duet']).toContain(method);
      return [benchmark, params, 'chosen', runs];
    });

  it('are all run here, in explain.test.ts or with vitest 5, but for the loop of attempts, which takes minutes', () => {
    const folders = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const here = [...commands.keys(), 'examples/attempt', 'examples/vitest5'].toSorted();
    expect(here).toEqual(folders.map((entry) => `examples/${entry.name}`).toSorted());
  });

  it('compare work that never settles', async () => {
    expect(compared(await run('examples/shifting'))).toEqual([['shifting', {}, 'chosen', 2]]);
  });

  it('end warm-up when it is stable', async () => {
    const { comparisons } = await run('examples/stopping');
    expect(comparisons.map(({ benchmark, runs }) => [benchmark, runs])).toEqual(
      ['sort', 'sort by', 'parse', 'stringify', 'match', 'look up'].map((name) => [name, 2]),
    );
    for (const { stability } of comparisons) {
      expect(stability?.runs.map(({ decidedAfter }) => decidedAfter >= 5 && decidedAfter <= 50)).toEqual([true, true]);
    }
  });

  it('compare two versions of a package', async () => {
    expect(compared(await run('examples/versions'))).toEqual([
      ['parse', {}, 'chosen', 2],
      ['format', {}, 'chosen', 2],
    ]);
  });

  it('let a file of tinybench take part', async () => {
    expect(compared(await run('examples/tinybench'))).toEqual([
      ['join and split', { bench: 'words' }, 'chosen', 2],
      ['sort', { bench: 'words' }, 'chosen', 2],
    ]);
  });

  it('let a file of mitata take part', async () => {
    expect(compared(await run('examples/mitata'))).toEqual([
      ['fill $size', { group: 'arrays', size: '100' }, 'chosen', 2],
      ['fill $size', { group: 'arrays', size: '1000' }, 'chosen', 2],
      ['parse', {}, 'chosen', 2],
    ]);
  });

  it('let a file of vitest take part as it is', async () => {
    const at = { file: 'parse.bench.ts', group: 'times' };
    expect(compared(await run('examples/vitest'))).toEqual([
      ['parse', at, 'tandem', 2],
      ['format', at, 'tandem', 2],
    ]);
  });

  it.each(['tinybench', 'mitata'])('change nothing but the import in a file of %s', (library) => {
    const path = scene.path(`examples/${library}/bench.mjs`);
    const text = readFileSync(path, 'utf8');
    const original = text.replace(`'@deadheat/harness/${library}'`, `'${library}'`);
    expect(original).not.toBe(text);
    for (const [file, content] of [
      ['original.mjs', original],
      ['bench.mjs', text],
    ] as const) {
      writeFileSync(join(path, '..', file), content);
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
        cwd: join(path, '..'),
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/sort|parse/);
    }
  });

  const clients = `compare C, Java, Python, and C with Python${missingTool === undefined ? '' : ` (skipped: there is no ${missingTool} here)`}`;
  it.skipIf(missingTool !== undefined)(clients, async () => {
    expect(compared(await run('examples/clients'))).toEqual(
      ['c', 'java', 'python', 'c-and-python'].map((entry) => [`${entry}/sort`, { length: '20000' }, 'chosen', 2]),
    );
    expect(readdirSync(scene.path('examples/clients'))).toEqual(['deadheat.yaml']);
  });

  it('measure by three methods and a matrix', async () => {
    const report = await run('examples/configured');
    const seen = report.comparisons.map(({ benchmark, params, method }) => [benchmark, params['lines'], method]);
    // Executions of an asynchronous duet need not overlap, and are no comparison then.
    expect(seen.filter(([, , method]) => method !== 'async-duet')).toEqual([
      ['compress', '2000', 'sync-duet'],
      ['compress', '2000', 'sequential'],
      ['compress', '20000', 'sync-duet'],
      ['compress', '20000', 'sequential'],
      ['sort', undefined, 'sync-duet'],
      ['sort', undefined, 'sequential'],
    ]);
    expect(scene.trials('recording')).toHaveLength(16);
  });

  it('find iterations in what a script prints', async () => {
    const report = await run('examples/timestamps');
    const trials = scene.trials('recording');
    expect(trials.map(({ method }) => method)).toEqual(['async-duet', 'async-duet']);
    for (const { sides } of trials) {
      for (const { record } of [sides.A, sides.B]) {
        const { benchmarks } = await readWorkloadRecord(join(scene.path('recording'), record ?? ''));
        // From 21 time stamps.
        expect(benchmarks.map(({ benchmark, iterations }) => [benchmark, iterations.length])).toEqual([
          ['compress', 20],
        ]);
      }
    }
    const missing = report.warnings.filter(({ message }) => message.startsWith('compress: '));
    expect(report.comparisons.length + missing.length).toBe(1);
  });
});
