import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, useScene } from './support.ts';

const examples = fileURLToPath(new URL('../../../../examples/explain', import.meta.url));

function isThere(...words: readonly [string, ...string[]]): boolean {
  const [file, ...rest] = words;
  return spawnSync(file, rest).status === 0;
}

const hasPerf =
  isThere('perf', 'record', '-q', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true') && isThere('gcc', '--version');

interface Explained {
  readonly runtime: string;
  readonly pairs: number;
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
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('all functions at once at 99 %');
    for (const form of forms) expect(existsSync(scene.path(form)), form).toBe(true);
    expect(readFileSync(`${scene.recording()}/explain.html`, 'utf8')).toContain('Call tree of both sides');
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
    const result = await explained(`${scene.path('words')} 20`, `${scene.path('words')} 20 slow`);
    expect(result.runtime).toBe('native');
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
    const ended = await scene.run(['--runs', '3', '--method', 'tandem', '--explain', 'true', 'true']);
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
