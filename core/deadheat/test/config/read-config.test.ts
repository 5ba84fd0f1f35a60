import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultSettings, experimentDefaults, settingsSchema } from '@deadheat/model';
import { readConfig } from '../../src/config/read-config.ts';
import { ConfigFolder, settingsOf } from '../../../cli/test/config/support-config.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

describe('a small file', () => {
  it('has the defaults of the command line', async () => {
    const draft = await folder.read('benchmarks:\n  a: { A: { command: old }, B: { command: new -x } }\n');
    expect(draft).toMatchObject({ ...experimentDefaults, seed: 'drawn', cpus: null, artifacts: {} });
    const { entry, ...config } = settingsOf(draft);
    expect(settingsSchema.parse(config)).toEqual(defaultSettings('auto'));
    expect(entry).toMatchObject({
      name: 'a',
      params: {},
      workload: 'command',
      own: { method: 'tandem' },
      workingDirectory: { A: folder.path, B: folder.path },
      commands: {
        A: { argv: [join(folder.path, 'bin/old')], executedBy: 'direct' },
        B: { argv: [join(folder.path, 'bin/new'), '-x'], name: 'new -x' },
      },
    });
  });

  it('is found by its name, and gives the experiment the name of its folder', async () => {
    folder.write('suite/deadheat.yml', 'benchmarks:\n  a: { command: old }\n');
    expect(await folder.open('suite/deadheat.yml')).toMatchObject({ name: 'suite' });
    expect((await folder.read('name: my suite/1\nbenchmarks:\n  a: { command: old }\n')).name).toBe('my-suite-1');
  });

  it('takes a command alone for a side', async () => {
    const short = await folder.read('benchmarks: { b: { A: old x, B: new } }');
    expect(short.benchmarks).toEqual(
      (await folder.read('benchmarks: { b: { A: { command: old x }, B: { command: new } } }')).benchmarks,
    );
  });

  it('without B compares A with itself', async () => {
    const { entry } = settingsOf(await folder.read('benchmarks:\n  a: { A: { command: old, name: base } }\n'));
    expect(entry.commands.B).toEqual(entry.commands.A);
  });
});

