import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene, type Ended } from './support.ts';

const sync = import.meta.resolve('@deadheat/sync');
const harness = import.meta.resolve('@deadheat/harness');

/** A program of the workload protocol with two benchmarks; its clock is made up, and so are the times of its iterations. */
const program = `
  import { appendFileSync } from 'node:fs';
  import { Barrier, decision, openPage, sideState, word } from ${JSON.stringify(sync)};
  const { DEADHEAT_SIDE: side, DEADHEAT_PAGE: path, DEADHEAT_RECORD: record } = process.env;
  const { DEADHEAT_ITERATIONS: most, DEADHEAT_WARMUP: first } = process.env;
  const party = side === 'A' ? 0 : 1;
  const page = path === undefined ? null : openPage(path);
  const barrier = page === null ? null : new Barrier(page, party);
  const store = (at, value) => page === null || Atomics.store(page.words, at, value);
  store(word.pid(party), process.pid);
  store(word.state(party), sideState.running);
  const wobble = (i) => 1 + ((i * 7) % 5) / 10_000;
  const timeOf = {
    settles: (i) => (i < 3 ? 4 - i : 1) * 1e6 * wobble(i),
    never: (i) => (i % 2 === 0 ? 1e6 : 2e6),
    constant: () => 1e6,
  }[process.argv[2]];
  let clock = 1e9;
  for (const benchmark of ['one', 'two']) {
    barrier?.beginBenchmark();
    appendFileSync(record, JSON.stringify({ deadheat: 1, benchmark }) + '\\n');
    for (let i = 0; i < Number(most); i++) {
      const kind = barrier?.arrive({ wait: 'yield', deadlineMs: 30_000 }) ?? decision.measure;
      if (kind === decision.stop) break;
      const end = clock + Math.round(timeOf(i));
      const p = kind === decision.warmup || i < Number(first) ? 'warmup' : 'measure';
      appendFileSync(record, JSON.stringify({ i, s: clock, e: end, p }) + '\\n');
      clock = end;
      store(word.workDone(party), (page?.words[word.workDone(party)] ?? 0) + 1);
    }
  }
  store(word.state(party), sideState.finished);
  store(word.pid(party), 0);
`;

const ends = ({ stability }: Comparison): readonly (number | boolean)[][] =>
  stability?.runs.map(({ decidedAfter, stable }) => [decidedAfter, stable]) ?? [];
const codes = ({ warnings }: Comparison): readonly string[] => warnings.map(({ code }) => code);

