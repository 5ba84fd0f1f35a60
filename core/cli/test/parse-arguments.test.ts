import { describe, expect, it } from 'vitest';
import { type Compared, parse as parseWords } from './support-arguments.ts';
import { explainError } from '../src/errors/explain-error.ts';
import { noHooks } from '@deadheat/model';
import { UsageError } from 'deadheat/settings';
import { expectGolden } from './support-golden.ts';

/** What a subcommand has read. */
function requestOf(...args: readonly string[]): object {
  const invocation = parse(...args);
  if (invocation.kind !== 'subcommand') throw new Error(`a ${invocation.kind}`);
  return invocation.request;
}

function parse(...args: readonly string[]): ReturnType<typeof parseWords> {
  return parseWords(args);
}

function compare(...args: readonly string[]): Compared {
  const invocation = parse(...args);
  if (invocation.kind !== 'compare') throw new TypeError(`not a comparison: ${invocation.kind}`);
  return invocation;
}

function refusal(args: readonly string[]): UsageError {
  try {
    parseWords(args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new TypeError(`accepted: ${args.join(' ')}`);
}

describe('a comparison', () => {
  it('has the documented defaults', () => {
    const { draft, commands, changes, ...settings } = compare('true', 'false');
    expect(commands).toMatchObject([{ command: 'true' }, { command: 'false' }]);
    expect(changes).toEqual({ typed: {}, filter: [], resources: [] });
    const { benchmarks, ...experiment } = draft;
    expect(benchmarks).toMatchObject([
      {
        name: 'true vs false',
        commands: { A: { name: 'true', executedBy: 'direct' }, B: { name: 'false' } },
        hooks: { A: noHooks, B: noHooks },
        params: {},
        input: null,
        scratch: { A: null, B: null },
        environment: { A: {}, B: {} },
        workingDirectory: { A: process.cwd(), B: process.cwd() },
        containers: null,
        controlOf: null,
      },
    ]);
    expect(experiment).toMatchObject({
      name: 'true-vs-false',
      showOutput: false,
      correction: 'holm',
      strict: false,
      cpus: null,
      lanes: null,
      engine: null,
      artifacts: {},
      experimentTimeoutNs: null,
      schedule: 'randomized-interleaving',
      seed: '1a2b3c4d',
    });
    expect(settings).toEqual({
      ...draft,
      kind: 'compare',
      ignoreFailure: false,
      // Until pilot runs have chosen.
      method: 'tandem',
      pilotRuns: 3,
      unpaired: false,
      iterations: 1,
      confidence: 0.99,
      margin: 0,
      judge: null,
      interval: 'rank',
      replicates: 10_000,
      metric: 'auto',
      swap: 'pair',
      stop: { kind: 'enough', minRuns: 20, maxRuns: null, minTimeNs: 5e9 },
      maxTimeNs: 60e9,
      leastRuns: 5,
      warmupRuns: 0,
      workload: 'command',
      plannedHalfWidth: null,
      stable: null,
      warmup: { kind: 'none' },
      tradeEvery: null,
      fill: false,
      runTimeoutNs: null,
      minimumOverlapRate: 0.4,
      timeoutNs: null,
      output: null,
      exports: {},
      style: 'auto',
      failOn: null,
      limits: [],
      undecided: 'fail',
      strict: false,
      jobSummary: true,
      view: {},
    });
  });

  it('of one command needs no control', () => {
    expect(() => compare('--control', 'sort f')).toThrow('compared with itself already');
    const { draft } = compare('--control', '--correction', 'none', 'a', 'b');
    expect(draft.correction).toBe('none');
    expect(draft.benchmarks.map(({ controlOf }) => controlOf)).toEqual([null, 'a vs b']);
  });

  it('of one command compares it with itself', () => {
    expect(compare('sort f')).toMatchObject({ commands: [{ command: 'sort f' }, { command: 'sort f' }] });
  });

  it('has pilot runs choose the method unless one is named', () => {
    const auto = { method: 'tandem', pilotRuns: 3 };
    expect(compare('--method', 'auto', 'a')).toMatchObject(auto);
    expect(compare('--metric', 'cpu', 'a')).toMatchObject(auto);
    for (const method of ['tandem', 'sync-duet', 'async-duet', 'sequential']) {
      expect(compare('--method', method, 'a')).toMatchObject({ method, pilotRuns: 0 });
    }
  });

  it('knows vitest bench as a program that times itself', () => {
    for (const command of [
      'vitest bench',
      'npx vitest bench src',
      'node node_modules/vitest/vitest.mjs bench',
      'cd x && vitest bench',
    ]) {
      expect(compare(command)).toMatchObject({ workload: 'harness', iterations: 40 });
      expect(compare(command, 'vitest bench')).toMatchObject({ workload: 'harness' });
      expect(compare(command, './other')).toMatchObject({ workload: 'command' });
    }
    for (const command of ['vitest', 'vitest run', 'echo my-vitest bench', 'vitest benchmark']) {
      expect(compare(command)).toMatchObject({ workload: 'command' });
    }
  });

  it('is a sync-duet with options that mean something only where each side has a core, or with wall time', () => {
    const duet = { method: 'sync-duet', pilotRuns: 0 };
    expect(compare('--swap', 'run', 'a')).toMatchObject({ ...duet, swap: 'run' });
    expect(compare('--metric', 'time', 'a')).toMatchObject({ ...duet, metric: 'time' });
    expect(compare('--harness', '--trade-every', '5', 'a')).toMatchObject({ ...duet, tradeEvery: 5 });
    expect(compare('--harness', '--fill', 'a')).toMatchObject({ ...duet, fill: true });
    // Asked for, pilot runs choose all the same, among methods that can do it.
    expect(compare('--method', 'auto', '--metric', 'time', 'a')).toMatchObject({ pilotRuns: 3, metric: 'time' });
  });

  it('takes one CPU or several, and a number of lanes or all', () => {
    expect(compare('--cpus', '99', 'a').draft.cpus).toEqual([99]);
    expect(compare('--cpus', '3,0,7', 'a').draft.cpus).toEqual([3, 0, 7]);
    expect(compare('--lanes', '4', 'a').draft.lanes).toBe(4);
    expect(compare('--lanes', 'all', '--method', 'tandem', 'a').draft.lanes).toBe('all');
    for (const method of ['sync-duet', 'async-duet', 'sequential']) {
      expect(compare('--lanes', '1', '--method', method, 'a').draft.lanes).toBe(1);
    }
  });

  it('judges sequential runs as two samples where that is asked for', () => {
    expect(compare('--unpaired', '--method', 'sequential', 'a')).toMatchObject({ unpaired: true, pilotRuns: 0 });
    // Pilot runs may choose it.
    expect(compare('--unpaired', 'a')).toMatchObject({ unpaired: true, pilotRuns: 3 });
  });

  it('takes the level of the thesis for the other methods, and ten iterations for async-duet', () => {
    const other = { confidence: 0.95, interval: 'rank', replicates: 9999 };
    expect(compare('--method', 'sequential', 'a')).toMatchObject({ ...other, iterations: 1 });
    expect(compare('--method', 'async-duet', 'a')).toMatchObject({ ...other, iterations: 10 });
    expect(compare('--method=async-duet', '--iterations', '3', '--confidence=99%', 'a')).toMatchObject({
      iterations: 3,
      confidence: 0.99,
    });
  });

  it('fixes the number of runs with --runs and then has no time limit but an explicit one', () => {
    expect(compare('-r', '3', 'a')).toMatchObject({
      stop: { kind: 'runs', runs: 3 },
      maxTimeNs: null,
      leastRuns: 3,
    });
    expect(compare('-r9', '--max-time', '2m', 'a')).toMatchObject({ maxTimeNs: 120e9, leastRuns: 5 });
  });

  it('lowers the default minimum to --max-runs', () => {
    expect(compare('-M', '8', 'a').stop).toMatchObject({ kind: 'enough', minRuns: 8, maxRuns: 8 });
    expect(compare('-m', '30', '-M', '40', 'a').stop).toMatchObject({ minRuns: 30, maxRuns: 40 });
  });

  it('goes on to a precision', () => {
    expect(compare('--precision', '0.5%', 'a').stop).toEqual({
      kind: 'precision',
      precision: 0.005,
      minRuns: 20,
      maxRuns: null,
    });
  });

  it('goes on until the verdict is safe', () => {
    expect(compare('--until', 'decided', 'a')).toMatchObject({
      stop: { kind: 'decided', minRuns: 5, maxRuns: null },
      maxTimeNs: 60e9,
      margin: 0,
    });
    expect(compare('--until', 'decided', '-m', '12', '-M', '50', 'a').stop).toEqual({
      kind: 'decided',
      minRuns: 12,
      maxRuns: 50,
    });
  });

  it('ends warm-up and runs when they are stable', () => {
    expect(compare('--harness', '--stable', 'cv,kld', 'a')).toMatchObject({
      stable: {
        criteria: ['cv', 'kld'],
        combine: 'all',
        like: 'jmh-reconfigure',
        leastWarmup: 5,
        mostWarmup: 50,
        measured: 10,
      },
      stop: { kind: 'stable', minRuns: 2, maxRuns: 5 },
      maxTimeNs: null,
      leastRuns: 2,
    });
    const words = ['--combine', 'any', '--lift-caps', '2', '--like', 'jmh-reconfigure', '-m', '8'];
    expect(compare('--harness', '--stable', 'rciw', ...words, 'a')).toMatchObject({
      stable: { criteria: ['rciw'], combine: 'any', like: 'jmh-reconfigure', liftCaps: 2 },
      stop: { kind: 'stable', minRuns: 8, maxRuns: 8 },
      leastRuns: 5,
    });
    expect(compare('--harness', '--stable', 'cv', '-M', '1', 'a').stop).toEqual({
      kind: 'stable',
      minRuns: 1,
      maxRuns: 1,
    });
  });

  it('ends warm-up alone when it is stable, where something else says how many runs', () => {
    const read = (...words: string[]) => {
      const { stop, maxTimeNs, stable } = compare('--harness', '--stable', 'cv', ...words, 'a');
      return [stop.kind, maxTimeNs, stable?.criteria];
    };
    expect(read('--runs', '9')).toEqual(['runs', null, ['cv']]);
    expect(read('--until', 'decided')).toEqual(['decided', 60e9, ['cv']]);
    expect(read('--quick')).toEqual(['decided', 20e9, ['cv']]);
    expect(read('--precision', '1%')).toEqual(['precision', 60e9, ['cv']]);
  });

  it('is quick or rigorous, as far as nothing else is said', () => {
    const read = (...words: string[]) => {
      const { stop, confidence, margin, maxTimeNs } = compare(...words, 'a');
      return { stop, confidence, margin, maxTimeNs };
    };
    const quick = {
      stop: { kind: 'decided', minRuns: 5, maxRuns: null },
      confidence: 0.95,
      margin: 0.02,
      maxTimeNs: 20e9,
    };
    expect(read('--quick')).toEqual(quick);
    expect(read('--quick', '--margin', '5%', '--max-time', '5s')).toEqual({ ...quick, margin: 0.05, maxTimeNs: 5e9 });
    expect(read('--quick', '--runs', '9')).toEqual({ ...quick, stop: { kind: 'runs', runs: 9 }, maxTimeNs: null });
    const precise = (precision: number) => ({ kind: 'precision', precision, minRuns: 20, maxRuns: null });
    const rigorous = { stop: precise(0.005), confidence: 0.99, margin: 0, maxTimeNs: 600e9 };
    expect(read('--rigorous')).toEqual(rigorous);
    expect(read('--rigorous', '--precision', '0.1%')).toEqual({ ...rigorous, stop: precise(0.001) });
    expect(read('--rigorous', '--until', 'decided')).toEqual({ ...rigorous, stop: quick.stop });
  });

  it('follows the procedure of a paper, as far as nothing else is said', () => {
    const read = (...words: string[]) => {
      const { method, pilotRuns, metric, swap, unpaired, interval, confidence, replicates } = compare(...words, 'a');
      return { method, pilotRuns, metric, swap, unpaired, interval, confidence, replicates };
    };
    const fixed = { pilotRuns: 0, metric: 'time', swap: 'never', unpaired: false } as const;
    const percentile = { interval: 'percentile', confidence: 0.99, replicates: 10_000 } as const;
    const bca = { interval: 'bca', confidence: 0.95, replicates: 9999 } as const;
    const icpe20 = { ...fixed, ...percentile, method: 'sync-duet' };
    expect(read('--like', 'icpe20')).toEqual(icpe20);
    expect(read('--like', 'thesis')).toEqual({ ...fixed, ...bca, method: 'async-duet' });
    expect(
      read('--like', 'icpe20', '--metric', 'cpu', '--swap', 'run', '--interval', 't', '--confidence', '90%'),
    ).toEqual({
      ...icpe20,
      metric: 'cpu',
      swap: 'run',
      interval: 't',
      confidence: 0.9,
    });
    // A method that is named keeps what it can of the paper: the paper's sequential runs are two samples.
    expect(read('--like', 'icpe20', '--method', 'sequential')).toEqual({
      ...fixed,
      ...percentile,
      method: 'sequential',
      swap: 'pair',
      unpaired: true,
    });
    expect(read('--like', 'icpe20', '--method', 'tandem')).toMatchObject({
      ...percentile,
      method: 'tandem',
      metric: 'auto',
    });
    expect(compare('--like', 'icpe20', '--runs', '10', '--harness', '--trade-every', '5', 'a')).toMatchObject({
      stop: { kind: 'runs', runs: 10 },
      tradeEvery: 5,
    });
    expect(compare('--like', 'thesis', '--iterations', '50', 'a')).toMatchObject({ iterations: 50 });
    // Beside --stable a paper leaves the reading of its criteria as by default.
    expect(compare('--harness', '--stable', 'cv', '--like', 'icpe20', 'a')).toMatchObject({
      method: 'sync-duet',
      stable: { like: 'paper' },
    });
  });

  it('takes hooks and names once for both sides or first for A, then for B', () => {
    const { draft } = compare('-p', 'sync', '-C', 'x', '-C', 'y', '-n', 'one', '-n', 'two', 'a', 'b');
    expect(draft.benchmarks).toMatchObject([
      {
        hooks: { A: { prepare: 'sync', conclude: 'x' }, B: { prepare: 'sync', conclude: 'y' } },
        commands: { A: { name: 'one' }, B: { name: 'two' } },
      },
    ]);
  });

  it('reads durations in every unit as nanoseconds', () => {
    const read = (text: string): number | null => compare('--timeout', text, 'a').timeoutNs;
    expect(['500ms', '10s', '2m', '1h', '7', '1.5', '10us'].map((text) => read(text))).toEqual([
      5e8, 1e10, 12e10, 36e11, 7e9, 1.5e9, 1e4,
    ]);
  });

  it('reads shares and levels as percent or as fraction', () => {
    expect(compare('--margin', '1%', 'a').margin).toBe(0.01);
    expect(compare('--margin', '0.01', 'a').margin).toBe(0.01);
    expect(compare('--margin', '0', 'a').margin).toBe(0);
    // 200 % is refused as 200 is, and no advice.
    expect(() => compare('--margin', '200', 'a')).toThrow(expect.objectContaining({ hint: null }));
    expect(() => compare('--margin', '5', 'a')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('5%') }),
    );
    expect(compare('--confidence', '99.9%', 'a').confidence).toBe(0.999);
  });

  it('counts a parameter scan exactly, both ends included', () => {
    expect(compare('-P', 'x', '0', '0.3', '-D', '0.1', 'a {x}').changes.typed.matrix).toEqual({
      x: ['0.0', '0.1', '0.2', '0.3'],
    });
    expect(compare('--parameter-scan=n', '-1', '1', 'a {n}').changes.typed.matrix).toEqual({ n: ['-1', '0', '1'] });
  });

  it('splits a parameter list at commas that have no backslash before them', () => {
    expect(compare('-L', 'v', String.raw`a,b\,c,`, 'x {v}').changes.typed.matrix).toEqual({ v: ['a', 'b,c', ''] });
  });

  it('takes options on both sides of the commands and what follows -- as commands', () => {
    expect(compare('a', '--runs', '4', 'b', '-i')).toMatchObject({
      ignoreFailure: true,
      commands: [{ command: 'a' }, { command: 'b' }],
    });
    expect(compare('a', 'b', 'b', 'a', 'b').commands.map(({ name }) => name)).toEqual([
      undefined,
      undefined,
      'b (2)',
      undefined,
      'b (3)',
    ]);
    expect(compare('--', '-x', 'b').commands).toMatchObject([{ command: '-x' }, { command: 'b' }]);
  });

  it('chooses the shell', () => {
    const argvOf = (...args: readonly string[]): readonly string[] | undefined =>
      compare(...args, 'a | b').draft.benchmarks[0]?.commands.A.argv;
    expect(argvOf('-N')).toEqual(['/bin/a', '|', 'b']);
    expect(argvOf('--shell=none')).toEqual(argvOf('-N'));
    expect(argvOf('-S', 'default')).toEqual(['/bin/sh', '-c', 'a | b']);
    expect(argvOf('-S', 'bash -e')).toEqual(['/bin/bash', '-e', '-c', 'a | b']);
  });

  it('takes a dash as standard output', () => {
    expect(compare('--export', 'json:-', '--export', 'sides-csv:f.csv', 'a').exports).toEqual({
      json: '-',
      'sides-csv': 'f.csv',
    });
  });

  it('may be any of the formats, in a file whose name has colons', () => {
    expect(compare('--export', 'go:a:b', '--export', 'csv:-', 'a').exports).toMatchObject({
      go: 'a:b',
      csv: '-',
    });
  });
});

