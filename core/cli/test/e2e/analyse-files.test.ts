import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '@deadheat/model';
import { Scene } from './support.ts';

const scene = new Scene();
afterAll(() => scene.end());

const times = (base: number): readonly number[] => Array.from({ length: 12 }, (_, k) => base * (1 + (k % 5) / 1000));
const hyperfine = (base: number): string =>
  JSON.stringify({ results: [{ command: 'sort', mean: base, stddev: 0.01, median: base, times: times(base) }] });

beforeAll(() => {
  writeFileSync(scene.path('old.json'), hyperfine(0.2));
  writeFileSync(scene.path('new.json.gz'), gzipSync(hyperfine(0.21)));
  const row = (base: number): string =>
    times(base)
      .map((ms, k) => `${k % 6},${ms}`)
      .join('\n');
  writeFileSync(scene.path('old.csv'), `fork,ms\n${row(10)}\n`);
  writeFileSync(scene.path('new.csv'), `fork,ms\n${row(12)}\n`);
  writeFileSync(scene.path('broken.json'), '{"results": [\n  {"command": "sort", "mean": 1, "times": [0.1, x]}]}');
});

describe('deadheat analyse of result files', () => {
  it('compares two of them, packed or not, with the exports and exit codes of a recording', async () => {
    const { status, stdout } = await scene.run(['analyse', '--export', 'json:out.json', 'old.json', 'new.json.gz']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/B is 5\.0 % slower than A .* 95 % CI, 12 runs, sequential +SLOWER/);
    expect(stdout).toMatch(/^A .* old\.json\nB .* new\.json\.gz$/m);
    expect(stdout).not.toMatch(/judge again|--seed|took/);
    const report = reportSchema.parse(JSON.parse(readFileSync(scene.path('out.json'), 'utf8')));
    expect(report.machine).toBeNull();
    expect(report.comparisons[0]).toMatchObject({ benchmark: 'sort', verdict: 'slower', method: 'sequential' });
    expect(report.results.map(({ command }) => command)).toEqual(['old.json', 'new.json.gz']);
    expect((await scene.run(['analyse', '--fail-on', 'slower', 'old.json', 'new.json.gz'])).status).toBe(1);
    expect((await scene.run(['analyse', '--fail-on', 'slower', 'new.json.gz', 'old.json'])).status).toBe(0);
  });

  it('judges them by the options of judging', async () => {
    const args = ['--margin', '10%', '--confidence', '99%', '--interval', 't', '--export', 'json:-'];
    const { stdout } = await scene.run(['analyse', ...args, 'old.json', 'new.json.gz']);
    const { comparisons } = reportSchema.parse(JSON.parse(stdout));
    expect(comparisons[0]).toMatchObject({
      verdict: 'dead-heat',
      margin: 0.1,
      interval: { level: 0.99, kind: 't' },
    });
  });

  it('reads any table whose columns are named, in their unit', async () => {
    const args = [
      'analyse',
      '--columns',
      'time=ms,run=fork',
      '--unit',
      'ms',
      '--export',
      'json:-',
      'old.csv',
      'new.csv',
    ];
    const { comparisons } = reportSchema.parse(JSON.parse((await scene.run(args)).stdout));
    expect(comparisons[0]).toMatchObject({ runs: 6, iterationsPerRun: 2, verdict: 'slower' });
    expect(comparisons[0]?.sides.A.mean).toBeCloseTo(0.01, 3);
  });

  it('reads two kinds, each by the format that is named', async () => {
    const args = [
      'analyse',
      '--format',
      'hyperfine,csv',
      '--columns',
      'time=ms',
      '--unit',
      'ms',
      'old.json',
      'new.csv',
    ];
    expect(await scene.run(args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/--columns is about tables/),
    });
    const said = await scene.run(['analyse', '--format', 'hyperfine', 'old.json', 'new.json.gz']);
    expect(said.status).toBe(0);
  });

  it.each([
    [['old.json'], /old\.json holds one side.*A\/A split.*deadheat analyse OLD NEW/],
    [['old.json', 'broken.json'], /broken\.json:2:\d+: expected a value, found 'x'\. Write it with hyperfine/],
    [['old.json', 'missing.json'], /missing\.json does not exist\. Check the path/],
    [['old.json', 'old.csv'], /old\.csv is in no format [^]*--format NAME.*--columns time=COLUMN/],
    [['--format', 'hyprfine', 'old.json', 'new.json.gz'], /--format must be .* not 'hyprfine'[^]*--format hyperfine/],
    [
      ['--format', 'csv', 'old.csv', 'new.csv'],
      /old\.csv is to be read as csv, whose columns are not named\..*\n.*--columns/,
    ],
    [['--columns', 'time=sec', 'old.csv', 'new.csv'], /old\.csv:1:1: the first row lacks the column sec/],
    [['--columns', 'tim=ms', 'old.csv', 'new.csv'], /--columns must be ROLE=COLUMN/],
    [['--columns', 'run=fork', 'old.csv', 'new.csv'], /One of them must be time=COLUMN/],
    [['--unit', 'ms', 'old.json', 'new.json.gz'], /--unit does nothing without --columns/],
    [['--format', 'jmh,jmh,jmh', 'old.json', 'new.json.gz'], /more than two formats/],
  ])('says what is wrong and what to do: %j', async (args, message) => {
    const { status, stderr } = await scene.run(['analyse', ...args]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  it('finds segments in them, also where the sides have different numbers of runs', async () => {
    const rows = (runs: number, level: number): string =>
      Array.from(
        { length: runs * 60 },
        (_, k) => `${Math.floor(k / 60)},${level + (k % 60 < 30 ? 3 : 0) + (k % 7) / 10}`,
      ).join('\n');
    writeFileSync(scene.path('steps-old.csv'), `fork,ms\n${rows(4, 20)}\n`);
    writeFileSync(scene.path('steps-new.csv'), `fork,ms\n${rows(6, 30)}\n`);
    const args = [
      'analyse',
      '--segments',
      '--columns',
      'time=ms,run=fork',
      '--unit',
      'ms',
      '--export',
      'json:steps.json',
    ];
    const { status, stdout } = await scene.run([...args, 'steps-old.csv', 'steps-new.csv']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/segments of A\nrun 1 +0-29: 23\.\d+ ms, 30-59: 20\.\d+ ms/);
    const [comparison] = reportSchema.parse(JSON.parse(readFileSync(scene.path('steps.json'), 'utf8'))).comparisons;
    const { sides, ratio } = comparison?.segments ?? {};
    expect(sides?.A.runs.map(({ segments }) => segments.length)).toEqual([2, 2, 2, 2]);
    expect(sides?.B.runs).toHaveLength(6);
    expect(ratio?.intervals.find(({ kind }) => kind === 't')?.runs).toBe(4);
  });

  it('says of segments where there can be none, or no interval over runs', async () => {
    const one = scene.path('one.csv');
    writeFileSync(one, `ms\n${times(10).join('\n')}\n`);
    const single = await scene.run([
      'analyse',
      '--segments',
      '--columns',
      'time=ms',
      '--unit',
      'ms',
      'one.csv',
      'one.csv',
    ]);
    expect(single.stdout).toMatch(/warning ONE_RUN: segments of A, B: only one run/);
    expect(single.stdout).toMatch(/warning NO_RUN_VARIANCE/);
    expect(single.stdout).not.toMatch(/--(runs|iterations|warmup)/);
    const summary = JSON.stringify({
      results: [{ command: 'sort', mean: 0.2, stddev: 0.01, median: 0.2, min: 0.1, max: 0.3, exit_codes: [0, 0, 0] }],
    });
    writeFileSync(scene.path('means.json'), summary);
    const { status, stdout } = await scene.run(['analyse', '--details', '--segments', 'means.json', 'old.json']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/mean, median and scatter as the files give them/);
    expect(stdout).toMatch(/warning SUMMARY_ONLY: no segments of sort were searched for/);
  });

  it('refuses exports that are made of a recording before the files are read', async () => {
    mkdirSync(scene.path('folder'));
    for (const files of [['broken.json'], ['broken.json', 'old.json'], ['folder']]) {
      const { status, stdout, stderr } = await scene.run(['analyse', '--export', 'csv:-', ...files]);
      expect(stderr).toMatch(/--export csv is made of a recording.*\njson, sides-csv, .* are made of every report\./);
      expect([status, stdout]).toEqual([2, '']);
    }
    const absent = await scene.run(['analyse', '--export', 'csv:-', 'absent.json']);
    expect(absent.stderr).toMatch(/absent\.json does not exist/);
  });

  it('does not take a recording for a file', async () => {
    mkdirSync(scene.path('recording'));
    writeFileSync(scene.path('recording/experiment.json'), '{}');
    const { status, stderr } = await scene.run(['analyse', 'recording', 'old.json']);
    expect(stderr).toMatch(/recording is a recording, which holds both sides itself/);
    expect(status).toBe(2);
  });
});
