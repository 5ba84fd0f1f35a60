import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CompilationProgress } from '../../src/warmup/compilation-progress.ts';
import type { WarmupPoint } from '../../src/warmup/warmup-points.ts';
import { leavesNothing, until, useScene } from '../../../../core/cli/test/e2e/support.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const noJava = ['javac', 'java'].find((tool) => spawnSync(tool, ['-version']).status !== 0);

interface Result {
  readonly schema: string;
  readonly runtime: string;
  readonly runs: readonly {
    readonly clockErrorNs: number;
    readonly benchmarks: readonly {
      readonly benchmark: string;
      readonly iterations: number;
      readonly byVariation: WarmupPoint | null;
      readonly progress: CompilationProgress;
    }[];
  }[];
}

describe('warmup', () => {
  const scene = useScene(leavesNothing);

  /** Profiles with a folder for temporary files that must be empty afterwards. */
  async function profile(args: readonly string[]): ReturnType<typeof scene.run> {
    const temporary = scene.path('tmp');
    mkdirSync(temporary, { recursive: true });
    const ended = await scene.run(['lab', 'warmup', ...args], { env: { TMPDIR: temporary } });
    expect(readdirSync(temporary)).toEqual([]);
    return ended;
  }

  function check(result: Result, runtime: string, iterations: number): void {
    expect(result).toMatchObject({ schema: 'deadheat.warmup/1', runtime });
    for (const { clockErrorNs, benchmarks } of result.runs) {
      expect(clockErrorNs).toBeGreaterThan(0);
      expect(benchmarks.map((one) => one.iterations)).toEqual([iterations]);
      const { progress } = benchmarks[0]!;
      // Samples fall among the iterations only when the clocks were joined.
      expect(progress.samples.reduce((sum, samples) => sum + samples, 0)).toBeGreaterThan(0);
      expect(progress.lastTier?.iterations).toBeLessThanOrEqual(iterations);
      expect(progress.lastTier?.iterations).toBeGreaterThan(0);
      for (const w of progress.samples.keys()) {
        const filled = progress.series.reduce((sum, { shares }) => sum + shares[w]!, 0);
        expect(filled).toBeCloseTo(progress.samples[w] === 0 ? 0 : 1, 9);
      }
    }
  }

  const nodeProgram = `import { appendFileSync } from 'node:fs';
    const record = process.env.DEADHEAT_RECORD;
    appendFileSync(record, '{"deadheat":1,"benchmark":"sum","params":{}}\\n');
    function work() { let x = 1; for (let k = 0; k < 3e6; k++) x = (Math.imul(x, 48271) + k) | 0; return x; }
    for (let i = 0; i < Number(process.env.DEADHEAT_ITERATIONS); i++) {
      const s = process.hrtime.bigint(); work(); const e = process.hrtime.bigint();
      appendFileSync(record, \`{"i":\${i},"s":\${s},"e":\${e}}\\n\`);
    }`;

  it('of a Node program: tables, JSON and CSV, and nothing is left', async () => {
    writeFileSync(scene.path('sum.mjs'), nodeProgram);
    const [json, csv] = [scene.path('w.json'), scene.path('w.csv')];
    const ended = await profile([
      '--runs',
      '2',
      '--iterations',
      '60',
      '--export',
      `json:${json}`,
      '--export',
      `csv:${csv}`,
      '--figures',
      scene.path('figures'),
      'node sum.mjs',
    ]);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(scene.path('figures/study.html'), 'utf8')).toContain('Kinds of code over time: sum, run 2');
    expect(ended.stdout).toMatch(/^sum +last tier +2 +2 /m);
    check(JSON.parse(readFileSync(json, 'utf8')) as Result, 'node', 60);
    expect(readFileSync(csv, 'utf8')).toMatch(/^Run by run,sum,.*,60,/m);
  });

  it.skipIf(noJava !== undefined)(
    `of a Java program${noJava === undefined ? '' : ` (skipped: no ${noJava})`}`,
    async () => {
      const sources = ['Duet.java', 'examples/Sort.java'].map((name) => `${root}/clients/java/${name}`);
      execFileSync('javac', ['-d', scene.path('classes'), ...sources]);
      const ended = await profile([
        '--runs',
        '1',
        '--iterations',
        '1500',
        '--export',
        'json:-',
        'java -cp classes Sort',
      ]);
      expect(ended.status).toBe(0);
      check(JSON.parse(ended.stdout) as Result, 'java', 1500);
      expect(ended.stderr).toMatch(/^sort length=20000 +last tier +1 +1 /m);
    },
  );

  it.skipIf(noJava !== undefined)('is missing of a Java program that halts, which is said', async () => {
    const lines = ['{\\"deadheat\\":1,\\"benchmark\\":\\"x\\",\\"params\\":{}}', '{\\"i\\":0,\\"s\\":1,\\"e\\":2}'];
    const program = `public class Halts {
      public static void main(String[] args) throws Exception {
        java.nio.file.Files.writeString(java.nio.file.Path.of(System.getenv("DEADHEAT_RECORD")), "${lines.join('\\n')}\\n");
        Runtime.getRuntime().halt(0);
      }
    }`;
    writeFileSync(scene.path('Halts.java'), program);
    const ended = await profile(['java Halts.java']);
    expect(ended).toMatchObject({ status: 4, stdout: '' });
    expect(ended.stderr).toMatch(/left no recording of JFR.*halts/s);
  });

  it('of a program whose output is parsed, and of one that cannot be profiled, by its times', async () => {
    const work = 'let x = 1; for (let k = 0; k < 3e6; k++) x = (Math.imul(x, 48271) + k) | 0; return x;';
    const program = `function work() { ${work} }
      for (let i = 0; i < 60; i++) {
        const s = process.hrtime.bigint(); work();
        console.log(\`====== sum (x) [default], iteration \${i} completed (\${Number(process.hrtime.bigint() - s) / 1e6} ms) ======\`);
      }`;
    writeFileSync(scene.path('printing.mjs'), program);
    const parsed = ['--runs', '1', '--parser', 'renaissance', '--export', 'json:-'];
    const ended = await profile([...parsed, 'node printing.mjs']);
    expect(ended.status, ended.stderr).toBe(0);
    check(JSON.parse(ended.stdout) as Result, 'node', 60);
    // The same lines, printed by a shell; they arrive all at once, and their times are those that they tell.
    writeFileSync(
      scene.path('lines.txt'),
      [5, 4, 3, ...Array<number>(20).fill(2)]
        .map((ms, i) => `====== sum (x) [default], iteration ${i} completed (${ms}.000 ms) ======\n`)
        .join(''),
    );
    const other = await profile([...parsed, 'cat lines.txt']);
    expect(other.status, other.stderr).toBe(0);
    // Ten iterations of 2 ms come first after three others.
    expect(JSON.parse(other.stdout)).toMatchObject({
      runtime: null,
      runs: [{ benchmarks: [{ benchmark: 'sum', iterations: 23, byVariation: { iterations: 13 }, progress: null }] }],
    });
  });

  it('of a recording, each side of each run', async () => {
    writeFileSync(scene.path('sum.mjs'), nodeProgram);
    const made = ['--harness', '--runs', '2', '--iterations', '30', '--method', 'sequential', '--output', 'rec'];
    expect((await scene.run([...made, 'node sum.mjs', 'node sum.mjs'])).status).toBe(0);
    const ended = await profile(['--export', 'json:-', 'rec']);
    expect(ended.status, ended.stderr).toBe(0);
    const { runtime, runs } = JSON.parse(ended.stdout) as Result;
    expect(runtime).toBe(null);
    expect(runs[0]?.benchmarks.map(({ benchmark, iterations }) => [benchmark, iterations])).toEqual([
      ['sum A', 30],
      ['sum B', 30],
      ['sum A', 30],
      ['sum B', 30],
    ]);
    expect(ended.stderr).not.toContain('last tier');
    const refused = await profile(['--iterations', '3', 'rec']);
    expect(refused).toMatchObject({ status: 2 });
  });

  it('ends the program on Ctrl-C, with exit code 130', async () => {
    const started = scene.path('started');
    const program = `require('node:fs').writeFileSync('${started}', ''); setInterval(() => {}, 1e6)`;
    writeFileSync(scene.path('wait.cjs'), program);
    const temporary = scene.path('tmp');
    mkdirSync(temporary);
    const running = scene.start(['lab', 'warmup', 'node wait.cjs'], { env: { TMPDIR: temporary } });
    await until(() => existsSync(started));
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ status: 130, stdout: '', stderr: 'deadheat: interrupted\n' });
    expect(readdirSync(temporary)).toEqual([]);
  });

  const cases: readonly [string, number, RegExp][] = [
    ['sleep 1', 4, /sleep is neither node nor java/],
    ['node -e 0', 4, /wrote no iterations to DEADHEAT_RECORD/],
    ['node -e process.exit(3)', 2, /without a shell/],
    ["node -e 'process.exit(3)'", 4, /ended with status 3 under its profiler/],
    ['node-that-is-missing x', 4, /was not found/],
    ['', 2, /needs the command/],
  ];
  for (const [command, status, says] of cases) {
    it(`says what is wrong with '${command}', with exit code ${status}`, async () => {
      const ended = await profile([command]);
      expect(ended).toMatchObject({ status, stdout: '' });
      expect(ended.stderr).toMatch(says);
    });
  }
});
