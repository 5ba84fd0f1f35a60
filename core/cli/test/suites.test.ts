import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkParts } from '@deadheat/engine';
import { readConfig } from 'deadheat/internals';
import { settingsOf } from './config/support-config.ts';
import { parseReport, Scene, noDuets, until } from './e2e/support.ts';

const root = join(import.meta.dirname, '../../..');
const suites = join(root, 'suites');
const files = readdirSync(suites).toSorted();

/** Benchmarks of the file of each suite, as docs/suites.md counts them, by two methods. */
const counts: Readonly<Record<string, number>> = {
  'dacapo.yaml': 9,
  'jmh.yaml': 1,
  'renaissance.yaml': 24,
  'scalabench.yaml': 20,
  'spec-cpu-duet.yaml': 23,
  'spec-cpu.yaml': 23,
};

/** Benchmarks of the experiment of each paper, its methods, its runs and its machines. */
const papers: Readonly<Record<string, readonly [number, readonly string[], number, number]>> = {
  'fse20.yaml': [10, ['sequential'], 5, 1],
  'icpe20.yaml': [20, ['sync-duet', 'sequential'], 40, 20],
  'oopsla26.yaml': [25, ['sequential'], 40, 20],
  'thesis23.yaml': [44, ['sync-duet', 'async-duet', 'sequential'], 20, 10],
};

function validatorOf(path: string): z.ZodType {
  return z.fromJSONSchema(JSON.parse(readFileSync(path, 'utf8')) as z.core.JSONSchema.JSONSchema);
}

describe('a shipped configuration', () => {
  it('is there for each of the suites and of the papers', () =>
    expect(files).toEqual([...Object.keys(counts), ...Object.keys(papers)].toSorted()));

  it.each(Object.entries(papers))('%s is the experiment of a paper, and can be divided', async (file, expected) => {
    const [benchmarks, methods, runs, machines] = expected;
    const draft = await readConfig(file, { cwd: suites, searchPath: '', defaultSeed: 'x' });
    expect(new Set(draft.benchmarks.map(({ name }) => name)).size).toBe(benchmarks);
    expect(draft.benchmarks).toHaveLength(benchmarks * methods.length);
    expect(new Set(draft.benchmarks.map(({ own }) => own.method))).toEqual(new Set(methods));
    expect(draft.machines).toBe(machines);
    expect(settingsOf(draft).stop).toEqual({ kind: 'runs', runs });
    for (const count of [machines, machines * benchmarks]) {
      expect(() => checkParts(draft, count)).not.toThrow();
    }
    const schema = join(root, 'core/deadheat/schema/deadheat.schema.json');
    const data: unknown = parse(readFileSync(join(suites, file), 'utf8'), { merge: true });
    expect(validatorOf(schema).safeParse(data).error).toBeUndefined();
  });

  it.each(Object.keys(counts))(
    '%s is what the schema and the reader accept, with the settings of the papers',
    async (file) => {
      const schema = join(root, 'core/deadheat/schema/deadheat.schema.json');
      const text = readFileSync(join(suites, file), 'utf8');
      expect(validatorOf(schema).safeParse(parse(text, { merge: true })).error).toBeUndefined();
      const draft = await readConfig(file, { cwd: suites, searchPath: '', defaultSeed: 'x' });
      expect(draft.benchmarks).toHaveLength(2 * (counts[file] ?? 0));
      for (const index of draft.benchmarks.keys()) {
        const { entry, warmup, stop } = settingsOf(draft, index);
        expect(entry.workload).toBe(file === 'spec-cpu-duet.yaml' ? 'command' : 'lines');
        expect(entry.environment.A['BENCHMARK']).toBe(entry.name);
        expect(warmup.kind).toBe(file.startsWith('spec-cpu') ? 'none' : 'first-half');
        expect(stop).toEqual({ kind: 'runs', runs: 20 });
      }
    },
  );
});

const java = spawnSync('java', ['-version']).status === 0;
if (!java) console.warn('the flags of the JVM are not held against one: there is no java here');

describe.skipIf(!java)('the flags of the JVM', () => {
  it('are known to the one that is here', () => {
    const { environment } = parse(readFileSync(join(suites, 'dacapo.yaml'), 'utf8'), { merge: true }) as {
      environment: { JVM: string };
    };
    // The heap is left out: it need not fit into this machine.
    const flags = environment.JVM.split(/\s+/).filter((flag) => flag.startsWith('-XX:'));
    expect(flags.length).toBeGreaterThan(4);
    const { status, stderr } = spawnSync('java', [...flags, '-version']);
    expect(status, stderr.toString()).toBe(0);
  });
});

/**
 * Stand-ins for `java`, `runcpu` and `specinvoke` that print and write what the suites would, by hand after their sources; their
 * iterations are pauses. The arguments decide which suite is meant.
 */
