import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { noDuets, processesWith, until, type Running } from '../../../../core/cli/test/e2e/support.ts';
import {
  asleep,
  noCompiler,
  sleepers,
  TestEngine,
  useContainerScene,
} from '../../../../core/cli/test/e2e/support-containers.ts';

const found = noDuets ?? noCompiler ?? TestEngine.find();
const why = typeof found === 'string' ? found : null;
if (why !== null) console.warn(`container tests are skipped: ${why}`);

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../core/cli/test/fixtures/${name}`, import.meta.url));

describe.skipIf(why !== null)('a file of duetbench', () => {
  const engine = found as TestEngine;
  const programs = (): Record<string, string> => ({
    'bin/java': fixture('suite-java.sh'),
    'duet/speccpu/bin/runcpu': fixture('suite-runcpu.sh'),
    'bin/agent-side': engine.compile('agent'),
  });
  const image = why === null ? engine.image('suites', programs(), '/duet') : '';
  const scene = useContainerScene(engine);

  const start = (args: readonly string[]): Running => scene.start(args, { env: engine.environment });
  /** The table of a recording: its rows as maps. */
  const table = async (): Promise<readonly Readonly<Record<string, string>>[]> => {
    const { status, stdout, stderr } = await start(['export', scene.recording(), '--format', 'duet-csv']).ended;
    expect(status, stderr).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    const columns = head.split(',');
    return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [columns[index] ?? '', cell])));
  };

  it('runs as the thesis shows it, and its table has the columns of duetbench', async () => {
    // Listing 1 of Drozdik 2023, section 3.2, with fewer iterations: a benchmark inherits nothing but its suite.
    writeFileSync(
      scene.path('duet.yml'),
      `duetbench:
  name: thesis
  suite: dacapo
  seed: 1
  artifacts: { date: date, hostname: hostname, uname: uname -a }
  duets: [avrora]
avrora:
  image: ${image}
  duet_repetitions: 2
  sequential_repetitions: 2
  schedule: randomized_interleaving_trials
  A:
    run: java -jar dacapo-A.jar -n 10 -o results.csv avrora
  B:
    run: java -jar dacapo-B.jar -n 10 -o results.csv avrora
  results:
    - results.csv
`,
    );
    const ended = await start(['run', 'duet.yml']).ended;
    expect(ended.status, ended.stderr).toBe(0);
    const rows = await table();
    // constants.py of the package duet: BASE_COL, then ARTIFACT_COL.
    expect(Object.keys(rows[0] ?? {}).join()).toBe(
      'suite,benchmark,type,runid,pair,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns,' +
        'date,hostname,lscpu,meminfo,uname,order',
    );
    // Two methods, two runs, two sides, ten iterations.
    expect(rows).toHaveLength(80);
    const runs = new Set(
      rows.map(({ suite, benchmark, type, runid, pair }) => [suite, benchmark, type, runid, pair].join()),
    );
    const expected = ['duet', 'seqn'].flatMap((type) =>
      ['0,A', '0,B', '1,A', '1,B'].map((run) => `dacapo,avrora,${type},${run}`),
    );
    expect([...runs].toSorted()).toEqual(expected);
    for (const row of rows) {
      const [startNs, endNs, timeNs] = [row['iteration_start_ns'], row['iteration_end_ns'], row['iteration_time_ns']];
      expect(Number(endNs) - Number(startNs)).toBe(Number(timeNs));
    }
  });

  it('runs the four suites with what they inherit, and goes on after runs that their time limit ends', async () => {
    writeFileSync(
      scene.path('duet.yml'),
      `duetbench:
  name: example
  suite: tmp
  verbose: false
  seed: 42
  remove_containers: true
  schedule: randomized_interleaving_trials
  duet_repetitions: 1
  syncduet_repetitions: 0
  sequential_repetitions: 0
  image: ${image}
  artifacts: { date: date, hostname: hostname }
  duets: [debug, renaissance, dacapo, scalabench, 541.leela_r]