describe('inheritance', () => {
  it('goes from the experiment to the benchmark to the side; variables are merged', async () => {
    const draft = await folder.read(`
command: old {n}
environment: { X: 1.10, Y: yes }
prepare: sync
cleanup: rm -f out
cwd: bin
benchmarks:
  a:
    environment: { Y: 0x10, Z: '{n}' }
    matrix: { n: [1.0, 007, true, "a b"] }
    B: { command: new, environment: { X: 2 }, prepare: 'echo {n}', cwd: . }
`);
    const { entry } = settingsOf(draft, 1);
    // As they are written, not as numbers: 1.10 is no 1.1.
    expect(entry.params).toEqual({ n: '007' });
    expect(draft.benchmarks.map(({ params }) => params['n'])).toEqual(['1.0', '007', 'true', 'a b']);
    expect(entry.environment).toEqual({
      A: { X: '1.10', Y: '0x10', Z: '007' },
      B: { X: '2', Y: '0x10', Z: '007' },
    });
    expect(entry.commands.A.commandLine).toBe('old 007');
    expect(entry.commands.B.commandLine).toBe('new');
    expect(entry.hooks.A).toMatchObject({ prepare: 'sync', cleanup: 'rm -f out', setup: null, build: null });
    expect(entry.hooks.B).toMatchObject({ prepare: 'echo 007', cleanup: 'rm -f out' });
    expect(entry.workingDirectory).toEqual({ A: join(folder.path, 'bin'), B: folder.path });
  });

  it('fills {side} into everything that belongs to a side, and names a folder that each gets a copy of', async () => {
    const draft = await folder.read(`
command: old out-{side} {n}
environment: { PORT: '900{side}' }
setup: mkdir {side}
matrix: { n: [7] }
scratch: bin
benchmarks:
  a:
  b: { matrix: { side: [left] }, A: { scratch: . } }
`);
    const [{ entry: a }, { entry: b }] = [settingsOf(draft, 0), settingsOf(draft, 1)];
    expect([a.commands.A.commandLine, a.commands.B.commandLine]).toEqual(['old out-A 7', 'old out-B 7']);
    expect(a.environment).toEqual({ A: { PORT: '900A' }, B: { PORT: '900B' } });
    expect([a.hooks.A.setup, a.hooks.B.setup]).toEqual(['mkdir A', 'mkdir B']);
    expect(a.scratch).toEqual({ A: join(folder.path, 'bin'), B: join(folder.path, 'bin') });
    // A parameter of that name is meant by who has one.
    expect(b.commands.B.commandLine).toContain('old out-left');
    expect(b.scratch.A).toBe(folder.path);
  });

  it('refuses a scratch folder that is not there, or does nothing', async () => {
    const error = async (text: string): Promise<string> => {
      try {
        await folder.read(text);
      } catch (thrown) {
        return (thrown as Error).message;
      }
      return '';
    };
    expect(await error('benchmarks:\n  a: { command: old, scratch: nowhere }\n')).toContain('there is no folder');
    expect(await error("benchmarks:\n  a: { command: old, scratch: bin, image: 'x:1' }\n")).toContain(
      'a container has files of its own',
    );
    expect(await error('benchmarks:\n  a: { command: old, scratch: bin, parser: jmh, results: x.json }\n')).toContain(
      'scratch and results contradict each other',
    );
  });

  it('lets inner settings count, those of a method before those of all', async () => {
    const draft = await folder.read(`
command: old
confidence: 90%
margin: 1%
methods:
  sync-duet: { confidence: 0.95 }
  sequential:
benchmarks:
  a: { margin: 0.02 }
  b: { confidence: 80%, methods: { sync-duet: { margin: 3% }, async-duet: { iterations: 7 } } }
  c: { methods: [sync-duet] }
`);
    const seen = draft.benchmarks.map((_, index) => {
      const { entry, method, confidence, margin, iterations } = settingsOf(draft, index);
      return [entry.name, method, confidence, margin, iterations];
    });
    expect(seen).toEqual([
      ['a', 'sync-duet', 0.95, 0.02, 1],
      ['a', 'sequential', 0.9, 0.02, 1],
      // The benchmark is nearer than the experiment's method.
      ['b', 'sync-duet', 0.8, 0.03, 1],
      ['b', 'async-duet', 0.8, 0.01, 7],
      ['c', 'sync-duet', 0.95, 0.01, 1],
    ]);
  });

  it('replaces the stop rule as a whole', async () => {
    const draft = await folder.read(`
command: old
runs: 30
benchmarks:
  a:
  b: { precision: 0.5%, max-runs: 100 }
  c: { runs: 3, max-time: none }
  d: { max-runs: 10 }
  e: { until: decided, max-runs: 100 }
  f: { precision: 1%, methods: { sync-duet: { until: decided } } }
`);
    expect(
      draft.benchmarks
        .map((_, index) => settingsOf(draft, index))
        .map(({ stop, maxTimeNs, leastRuns }) => ({ stop, maxTimeNs, leastRuns })),
    ).toEqual([
      { stop: { kind: 'runs', runs: 30 }, maxTimeNs: null, leastRuns: 5 },
      { stop: { kind: 'precision', precision: 0.005, minRuns: 20, maxRuns: 100 }, maxTimeNs: 60e9, leastRuns: 5 },
      { stop: { kind: 'runs', runs: 3 }, maxTimeNs: null, leastRuns: 3 },
      { stop: { kind: 'enough', minRuns: 10, maxRuns: 10, minTimeNs: 5e9 }, maxTimeNs: 60e9, leastRuns: 5 },
      { stop: { kind: 'decided', minRuns: 5, maxRuns: 100 }, maxTimeNs: 60e9, leastRuns: 5 },
      { stop: { kind: 'decided', minRuns: 5, maxRuns: null }, maxTimeNs: 60e9, leastRuns: 5 },
    ]);
  });

  it('ends warm-up and runs when they are stable, where that can be', async () => {
    const draft = await folder.read(`
command: old
workload: harness
stable: { criteria: [cv] }
benchmarks:
  a: { methods: [sync-duet, async-duet] }
  b: { stable: { criteria: [rciw, kld], combine: any, thresholds: { kld: 0.9 }, max-warmup: 80, lift-caps: 2 }, max-runs: 9 }
  c: { runs: 7 }
  d: { stable: never, warmup-iterations: 3 }
`);
    const seen = draft.benchmarks.map((_, index) => {
      const { entry, method, stop, stable, maxTimeNs } = settingsOf(draft, index);
      return [entry.name, method, stop.kind, stable?.criteria ?? null, maxTimeNs];
    });
    expect(seen).toEqual([
      ['a', 'sync-duet', 'stable', ['cv'], null],
      ['a', 'async-duet', 'enough', null, 60e9],
      // Only there invocations are timed.
      ['b', 'sync-duet', 'stable', ['rciw', 'kld'], null],
      // Until pilot runs have chosen.
      ['c', 'tandem', 'runs', ['cv'], null],
      ['d', 'tandem', 'enough', null, 60e9],
    ]);
    const { stable, stop, leastRuns } = settingsOf(draft, 2);
    expect(stop).toEqual({ kind: 'stable', minRuns: 2, maxRuns: 9 });
    expect(leastRuns).toBe(2);
    expect(stable).toEqual({
      criteria: ['rciw', 'kld'],
      combine: 'any',
      like: 'jmh-reconfigure',
      thresholds: { cv: 0.01, rciw: 0.03, kld: 0.9 },
      leastWarmup: 5,
      mostWarmup: 80,
      measured: 10,
      liftCaps: 2,
    });
  });

  it('takes away a limit with none', async () => {
    const draft = await folder.read(`
command: old
timeouts: { iteration: 500ms, run: 2m, experiment: 1h }
benchmarks:
  a:
  b: { timeouts: { iteration: none } }
`);
    expect(draft.experimentTimeoutNs).toBe(3600e9);
    expect(settingsOf(draft, 0)).toMatchObject({ timeoutNs: 0.5e9, runTimeoutNs: 120e9 });
    expect(settingsOf(draft, 1)).toMatchObject({ timeoutNs: null, runTimeoutNs: 120e9 });
  });

  it('leaves a setting of the experiment to those benchmarks that it fits', async () => {
    const draft = await folder.read(`
command: old
iterations: 12
fill: true
benchmarks:
  whole:
  timed: { workload: harness }
`);
    expect(settingsOf(draft, 0)).toMatchObject({ iterations: 1, fill: false });
    // A core for each side, which filling needs.
    expect(settingsOf(draft, 1)).toMatchObject({ method: 'sync-duet', iterations: 12, fill: true });
    expect(settingsOf(draft, 0)).toMatchObject({ method: 'tandem', pilotRuns: 3 });
  });
});