describe.skipIf(noDuets !== null)('warm-up that ends when it is stable', () => {
  const scene = useScene(leavesNothing);

  const compare = (shape: string, ...options: string[]): Promise<Ended> => {
    writeFileSync(scene.path('program.mjs'), program);
    const command = `${process.execPath} ${scene.path('program.mjs')} ${shape}`;
    return scene.run([
      '--harness',
      '--seed',
      'stable',
      '--output',
      'recording',
      '--export',
      'json:-',
      ...options,
      command,
    ]);
  };
  const analyse = async (): Promise<readonly Comparison[]> =>
    parseReport((await scene.run(['analyse', 'recording', '--export', 'json:-'])).stdout).comparisons;

  it('ends for both sides of each benchmark, and the runs end when they are stable too', async () => {
    const ended = await compare('settles', '--stable', 'cv');
    expect(ended.stderr).not.toContain('deadheat: A');
    expect(ended.status).toBe(0);
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(['one', 'two']);
    for (const comparison of comparisons) {
      // The window of five iterations after the first three.
      expect(ends(comparison)).toEqual([
        [8, true],
        [8, true],
      ]);
      expect(comparison.stability?.overRuns).toMatchObject({ runs: 2, stable: true });
      expect(comparison.runs).toBe(2);
      // Both sides made the same iterations: each has its pair.
      expect(comparison.discarded.unpaired).toBe(0);
      expect(comparison.iterationsPerRun).toBeGreaterThanOrEqual(10);
      expect(codes(comparison)).not.toContain('WARMUP_NOT_STABLE');
    }
    expect(await analyse()).toEqual(comparisons);
  });

  it('goes to the lifted cap where nothing settles, and says how far off it was', async () => {
    const { stdout } = await compare(
      'never',
      '--stable',
      'cv,rciw',
      '--combine',
      'any',
      '--lift-caps',
      '1.2',
      '-M',
      '2',
    );
    const [comparison] = parseReport(stdout).comparisons;
    expect(ends(comparison!)).toEqual([
      [60, false],
      [60, false],
    ]);
    expect(comparison?.stability?.runs[0]?.checks.map(({ side, criterion }) => `${side} ${criterion}`)).toEqual([
      'A cv',
      'A rciw',
      'B cv',
      'B rciw',
    ]);
    const warning = comparison?.warnings.find(({ code }) => code === 'WARMUP_NOT_STABLE');
    expect(warning?.message).toMatch(/2 of 2 runs .* 60 warm-up .*\(cv\) .* times too far.*\(rciw\) .*--lift-caps 3/);
  });

  it('is soon over with a clock that never moves, which is told', async () => {
    const { stdout } = await compare('constant', '--stable', 'cv');
    const [comparison] = parseReport(stdout).comparisons;
    expect(ends(comparison!)).toEqual([
      [5, true],
      [5, true],
    ]);
    expect(codes(comparison!)).toContain('ALL_EQUAL');
  });

  it('is shown, and says that two runs are few', async () => {
    writeFileSync(scene.path('program.mjs'), program);
    const command = `${process.execPath} ${scene.path('program.mjs')} settles`;
    const { stdout } = await scene.run(['--harness', '--details', '--stable', 'cv', '-M', '2', command]);
    expect(stdout).toMatch(/^warm-up +ended after 8, 8 iterations of the runs, stable, by cv on both\s+sides$/m);
    expect(stdout).toMatch(/^stopped +stable after 2 runs, by cv on both sides$/m);
    expect(stdout).toMatch(/only 2 runs were allowed/);
  });

  it('ends the same in an experiment that is resumed', async () => {
    await compare('settles', '--method', 'sync-duet', '--stable', 'cv', '--runs', '4');
    const journal = join(scene.recording('recording'), 'trials.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    writeFileSync(journal, `${lines.slice(0, 2).join('\n')}\n`);
    const resumed = await scene.run(['--resume', 'recording', '--export', 'json:-']);
    expect(resumed.status).toBe(0);
    const { comparisons } = parseReport(resumed.stdout);
    for (const comparison of comparisons) {
      expect(ends(comparison)).toEqual(Array(4).fill([8, true]));
      expect(comparison.stability?.overRuns).toBeNull();
    }
    expect(await analyse()).toEqual(comparisons);
  });

  it('is as long as it may be where the sides cannot meet', async () => {
    writeFileSync(scene.path('program.mjs'), program);
    const command = `${process.execPath} ${scene.path('program.mjs')} settles`;
    const { stdout, stderr } = await scene.start(
      ['--harness', '--stable', 'cv', '-M', '2', '--export', 'json:-', command],
      { prefix: ['taskset', '-c', '0'] },
    ).ended;
    expect(stderr).not.toContain('deadheat: A');
    const [comparison] = parseReport(stdout).comparisons;
    expect(comparison).toMatchObject({ method: 'sequential', runs: 2, iterationsPerRun: 10, stability: null });
    expect(comparison?.discarded.warmup).toBe(100);
  });

  it('refuses kld where an iteration is one value, and says why', async () => {
    const live = await compare('settles', '--stable', 'kld');
    expect(live.status).toBe(4);
    expect(live.stderr).toMatch(/one value has no\s+distribution/);
    const shared = await compare('settles', '--stable', 'kld', '--method', 'tandem');
    expect(shared.status).toBe(2);
    expect(shared.stderr).toContain('use sync-duet');
  });

  it('ends in a suite of the JavaScript harness', async () => {
    const file = `
      import { bench, keep } from ${JSON.stringify(harness)};
      for (const name of ['a', 'b']) bench(name, () => keep(Math.random()), { iterationTime: 1 });
    `;
    writeFileSync(scene.path('bench.mjs'), file);
    const command = `${process.execPath} ${scene.path('bench.mjs')}`;
    const run = async (...options: string[]): Promise<readonly Comparison[]> =>
      parseReport((await scene.run(['--harness', ...options, '--export', 'json:-', command])).stdout).comparisons;
    const fixed = await run('--runs', '2');
    expect(fixed.map(({ benchmark, stability }) => [benchmark, stability])).toEqual([
      ['a', null],
      ['b', null],
    ]);
    for (const criterion of ['cv', 'rciw', 'kld']) {
      for (const { benchmark, stability, runs } of await run('--stable', criterion, '--runs', '2')) {
        expect([benchmark, runs, stability?.criteria]).toEqual([benchmark, 2, [criterion]]);
        for (const { decidedAfter, warmup, stable } of stability?.runs ?? []) {
          expect(decidedAfter).toBeGreaterThanOrEqual(5);
          expect(warmup).toBeGreaterThanOrEqual(decidedAfter);
          expect(stable || decidedAfter === 50).toBe(true);
        }
      }
    }
  });
});
