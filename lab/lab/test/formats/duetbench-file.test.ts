import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigFolder, settingsOf } from '../../../../core/cli/test/config/support-config.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

describe('a file of duetbench', () => {
  // The benchmark of listing 1 of the thesis, without what only containers give a meaning.
  const listing = `
duetbench:
  suite: dacapo
  seed: 42
  verbose: true
  timeout: 300
  run_base: old -n 50
  syncduet_run_base: new --barrier
  sequential_repetitions: 1
  artifacts: { uname: uname -a }
  duets: [avrora, fop]
avrora:
  duet_repetitions: 2
  sequential_repetitions: 3
  schedule: randomized_interleaving_trials
  A: { run: avrora-A }
  B: { run: avrora-B }
fop:
  syncduet_repetitions: 4
  timeout: 0
  A: { run: fop, run_base: new }
idle: { A: nothing }
`;

  it('keeps its meaning: counts a method, base commands, seconds, one schedule, A/A', async () => {
    const draft = await folder.read(listing, 'duet.yml');
    expect(draft).toMatchObject({
      name: 'dacapo',
      seed: '42',
      schedule: 'randomized-interleaving',
      showOutput: true,
      artifacts: { uname: 'uname -a' },
    });
    const seen = draft.benchmarks.map((_, index) => {
      const { entry, method, stop, runTimeoutNs, iterations } = settingsOf(draft, index);
      const { A, B } = entry.commands;
      return [entry.name, method, stop, runTimeoutNs, iterations, A.commandLine, B.commandLine];
    });
    const runs = (count: number): object => ({ kind: 'runs', runs: count });
    expect(seen).toEqual([
      ['avrora', 'async-duet', runs(2), 300e9, 1, 'old -n 50 avrora-A', 'old -n 50 avrora-B'],
      ['avrora', 'sequential', runs(3), 300e9, 1, 'old -n 50 avrora-A', 'old -n 50 avrora-B'],
      // A duet that is not said is one asynchronous repetition.
      ['fop', 'async-duet', runs(1), null, 1, 'new fop', 'new fop'],
      ['fop', 'sequential', runs(1), null, 1, 'new fop', 'new fop'],
      ['fop', 'sync-duet', runs(4), null, 1, 'new --barrier fop', 'new --barrier fop'],
    ]);
  });

  it('may be the benchmarks alone, as listing 1 of the thesis is printed', async () => {
    const draft = await folder.read(
      `avrora:
  image: dacapo
  duet_repetitions: 2
  sequential_repetitions: 2
  schedule: randomized_interleaving_trials
  A:
    run: java -jar dacapo-A.jar -n 50 -o results.csv avrora
  B:
    run: java -jar dacapo-B.jar -n 50 -o results.csv avrora
  results:
    - results.csv
`,
      'duet.yml',
    );
    expect(draft.schedule).toBe('randomized-interleaving');
    const seen = draft.benchmarks.map((benchmark, index) => {
      const { name, workload, parser, containers } = benchmark;
      const { method, stop } = settingsOf(draft, index);
      return [name, method, stop, workload, parser, containers?.suite, containers?.A.results];
    });
    const [runs, dacapo] = [
      { kind: 'runs', runs: 2 },
      { kind: 'built-in', name: 'dacapo' },
    ];
    expect(seen).toEqual([
      ['avrora', 'async-duet', runs, 'lines', dacapo, 'dacapo', ['results.csv']],
      ['avrora', 'sequential', runs, 'lines', dacapo, 'dacapo', ['results.csv']],
    ]);
    // Two benchmarks, of which an image has a registry and a tag; an image that is no suite is timed as a whole.
    const two = await folder.read(
      'a: { image: "host:5000/x/renaissance:1", results: [r.json], A: { run: old } }\nb: { image: mine, A: { run: old } }\n',
    );
    expect(two.benchmarks.map(({ name, workload, containers }) => [name, workload, containers?.suite])).toEqual([
      ['a', 'lines', 'renaissance'],
      ['b', 'command', 'duetbench'],
    ]);
  });

  it('is sequential unless it says otherwise', async () => {
    const draft = await folder.read('duetbench: { name: x, duets: [a] }\na: { A: { run: old } }\n');
    expect(draft.schedule).toBe('sequential');
  });

  it('with images is executed in containers by a shell, whose sides meet at a barrier whose name stands for $$', async () => {
    const draft = await folder.read(
      `duetbench:
  suite: dacapo
  docker_command: podman
  image: dacapo
  results: [/duet/results.csv]
  syncduet_repetitions: 1
  run_base: java -jar dacapo.jar
  syncduet_run_base: java -agentpath:agent.so -jar dacapo.jar --iteration-barrier $$
  duets: [avrora, fop]
avrora: { A: { run: avrora } }
fop: { syncduet_run_base: java -jar dacapo.jar, A: { run: fop }, B: { run: fop, image: other, results: [/b] }, run_base: "" }
`,
      'duet.yml',
    );
    expect(draft.engine).toBe('podman');
    const seen = draft.benchmarks.map(({ name, own, commands, containers }) => [
      name,
      own.method,
      containers?.agentBarrier,
      containers?.B.image,
      containers?.B.results,
      commands.A.argv.at(-1),
    ]);
    expect(seen).toEqual([
      ['avrora', 'async-duet', false, 'dacapo', ['/duet/results.csv'], 'java -jar dacapo.jar avrora'],
      [
        'avrora',
        'sync-duet',
        true,
        'dacapo',
        ['/duet/results.csv'],
        'java -agentpath:agent.so -jar dacapo.jar --iteration-barrier $$ avrora',
      ],
      ['fop', 'async-duet', false, 'other', ['/b'], 'fop'],
      ['fop', 'sync-duet', false, 'other', ['/b'], 'java -jar dacapo.jar fop'],
    ]);
    expect(draft.benchmarks[0]?.commands.A.argv.slice(0, 2)).toEqual(['/bin/sh', '-c']);
    expect(draft.benchmarks[0]?.containers?.suite).toBe('dacapo');
  });
});

const wrong: Readonly<Record<string, string>> = {
  'duetbench with containers': `duetbench:
  name: x
  docker_command: podman
  remove_containers: false
  duets: [avrora, fop, h2]
avrora: { image: dacapo, A: { run: old -n 50 avrora } }
fop: { A: { run: old -n 50 fop }, results: [results.csv] }
h2: { A: { run: old -n 50 h2, image: dacapo }, B: { run: new -n 50 h2 } }
`,
  'duetbench with another engine': `duetbench: { docker_command: lxc, duets: [a] }
a: { image: old, A: { run: old } }
`,
  'duetbench with mistakes': `duetbench:
  name: x
  duets: [avrora, avrorra, fop, fop, h2]
  duet_repetition: 2
  schedule: random
`,
  'duetbench with mistakes in benchmarks': `duetbench:
  duets: [avrora, avrorra, fop, fop, h2, jython]
  schedule: sequential
avrora: { A: { run: old, rum: x } }
fop: { A: { run: old }, duet_repetitions: 0, schedule: randomized_interleaving_trials }
h2: { A: { run: old }, syncduet_repetitions: 1 }
jython: { syncduet_run_base: 'old --barrier $$', A: { run: jython }, syncduet_repetitions: 1 }
`,
};

it('a file of duetbench that cannot be carried out is refused with every problem, its line, a caret and what to do', async () => {
  const refusals = [];
  for (const [title, text] of Object.entries(wrong)) {
    refusals.push(`### ${title}\n${await folder.refusalOf(folder.read(text))}`);
  }
  await expect(refusals.join('\n')).toMatchFileSnapshot('duetbench-errors.txt');
});