describe('the procedure of a paper', () => {
  it('counts on its level as far as nothing else is said, with its method where none is named', async () => {
    const draft = await folder.read(`
command: old
like: icpe20
benchmarks:
  as-printed:
  surer: { confidence: 99.9%, metric: cpu, swap: run }
  other: { like: thesis }
  by-method: { methods: [tandem, sequential] }
  usual: { like: none }
`);
    const icpe20 = {
      method: 'sync-duet',
      pilotRuns: 0,
      metric: 'time',
      swap: 'never',
      interval: 'percentile',
      confidence: 0.99,
    };
    expect(settingsOf(draft, 0)).toMatchObject(icpe20);
    expect(settingsOf(draft, 1)).toMatchObject({ ...icpe20, confidence: 0.999, metric: 'cpu', swap: 'run' });
    expect(settingsOf(draft, 2)).toMatchObject({
      method: 'async-duet',
      interval: 'bca',
      confidence: 0.95,
      metric: 'time',
    });
    expect(settingsOf(draft, 3)).toMatchObject({ method: 'tandem', interval: 'percentile', metric: 'auto' });
    expect(settingsOf(draft, 4)).toMatchObject({ method: 'sequential', interval: 'percentile', unpaired: true });
    expect(settingsOf(draft, 5)).toMatchObject({ method: 'tandem', pilotRuns: 3, metric: 'auto' });
  });
});

