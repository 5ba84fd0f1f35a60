import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGolden } from '../support-golden.ts';
import { ConfigFolder } from '../../../cli/test/config/support-config.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

const wrong: Readonly<Record<string, string>> = {
  'unknown keys on every level': `methdos: [sync-duet]
timeouts: { iterations: 1s }
benchmarks:
  a:
    comand: old
    A: { command: old, enviroment: { X: 1 } }
    max_time: 5s
`,
  'wrong types and values': `margin: 5
confidence: 2
runs: 0
precision: half
timeouts: { iteration: 10x }
schedule: randomised-interleaving
methods: [sync-duett]
cpus: [1, 1]
minimum-overlap-rate: 0
artifacts: lscpu
benchmarks:
  a: { command: old, warmup-iterations: yes, fill: 1, matrix: { n: 5 } }
  b: 3
  c: { command: [old, -x], lines: { pattern: x } }
`,
  'margins of time that are none': 'command: old\nmargin: 0.5 ms\nbenchmarks: { a: { margin: 0ms } }\n',
  'a margin of time for what is no time': 'command: old\nbenchmarks: { a: { metric: rss, margin: 0.5ms } }\n',
  'what is missing': 'name: x\n',
  'a list instead of a map': '- a\n- b\n',
  'two ways to have enough': 'command: old\nuntil: decided\nprecision: 1%\nbenchmarks: { a: }\n',
  'stable that cannot be': `workload: harness
command: old
benchmarks:
  a: { stable: { criteria: [] } }
  b: { stable: { criteria: [cv, cv], thresholds: { kld: 1 }, lift-caps: 0.5 } }
`,
  'stable beside fixed numbers, or where nothing can be stable': `command: old
benchmarks:
  a: { stable: { criteria: [cv] } }
  b: { workload: harness, stable: { criteria: [cv], min-warmup: 9, max-warmup: 3 } }
  c: { workload: harness, stable: { criteria: [cv] }, iterations: 9, warmup-iterations: 4 }
`,
  'stable where nobody sees iterations while they are made': `command: old
stable: { criteria: [cv] }
benchmarks:
  a: { lines: { pattern: '(?<time>.)', unit: s }, stable: { criteria: [cv] } }
  b: { parser: spec-cpu, stable: { criteria: [cv] } }
  c: { parser: jmh, results: 'x-$DEADHEAT_SIDE', stable: { criteria: [cv] } }
  d: { parser: jmh }
`,
  'versions that cannot be compared': `command: old
machines: [m, m]
versions: [only]
benchmarks:
  a: { versions: { x: { comand: old }, y: 3 } }
`,
  'versions that contradict': `command: old
matrix: { version: [1] }
versions: [1.10, 1.1, 1.10]
benchmarks:
  a: { B: old }
  b: { versions: { new: , 17: old } }
`,
  'machines that are none': 'command: old\nmachines: 0\nbenchmarks: { a: { machines: 2 } }\n',
  nothing: '# a comment\n',
  'no benchmarks': 'benchmarks: {}\n',
  'a benchmark without a command': `benchmarks:
  a:
  b: { A: { command: old }, B: { name: new } }
`,
  contradictions: `runs: 5
min-runs: 3
benchmarks:
  a: { command: old, min-runs: 9, max-runs: 4 }
  b: { command: old, workload: harness, warmup-iterations: 40 }
`,
  'settings without effect': `benchmarks:
  a: { command: old, iterations: 5, warmup-iterations: first-half, fill: true }
  b: { command: old, methods: { sync-duet: { minimum-overlap-rate: 0.5 } } }
  c: { command: old, workload: command, lines: { pattern: '(?<time>\\d+)', unit: ms } }
  d: { command: old, methods: [async-duet], iterations: program, trade-every: 3 }
`,
  'lines without a pattern, a bad one, a barrier': `benchmarks:
  a: { command: old, workload: lines }
  b: { command: old, lines: { pattern: '(', unit: ms } }
  c: { command: old, lines: { pattern: 'took (?<duration>\\d+)', unit: ms } }
  d: { command: old, lines: { pattern: 'at (?<time>\\d+)', unit: ms }, methods: [sync-duet] }
`,
  'parsers that are not there, and results that nothing reads': `benchmarks:
  a: { command: old, parser: renaisance }
  b: { command: old, parser: ./none.js }
  c: { command: old, parser: ./parser.py }
  d: { command: old, parser: jmh, lines: { pattern: '(?<time>x)', unit: s } }
  e: { command: old, workload: command, parser: jmh }
  f: { command: old, results: out.json }
  g: { command: old, parser: jmh, results: out.json }
  h: { command: old, parser: jmh, A: { results: a.json }, B: { results: ./a.json } }
`,
  'results of an experiment without parsers': `results: out.json
benchmarks:
  a: { command: old }
`,
  methods: `benchmarks:
  a: { command: old, methods: [sequential, sequential] }
  b: { command: old, methods: {} }
`,
  'auto beside another method': `benchmarks:
  a: { command: old, methods: [auto, sequential] }
  b: { command: old, methods: { tandem: , auto: { runs: 5 } } }
`,
  'settings that only other methods have': `benchmarks:
  a: { command: old, methods: [tandem], swap: run, metric: time, unpaired: true }
  b: { command: old, methods: [sequential], swap: pair }
  c: { command: old, methods: [auto], swap: pair }
  d: { command: old, methods: [sync-duet], unpaired: true }
  e: { command: old, workload: harness, methods: [tandem], trade-every: 5 }
  f: { command: old, workload: harness, methods: [sequential], fill: true, stable: { criteria: [cv] } }
  g: { command: old, workload: harness, methods: [tandem], fill: true }
`,
  'the procedure of a paper': `like: icpe20
benchmarks:
  a: { command: old, like: icpe21 }
`,
  'the procedure of a paper that needs a barrier': `like: icpe20
benchmarks:
  b: { command: old, lines: { pattern: 'took (?<duration>\\d+)', unit: ms } }
`,
  'lanes and CPUs that cannot be': `lanes: 0
cpus: []
benchmarks:
  a: { command: old }
`,
  'lanes of another kind': `lanes: some
cpus: 0,1
benchmarks:
  a: { command: old, lanes: 2 }
`,
  'a tandem of programs that print': `benchmarks:
  a: { command: old, lines: { pattern: 'at (?<time>\\d+)', unit: ms }, methods: [tandem, sequential] }
`,
  'an async-tandem of other programs, of means, and by total time': `benchmarks:
  a: { command: old, methods: [async-tandem] }
  b: { command: old, parser: catch2, methods: [async-tandem, sequential] }
  c: { command: old, parser: go, methods: [async-tandem], judge: total }
`,
  'an unknown method': `benchmarks:
  c: { command: old, methods: { sync: } }
`,
  'a matrix': `benchmarks:
  a: { command: old, matrix: { e: [] } }
`,
  parameters: `benchmarks:
  b: { command: 'old {n}', matrix: { 'b c': [1], n: [2, 2] } }
`,
  'commands, folders and variables that are not there': `benchmarks:
  a: { command: gone -x }
  b: { command: ./gone }
  c: { command: 'old "x', shell: none }
  d: { command: old, cwd: nowhere }
  e: { command: old, environment: { DEADHEAT_PAGE: x, 'A=B': 1 } }
  f: { command: old, shell: nosh }
`,
  'a key twice, and brackets': `benchmarks:
  a: { command: old }
  a: { command: new }
`,
  'a bracket that is not closed': 'benchmarks: {a: [\n',
  'a quote that is not closed': 'name: "x\nbenchmarks:\n  a: { command: old }\n',
  'a tab': 'benchmarks:\n\ta: { command: old }\n',
  'a colon in a text': 'name: a: b\n',
  'an alias of nothing': 'benchmarks:\n  a: *b\n',
  'an alias inside its anchor': 'benchmarks: &b\n  a: *b\n',
  'a tag': 'benchmarks: !include others.yaml\n',
  'a dangerous key': 'benchmarks:\n  __proto__: { command: old }\n',
  'a second document': 'benchmarks:\n  a: { command: old }\n---\nname: x\n',
  'a merge of a text': 'benchmarks:\n  a: { <<: text, command: old }\n',
  'a map as a key': 'benchmarks:\n  ? { a: 1 }\n  : { command: old }\n',
  containers: `engine: lxc
limits: { memory: much, cpus: 0 }
keep: results.csv
writable: maybe
benchmarks:
  a: { command: old, image: old, limits: { disk: 1g } }
`,
  'containers that are none': `engine: podman
network: host
benchmarks:
  a: { command: old, limits: { memory: 1g } }
`,
  'containers and programs of the machine': `benchmarks:
  a: { command: old, cwd: here, A: { image: 'old:1' }, B: { image: 'old:2' } }
  b: { command: old, A: { image: 'old:1' } }
`,
};

