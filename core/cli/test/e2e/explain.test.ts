import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leavesNothing, noDuets, useScene } from './support.ts';
import { SceneRepository, skipped } from './support-repository.ts';

const examples = fileURLToPath(new URL('../../../../examples/explain', import.meta.url));

function isThere(...words: readonly [string, ...string[]]): boolean {
  const [file, ...rest] = words;
  return spawnSync(file, rest).status === 0;
}

const hasPerf =
  isThere('perf', 'record', '-q', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true') && isThere('gcc', '--version');

const hasGo = isThere('go', 'tool', 'pprof', '-h') || spawnSync('go', ['tool', '-n', 'pprof']).status === 0;
if (!hasGo) console.log('pprof files are not opened: there is no go tool pprof (apt-get install golang-go)');

const natural = z.int().nonnegative();
/** The file of speedscope as its `file-format-spec.ts` describes it, with the frames that there are. */
function expectSpeedscope(file: unknown): void {
  const { shared, profiles, activeProfileIndex } = z
    .strictObject({
      $schema: z.literal('https://www.speedscope.app/file-format-schema.json'),
      shared: z.strictObject({
        frames: z.array(
          z.strictObject({
            name: z.string(),
            file: z.string().optional(),
            line: z.int().optional(),
            col: z.int().optional(),
          }),
        ),
      }),
      profiles: z.array(
        z.strictObject({
          type: z.literal('sampled'),
          name: z.string(),
          unit: z.enum(['none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes']),
          startValue: z.number(),
          endValue: z.number(),
          samples: z.array(z.array(natural)),
          weights: z.array(z.number()),
        }),
      ),
      name: z.string().optional(),
      activeProfileIndex: natural.optional(),
      exporter: z.string().optional(),
    })
    .parse(file);
  expect(activeProfileIndex).toBeLessThan(profiles.length);
  for (const { samples, weights, startValue, endValue } of profiles) {
    expect(samples).toHaveLength(weights.length);
    expect(weights.reduce((sum, weight) => sum + weight, startValue)).toBe(endValue);
    expect(samples.flat().every((frame) => frame < shared.frames.length)).toBe(true);
  }
}

interface Explained {
  readonly runtime: string;
  readonly pairs: number;
  readonly executions: number;
  readonly whole: { readonly A: number };
  readonly functions: readonly { readonly B: { readonly name: string } | null; readonly selfSeconds: { A: number } }[];
}

describe.skipIf(noDuets !== null)(`deadheat explain (${noDuets ?? 'here'})`, () => {
  const scene = useScene(leavesNothing);

  /** Compares two programs, explains them in five pairs and gives the explanation. */
  async function explained(a: string, b: string): Promise<Explained> {
    expect((await scene.run(['--runs', '3', '--method', 'tandem', a, b])).status).toBe(0);
    const forms = ['json', 'pprof', 'speedscope', 'collapsed', 'markdown'];
    const exports = forms.flatMap((form) => ['--export', `${form}:${scene.path(form)}`]);
    const ended = await scene.run(['explain', '--pairs', '5', ...exports]);
    expect([ended.status, ended.stderr]).toEqual([0, 'deadheat: explain: 5 pairs of runs under a sampler\n']);
    expect(ended.stdout).toContain('all functions at once at 99 %');
    for (const form of forms) expect(existsSync(scene.path(form)), form).toBe(true);
    expect(readFileSync(`${scene.recording()}/report.html`, 'utf8')).toContain('id="functions"');
    expectSpeedscope(JSON.parse(readFileSync(scene.path('speedscope'), 'utf8')));
    if (hasGo) {
      const top = execFileSync('go', ['tool', 'pprof', '-top', '-sample_index=B', scene.path('pprof')], {
        encoding: 'utf8',
      });
      expect(top).toMatch(/^Type: B\n[^]*flat%/m);
    }
    return JSON.parse(readFileSync(scene.path('json'), 'utf8')) as Explained;
  }

  function expectFunction({ functions, whole }: Explained, name: string): void {
    const found = functions.find(({ B }) => B?.name === name);
    expect(found, `${name} among ${functions.map(({ B }) => B?.name).join(', ')}`).toBeDefined();
    expect((found?.selfSeconds.A ?? 0) / whole.A).toBeGreaterThan(0.02);
  }

  it('samples Node', async () => {
    const program = `node ${examples}/node/words.js 6`;
    const result = await explained(program, `${program} --slow`);
    expect([result.runtime, result.pairs]).toEqual(['node', 5]);
    expectFunction(result, 'hashOf');
  });

  it.skipIf(!hasPerf)('samples a native program, where perf may and gcc is there', async () => {
    execFileSync('gcc', ['-O2', '-o', scene.path('words'), `${examples}/c/words.c`]);
    const result = await explained(`${scene.path('words')} 120`, `${scene.path('words')} 120 slow`);
    expect([result.runtime, result.executions]).toEqual(['native', 1]);
    expectFunction(result, 'hash_of');
  });

  it.skipIf(!hasPerf)('executes a short native program several times in a run, and takes their mean', async () => {
    execFileSync('gcc', ['-O2', '-o', scene.path('words'), `${examples}/c/words.c`]);
    const result = await explained(`${scene.path('words')} 2`, `${scene.path('words')} 2 slow`);
    expect(result.executions).toBeGreaterThan(1);
    // All its executions together take about 50 ms.
    expect(result.whole.A).toBeLessThan(0.025);
    expectFunction(result, 'hash_of');
  });

  it.skipIf(!isThere('python3', '--version'))('samples Python, where it is there', async () => {
    const result = await explained(
      `python3 ${examples}/python/words.py 10`,
      `python3 ${examples}/python/words.py 10 --slow`,
    );
    expect(result.runtime).toBe('python');
    expectFunction(result, 'hash_of');
  });

  it.skipIf(!isThere('javac', '-version') || !isThere('jfr', 'version'))(
    'samples Java, where a JDK is there',
    async () => {
      execFileSync('javac', ['-d', scene.path('classes'), `${examples}/java/Words.java`]);
      const program = `java -cp ${scene.path('classes')} Words 450`;
      const result = await explained(program, `${program} slow`);
      expect(result.runtime).toBe('java');
      expectFunction(result, 'Words.hashOf');
    },
  );

  it('ends with 5 and one sentence where perf is missing', async () => {
    const program = scene.script('a', 'true');
    expect((await scene.run(['--runs', '3', '--method', 'tandem', program, program])).status).toBe(0);
    const ended = await scene.run(['explain'], { env: { PATH: '/nonexistent' } });
    expect(ended.status).toBe(5);
    expect(ended.stderr).toMatch(/there is no perf here/);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('names the benchmarks there are, and explains nothing where --explain finds no clear difference', async () => {
    const same = ['--runs', '3', '--method', 'tandem', '--margin', '99%', 'true', 'true'];
    const ended = await scene.run(['--explain', ...same]);
    expect([ended.status, ended.stderr]).toEqual([0, expect.stringContaining('nothing to explain')]);
    const unknown = await scene.run(['explain', '--benchmark', 'other']);
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('has no benchmark other')]);
  });

  it.skipIf(!hasPerf)('explains a slower side below its verdict, where perf may and gcc is there', async () => {
    execFileSync('gcc', ['-O2', '-o', scene.path('words'), `${examples}/c/words.c`]);
    const [a, b] = [`${scene.path('words')} 40`, `${scene.path('words')} 60`];
    const ended = await scene.run(['--runs', '10', '--method', 'tandem', '--explain', a, b]);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(/SLOWER[^]*explain .* SLOWER[^]*hash_of/);
  });
});

describe.skipIf(skipped !== null)(`--explain of other commands (${skipped ?? 'here'})`, () => {
  const scene = useScene(leavesNothing);
  const repository = new SceneRepository(scene);
  /** A program whose function `spin` makes so many thousand turns. */
  const turning = (turns: number): string =>
    `function spin(turns) { let sum = 0; for (let at = 0; at < turns; at++) sum = (sum * 31 + at) % 65521; return sum; }
     let all = 0; for (let at = 0; at < ${turns}; at++) all += spin(1e6); if (all < 0) console.log(all);`;
  const options = ['--metric', 'cpu', '--method', 'alone', '--margin', '40%', '--max-time', '10m'];

  it('names the function of the commit that bisect finds', async () => {
    repository.commit('first', { 'work.js': turning(10), '.gitignore': '.deadheat\n' });
    repository.commit('slows it down', { 'work.js': turning(60) });
    repository.commit('harmless', { notes: '1' });
    const ended = await repository.run('bisect', 'HEAD~2', 'HEAD', '--explain', ...options, '--', 'node', 'work.js');
    expect([ended.status, ended.stderr]).toEqual([0, expect.not.stringContaining('not explained')]);
    expect(ended.stdout).toMatch(
      /^The first slow commit is [0-9a-f]+ slows it down\n[^]*explain .* SLOWER[^]*\nspin +work.js:1 /,
    );
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('names the function in the report of run, and in the Markdown of the pull request', async () => {
    writeFileSync(scene.path('a.js'), turning(10));
    writeFileSync(scene.path('b.js'), turning(60));
    writeFileSync(
      scene.path('deadheat.yaml'),
      'benchmarks:\n  turns:\n    A: { command: node a.js }\n    B: { command: node b.js }\n',
    );
    const shown = ['--explain', '--export', `summary:${scene.path('pr.md')}`];
    const ended = await scene.run(['run', ...options, '--runs', '12', ...shown]);
    expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/SLOWER[^]*\nspin +b.js:1 /)]);
    expect(readFileSync(scene.path('pr.md'), 'utf8')).toMatch(/Functions behind turns[^]*\| spin \| b.js:1 \|/);
    expect(readFileSync(`${scene.recording()}/report.html`, 'utf8')).toMatch(/id="functions"[^]*>spin</);
    const elsewhere = await scene.run(['run', '--explain', '--on', 'slurm', '--hosts', '2']);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      2,
      expect.stringContaining('--explain does nothing with --on slurm'),
    ]);
  });
});
