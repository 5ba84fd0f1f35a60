import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noDuets, parseReport, Scene, until } from './support.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(async () => {
  await until(() => scene.leftoverPages().length === 0);
  scene.end();
});

const write = (name: string, text: string): void => writeFileSync(scene.path(name), text);

interface Line {
  readonly clock?: string;
  readonly s: number;
  readonly e: number;
}

const record = (name: string): readonly Line[] =>
  readFileSync(join(scene.path('rec/iterations'), name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** What Renaissance prints, written by hand after its `ExecutionDriver.java`. */
const printing = `
for i in 0 1 2 3 4 5; do
  echo "====== fake (test) [default], iteration $i started ======"
  sleep 0.05
  echo "====== fake (test) [default], iteration $i completed (40.000 ms) ======"
done`;

describe.skipIf(noDuets !== null)('the output of a harness that knows nothing of deadheat', () => {
  it('has the times at which its lines were seen', async () => {
    scene.script('suite', printing);
    write('deadheat.yaml', 'runs: 2\nbenchmarks:\n  fake: { command: ./suite, parser: renaissance }\n');
    const before = Number(process.hrtime.bigint());
    const ended = await scene.run(['run', '--output', 'rec', '--export', 'json:-']);
    const after = Number(process.hrtime.bigint());
    expect(ended.stderr).not.toContain('cannot be used');
    expect(ended.status).toBe(0);
    expect(parseReport(ended.stdout).experiment.method).toBe('async-duet');
    for (const name of ['0-A.jsonl', '0-B.jsonl', '1-A.jsonl', '1-B.jsonl']) {
      const [head, ...iterations] = record(name);
      expect(head?.clock).toBe('arrival');
      expect(iterations.map(({ s, e }) => e - s)).toEqual([40e6, 40e6, 40e6, 40e6, 40e6, 40e6]);
      // Six pauses of at least 50 ms lie between the first start and the last end, less the first 10 ms.
      expect((iterations.at(-1)?.e ?? 0) - (iterations[0]?.s ?? 0)).toBeGreaterThan(5 * 50e6);
      expect(iterations[0]?.s).toBeGreaterThan(before);
      expect(iterations.at(-1)?.e).toBeLessThan(after);
    }
  });

  it('that holds its lines back is no asynchronous duet, but may be measured one after the other', async () => {
    scene.script('suite', `{ ${printing}\n} | cat > all; cat all`);
    write('deadheat.yaml', 'runs: 2\nbenchmarks:\n  fake: { command: ./suite, parser: ./mine.mjs }\n');
    write(
      'mine.mjs',
      String.raw`export default (text) => [...text.matchAll(/completed \((.*) ms\)/g)].map(([, ms], index) => (
  { durationNs: Number(ms) * 2e6, line: 2 * (index + 1) }));`,
    );
    const refused = await scene.run(['run', '--output', 'refused']);
    expect(refused.status).toBe(4);
    expect(refused.stderr).toContain('NO_TIMES');
    expect(refused.stderr).toContain('methods: [sequential]');
    const iterations = [1, 2, 3, 4, 5].map((place) => `Iteration   ${place}: 30000.000 us/op`);
    const jmh = [
      '# Measurement: 5 iterations, 60 ms each',
      '# Benchmark mode: Average time, time/op',
      '# Benchmark: a.B.c',
    ];
    scene.script('jmh', `sleep 0.4\nprintf '%s\\n' ${[...jmh, ...iterations].map((line) => `'${line}'`).join(' ')}`);
    write('jmh.yaml', 'methods: [async-duet]\nruns: 2\nbenchmarks:\n  fake: { command: ./jmh, parser: jmh }\n');
    const short = await scene.run(['run', 'jmh.yaml', '--output', 'short']);
    expect(short.status).toBe(4);
    expect(short.stderr).toContain('let it take part with DuetJmh (clients/java/adapters)');
    expect(short.stderr).not.toContain('stdbuf');
    write(
      'deadheat.yaml',
      'methods: [sequential]\nruns: 2\nbenchmarks:\n  fake: { command: ./suite, parser: ./mine.mjs }\n',
    );
    const alone = await scene.run(['run', '--output', 'rec', '--export', 'json:-']);
    expect(alone.status).toBe(0);
    expect(record('0-A.jsonl')[0]?.clock).toBe('none');
    // Half of six iterations are warm-up.
    expect(parseReport(alone.stdout).comparisons[0]?.sides.A.times).toEqual([0.08, 0.08, 0.08, 0.08, 0.08, 0.08]);
  });

  it('is read from the file that each side writes, and kept', async () => {
    const results = '{"environment":{"vm":{"start_ns":%s}},"data":{"fake":{"results":[%s],"termination":"normal"}}}';
    scene.script(
      'suite',
      `now=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)0000000
printf '${results}' $now '{"duration_ns":50,"uptime_ns":0},{"duration_ns":70,"uptime_ns":60}' > out-$DEADHEAT_SIDE.json`,
    );
    write(
      'deadheat.yaml',
      "runs: 2\nbenchmarks:\n  fake: { command: ./suite, parser: renaissance, results: 'out-$DEADHEAT_SIDE.json' }\n",
    );
    const ended = await scene.run(['run', '--output', 'rec']);
    expect(ended.status).toBe(0);
    const [head, first, second] = record('1-B.jsonl');
    expect(head?.clock).toBe('own');
    expect([first, second].map((line) => (line?.e ?? 0) - (line?.s ?? 0))).toEqual([50, 70]);
    expect(readFileSync(scene.path('rec/iterations/1-B.results'), 'utf8')).toContain('"duration_ns":50');
  });

  it('that cannot be understood ends the experiment with the side and the reason', async () => {
    const cases = [
      {
        suite: 'echo nothing',
        keys: 'parser: dacapo',
        says: 'A recorded no iteration: its parser found none; what goes to standard error',
      },
      { suite: 'true', keys: "parser: jmh, results: 'out-$DEADHEAT_SIDE.json'", says: 'RESULTS_NOT_FOUND' },
      {
        suite: 'echo "[1]" > out-$DEADHEAT_SIDE.json',
        keys: "parser: jmh, results: 'out-$DEADHEAT_SIDE.json'",
        says: 'PARSER_FAILED',
      },
      { suite: 'true', keys: 'parser: ./wrong.mjs', says: 'PARSER_RESULT' },
    ];
    write('wrong.mjs', 'export default () => [{ durationNs: "5" }];');
    for (const { suite, keys, says } of cases) {
      scene.script('suite', suite);
      write('deadheat.yaml', `runs: 2\nbenchmarks:\n  fake: { command: ./suite, ${keys} }\n`);
      const ended = await scene.run(['run']);
      expect(ended.status, ended.stderr).toBe(4);
      expect(ended.stderr).toContain(says);
    }
  });
});