describe('the other commands', () => {
  it('finishes a recording', () => {
    expect(parse('--resume', 'dir', '--fail-on', 'slower', '--undecided', '5%')).toMatchObject({
      kind: 'resume',
      recording: 'dir',
      undecided: 0.05,
    });
  });

  it('analyses in both spellings and keeps what the recording says unless told otherwise', () => {
    expect(requestOf('analyse', 'dir')).toMatchObject({ path: 'dir', confidence: null, margin: null });
    expect(requestOf('analyze', 'dir', '--margin', '2%', '--interval', 't', '--fail-on', 'slower')).toMatchObject({
      margin: 0.02,
      interval: 't',
      failOn: { against: 'slower', limits: [] },
    });
  });

  it('looks for segments only where asked to', () => {
    expect(requestOf('analyse', 'dir')).toMatchObject({ segments: false });
    expect(requestOf('analyse', 'dir', '--segments')).toMatchObject({ segments: true, steadyWindow: null });
    expect(requestOf('analyse', 'dir', '--segments', '--steady-window', '200', '--penalty', 'barrett')).toMatchObject({
      steadyWindow: 200,
      penalty: 'barrett',
    });
    expect(requestOf('analyse', 'dir', '--segments', '--penalty', '40.5')).toMatchObject({
      penalty: 40.5,
    });
    expect(() => parse('analyse', 'dir', '--steady-window', '200')).toThrow(
      /--steady-window does nothing without --segments/,
    );
    expect(() => parse('analyse', 'dir', '--segments', '--penalty', 'much')).toThrow(/--penalty must be knee, bic/);
    expect(() => parse('analyse', 'dir', '--segments', '--penalty', '-1')).toThrow(/--penalty must be knee, bic/);
  });

  it('shows the demo', () => {
    expect(requestOf('demo', '--style', 'basic')).toMatchObject({ style: 'basic' });
  });

  it('shows the version and a short help, and the help of a subcommand by two spellings', () => {
    expect(parse('-V')).toEqual({ kind: 'version', text: 'deadheat 0.1.0\n' });
    const help = parse('--help');
    if (help.kind !== 'help') throw new TypeError('no help');
    expectGolden('help.txt', help.text);
    expect(help.text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(parse('help', 'demo')).toEqual(parse('demo', '--help'));
  });
});

describe('a wrong command line', () => {
  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['without a command', []],
    ['with an empty command', ['a', ' ']],
    ['with a reference that is none of the commands', ['--reference', '4', 'a', 'b', 'c']],
    ['with names for some of three commands', ['-n', 'x', '-n', 'y', 'a', 'b', 'c']],
    ['with two of three commands of one name', ['-n', 'x', '-n', 'b', '-n', 'b', 'a', 'b', 'c']],
    ['with three harnesses', ['--harness', 'a', 'b', 'c']],
    ['with a command that is not quoted', ['gzip', '-6', 'file']],
    ['with an option that does not exist', ['--runz', '5', 'a']],
    ['with an option like none', ['--frobnicate', 'a']],
    ['with a value for an option that takes none', ['--strict=yes', 'a']],
    ['with no runs', ['--runs', '0', 'a']],
    ['with runs that are no number', ['--runs', '1x', 'a']],
    ['with an option in the place of a value', ['--runs', '--warmup', '3', 'a']],
    ['with a last option that lacks its value', ['a', '--seed']],
    ['with an empty seed', ['--seed', '', 'a']],
    ['with a negative warm-up', ['-w', '-1', 'a']],
    ['with a negative margin', ['--margin', '-1', 'a']],
    ['with a margin of several hundred percent', ['--margin', '2', 'a']],
    ['with a precision of nothing', ['--precision', '0', 'a']],
    ['with a confidence in percent that does not say so', ['--confidence', '99', 'a']],
    ['with a confidence of certainty', ['--confidence', '100%', 'a']],
    ['with a unit of time that does not exist', ['--max-time', '5 parsec', 'a']],
    ['with no time', ['--timeout', '0s', 'a']],
    ['with no CPU', ['--cpus', '', 'a']],
    ['with a CPU that is missing', ['--cpus', '0,', 'a']],
    ['with a CPU that is missing between others', ['--cpus', '0,,1', 'a']],
    ['with the last of several CPUs twice', ['--cpus', '0,1,12,1', 'a']],
    ['with the same CPU twice', ['--cpus', '1,1', 'a']],
    ['with CPUs that are no numbers', ['--cpus', '0,b', 'a']],
    ['with no lanes', ['--lanes', '0', 'a']],
    ['with lanes that are no number', ['--lanes', 'every', 'a']],
    ['with cores to trade in a tandem', ['--method', 'tandem', '--swap', 'pair', 'a']],
    ['with cores to trade in sequential runs', ['--method', 'sequential', '--swap', 'pair', 'a']],
    ['with cores to trade by a method that is chosen', ['--method', 'auto', '--swap', 'run', 'a']],
    ['with cores to trade inside a tandem', ['--harness', '--method', 'tandem', '--trade-every', '5', 'a']],
    [
      'with cores to trade inside a method that is chosen',
      ['--harness', '--method', 'auto', '--trade-every', '5', 'a'],
    ],
    ['with cores to trade without a barrier', ['--harness', '--method', 'async-duet', '--trade-every', '5', 'a']],
    ['with lanes of a duet', ['--method', 'sync-duet', '--lanes', '2', 'a']],
    ['with lanes of a duet that prints', ['--method', 'async-duet', '--lanes', 'all', 'a']],
    ['with lanes of sequential runs', ['--method', 'sequential', '--lanes', '2', 'a']],
    ['with lanes of a duet that an option means', ['--swap', 'run', '--lanes', '2', 'a']],
    ['with pairs of a duet apart', ['--method', 'sync-duet', '--unpaired', 'a']],
    ['with pairs of a tandem apart', ['--method', 'tandem', '--unpaired', 'a']],
    ['with pairs of a duet apart that wall time means', ['--metric', 'time', '--unpaired', 'a']],
    ['with wall time in a tandem', ['--method', 'tandem', '--metric', 'time', 'a']],
    ['to be filled without a barrier', ['--harness', '--fill', '--method', 'sequential', 'a']],
    ['with iterations of a command in a tandem', ['--method', 'tandem', '--iterations', '5', 'a']],
    ['with a method that does not exist', ['--method', 'sync-duel', 'a']],
    ['with a metric that does not exist', ['--metric', 'energy', 'a']],
    ['with a swap that does not exist', ['--swap', 'always', 'a']],
    ['with an interval that does not exist', ['--interval', 'normal', 'a']],
    ['with a style that does not exist', ['--style', 'ful', 'a']],
    ['with a limit of an unknown metric', ['--fail-on', 'memory>5%', 'a']],
    ['with a limit that is no share', ['--fail-on', 'rss>much', 'a']],
    ['with another verdict to fail on', ['--fail-on', 'equal', 'a']],
    ['with a gate for nothing', ['--undecided', 'pass', 'a']],
    ['with a policy of its own', ['--fail-on', 'slower', '--undecided', 'perhaps', 'a']],
    ['with an input that does not exist', ['--input', 'no file', 'a']],
    ['with a folder as input', ['--input', 'core', 'a']],
    ['with runs and a precision', ['--runs', '5', '--precision', '1%', 'a']],
    ['with runs until decided', ['--runs', '5', '--until', 'decided', 'a']],
    ['with a precision until decided', ['--precision', '1%', '--until', 'decided', 'a']],
    ['stable by what does not exist', ['--harness', '--stable', 'cv,sd', 'a']],
    ['stable without a harness', ['--stable', 'cv', 'a']],
    ['stable without a barrier', ['--harness', '--stable', 'cv', '--method', 'sequential', 'a']],
    ['outputs of a harness', ['--same-output', '--harness', 'a']],
    ['outputs that a parser reads', ['--same-output', '--parser', 'go', 'a']],
    ['stable with a number of iterations', ['--harness', '--stable', 'cv', '--iterations', '9', 'a']],
    ['stable with a number of warm-up iterations', ['--harness', '--stable', 'cv', '--warmup-iterations', '9', 'a']],
    ['with lifted caps of nothing', ['--harness', '--lift-caps', '2', 'a']],
    ['with caps lifted downwards', ['--harness', '--stable', 'cv', '--lift-caps', '0.5', 'a']],
    ['until something else', ['--until', 'done', 'a']],
    ['quick and rigorous', ['--quick', '--rigorous', 'a']],
    ['like a paper and quick', ['--like', 'icpe20', '--quick', 'a']],
    ['like no paper', ['--like', 'icpe21', 'a']],
    ['like a reading of criteria without any', ['--harness', '--like', 'jmh-reconfigure', 'a']],
    [
      'with cores traded by the iteration in the procedure of a paper',
      ['--harness', '--like', 'thesis', '--trade-every', '5', 'a'],
    ],
    ['with iterations of a command in the procedure of a paper', ['--like', 'icpe20', '--iterations', '5', 'a']],
    ['with runs and a minimum of runs', ['--runs', '5', '--min-runs', '3', 'a']],
    ['with runs and a maximum of runs', ['--runs', '5', '--max-runs', '9', 'a']],
    ['with a minimum above the maximum', ['-m', '9', '-M', '8', 'a']],
    ['with iterations of a method that has none', ['--iterations', '5', 'a']],
    ['with two shells', ['-N', '--shell', 'bash', 'a']],
    ['with two exports to standard output', ['--export', 'json:-', '--export', 'sides-csv:-', 'a']],
    ['with two formats to standard output', ['--export', 'go:-', '--export', 'csv:-', 'a']],
    ['with a format twice', ['--export', 'json:a', '--export', 'json:b', 'a']],
    ['with a format without a file', ['--export', 'json', 'a']],
    ['with three hooks', ['-p', 'a', '-p', 'b', '-p', 'c', 'a']],
    ['with a command to resume', ['--resume', 'dir', 'a']],
    ['with an option that would change a recorded plan', ['--resume', 'dir', '--runs', '5']],
    ['with a scan that goes backwards', ['-P', 'n', '5', '1', 'a']],
    ['with a scan of no numbers', ['-P', 'n', '1', 'x', 'a']],
    ['with a scan that lacks an end', ['-P', 'n', '1']],
    ['with a scan in steps of nothing', ['-P', 'n', '1', '5', '-D', '0', 'a']],
    ['with a step without a scan', ['-D', '2', 'a']],
    ['with more steps than scans', ['-P', 'n', '1', '5', '-D', '1', '-D', '2', 'a']],
    ['with a million combinations', ['-P', 'n', '1', '1000', '-P', 'm', '1', '1000', 'a']],
    ['with an empty list', ['-L', 'v', '', 'a']],
    ['with braces in the name of a parameter', ['-L', '{v}', '1,2', 'a']],
    ['with the same parameter twice', ['-L', 'v', '1,2', '-L', 'v', '3', 'a']],
    ['with analyse of nothing', ['analyse']],
    ['with analyse of three files', ['analyse', 'a', 'b', 'c']],
    ['with an option of analyse misspelt', ['analyse', 'a', '--marign', '1%']],
    ['with an option before a subcommand', ['--runs', '5', 'demo']],
    ['with arguments for the demo', ['demo', 'fast']],
    ['with a workload of no name', ['lab', 'workload']],
    ['with a workload misspelt', ['lab', 'workload', 'flaot']],
    ['with a workload like none', ['lab', 'workload', 'graph']],
    ['with an argument for a workload', ['lab', 'workload', 'integer', '5']],
    ['with an option of a workload misspelt', ['lab', 'workload', 'cache', '--amuont', '3']],
    ['with no work', ['lab', 'workload', 'integer', '--amount', '0']],
    ['with an amount and a duration', ['lab', 'workload', 'integer', '--amount', '5', '--duration', '1s']],
    ['with a workload three times slower', ['lab', 'workload', 'integer', '--slower', '3']],
    ['with a workload in another language', ['lab', 'workload', 'integer', '--language', 'rust']],
    ['with a load of another mode', ['lab', 'workload', 'load', '--mode', 'burst']],
    ['with bursts too short to be kept', ['lab', 'workload', 'load', '--busy', '1us']],
    ['with a load without a value', ['lab', 'workload', 'load', '--busy']],
    ['with a load on one core twice', ['lab', 'workload', 'load', '--cores', '0,0']],
    ['with a load on cores that are no numbers', ['lab', 'workload', 'load', '--cores', '0,b']],
    ['with a question about an unknown subcommand', ['help', 'frob']],
  ];

  it.each(wrong.map(([name, args]) => ({ name, args })))('$name is a usage error', ({ args }) => {
    const error = refusal(args);
    expect(explainError(error).exitCode).toBe(2);
    expect(explainError(error).message).toMatch(/^deadheat: \S/);
  });

  it('is answered with the messages of the golden file', () => {
    const answers = wrong.map(([name, args]) => `# ${name}\n${explainError(refusal(args)).message}\n`);
    expectGolden('usage-errors.txt', answers.join('\n'));
  });
});