describe('methods', () => {
  const methodsOf = async (text: string): Promise<readonly unknown[]> => {
    const draft = await folder.read(text);
    return draft.benchmarks.map((_, index) => {
      const { entry, method, pilotRuns } = settingsOf(draft, index);
      return [entry.name, method, pilotRuns];
    });
  };

  it('are chosen by pilot runs, or named', async () => {
    const text = `
command: old
benchmarks:
  a:
  b: { methods: [auto] }
  c: { methods: { auto: { runs: 5 } } }
  d: { methods: [tandem] }
  e: { methods: [tandem, sync-duet, async-duet, sequential] }
  f: { lines: { pattern: '(?<time>x)', unit: s } }
`;
    expect(await methodsOf(text)).toEqual([
      ['a', 'tandem', 3],
      ['b', 'tandem', 3],
      ['c', 'tandem', 3],
      ['d', 'tandem', 0],
      ['e', 'tandem', 0],
      ['e', 'sync-duet', 0],
      ['e', 'async-duet', 0],
      ['e', 'sequential', 0],
      ['f', 'async-duet', 0],
    ]);
    expect(settingsOf(await folder.read(text), 2).stop).toEqual({ kind: 'runs', runs: 5 });
  });

  it('are sync-duet where a setting means something only with a core for each side, or wall time is to decide', async () => {
    expect(
      await methodsOf(`
command: old
workload: harness
benchmarks:
  a: { swap: run }
  b: { metric: time }
  c: { trade-every: 5 }
  d: { trade-every: never, metric: cpu }
  e: { methods: [auto], metric: time }
`),
    ).toEqual([
      ['a', 'sync-duet', 0],
      ['b', 'sync-duet', 0],
      ['c', 'sync-duet', 0],
      ['d', 'tandem', 3],
      ['e', 'tandem', 3],
    ]);
    expect(await methodsOf('swap: never\ncommand: old\nbenchmarks: { a: , b: }\n')).toEqual([
      ['a', 'sync-duet', 0],
      ['b', 'sync-duet', 0],
    ]);
  });

  it('leave to each other the settings that fit them', async () => {
    const draft = await folder.read(`
command: old
swap: run
metric: time
unpaired: true
methods: [tandem, sync-duet, sequential]
benchmarks: { a: }
`);
    const seen = [0, 1, 2].map((index) => {
      const { method, swap, metric, unpaired } = settingsOf(draft, index);
      return { method, swap, metric, unpaired };
    });
    expect(seen).toEqual([
      { method: 'tandem', swap: 'pair', metric: 'auto', unpaired: false },
      { method: 'sync-duet', swap: 'run', metric: 'time', unpaired: false },
      { method: 'sequential', swap: 'pair', metric: 'time', unpaired: true },
    ]);
  });

  it('that are chosen keep what counts for the one that may be chosen', async () => {
    expect(settingsOf(await folder.read('unpaired: true\nbenchmarks: { a: { command: old } }\n'))).toMatchObject({
      unpaired: true,
      pilotRuns: 3,
    });
  });
});

describe('what the machine offers', () => {
  const of = async (text: string) => await folder.read(`${text}\nbenchmarks: { a: { command: old } }\n`);

  it('is chosen later, unless CPUs and lanes are named', async () => {
    expect(await of('')).toMatchObject({ cpus: null, lanes: null });
    expect(await of('cpus: [3]')).toMatchObject({ cpus: [3] });
    expect(await of('cpus: [3, 0, 7]')).toMatchObject({ cpus: [3, 0, 7] });
    expect(await of('lanes: 4')).toMatchObject({ lanes: 4 });
    expect(await of('lanes: all')).toMatchObject({ lanes: 'all' });
  });
});

describe('a workload that times itself', () => {
  it('is asked for 40 iterations, the first half warm-up', async () => {
    const draft = await folder.read('benchmarks:\n  a: { command: old, workload: harness, trade-every: 10 }\n');
    expect(settingsOf(draft)).toMatchObject({
      method: 'sync-duet',
      iterations: 40,
      warmup: { kind: 'first-half' },
      tradeEvery: 10,
    });
  });

  it('prints its times for an asynchronous duet, as often as it wants', async () => {
    const draft = await folder.read(String.raw`
benchmarks:
  a: { command: old, lines: { pattern: 'at (?<start>\d+) took (?<duration>\d+)', unit: us }, warmup-iterations: 3 }
`);
    const config = settingsOf(draft);
    expect(config).toMatchObject({ method: 'async-duet', iterations: null, warmup: { kind: 'fixed', iterations: 3 } });
    expect(config.entry).toMatchObject({ workload: 'lines', lines: { unit: 'us' } });
  });
});

