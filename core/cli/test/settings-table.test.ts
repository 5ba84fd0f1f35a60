import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { settingsSchema, type Settings } from '@deadheat/model';
import { readObject } from 'deadheat/internals';
import { attributeOf, experimentFlags } from 'deadheat/settings';
import { libraryKey, toFileKeys } from '../../deadheat/src/library/options.ts';
import { optionTable } from '../../deadheat/src/settings/experiment-table.ts';
import { settingsTable, type SettingKey } from '../../deadheat/src/settings/settings-table.ts';
import { ConfigFolder, settingsOf } from './config/support-config.ts';
import { draftOf, parse } from './support-arguments.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

/** How an option is said by flags and in a file; a new option needs a line here. */
interface Example {
  readonly flags: readonly string[];
  /** Keys of a benchmark. */
  readonly yaml: string;
}

const harness = { flags: ['--harness'], yaml: 'workload: harness' } as const;
const stable = { flags: ['--harness', '--stable', 'cv'], yaml: 'workload: harness' } as const;

const examples: { readonly [Key in SettingKey]: readonly Example[] } = {
  preset: [
    { flags: ['--quick'], yaml: 'preset: quick' },
    { flags: ['--rigorous', '--margin', '1%'], yaml: 'preset: rigorous, margin: 1%' },
    { flags: ['--quick', '--runs', '7'], yaml: 'preset: quick, runs: 7' },
  ],
  like: [
    { flags: ['--like', 'icpe20'], yaml: 'like: icpe20' },
    { flags: ['--like', 'thesis', '--confidence', '99%'], yaml: 'like: thesis, confidence: 99%' },
    { flags: ['--like', 'icpe20', '--method', 'sequential'], yaml: 'like: icpe20, methods: [sequential]' },
  ],
  runs: [{ flags: ['--runs', '7'], yaml: 'runs: 7' }],
  'min-runs': [{ flags: ['--min-runs', '30'], yaml: 'min-runs: 30' }],
  'max-runs': [{ flags: ['--max-runs', '8'], yaml: 'max-runs: 8' }],
  precision: [{ flags: ['--precision', '0.5%'], yaml: 'precision: 0.005' }],
  until: [
    { flags: ['--until', 'decided'], yaml: 'until: decided' },
    { flags: ['--until', 'faster'], yaml: 'until: faster' },
  ],
  'max-time': [
    { flags: ['--max-time', '2m'], yaml: 'max-time: 2m' },
    { flags: ['--max-time', 'none'], yaml: 'max-time: none' },
  ],
  warmup: [{ flags: ['--warmup', '3'], yaml: 'warmup: 3' }],
  'warmup-iterations': [
    { flags: [...harness.flags, '--warmup-iterations', '3'], yaml: `${harness.yaml}, warmup-iterations: 3` },
    { flags: [...harness.flags, '--warmup-iterations', 'none'], yaml: `${harness.yaml}, warmup-iterations: none` },
    { flags: [...harness.flags, '--warmup-iterations', '5min'], yaml: `${harness.yaml}, warmup-iterations: 5min` },
  ],
  iterations: [
    { flags: ['--method', 'async-duet', '--iterations', '4'], yaml: 'methods: [async-duet], iterations: 4' },
    { flags: [...harness.flags, '--iterations', 'program'], yaml: `${harness.yaml}, iterations: program` },
  ],
  length: [
    { flags: [...harness.flags, '--length', '100'], yaml: `${harness.yaml}, length: 100` },
    { flags: [...harness.flags, '--length', '10min'], yaml: `${harness.yaml}, length: 10min` },
    { flags: [...harness.flags, '--length', '100 or 10min'], yaml: `${harness.yaml}, length: 100 or 10min` },
  ],
  stable: [
    {
      flags: [...stable.flags, '--combine', 'any', '--lift-caps', '2', '--like', 'jmh-reconfigure'],
      yaml: `${stable.yaml}, stable: { criteria: [cv], combine: any, lift-caps: 2, like: jmh-reconfigure }`,
    },
  ],
  confidence: [{ flags: ['--confidence', '90%'], yaml: 'confidence: 0.9' }],
  margin: [
    { flags: ['--margin', '2%'], yaml: 'margin: 0.02' },
    { flags: ['--margin', '0.5ms'], yaml: 'margin: 0.5ms' },
    { flags: ['--quick', '--margin', '3us'], yaml: 'preset: quick, margin: 3us' },
  ],
  judge: [{ flags: ['--judge', 'total'], yaml: 'judge: total' }],
  metric: [{ flags: ['--metric', 'cpu'], yaml: 'metric: cpu' }],
  also: [
    { flags: ['--also', 'rss,switches'], yaml: 'also: [rss, switches]' },
    { flags: ['--also', 'none'], yaml: 'also: none' },
  ],
  interval: [{ flags: ['--interval', 't'], yaml: 'interval: t' }],
  replicates: [{ flags: ['--replicates', '1000'], yaml: 'replicates: 1000' }],
  swap: [{ flags: ['--swap', 'run'], yaml: 'swap: run' }],
  unpaired: [{ flags: ['--unpaired'], yaml: 'unpaired: true' }],
  'trade-every': [{ flags: [...harness.flags, '--trade-every', '5'], yaml: `${harness.yaml}, trade-every: 5` }],
  fill: [{ flags: [...harness.flags, '--fill'], yaml: `${harness.yaml}, fill: true` }],
  'minimum-overlap-rate': [
    {
      flags: ['--method', 'async-duet', '--minimum-overlap-rate', '0.5'],
      yaml: 'methods: [async-duet], minimum-overlap-rate: 0.5',
    },
  ],
  'ignore-failure': [{ flags: ['--ignore-failure'], yaml: 'ignore-failure: true' }],
  'whole-process': [{ flags: ['--whole-process'], yaml: 'whole-process: true' }],
  'same-output': [{ flags: ['--same-output'], yaml: 'same-output: true' }],
  'same-files': [{ flags: ['--same-files', 'a,b'], yaml: 'same-files: [a, b]' }],
  'normalise-output': [{ flags: ['--normalise-output', 'sort'], yaml: 'normalise-output: sort' }],
  'planned-width': [{ flags: ['--planned-width', '0.5%'], yaml: 'planned-width: 0.5%' }],
  timeouts: [
    { flags: ['--timeout', '1s', '--run-timeout', '1m'], yaml: 'timeouts: { iteration: 1s, run: 1m }' },
    { flags: ['--run-timeout', 'none'], yaml: 'timeouts: { run: none }' },
  ],
};