describe('a file that cannot be carried out', () => {
  it('is refused with every problem, its line, a caret and what to do', async () => {
    const told: string[] = [];
    for (const [title, text] of Object.entries(wrong)) {
      told.push(`### ${title}\n${await folder.refusalOf(folder.read(text))}`);
    }
    expectGolden('config-errors.txt', told.join('\n'));
    for (const text of told) expect(text).not.toMatch(/accepted|unexpected|undefined|\[object/);
  });

  it('is refused when it is not there, a folder or no text', async () => {
    folder.write('suite/deadheat.yml', 'x');
    folder.write('latin.yaml', 'x');
    const empty = new ConfigFolder();
    try {
      const told = [
        await empty.refusalOf(empty.open(null)),
        await folder.refusalOf(folder.open('gone.yaml')),
        await folder.refusalOf(folder.open('suite')),
        await folder.refusalOf(folder.open('bin')),
      ];
      expectGolden('config-files.txt', told.join('\n'));
    } finally {
      empty.end();
    }
  });

  it('tells of aliases that multiply without following all of them', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = level === 0 ? 'x' : Array.from({ length: 10 }, () => `*l${level - 1}`).join(', ');
      return `l${level}: &l${level} [${items}]\n`;
    });
    expect(await folder.refusalOf(folder.read(levels.join('')))).toMatch(/^2 deadheat: .*more than 100000 values/);
  });
});