describe('a parser', () => {
  it('is built in, or a module beside the file, and makes the workload that prints its times', async () => {
    folder.write('mine.mjs', 'export default () => [];');
    const draft = await folder.read(`
parser: dacapo
benchmarks:
  a: { command: old }
  b: { command: old, parser: ./mine.mjs, results: 'out-$DEADHEAT_SIDE.csv', cwd: bin }
  c: { command: old, lines: { pattern: '(?<time>x)', unit: s } }
`);
    expect(settingsOf(draft, 0).entry).toMatchObject({
      workload: 'lines',
      parser: { kind: 'built-in', name: 'dacapo' },
      results: { A: null, B: null },
    });
    expect(settingsOf(draft, 1).entry).toMatchObject({
      parser: { kind: 'module', path: join(folder.path, 'mine.mjs') },
      results: { A: join(folder.path, 'bin/out-$DEADHEAT_SIDE.csv') },
    });
    // What is said further in counts.
    expect(settingsOf(draft, 2).entry).toMatchObject({ parser: null, lines: { unit: 's' } });
  });

  it('reads what the sides write into folders of their own', async () => {
    const draft = await folder.read(`
benchmarks:
  a: { command: old, parser: jmh, results: 'out-{n}.json', matrix: { n: [5] }, B: { cwd: bin } }
`);
    expect(settingsOf(draft).entry.results).toEqual({
      A: join(folder.path, 'out-5.json'),
      B: join(folder.path, 'bin/out-5.json'),
    });
  });
});

describe('sides', () => {
  it('of one command line are told apart by what differs', async () => {
    const linesOf = async (benchmark: string): Promise<readonly string[]> => {
      const { A, B } = settingsOf(await folder.read(`command: old\nbenchmarks:\n  a: ${benchmark}\n`)).entry.commands;
      return [A.commandLine, B.commandLine];
    };
    expect(await linesOf('{ B: { environment: { X: 1 } } }')).toEqual(['old', 'X=1 old']);
    expect(await linesOf('{ B: { cwd: bin } }')).toEqual(['old (in .)', 'old (in bin)']);
    expect(await linesOf('{ A: { name: x }, B: { name: y } }')).toEqual(['old (x)', 'old (y)']);
    expect(await linesOf('{ B: { prepare: sync } }')).toEqual(['old (A)', 'old (B)']);
    expect(await linesOf('{ B: {} }')).toEqual(['old', 'old']);
  });

  it('that are built may name a program that is not there yet', async () => {
    const { entry } = settingsOf(
      await folder.read('benchmarks:\n  a: { command: ./made -x, build: make, cwd: bin }\n'),
    );
    expect(entry.commands.A.argv).toEqual([join(folder.path, 'bin/made'), '-x']);
  });

  it('are sought in the PATH that they are given', async () => {
    folder.write('other/tool', '#!/bin/sh\n', 0o755);
    const draft = await folder.read(
      `benchmarks:\n  a: { command: tool, environment: { PATH: ${folder.path}/other } }\n`,
    );
    expect(settingsOf(draft).entry.commands.A.argv).toEqual([join(folder.path, 'other/tool')]);
  });
});

describe('YAML', () => {
  it('may repeat itself by anchors, aliases and merge keys', async () => {
    const draft = await folder.read(`
benchmarks:
  a: &a { command: old, runs: &n 7, environment: &e { X: 1 } }
  b: { <<: *a, command: new }
  c: { command: old, runs: *n, environment: { <<: *e, Y: 2 } }
`);
    expect(draft.benchmarks.map(({ commands }) => commands.A.commandLine)).toEqual(['old', 'new', 'old']);
    expect(settingsOf(draft, 1).stop).toEqual({ kind: 'runs', runs: 7 });
    expect(settingsOf(draft, 2).stop).toEqual({ kind: 'runs', runs: 7 });
    expect(settingsOf(draft, 2).entry.environment.A).toEqual({ X: '1', Y: '2' });
  });

  it('may come with a byte order mark and Windows line ends', async () => {
    const draft = await folder.read('\uFEFFname: x\r\nbenchmarks:\r\n  a: { command: old }\r\n');
    expect(draft).toMatchObject({ name: 'x' });
  });

  it('may call benchmarks by numbers and by names of object members', async () => {
    const draft = await folder.read('benchmarks:\n  1.10: { command: old }\n  constructor: { command: old }\n');
    expect(draft.benchmarks.map(({ name }) => name)).toEqual(['1.10', 'constructor']);
  });
});