debug:
  suite: debug
  run_base: ""
  timeout: 1
  results: [/duet/results]
  A: { run: echo ran > /duet/results && sleep 500 }
  B: { run: echo ran > /duet/results }
renaissance:
  suite: renaissance
  run_base: java -jar renaissance.jar --json /duet/results.json --repetitions 100000
  timeout: 15
  results: [/duet/results.json]
  A: { run: chi-square }
dacapo:
  suite: dacapo
  syncduet_repetitions: 1
  run_base: java -jar dacapo.jar --iterations 6 --no-validation -o /duet/results.csv
  syncduet_run_base: java -agentpath:agent.so -jar dacapo.jar --iteration-barrier $$ --iterations 6 -o /duet/results.csv
  results: [/duet/results.csv]
  timeout: 60
  A: { run: avrora }
scalabench:
  suite: scalabench
  run_base: java -jar scala-benchmark-suite.jar --iterations 6 -o /duet/results.csv
  results: [/duet/results.csv]
  A: { run: kiama }
541.leela_r:
  suite: speccpu
  run_base: /duet/speccpu/bin/runcpu --config duet.cfg --iterations 4 --action onlyrun
  results: [/duet/speccpu/result]
  A: { run: 541.leela_r }
`,
    );
    const ended = await start(['run', 'duet.yml']).ended;
    expect(ended.status, ended.stderr).toBe(0);
    const { trials } = await readRecording(scene.recording());
    const { warnings } = JSON.parse(readFileSync(join(scene.recording(), 'report.json'), 'utf8')) as {
      warnings: { code: string; message: string }[];
    };
    const cut = warnings.filter(({ code }) => code === 'RUNS_CUT').map(({ message }) => message);
    expect(cut.toSorted()).toEqual([
      expect.stringMatching(/^debug\.debug: .*they are timed as a whole and do not count\. Raise timeout/),
      expect.stringMatching(/^renaissance\.renaissance: .*the iterations until then count\. Raise timeout/),
    ]);
    expect(trials.filter(({ status }) => status === 'failed').map(({ failures }) => failures[0]?.code)).toEqual([
      'TIMEOUT',
    ]);
    const rows = await table();
    const runs = rows.map(({ suite, benchmark, type, pair }) => [suite, benchmark, type, pair].join());
    const count = (run: string): number => runs.filter((one) => one === run).length;
    for (const side of ['A', 'B']) {
      expect(count(`dacapo,dacapo,duet,${side}`)).toBe(6);
      expect(count(`dacapo,dacapo,syncduet,${side}`)).toBe(6);
      expect(count(`scalabench,scalabench,duet,${side}`)).toBe(6);
      expect(count(`speccpu,541.leela_r,duet,${side}`)).toBe(4);
      expect(count(`renaissance,renaissance,duet,${side}`)).toBeGreaterThan(0);
    }
    expect(readdirSync(join(scene.recording(), 'results')).toSorted()).toContain('debug.debug.0.duet.AB.A.results');
  });

  it('has its barrier made before its programs start, and removed when it is interrupted', async () => {
    // A waits at the barrier for B, which never comes.
    writeFileSync(
      scene.path('duet.yml'),
      `duetbench:
  suite: s
  image: ${image}
  duet_repetitions: 0
  syncduet_repetitions: 2
  duets: [wait]
wait:
  syncduet_run_base: ""
  A: { syncduet_run_base: agent-side $$ 3 &&, run: "true" }
  B: { syncduet_run_base: "test $$ && exec", run: sleep ${asleep} }
`,
    );
    const running = start(['run', 'duet.yml']);
    await until(() => sleepers() >= 1 && processesWith('agent-side\u0000syncduet.wait.0:barrier').length > 0);
    const barriers = (): readonly string[] =>
      scene.shared().filter((name) => name.endsWith('/java-ubench-agentsyncduet.wait.0:barrier'));
    expect(barriers()).toHaveLength(1);
    running.child.kill('SIGINT');
    expect((await running.ended).status).toBe(130);
    expect(barriers()).toEqual([]);
  });
});
