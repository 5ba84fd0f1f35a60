import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, useScene, type Scene } from './support.ts';

const harness = import.meta.resolve('@deadheat/harness');

/** Two benchmarks; in run 1 of side B `act` is executed before iteration 5 of the first one. */
const benchFile = (act = ''): string => `
  import { appendFileSync } from 'node:fs';
  import { bench, keep } from ${JSON.stringify(harness)};
  const { DEADHEAT_SIDE: side, DEADHEAT_RUN: run, DEADHEAT_RECORD: record } = process.env;
  const values = Array.from({ length: 500 }, (_, i) => (i * 7919) % 500);
  let iterations = 0;
  bench('sort', () => keep(values.toSorted((a, b) => a - b)), {
    iterationTime: 1,
    beforeEach() {
      if (side === 'B' && run === '1' && iterations++ === 5) { ${act} }
    },
  });
  bench('sum', () => keep(values.reduce((sum, value) => sum + value, 0)), { iterationTime: 1 });
`;

describe.skipIf(noDuets !== null)('a program that times its own iterations', () => {
  const scene = useScene(leavesNothing);

  const compare = (method: string, act?: string): ReturnType<Scene['run']> => {
    writeFileSync(scene.path('bench.mjs'), benchFile(act));
    const command = `${process.execPath} ${scene.path('bench.mjs')}`;
    return scene.run(
      ['--harness', '--method', method, '--runs', '3', '--iterations', '12', '--export', 'json:-'].concat([command]),
    );
  };

  for (const method of ['sync-duet', 'sequential']) {
    it(`gives a comparison for each of its benchmarks, by ${method}`, async () => {
      const ended = await compare(method);
      expect(ended.stderr).not.toContain('deadheat: A');
      expect(ended.status).toBe(0);
      const { comparisons } = parseReport(ended.stdout);
      expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(['sort', 'sum']);
      for (const comparison of comparisons) {
        expect(comparison.method).toBe(method);
        expect(comparison.runs).toBe(3);
        // the first half of 12 iterations is warm-up, in 3 runs
        expect(comparison.discarded.warmup).toBe(18);
        expect(comparison.iterationsPerRun).toBe(6);
      }
    });
  }

  it('takes part by itself, though --harness was forgotten', async () => {
    writeFileSync(scene.path('bench.mjs'), benchFile());
    const command = `${process.execPath} ${scene.path('bench.mjs')}`;
    const ended = await scene.run(['--method', 'sequential', '--runs', '2', '--export', 'json:-', command]);
    expect(ended.stderr).toMatch(/benchmarks of their own.*--harness/);
    expect(ended.status).toBe(0);
    expect(parseReport(ended.stdout).comparisons.map(({ benchmark }) => benchmark)).toEqual(['sort', 'sum']);
  });

  it('is analysed by segments', async () => {
    expect((await compare('sync-duet')).status).toBe(0);
    const ended = await scene.run([
      'analyse',
      '--segments',
      '--steady-window',
      '5',
      '--export',
      'json:-',
      scene.recording(),
    ]);
    expect(ended.status).toBe(0);
    expect(ended.stderr).toContain('segments of B / A');
    for (const { segments } of parseReport(ended.stdout).comparisons) {
      expect(segments?.sides.A.runs).toHaveLength(3);
      expect(segments?.ratio.intervals).toHaveLength(6);
      for (const { class: found } of segments?.sides.B.runs ?? []) expect(found).not.toBeNull();
    }
  });

  it('records what it did in async-duet, where chance decides what overlaps', async () => {
    expect((await compare('async-duet')).status).toBe(0);
    expect(scene.trials().map(({ method, sides }) => [method, sides.A.record, sides.B.record])).toEqual(
      [0, 1, 2].map((trial) => ['async-duet', `iterations/${trial}-A.jsonl`, `iterations/${trial}-B.jsonl`]),
    );
  });

  it('has the same number of invocations on both sides and in all runs', async () => {
    expect((await compare('sync-duet')).status).toBe(0);
    const { readRecording, TrialRecords } = await import('@deadheat/recording');
    const directory = scene.recording();
    const { trials } = await readRecording(directory);
    const records = await new TrialRecords(directory).read(trials);
    const counts = [...records.values()].flatMap(({ A, B }) =>
      [A, B].map((side) => [...new Set(side[0]?.iterations.metric('n'))].join(' ')),
    );
    expect(counts).toHaveLength(6);
    expect(new Set(counts).size).toBe(1);
  });

  it('is named when it is killed in an iteration; its peer is freed and the run before is kept', async () => {
    const ended = await compare('sync-duet', 'process.kill(process.pid, "SIGKILL");');
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B was killed by SIGKILL in run 2/);
    expect(scene.trials().map(({ status }) => status)).toEqual(['ok', 'failed']);
  });

  for (const [what, act, message] of [
    ['garbage', 'appendFileSync(record, "garbage\\n");', /1-B\.jsonl:\d+:1: this is not JSON/],
    ['a NaN', String.raw`appendFileSync(record, '{"i":99,"s":NaN,"e":1}\n');`, /1-B\.jsonl:\d+:\d+: this is not JSON/],
    ['time running backwards', String.raw`appendFileSync(record, '{"i":99,"s":5,"e":6}\n');`, /time runs backwards/],
    ['a line above 10 MB', String.raw`appendFileSync(record, 'x'.repeat(10000001) + '\n');`, /a line above 10 MB/],
  ] as const) {
    it(`is named with file and line when it records ${what}`, async () => {
      const ended = await compare('sync-duet', act);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(message);
      expect(scene.trials().map(({ status }) => status)).toEqual(['ok', 'failed']);
    });
  }

  it('is told how to take part when it records nothing', async () => {
    const ended = await scene.run(['--harness', '--runs', '2', '/bin/true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/A recorded no iteration: it wrote nothing to the file that DEADHEAT_RECORD names/);
  });

  it('is ended when the run takes longer than its limit', async () => {
    const ended = await scene.run(['--harness', '--runs', '2', '--run-timeout', '200ms', '/bin/sleep 1000']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/was ended because the run took longer than 0\.2 s/);
  });
});