describe('versions', () => {
  it('are compared with the first one, each by its own keys, and called by their names', async () => {
    const draft = await folder.read(`methods: [sync-duet, sequential]
environment: { KEPT: x, LEVEL: outer }
versions:
  1.10: old
  wide: { command: 'old {n}', environment: { LEVEL: '{version}' }, setup: 'make {version}' }
  plain:
matrix: { n: [1, 2] }
command: 'new {version}'
benchmarks:
  a: { environment: { OWN: y } }
  b: { versions: [2.0, 2.00], matrix: { }, command: 'old {version}' }
`);
    const shown = draft.benchmarks.map(({ name, params, commands: { A, B } }) => [name, params, A.name, B.name]);
    expect(shown).toEqual([
      ...[1, 1, 2, 2].map((n) => ['a', { n: String(n), version: 'wide' }, '1.10', 'wide']),
      ...[1, 1, 2, 2].map((n) => ['a', { n: String(n), version: 'plain' }, '1.10', 'plain']),
      ...[1, 2].map(() => ['b', { version: '2.00' }, '2.0', '2.00']),
    ]);
    const [wide, , , , plain] = draft.benchmarks;
    expect(wide?.environment).toEqual({
      A: { KEPT: 'x', LEVEL: 'outer', OWN: 'y' },
      B: { KEPT: 'x', LEVEL: 'wide', OWN: 'y' },
    });
    expect(wide?.hooks.B.setup).toBe('make wide');
    expect(wide?.hooks.A.setup).toBeNull();
    expect(plain?.commands.B.argv).toEqual([expect.stringMatching(/new$/), 'plain']);
    // Each side has the name of its own version.
    const { A, B } = draft.benchmarks.at(-1)?.commands ?? {};
    expect([A?.argv.at(-1), B?.argv.at(-1)]).toEqual(['2.0', '2.00']);
    expect(draft.benchmarks.map((benchmark) => benchmark.own.method)).toEqual(
      draft.benchmarks.map((_, index) => (index % 2 === 0 ? 'sync-duet' : 'sequential')),
    );
  });

  it('are refused where two others are compared', async () => {
    folder.write('v.yaml', 'command: old\nversions: [x, y]\nbenchmarks: { a: }\n');
    const sources = { cwd: folder.path, searchPath: join(folder.path, 'bin'), defaultSeed: 'drawn' };
    const place = { folder: folder.path, name: 'x' };
    await expect(readConfig('v.yaml', { ...sources, place })).rejects.toThrow(
      /:3:15: it has versions, in place of which two others are compared here/,
    );
  });
});

it('keeps the machines of an experiment, by number and by name', async () => {
  const read = async (machines: string): Promise<unknown> =>
    (await folder.read(`command: old\nmachines: ${machines}\nbenchmarks: { a: }\n`)).machines;
  expect(await read('3')).toBe(3);
  expect(await read('[north, south]')).toEqual(['north', 'south']);
});

describe('containers', () => {
  it('are described on every level, what is said further in counting instead', async () => {
    const draft = await folder.read(`name: images
engine: docker
image: base
limits: { memory: 1g, cpus: 0.5 }
matrix: { version: [1.10, 2] }
benchmarks:
  a:
    command: not-on-this-machine --all
    cwd: /app/{version}
    keep: ['/app/{version}/out']
    A: { limits: { memory: 512m }, writable: false }
    B: { image: 'app:{version}', network: host }
`);
    expect(draft.engine).toBe('docker');
    expect(draft.benchmarks).toHaveLength(2);
    const common = { workingDirectory: '/app/1.10', cpus: 0.5, results: ['/app/1.10/out'], output: null };
    expect(draft.benchmarks[0]?.containers).toEqual({
      A: { ...common, image: 'base', memoryBytes: 512 * 2 ** 20, network: 'none', writable: false },
      B: { ...common, image: 'app:1.10', memoryBytes: 2 ** 30, network: 'host' },
      suite: 'images',
      agentBarrier: false,
      countsCut: false,
    });
    // What an image holds is seen when it is started.
    expect(draft.benchmarks[0]?.commands.A.argv).toEqual(['not-on-this-machine', '--all']);
    expect(draft.benchmarks[0]?.workingDirectory.A).toBe(folder.path);
    expect(draft.benchmarks[0]?.commands.B.commandLine).toContain('(in app:1.10)');
  });
});