const fakeJava = `#!/bin/sh
case "$*" in
*ignoreLock=true*)
  printf '# Benchmark mode: Average time, time/op\\n# Warmup: 1 iterations, 20 ms each\\n# Measurement: 2 iterations, 20 ms each\\n'
  echo '# Benchmark: org.sample.MyBenchmark.testMethod'
  for i in '# Warmup Iteration   1' 'Iteration   1' 'Iteration   2'; do
    sleep 0.02
    echo "$i: 2000.000 ns/op"
  done
  ;;
*renaissance*)
  now=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)0000000
  for word; do case "$last" in --json) file=$word ;; esac; last=$word; done
  result='{"duration_ns":20000000,"uptime_ns":0},{"duration_ns":20000000,"uptime_ns":30000000}'
  sleep 0.05
  printf '{"environment":{"vm":{"start_ns":%s}},"data":{"%s":{"results":[%s],"termination":"normal"}}}' \\
    $now "$last" "$result" > $file
  ;;
*)
  for word; do last=$word; done
  for i in 1 2; do
    sleep 0.02
    echo "===== DaCapo 9.12 $last completed warmup $i in 20 msec =====" >&2
  done
  sleep 0.02
  echo "===== DaCapo 9.12 $last PASSED in 20 msec =====" >&2
  ;;
esac
`;
const fakeRuncpu = `#!/bin/sh
case "$*" in
*runsetup*)
  for word; do last=$word; done
  mkdir -p benchspec/CPU/$last/run/run_peak_refrate_deadheat-m64.0000
  echo 'sleep 0.02' > benchspec/CPU/$last/run/run_peak_refrate_deadheat-m64.0000/speccmds.cmd
  exit
  ;;
esac
for i in 1 2; do
  echo " Rate Start:   2022-06-01 14:04:52 ($(date +%s.%N))"
  sleep 0.02
  echo " Rate End:     2022-06-01 14:04:53 ($(date +%s.%N))"
done > result/CPU2017.$$.log
`;

describe.skipIf(noDuets !== null)('a shipped configuration, with stand-ins for the suites,', () => {
  let scene: Scene;
  let programs: string;
  beforeEach(() => {
    scene = new Scene();
    programs = mkdtempSync(join(tmpdir(), 'deadheat-fake-'));
    writeFileSync(join(programs, 'java'), fakeJava);
    chmodSync(join(programs, 'java'), 0o755);
    for (const side of ['A', 'B']) {
      mkdirSync(join(scene.path(`spec-${side}`), 'result'), { recursive: true });
      writeFileSync(join(scene.path(`spec-${side}`), 'shrc'), 'PATH=$PWD:$PATH\n');
      writeFileSync(join(scene.path(`spec-${side}`), 'runcpu'), fakeRuncpu);
      chmodSync(join(scene.path(`spec-${side}`), 'runcpu'), 0o755);
      writeFileSync(join(scene.path(`spec-${side}`), 'specinvoke'), '#!/bin/sh\n. ./speccmds.cmd\n');
      chmodSync(join(scene.path(`spec-${side}`), 'specinvoke'), 0o755);
    }
  });
  afterEach(async () => {
    await until(() => scene.leftoverPages().length === 0);
    scene.end();
    rmSync(programs, { recursive: true });
  });

  it.each([
    ['dacapo.yaml', 'avrora', 'arrival'],
    ['jmh.yaml', 'org.sample.MyBenchmark.testMethod', 'arrival'],
    ['renaissance.yaml', 'scrabble', 'own'],
    ['scalabench.yaml', 'kiama', 'arrival'],
    ['spec-cpu.yaml', '505.mcf_r', 'own'],
    ['spec-cpu-duet.yaml', '505.mcf_r', null],
  ])('%s is planned, and %s measured', async (file, benchmark, clock) => {
    const env = { PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` };
    cpSync(join(suites, file), scene.path(file));
    const planned = await scene.run(['run', file, '--dry-run'], { env });
    expect(planned.stderr).toBe('');
    expect(planned.status).toBe(0);
    expect(planned.stdout).toContain(benchmark);
    writeFileSync(scene.path(file), readFileSync(scene.path(file), 'utf8').replace('runs: 20', 'runs: 2'));
    const args = ['run', file, '--filter', benchmark, '--output', 'rec', '--export', 'json:-'];
    const ended = await scene.run(args, { env });
    expect(ended.status, ended.stderr).toBe(0);
    const sequential = parseReport(ended.stdout).comparisons.find(({ method }) => method === 'sequential');
    expect(sequential).toMatchObject({ benchmark, runs: 2 });
    if (clock === null) return;
    const [head = ''] = readFileSync(scene.path('rec/iterations/0-A.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(head)).toMatchObject({ benchmark, clock });
  });
});
