import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageBytes, pageMagic } from '@deadheat/sync';
import { leavesNothing, noDuets, parseReport, useScene, type Ended } from './support.ts';

const clients = join(import.meta.dirname, '../../../../clients');
const harness = JSON.stringify(import.meta.resolve('@deadheat/harness'));

const isThere = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;
const missingOf = (...tools: readonly string[]): string | null => tools.find((tool) => !isThere(tool)) ?? null;
const title = (text: string, missing: string | null): string =>
  missing === null ? text : `${text} (skipped: there is no ${missing} here)`;

/** A bench file with one benchmark; `first` is executed before the harness is there, `each` before an iteration. */
const benchFile = ({ first = '', each = '', options = 'iterationTime: 1' } = {}): string => `
  import { readFileSync, rmSync } from 'node:fs';
  const { DEADHEAT_SIDE: side, DEADHEAT_RUN: run, DEADHEAT_PAGE: page, DEADHEAT_RECORD: record } = process.env;
  ${first}
  const { bench, keep } = await import(${harness});
  let iteration = 0;
  bench('sum', () => keep([1, 2, 3].reduce((a, b) => a + b)), { beforeEach() { iteration += 1; ${each} }, ${options} });
`;

describe.skipIf(noDuets !== null)(`taking part in a duet${noDuets === null ? '' : ` (skipped: ${noDuets})`}`, () => {
  const scene = useScene(leavesNothing);
  const python = join(clients, 'python/examples/sort.py');

  const compareBench = (parts: Parameters<typeof benchFile>[0], ...args: readonly string[]): Promise<Ended> => {
    writeFileSync(scene.path('bench.mjs'), benchFile(parts));
    const command = `${process.execPath} ${scene.path('bench.mjs')}`;
    return scene.run(['--harness', '--runs', '2', '--iterations', '8', '--export', 'json:-', ...args, command]);
  };
  const statuses = (): readonly string[] => scene.trials().map(({ status }) => status);

  describe('with a page that goes wrong', () => {
    it('goes on with the mapping when the page is deleted under it', async () => {
      // After two recorded iterations, when both sides have met at a barrier.
      const each =
        "if (side === 'B' && readFileSync(record, 'utf8').split('\\n').length > 3) rmSync(page, { force: true });";
      const ended = await compareBench({ each }, '--method', 'sync-duet');
      expect(ended.status).toBe(0);
      expect(statuses()).toEqual(['ok', 'ok']);
      expect(parseReport(ended.stdout).comparisons).toMatchObject([{ benchmark: 'sum', iterationsPerRun: 4 }]);
    });

    it('says so when the page is deleted before it is opened; the other side is freed', async () => {
      const first = "if (side === 'B' && run === '1') process.env.DEADHEAT_PAGE += '-gone';";
      const ended = await compareBench({ first }, '--method', 'sync-duet');
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/B exited with status 1 in run 2/);
      expect(ended.stderr).toContain('cannot open the shared page');
      expect(statuses()).toEqual(['ok', 'failed']);
    });

    const page = (version: number): Buffer => {
      const bytes = Buffer.alloc(pageBytes);
      new Int32Array(bytes.buffer, bytes.byteOffset).set([pageMagic, version]);
      return bytes;
    };
    const programs: readonly [string, string, string | null][] = [
      ['JavaScript', `${process.execPath} bench.mjs`, null],
      ['Python', `python3 -B ${python}`, missingOf('python3')],
    ];
    for (const [language, program, missing] of programs) {
      it.skipIf(missing !== null)(
        title(`refuses what is no page of its version, in ${language}`, missing),
        async () => {
          writeFileSync(scene.path('bench.mjs'), benchFile());
          for (const [name, content, says] of [
            ['newer', page(7), /version 7; this (?:program|client) knows version 1\b/],
            ['foreign', Buffer.alloc(pageBytes, 'x'), /magic 0x78787878, not 0x47504844/],
          ] as const) {
            writeFileSync(scene.path(name), content);
            const command = scene.script('program', `export DEADHEAT_PAGE=${name}\nexec ${program}`);
            const ended = await scene.run(['--harness', '--runs', '2', '--output', `of-${name}`, program, command]);
            expect(ended.status).toBe(4);
            expect(ended.stderr).toMatch(/B exited with status 1 in run 1/);
            expect(ended.stderr).toMatch(says);
          }
        },
      );
    }
  });

  describe('is checked by deadheat lab protocol check', () => {
    const check = async (program: readonly string[]): Promise<void> => {
      const ended = await scene.run(['lab', 'protocol', 'check', '--', ...program]);
      expect(ended.stdout.match(/^(?:broken|untested).*$/gm) ?? []).toEqual([]);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
    };

    it('in JavaScript', async () => {
      writeFileSync(scene.path('bench.mjs'), benchFile());
      await check([process.execPath, 'bench.mjs']);
    });

    const compiler = missingOf('gcc');
    it.skipIf(compiler !== null)(title('in C', compiler), async () => {
      const options = ['-O2', '-D_GNU_SOURCE', `-I${join(clients, 'c')}`, '-o', scene.path('sort')];
      execFileSync('gcc', [...options, join(clients, 'c/examples/sort.c')]);
      await check(['./sort', '0', '1000']);
    });

    const missing = missingOf('javac', 'java');
    it.skipIf(missing !== null)(title('in Java', missing), async () => {
      const sources = ['Duet.java', 'examples/Sort.java'].map((file) => join(clients, 'java', file));
      execFileSync('javac', ['-d', scene.path('classes'), ...sources]);
      await check(['java', '-cp', 'classes', 'Sort', '0', '1000']);
    });
  });

  describe('tells what cannot be compared, or only with care', () => {
    it('benchmarks that one side alone has', async () => {
      const ended = await compareBench({
        first: 'globalThis.only = `only ${side}`;',
        options: 'invocations: 1 });\n bench(only, () => {}, { invocations: 1',
      });
      expect(ended.status).toBe(0);
      const { comparisons, warnings } = parseReport(ended.stdout);
      expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(['sum']);
      const differing = warnings.filter(({ code }) => code === 'BENCHMARKS_DIFFER');
      expect(differing.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^only A was not recorded by B in 2 of 2 runs/),
        expect.stringMatching(/^only B was not recorded by A in 2 of 2 runs/),
      ]);
      expect(ended.stderr).toContain('BENCHMARKS_DIFFER');
      const again = await scene.run(['analyse', '--export', 'json:-', '.deadheat']);
      expect(parseReport(again.stdout).warnings).toEqual(expect.arrayContaining(differing));
      const strict = await scene.run(['analyse', '--strict', '.deadheat']);
      expect(strict).toMatchObject({ status: 4, stderr: expect.stringContaining('only A was not recorded by B') });
    });

    it('programs without a benchmark in common', async () => {
      const options = "params: { length: [side === 'A' ? 1000 : 2000] }, invocations: 1";
      const ended = await compareBench({ options }, '--method', 'sync-duet', '--fail-on', 'slower');
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain("A holds 'sum' length=1000; B holds 'sum' length=2000");
      expect(parseReport(ended.stdout).gate).toMatchObject({ outcome: 'abstained', reason: 'nothing-judged' });
      expect(statuses()).toEqual(['failed']);
      const again = await scene.run(['analyse', '.deadheat']);
      expect(again.status).toBe(4);
      expect(again.stderr).toContain("'sum' length=1000 of A is nearest to 'sum' length=2000 of B");
    });

    it('different numbers of invocations', async () => {
      const ended = await compareBench({ options: "invocations: side === 'A' ? 100 : 200" }, '--details');
      expect(ended.status).toBe(0);
      const [comparison] = parseReport(ended.stdout).comparisons;
      const message = comparison?.warnings.find(({ code }) => code === 'INVOCATIONS_DIFFER')?.message;
      expect(message).toMatch(/100 invocations on side A and 200 on side B/);
      expect(ended.stderr).toContain('INVOCATIONS_DIFFER');
    });

    it('an asynchronous duet without an overlap, beside one with overlaps', async () => {
      // Time stamps as printed, so that nothing depends on when the programs really ran.
      scene.script('early', 'printf "1\\n2\\n3\\n"');
      scene.script('late', 'printf "11\\n12\\n13\\n"');
      writeFileSync(
        scene.path('deadheat.yaml'),
        `precision: 1%
min-runs: 2
max-runs: 4
warmup-iterations: none
lines: { pattern: '^(?<time>\\d+)$', unit: s }
matrix: { n: [one] }
benchmarks:
  apart: { A: { command: './early {n}' }, B: { command: './late {n}' } }
  together: { command: './early {n}', runs: 2 }
`,
      );
      const ended = await scene.run(['run', '--export', 'json:-']);
      expect(ended.status).toBe(0);
      const { comparisons, warnings } = parseReport(ended.stdout);
      expect(comparisons).toMatchObject([{ benchmark: 'together', method: 'async-duet', runs: 2, pairs: 4 }]);
      const [warning, ...more] = warnings.filter(({ code }) => code === 'FEW_RUNS');
      expect(more).toEqual([]);
      expect(warning?.message).toMatch(
        /^apart \(n = one\): 0 usable runs of async-duet \(in 4 no iteration of A overlapped/,
      );
      expect(ended.stderr).toContain('warning FEW_RUNS: apart (n = one): 0 usable runs of');
    });
  });

  describe('from a deadheat.yaml', () => {
    const configure = (text: string): void => writeFileSync(scene.path('deadheat.yaml'), text);

    it('builds each side once and measures harness programs by two methods', async () => {
      for (const side of ['base', 'change']) mkdirSync(scene.path(side));
      writeFileSync(scene.path('source.mjs'), benchFile());
      configure(`runs: 2
iterations: 6
workload: harness
methods: { sync-duet: { fill: true, trade-every: 2 }, sequential: { warmup-iterations: 2 } }
benchmarks:
  built:
    build: cp ../source.mjs bench.mjs && echo built >> log
    command: ${process.execPath} bench.mjs
    A: { cwd: base }
    B: { cwd: change }
`);
      const ended = await scene.run(['run', '--export', 'json:-']);
      expect(ended.status).toBe(0);
      expect(parseReport(ended.stdout).comparisons).toMatchObject([
        { benchmark: 'sum', method: 'sync-duet', runs: 2, iterationsPerRun: 3, discarded: { warmup: 6 } },
        { benchmark: 'sum', method: 'sequential', runs: 2, iterationsPerRun: 4, discarded: { warmup: 4 } },
      ]);
      for (const side of ['base', 'change']) expect(readFileSync(scene.path(`${side}/log`), 'utf8')).toBe('built\n');
    });

    it('names a build that fails and runs nothing', async () => {
      configure('runs: 2\nbenchmarks:\n  a: { command: ./made, build: echo no compiler >&2; exit 3 }\n');
      const ended = await scene.run(['run']);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/build command/);
      expect(ended.stderr).toContain('no compiler');
    });

    it('reads start and duration in another unit, and says which output does not fit', async () => {
      scene.script('prints', 'echo "at 1000 for 2.5"; echo "at 1003 for 2.5"; echo noise');
      configure(`runs: 2
warmup-iterations: none
benchmarks:
  fits: { command: ./prints, lines: { pattern: '^at (?<start>\\d+) for (?<duration>[\\d.]+)$', unit: ms } }
`);
      const ended = await scene.run(['run', '--export', 'json:-']);
      expect(ended.status).toBe(0);
      const [comparison] = parseReport(ended.stdout).comparisons;
      expect(comparison).toMatchObject({ iterationsPerRun: 2, sides: { A: { mean: 0.0025 } } });
      configure(
        `runs: 2\nbenchmarks:\n  not: { command: ./prints, lines: { pattern: '^done (?<time>\\d+)$', unit: ms } }\n`,
      );
      const wrong = await scene.run(['run', '--output', 'wrong']);
      expect(wrong.status).toBe(4);
      expect(wrong.stderr).toContain('no line that it printed is matched by the pattern');
    });

    const endless = "if (side === 'B' && run === '1' && iteration === 5) for (;;);";
    it('ends an iteration that takes longer than its limit, and keeps the run before', async () => {
      writeFileSync(scene.path('bench.mjs'), benchFile({ each: endless }));
      configure(`runs: 3
methods: [sync-duet]
iterations: 6
workload: harness
timeouts: { iteration: 10s }
benchmarks: { a: { command: ${process.execPath} bench.mjs } }
`);
      const ended = await scene.run(['run']);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/B was ended because an iteration took longer than 10 s.* in run 2/);
      expect(statuses()).toEqual(['ok', 'failed']);
    });

    it('ends a run that takes longer than its limit', async () => {
      configure('runs: 2\ntimeouts: { run: 300ms }\nbenchmarks: { a: { command: sleep 1000 } }\n');
      const ended = await scene.run(['run']);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/was ended because the run took longer than 0\.3 s/);
    });

    it('ends the experiment when its time is over: 124 without a result', async () => {
      configure('runs: 100\ntimeouts: { experiment: 1s }\nbenchmarks: { a: { command: sleep 1 } }\n');
      const ended = await scene.run(['run']);
      expect(ended.status).toBe(124);
      expect(existsSync(join(scene.recording(), 'report.json'))).toBe(true);
    });
  });
});
