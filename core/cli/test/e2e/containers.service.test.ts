import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRunner, readOwnMachine, type ForeignRun } from '@deadheat/engine';
import { readRecording } from '@deadheat/recording';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Benchmark,
  type Command,
  type Container,
  type Experiment,
} from '@deadheat/model';
import { getAffinity } from '@deadheat/sync';
import { noDuets, parseReport, type Scene, until, type Ended, type Running } from './support.ts';
import { asleep, helpersOf, noCompiler, sleepers, TestEngine, useContainerScene } from './support-containers.ts';

const found = noDuets ?? TestEngine.find();
const why = typeof found === 'string' ? found : null;
if (why !== null) console.warn(`container tests are skipped: ${why}`);

describe.skipIf(why !== null)('an experiment in containers', () => {
  const engine = found as TestEngine;
  const old = why === null ? engine.image('old') : '';
  const fresh = why === null ? engine.image('new') : '';
  const harness =
    why === null && noCompiler === null ? engine.image('harness', { 'bin/harness': engine.compile('harness') }) : '';
  const scene = useContainerScene(engine);

  const start = (args: readonly string[], environment: Record<string, string> = {}): Running =>
    scene.start(args, { env: { ...engine.environment, ...environment } });
  /** Runs the experiment of a text. */
  const run = async (text: string, args: readonly string[] = []): Promise<Ended> => {
    writeFileSync(scene.path('deadheat.yaml'), text);
    return start(['run', ...args]).ended;
  };
  const kept = (folder: string): readonly string[] => readdirSync(join(scene.recording(), folder)).toSorted();
  const read = (folder: string, name: string): string => readFileSync(join(scene.recording(), folder, name), 'utf8');

  it('compares two images by all methods, and records what they are', async () => {
    const ended = await run(
      `name: images
runs: 2
methods: { tandem: , sync-duet: , async-duet: { iterations: 2 }, sequential: }
benchmarks:
  read:
    command: cat /etc/name
    environment: { GIVEN: yes }
    keep: [/etc/name]
    limits: { memory: 64m, cpus: 1 }
    A: { image: ${old} }
    B: { image: ${fresh} }
`,
      ['--export', 'json:-'],
    );
    expect(ended.status, ended.stderr).toBe(0);
    const { experiment, trials } = await readRecording(scene.recording());
    const methods = ['async-duet', 'sequential', 'sync-duet', 'tandem'];
    expect(trials.map(({ method }) => method).toSorted()).toEqual(methods.flatMap((name) => [name, name]));
    for (const { method, sides, order } of trials) {
      expect(sides.A.iterations).toHaveLength(method === 'async-duet' ? 2 : 1);
      // One core for both, all cores for each, or a core each.
      expect(sides.A.cpu === sides.B.cpu).toBe(method === 'tandem' || method === 'sequential');
      expect(sides.A.cpus ?? [sides.A.cpu]).toEqual(method === 'sequential' ? getAffinity() : [sides.A.cpu]);
      const [a, b] = [sides.A.iterations[0], sides.B.iterations[0]];
      if (a === undefined || b === undefined) throw new Error('no iterations');
      expect(a.e).toBeGreaterThan(a.s);
      if (method === 'sequential') expect(order === 'AB' ? b.s >= a.e : a.s >= b.e).toBe(true);
    }
    expect(experiment.containers).toMatchObject({ engine: 'podman' });
    const images = experiment.containers?.images ?? {};
    expect(Object.keys(images)).toEqual([old, fresh]);
    expect(images[old]?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(images[old]?.id).not.toBe(images[fresh]?.id);
    expect(read('results', 'images.read.0.seqn.None.A.name')).toBe('old\n');
    // Two runs by four methods, of two sides.
    expect(kept('results')).toHaveLength(16);
    const second = kept('results').find((name) => /^images\.read\.1\.duet\.(?:AB|BA)\.B\.name$/.test(name));
    expect(read('results', second ?? '')).toBe('new\n');
    expect(read('logs', 'images.read.1.seqn.None.B.stdout.txt')).toBe('new\n');
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons[0]?.sides.A.command).toContain(old);
    expect(comparisons.find(({ method }) => method === 'tandem')).toMatchObject({ metric: 'cpu', pairs: 2 });
  });

  it('gives a program its cores, its variables and its input, and nothing of the machine', async () => {
    writeFileSync(scene.path('input'), 'text of the input\n');
    const ended = await run(`runs: 1
methods: [tandem, sequential]
input: input
environment: { GIVEN: "yes" }
benchmarks:
  tell:
    image: ${old}
    cwd: /tmp
    command: cat; echo "$GIVEN $DEADHEAT_SIDE $DEADHEAT_RUN $(nproc) $PWD \${HOME_OF_TEST:-unset}"
`);
    expect(ended.status, ended.stderr).toBe(0);
    for (const [method, cpus] of [
      ['tandem', 1],
      ['seqn', getAffinity().length],
    ] as const) {
      const name = kept('logs').find((file) => file.includes(`.${method}.`) && file.includes('.A.stdout'));
      expect(read('logs', name ?? '')).toBe(`text of the input\nyes A 0 ${cpus} /tmp unset\n`);
    }
  });

  it.skipIf(noCompiler !== null)('runs harnesses that meet at the shared page, and lets them agree', async () => {
    const ended = await run(
      `runs: 2
iterations: 6
methods: [sync-duet, async-duet, sequential]
benchmarks:
  sort: { image: '${harness}', workload: harness, command: harness 6 2000 }
`,
      ['--export', 'json:-'],
    );
    expect(ended.status, ended.stderr).toBe(0);
    const { trials } = await readRecording(scene.recording());
    expect(trials).toHaveLength(6);
    for (const { trial, sides, method } of trials) {
      expect(sides.A.record).toBe(`iterations/${trial}-A.jsonl`);
      if (method !== 'sync-duet') continue;
      const lines = (side: 'A' | 'B'): { s: number; e: number }[] =>
        read('iterations', `${trial}-${side}.jsonl`)
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => JSON.parse(line) as { s: number; e: number });
      const [a, b] = [lines('A'), lines('B')];
      expect(a).toHaveLength(6);
      // Who starts iteration i + 1 has met the other side after its iteration i.
      for (let i = 0; i < 5; i++) expect(a[i + 1]?.s).toBeGreaterThanOrEqual(b[i]?.e ?? Infinity);
    }
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ method }) => method).toSorted()).toContain('sync-duet');
  });

  it.skipIf(noCompiler !== null)('ends the warm-up of harnesses when it is stable', async () => {
    const ended = await run(
      `runs: 2
stable: { criteria: [cv], max-warmup: 12, measured: 4 }
benchmarks:
  sort: { image: '${harness}', workload: harness, command: harness 6 2000 }
`,
      ['--export', 'json:-'],
    );
    expect(ended.status, ended.stderr).toBe(0);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison?.stability?.runs).toHaveLength(2);
    for (const { decidedAfter, warmup } of comparison?.stability?.runs ?? []) {
      expect(decidedAfter).toBeGreaterThanOrEqual(5);
      expect(decidedAfter).toBeLessThanOrEqual(12);
      expect(warmup).toBeGreaterThanOrEqual(decidedAfter);
    }
    expect(comparison?.discarded.unpaired).toBe(0);
  });

  it('finds iterations in what a program prints', async () => {
    const ended = await run(`runs: 2
methods: [sequential]
benchmarks:
  lines:
    image: ${old}
    command: for i in 1 2 3 4; do echo "took $i ms at $((i * 10))"; done
    lines: { pattern: 'took (?<duration>\\d+) ms at (?<end>\\d+)', unit: ms }
`);
    expect(ended.status, ended.stderr).toBe(0);
    expect(read('iterations', '0-A.jsonl').split('\n')).toHaveLength(6);
  });

  it.skipIf(noCompiler !== null)(
    'runs a file of duetbench with its barrier, and names results as that does',
    async () => {
      const image = engine.image('agent', { 'bin/agent-side': engine.compile('agent') });
      writeFileSync(
        scene.path('duet.yml'),
        `duetbench:
  name: example
  suite: tmp
  verbose: false
  seed: 42
  docker_command: podman
  remove_containers: true
  schedule: randomized_interleaving_trials
  duet_repetitions: 1
  sequential_repetitions: 1
  syncduet_repetitions: 2
  artifacts: { date: date, hostname: hostname }
  image: ${image}
  duets: [debug.1]
debug.1:
  suite: debug
  run_base: echo base
  syncduet_run_base: agent-side $$ 3 > /tmp/results; echo base
  timeout: 100
  results: [/tmp/results]
  A: { run: A >> /tmp/results && sleep 0.01 }
  B: { run: B >> /tmp/results }
`,
      );
      const ended = await start(['run', 'duet.yml']).ended;
      expect(ended.status, ended.stderr).toBe(0);
      const names = kept('results');
      expect(names).toHaveLength(8);
      for (const name of names) {
        expect(name).toMatch(
          /^debug\.debug_1\.[01]\.(?:duet\.(?:AB|BA)|syncduet\.(?:AB|BA)|seqn\.None)\.[AB]\.results$/,
        );
      }
      expect(read('results', 'debug.debug_1.0.seqn.None.A.results')).toBe('base A\n');
      const met = names
        .filter((name) => name.includes('.1.syncduet.'))
        .map((name) => read('results', name).split('\n'));
      expect(met).toHaveLength(2);
      const [a, b] = met.map((lines) => lines.slice(0, 3).map(Number));
      // Each side leaves a meeting after the other has come to it, hence after it has left the one before.
      for (const round of [0, 1]) expect(a?.[round + 1]).toBeGreaterThanOrEqual(b?.[round] ?? Infinity);
      expect(existsSync(join(scene.recording(), 'artifacts/date.txt'))).toBe(true);
    },
  );

  it('reads the results of a suite that it understands', async () => {
    // The columns that asynchronous-duet reads of the D3S group's DaCapo: wall clock, ms, and durations, ns.
    const row = (index: number): string => `avrora,${index},2000${index}000,${1_700_000_000_000 + index * 50}`;
    const rows = [0, 1, 2, 3, 4, 5].map((index) => `echo ${row(index)}`).join('; ');
    writeFileSync(
      scene.path('duet.yml'),
      `duetbench:
  suite: dacapo
  image: ${old}
  duet_repetitions: 2
  sequential_repetitions: 2
  results: [/tmp/results.csv]
  duets: [avrora]
avrora:
  A: { run: "{ echo benchmark,iteration,iteration_time_ns,start_unix; ${rows}; } > /tmp/results.csv" }
`,
    );
    const ended = await start(['run', 'duet.yml', '--export', 'json:-']).ended;
    expect(ended.status, ended.stderr).toBe(0);
    const { comparisons } = parseReport(ended.stdout);
    expect(comparisons.map(({ method }) => method).toSorted()).toEqual(['async-duet', 'sequential']);
    for (const { iterationsPerRun, benchmark } of comparisons) {
      expect(benchmark).toBe('avrora');
      // The first half is warm-up.
      expect(iterationsPerRun).toBe(3);
    }
    expect(kept('results')).toContain('dacapo.avrora.0.seqn.None.A.results.csv');
  });

  it('keeps the files of warm-up runs apart from those of measured runs', async () => {
    const ended = await run(`name: images
runs: 1
warmup: 1
methods: [sequential]
benchmarks: { b: { command: 'echo said > /tmp/kept; echo said', keep: [/tmp/kept], image: '${old}' } }
`);
    expect(ended.status, ended.stderr).toBe(0);
    for (const folder of ['results', 'results/warmup']) {
      expect(read(folder, 'images.b.0.seqn.None.A.kept')).toBe('said\n');
      expect(read(folder.replace('results', 'logs'), 'images.b.0.seqn.None.A.stdout.txt')).toBe('said\n');
    }
  });

  it('times nothing of the start of its containers', async () => {
    const sleepNs = 0.7e9;
    // Its shell, which every container and every execution starts with, prints when it is ready.
    writeFileSync(
      scene.path('slow-sh'),
      `#!/bin/busybox sh\n/bin/busybox sleep ${sleepNs / 1e9}\n/bin/busybox cat /proc/uptime >&2\nexec /bin/busybox sh "$@"\n`,
      { mode: 0o755 },
    );
    const slow = engine.image('slow', { 'bin/sh': scene.path('slow-sh') });
    const ended = await run(`name: start
runs: 1
methods: [sync-duet, async-duet, sequential]
benchmarks: { b: { command: 'true', A: { image: '${slow}' }, B: { image: '${old}' } } }
`);
    expect(ended.status, ended.stderr).toBe(0);
    // The kernel's uptime, rounded down to 10 ms, on the clock of the iterations, which is read before it: what lies between the two makes
    // the instants earlier, never later.
    const nowNs = Number(process.hrtime.bigint());
    const bootNs = uptime() * 1e9 - nowNs;
    const types = {
      tandem: 'tandem',
      alone: 'alone',
      'async-tandem': 'asynctandem',
      'sync-duet': 'syncduet',
      'async-duet': 'duet',
      sequential: 'seqn',
    };
    for (const { method, run: number, order, sides, wallNs } of scene.trials()) {
      const started = method === 'sequential' ? 'None' : order;
      const log = read('logs', `start.b.${number}.${types[method]}.${started}.A.stderr.txt`);
      const ready = [...log.matchAll(/^(\d+\.\d+) /gm)].map(([, seconds]) => Number(seconds) * 1e9 - bootNs);
      expect(ready.length).toBeGreaterThan(0);
      // Both begin after the slower one was ready, to the 10 ms by which uptime() may be early.
      for (const { s } of [...sides.A.iterations, ...sides.B.iterations]) {
        expect(s).toBeGreaterThanOrEqual(Math.max(...ready) - 10e6);
      }
      // The execution's own shell sleeps within the run; that of the container may do so at the same time.
      expect(wallNs).toBeGreaterThanOrEqual(sleepNs);
    }
  });

  describe('that fails', () => {
    const failing = async (benchmark: string, args: readonly string[] = []): Promise<Ended> =>
      run(`runs: 2\nbenchmarks:\n  b: ${benchmark}\n`, args);

    it('says which image is missing, before anything is recorded', async () => {
      const ended = await failing(`{ command: 'true', A: { image: '${old}' }, B: { image: 'localhost/no-such:1' } }`);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/B of b cannot be started: there is no image localhost\/no-such:1 here/);
      expect(ended.stderr).toContain('podman pull localhost/no-such:1');
      expect(existsSync(scene.path('.deadheat'))).toBe(false);
    });

    it('says that there is no engine', async () => {
      writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: 'true', image: '${old}' } }`);
      const nothing = mkdtempSync(join(tmpdir(), 'deadheat-path-'));
      const ended = await start(['run'], { PATH: nothing }).ended;
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain('A and B of b cannot be started: there is neither podman nor docker here');
      const docker = await start(['run', '--engine', 'docker'], { PATH: nothing }).ended;
      expect(docker.status).toBe(4);
      expect(docker.stderr).toContain('A and B of b cannot be started: there is no docker here');
      rmSync(nothing, { recursive: true });
    });

    it.each(['command', 'harness', 'lines'])(
      'says which program its image does not have, as a %s',
      async (workload) => {
        const lines = workload === 'lines' ? "lines: { pattern: '(?<time>x)', unit: s }, methods: [sequential]," : '';
        const ended = await failing(
          `{ image: '${old}', workload: ${workload}, ${lines} A: { command: 'sleep 0' }, B: { command: no-such-program 1 } }`,
        );
        expect(ended.status).toBe(4);
        // A, which records nothing and ends at once, may be told of instead.
        const isTold = /B could not be started in run 1 \(the image .* cannot execute no-such-program\)/.test(
          ended.stderr,
        );
        expect(isTold || (workload !== 'command' && /A recorded no iteration/.test(ended.stderr)), ended.stderr).toBe(
          true,
        );
      },
    );

    it("says that exec failed, with the engine's words and what helps", async () => {
      const ended = await failing(`{ image: '${old}', cwd: /nowhere, command: 'true' }`);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/[AB] could not be started in run 1 \(podman exec failed\): true\n {2}stderr: /);
      expect(ended.stderr).toContain('cwd has to be a folder in the image');
    });

    it('is not resumed with another image of the same name', async () => {
      const name = engine.image('changing');
      writeFileSync(
        scene.path('deadheat.yaml'),
        `runs: 4\nmethods: [sequential]\nbenchmarks: { b: { command: 'sleep 0.5', image: '${name}' } }`,
      );
      const running = start(['run']);
      await until(() => journalOf(scene).includes('\n'));
      running.child.kill('SIGINT');
      expect((await running.ended).status).toBe(130);
      const { experiment } = await readRecording(scene.recording());
      const first = experiment.containers?.images[name]?.id ?? '';
      writeFileSync(scene.path('more'), 'more\n');
      engine.image('changing', { 'etc/more': scene.path('more') });
      const journal = journalOf(scene);
      const refused = await start(['run', '--resume', scene.recording()]).ended;
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(`it began with the image ${name} = ${first}`);
      expect(refused.stderr).toContain('Tag the image that it began with by that name again');
      expect(journalOf(scene)).toBe(journal);
      expect(engine.call(['tag', first, name]).status).toBe(0);
      const resumed = await start(['run', '--resume', scene.recording()]).ended;
      expect(resumed.status, resumed.stderr).toBe(0);
    });

    it('says what a program said when the disk of its container is full', async () => {
      const fill = 'dd if=/dev/zero of=/dev/shm/fill bs=1M count=100';
      const ended = await failing(`{ image: '${old}', A: { command: 'true' }, B: { command: '${fill}' } }`);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/B exited with status 1 in run 1/);
      expect(ended.stderr).toContain('No space left on device');
    });

    it('ends what takes too long, and what leaves something behind', async () => {
      const slow = await failing(
        `{ image: '${old}', timeouts: { iteration: 300ms }, A: { command: 'true' }, B: { command: sleep 1000 } }`,
      );
      expect(slow.status).toBe(4);
      expect(slow.stderr).toMatch(/B was ended because it took longer than 0.3 s/);
      const stray = await failing(`{ image: '${old}', A: { command: 'true' }, B: { command: 'sleep 1000 & true' } }`, [
        '--output',
        'stray',
      ]);
      expect(stray.status).toBe(4);
      expect(stray.stderr).toMatch(/B left a process running behind it/);
    });

    it('is over when both containers are killed midway', async () => {
      writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: sleep ${asleep}, image: '${old}' } }`);
      const running = start(['run']);
      await until(() => sleepers() >= 2);
      engine.call(['kill', ...engine.containers()]);
      const ended = await running.ended;
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(
        /[AB] was killed by SIGKILL in run 1: sleep \d+\nIts container was ended while it ran/,
      );
    });

    it('leaves nothing behind after Ctrl-C', async () => {
      writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: sleep ${asleep}, image: '${old}' } }`);
      const running = start(['run']);
      await until(() => sleepers() >= 2);
      running.child.kill('SIGINT');
      expect((await running.ended).status).toBe(130);
    });

    it('leaves nothing behind after SIGKILL', async () => {
      writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: sleep ${asleep}, image: '${old}' } }`);
      const running = start(['run']);
      await until(() => sleepers() >= 2);
      running.child.kill('SIGKILL');
      await running.ended;
      await until(() => engine.containers().length === 0);
      await until(() => scene.leftoverPages().length === 0);
    });

    it('can be killed while its containers are made, and resumed', async () => {
      writeFileSync(
        scene.path('deadheat.yaml'),
        `runs: 3\nmethods: [sequential]\nbenchmarks: { b: { command: 'true', image: '${old}' } }`,
      );
      const running = start(['run']);
      await until(() => journalOf(scene).includes('\n'));
      running.child.kill('SIGKILL');
      await running.ended;
      const resumed = await start(['run', '--resume', scene.recording()]).ended;
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(journalOf(scene).trimEnd().split('\n')).toHaveLength(3);
      await until(() => engine.containers().length === 0);
      await until(() => scene.leftoverPages().length === 0);
    });

    it('is cleaned up after when its guardian is gone too, and an experiment that runs is left alone', async () => {
      writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: sleep ${asleep}, image: '${old}' } }`);
      const [gone, alive] = [start(['run', '--output', 'gone']), start(['run', '--output', 'alive'])];
      await until(() => sleepers() >= 4);
      for (const pid of helpersOf(gone.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
      gone.child.kill('SIGKILL');
      await gone.ended;
      expect(engine.containers()).toHaveLength(4);
      const shown = await start(['cleanup', '--dry-run', '--engine', 'podman']).ended;
      // Another client may see the same containers, and other experiments may run.
      const all = engine.containers();
      const told = (text: string, what: string): number =>
        text.split('\n').filter((line) => line.includes(what) && all.some((name) => line.includes(name))).length;
      expect(told(shown.stdout, 'abandoned')).toBe(2);
      expect(told(shown.stdout, 'in use')).toBe(2);
      const cleaned = await start(['cleanup', '--engine', 'podman']).ended;
      expect(cleaned.status).toBe(0);
      expect(told(cleaned.stdout, 'removed')).toBe(2);
      expect(engine.containers()).toHaveLength(2);
      alive.child.kill('SIGTERM');
      expect((await alive.ended).status).toBe(130);
    });
  });

  describe('of somebody else, as a worker executes it', () => {
    /** Executes a benchmark once, whose sides execute a command by the shell of the image. */
    async function guest(
      command: string,
      {
        container = {},
        ...changes
      }: Omit<Partial<Benchmark>, 'containers'> & { readonly container?: Partial<Container> } = {},
    ): Promise<ForeignRun['trial']> {
      const side: Container = {
        image: old,
        workingDirectory: null,
        cpus: null,
        memoryBytes: null,
        network: 'none',
        results: [],
        output: null,
        ...container,
      };
      const shell: Command = { name: 'x', commandLine: 'x', argv: ['/bin/sh', '-c', command], executedBy: 'shell' };
      const benchmark: Benchmark = {
        ...benchmarkDefaults,
        name: 'guest',
        commands: { A: shell, B: shell },
        containers: { A: side, B: side, suite: 'guests', agentBarrier: false, countsCut: false },
        ...changes,
      };
      const [first = 0] = getAffinity();
      const experiment: Experiment = {
        schema: 'deadheat.experiment/1',
        id: `guest${process.pid}`,
        startedAt: '2026-01-01T00:00:00Z',
        tool: { name: 'deadheat', version: '0' },
        machine: (await readOwnMachine({ cpus: null, ownCpu: null })).machine,
        warnings: [],
        config: {
          ...defaultSettings('sequential'),
          ...experimentDefaults,
          name: 'guests',
          benchmarks: [benchmark],
          stop: { kind: 'runs', runs: 1 },
          maxTimeNs: null,
          cpus: [first, first],
          tandemCpus: [],
          sequentialCpus: [],
          lanes: 1,
          seed: 'guest',
        },
      };
      const before = process.env['CONTAINERS_CONF'];
      Object.assign(process.env, engine.environment);
      try {
        const runner = await openRunner({
          mostLanes: null,
          experiment,
          directory: scene.path('worker'),
          cpus: null,
          ownCpu: null,
          guests: { confinement: { memoryBytes: 2 ** 26, processes: 40 }, inherited: {} },
        });
        try {
          const wanted = { benchmark: 0, phase: 'measure', run: 0, method: 'sequential' } as const;
          const result = await runner.run(wanted, new AbortController().signal);
          if (result.kind !== 'finished') throw new TypeError(result.kind);
          return result.trial;
        } finally {
          await runner.close();
        }
      } finally {
        if (before === undefined) delete process.env['CONTAINERS_CONF'];
        else process.env['CONTAINERS_CONF'] = before;
      }
    }

    function printed(): string {
      return readFileSync(join(scene.path('worker'), 'logs', 'guests.guest.0.seqn.None.A.stdout.txt'), 'utf8');
    }

    it('has no network, no capabilities, limits, and files that it cannot change', async () => {
      const limits =
        '/sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes';
      const trial = await guest(
        `cat /proc/self/status; cat /proc/net/dev; cat ${limits} 2> /dev/null; ` +
          '(echo x > /etc/name) 2> /dev/null || echo "name is kept"; echo x > /tmp/x && echo "tmp is writable"',
      );
      expect(trial.failures).toEqual([]);
      const text = printed();
      expect(text).toMatch(/^CapEff:\t0+$/m);
      expect(text).toMatch(/^CapBnd:\t0+$/m);
      expect(text).toMatch(/^NoNewPrivs:\t1$/m);
      expect([...text.matchAll(/^ *(\w+): +\d+ /gm)].map(([, name]) => name)).toEqual(['lo']);
      expect(text).toContain('name is kept\ntmp is writable\n');
      expect(text).toMatch(/^40$/m);
      expect(text).toMatch(/^67108864$/m);
    });

    it('may change its files where it says so, or where files are taken from it', async () => {
      expect((await guest('echo x > /etc/name', { container: { writable: true } })).failures).toEqual([]);
      expect((await guest('echo x > /etc/kept', { container: { results: ['/etc/kept'] } })).failures).toEqual([]);
    });

    it('leaves no record by a link, and nothing of this machine is read', async () => {
      const secret = scene.path('secret');
      writeFileSync(secret, 'not-for-submitters\n', { mode: 0o600 });
      const { failures, sides } = await guest(`busybox ln -s ${secret} $DEADHEAT_RECORD`, { workload: 'harness' });
      expect(failures).toMatchObject([{ code: 'BAD_RECORD' }, { code: 'BAD_RECORD' }]);
      expect(failures[0]?.message).toContain('it is a symbolic link');
      expect(JSON.stringify(failures)).not.toContain('not-for-submitters');
      expect(sides.A.record).toBeNull();
    });

    it('has no output of this machine read for its own by a link', async () => {
      const secret = scene.path('secret');
      writeFileSync(secret, 'not-for-submitters\n', { mode: 0o600 });
      const { failures } = await guest(`busybox mkdir /etc/out; busybox ln -s ${secret} /etc/out/a.log`, {
        workload: 'lines',
        lines: { pattern: '(?<time>.*)', unit: 's' },
        container: { output: '/etc/out/*.log' },
      });
      expect(failures).toMatchObject([{ code: 'NO_RECORD' }, { code: 'NO_RECORD' }]);
      expect(failures[0]?.message).toContain('it is a symbolic link');
      expect(JSON.stringify(failures)).not.toContain('not-for-submitters');
    });
  });
});

/** The journal of the scene's only recording, which need not be there yet. */
function journalOf(scene: Scene): string {
  const [name] = existsSync(scene.path('.deadheat')) ? readdirSync(scene.path('.deadheat')) : [];
  const file = scene.path(`.deadheat/${name}/trials.jsonl`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
