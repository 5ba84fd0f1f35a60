import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecording, TrialRecords } from '@deadheat/recording';
import { leavesNothing, noDuets, parseReport, Scene, useScene, type Ended } from './support.ts';

const harness = import.meta.resolve('@deadheat/harness');

/** Two benchmarks; in run 1 of side B `act` is executed before iteration 5 of the first one. */
const benchFile = (act = ''): string => `
  import { bench, keep } from ${JSON.stringify(harness)};
  const { DEADHEAT_SIDE: side, DEADHEAT_RUN: run } = process.env;
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

function compare(scene: Scene, method: string, act?: string): Promise<Ended> {
  writeFileSync(scene.path('bench.mjs'), benchFile(act));
  const command = `${process.execPath} ${scene.path('bench.mjs')}`;
  const args = ['--harness', '--method', method, '--runs', '3', '--iterations', '12', '--export', 'json:-'];
  return scene.run([...args, command]);
}

function expectComparisons(ended: Ended, method: string): void {
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
}

describe.skipIf(noDuets !== null)('a synchronous duet of programs that time their own iterations', () => {
  const scene = new Scene();
  let ended: Ended;
  beforeAll(async () => {
    ended = await compare(scene, 'sync-duet');
  });
  afterAll(() => {
    try {
      leavesNothing(scene);
    } finally {
      scene.end();
    }
  });

  it('gives a comparison for each of their benchmarks', () => expectComparisons(ended, 'sync-duet'));

  it('is analysed by segments', async () => {
    const analysed = await scene.run([
      'analyse',
      '--segments',
      '--steady-window',
      '5',
      '--export',
      'json:-',
      scene.recording(),
    ]);
    expect(analysed.status).toBe(0);
    expect(analysed.stderr).toContain('segments of B / A');
    for (const { segments } of parseReport(analysed.stdout).comparisons) {
      expect(segments?.sides.A.runs).toHaveLength(3);
      expect(segments?.ratio.intervals).toHaveLength(6);
      for (const { class: found } of segments?.sides.B.runs ?? []) expect(found).not.toBeNull();
    }
  });

  it('has the same number of invocations on both sides and in all runs', async () => {
    const directory = scene.recording();
    const { trials } = await readRecording(directory);
    const records = await new TrialRecords(directory).read(trials);
    const counts = [...records.values()].flatMap(({ A, B }) =>
      [A, B].map((side) => [...new Set(side[0]?.iterations.metric('n'))].join(' ')),
    );
    expect(counts).toHaveLength(6);
    expect(new Set(counts).size).toBe(1);
  });
});

describe.skipIf(noDuets !== null)('a program that times its own iterations', () => {
  const scene = useScene(leavesNothing);

  it('gives a comparison for each of its benchmarks in sequential runs', async () => {
    expectComparisons(await compare(scene, 'sequential'), 'sequential');
  });

  it('takes part by itself, though --harness was forgotten', async () => {
    writeFileSync(scene.path('bench.mjs'), benchFile());
    const command = `${process.execPath} ${scene.path('bench.mjs')}`;
    const ended = await scene.run(['--method', 'sequential', '--runs', '2', '--export', 'json:-', command]);
    expect(ended.stderr).toMatch(/benchmarks of their own.*--harness/);
    expect(ended.status).toBe(0);
    expect(parseReport(ended.stdout).comparisons.map(({ benchmark }) => benchmark)).toEqual(['sort', 'sum']);
  });

  it('records what it did in async-duet, where chance decides what overlaps', async () => {
    expect((await compare(scene, 'async-duet')).status).toBe(0);
    expect(scene.trials().map(({ method, sides }) => [method, sides.A.record, sides.B.record])).toEqual(
      [0, 1, 2].map((trial) => ['async-duet', `iterations/${trial}-A.jsonl`, `iterations/${trial}-B.jsonl`]),
    );
  });

  it('is named when it is killed in an iteration; its peer is freed and the run before is kept', async () => {
    const ended = await compare(scene, 'sync-duet', 'process.kill(process.pid, "SIGKILL");');
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B was killed by SIGKILL in run 2/);
    expect(scene.trials().map(({ status }) => status)).toEqual(['ok', 'failed']);
  });

  for (const [what, act, message] of [
    ['garbage', 'echo garbage', /1-B\.jsonl:\d+:1: this is not JSON/],
    ['a NaN', `echo '{"i":99,"s":NaN,"e":1}'`, /1-B\.jsonl:\d+:\d+: this is not JSON/],
    ['time running backwards', `echo '{"i":99,"s":5,"e":6}'`, /time runs backwards/],
    ['a line above 10 MB', String.raw`{ head -c 10000001 /dev/zero | tr '\0' x; echo; }`, /a line above 10 MB/],
  ] as const) {
    it(`is named with file and line when it records ${what}`, async () => {
      const program = scene.script(
        'program',
        `i=0
{ echo '{"deadheat":1,"benchmark":"sort"}'
  while [ $i -lt 12 ]; do
    [ "$DEADHEAT_SIDE $DEADHEAT_RUN $i" != 'B 1 5' ] || ${act}
    echo "{\\"i\\":$i,\\"s\\":$((1000000 + i * 10)),\\"e\\":$((1000005 + i * 10))}"
    i=$((i+1))
  done; } > "$DEADHEAT_RECORD"`,
      );
      const ended = await scene.run([
        '--harness',
        '--method',
        'sequential',
        '--runs',
        '3',
        '--iterations',
        '12',
        program,
      ]);
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