function byFlags(flags: readonly string[]): Settings {
  const invocation = parse([...flags, 'old', 'new']);
  if (invocation.kind !== 'compare') throw new TypeError('not a comparison');
  return settingsSchema.parse(invocation);
}

async function byFile(yaml: string): Promise<Settings> {
  return settingsSchema.parse(
    settingsOf(await folder.read(`benchmarks:\n  a: { ${yaml}, A: { command: old }, B: { command: new } }\n`)),
  );
}

/** The keys of a file as a program gives them to the library. */
function camel(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [libraryKey(key), camel(inner)]));
}

function byLibrary(yaml: string): Settings {
  const said = camel(parseYaml(`{ ${yaml} }`)) as object;
  const data = toFileKeys({ ...said, benchmarks: { a: { A: { command: 'old' }, B: { command: 'new' } } } });
  const draft = readObject(
    { data, defaultName: 'a' },
    {
      cwd: folder.path,
      searchPath: [join(folder.path, 'bin'), process.env['PATH']].join(delimiter),
      defaultSeed: 'drawn',
      nameOfKey: libraryKey,
    },
  );
  return settingsSchema.parse(settingsOf(draft));
}

describe.each(Object.entries(examples))('the option %s', (key, own) => {
  it.each(own.map(({ flags, yaml }) => ({ flags, yaml })))(
    'is the same by $flags, by $yaml and by the library',
    async ({ flags, yaml }) => {
      expect(byFlags(flags)).toEqual(await byFile(yaml));
      expect(byLibrary(yaml)).toEqual(await byFile(yaml));
    },
  );

  it('changes something, and has a flag, a help and a schema', () => {
    const [{ flags }] = own as readonly [Example];
    expect(byFlags(flags)).not.toEqual(byFlags([]));
    const option = settingsTable[key as SettingKey];
    expect(option.flags.length).toBeGreaterThan(0);
    expect(option.help).toMatch(/^[a-z].*[^.]$/);
  });
});

describe('the flags of experiments', () => {
  it('have one name each', () => {
    const names = experimentFlags.map((flag) => attributeOf(flag));
    expect(new Set(names).size).toBe(names.length);
  });

  it('say something of an experiment where they are in no example of the settings', () => {
    const read = (...args: string[]): object => draftOf([...args, 'old', 'new']);
    const said: Readonly<Record<Exclude<keyof typeof optionTable, SettingKey>, readonly string[] | null>> = {
      command: null,
      lines: null,
      matrix: null,
      versions: null,
      machines: null,
      limits: null,
      network: null,
      writable: null,
      keep: null,
      build: null,
      name: null,
      artifacts: null,
      workload: ['--harness'],
      parser: ['--parser', 'jmh'],
      input: ['--input', 'package.json'],
      methods: ['--method', 'tandem,sequential'],
      cwd: ['--cwd', '/'],
      scratch: ['--scratch', '/tmp'],
      results: ['--parser', 'jmh', '--results', 'times-$DEADHEAT_SIDE.json'],
      environment: ['--environment', 'X=1', '--environment', 'Y=a=b'],
      shell: ['--shell', 'bash'],
      image: ['--image', 'node:22'],
      setup: ['--setup', 'make'],
      prepare: ['--prepare', 'sync', '--prepare', 'true'],
      conclude: ['--conclude', 'sync'],
      cleanup: ['--cleanup', 'rm f'],
      schedule: ['--schedule', 'sequential'],
      engine: ['--image', 'node:22', '--engine', 'docker'],
      seed: ['--seed', 'x'],
      cpus: ['--cpus', '0,1'],
      lanes: ['--lanes', '2'],
      correction: ['--correction', 'none'],
      control: ['--control'],
      strict: ['--strict'],
      'show-output': ['--show-output'],
    };
    for (const [key, flags] of Object.entries(said)) {
      const known = optionTable[key]?.flags ?? [];
      expect(known.length > 0, key).toBe(flags !== null);
      if (flags !== null) expect(read(...flags), key).not.toEqual(read());
    }
    expect(Object.keys(optionTable).toSorted()).toEqual([...Object.keys(said), ...Object.keys(examples)].toSorted());
  });

  it('refuse each other where they say the same', () => {
    expect(() => byFlags(['--quick', '--rigorous'])).toThrow('--quick and --rigorous contradict each other');
    expect(() => byFlags(['-N', '--shell', 'bash'])).toThrow('contradict each other');
  });
});
