import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExperimentDraft, type fitExperiment, planTrial, roundOrder } from '@deadheat/engine';
import { configOf, type Recording, type Trial } from '@deadheat/model';
import { UsageError } from 'deadheat/settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunInvocation, type RunValues, toRunInvocation } from '../src/commands/run/invocation.ts';
import { parse } from './support-arguments.ts';
import { expectTime, findEarlierRuns, makePlan, readEarlier, totalTime } from '../../deadheat/src/library/plan.ts';
import { renderPlan } from '../src/commands/run/render-plan.ts';
import { ConfigFolder } from './config/support-config.ts';
import { expectGolden } from './support-golden.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
});
afterAll(() => folder.end());

const file = `
name: plan
seed: s
methods:
  sync-duet: { runs: 2 }
  async-duet: { min-runs: 6, precision: 1%, max-time: 30s, iterations: 4, warmup-iterations: first-half }
  sequential: { warmup: 1 }
artifacts: { system: uname -a }
timeouts: { experiment: 2h }
benchmarks:
  level:
    matrix: { n: [1, 9] }
    A: { command: 'old {n}', environment: { X: 'n {n}' } }
    B: { command: 'new {n}', prepare: sync }
  timed: { command: old, workload: harness, methods: [sync-duet], runs: 3 }
`;

/** As a machine with the cores 2 and 3 would run it. */
function fit(draft: ExperimentDraft): Pick<Awaited<ReturnType<typeof fitExperiment>>, 'config' | 'warnings'> {
  return { config: { ...draft, cpus: [2, 3], tandemCpus: [2, 3], sequentialCpus: [2, 3], lanes: 1 }, warnings: [] };
}

function trialOf(benchmark: number, method: Trial['method'], wallNs: number, status: Trial['status'] = 'ok'): Trial {
  return { benchmark, method, wallNs, status } as Trial;
}

describe('a plan', () => {
  it('names the entries, what is executed, the first rounds and what is not known', async () => {
    const { config, warnings } = fit(await folder.read(file));
    const earlier: Recording[] = [
      {
        directory: '.deadheat/then',
        experiment: { config } as Recording['experiment'],
        trials: [trialOf(0, 'sync-duet', 2e9), trialOf(0, 'sync-duet', 4e9), trialOf(1, 'async-duet', 1e9)],
      },
    ];
    const plan = makePlan({ config, warnings }, { earlier, seedIsDrawn: true });
    expectGolden('plan.txt', renderPlan(plan).replaceAll(folder.path, 'DIR'));
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('draws the runs that the experiment will draw', async () => {
    const { config } = fit(await folder.read(file));
    const { rounds } = makePlan({ config, warnings: [] }, { earlier: [], seedIsDrawn: false });
    const all = config.benchmarks.map((_, index) => index);
    expect(rounds[1]?.map(({ entry }) => entry - 1)).toEqual(roundOrder({ seed: 's', round: 1, benchmarks: all }));
    for (const { entry, run, phase, order, cpus } of rounds.flat()) {
      const benchmark = config.benchmarks[entry - 1];
      if (benchmark === undefined) throw new RangeError(`no entry ${entry}`);
      const drawn = planTrial(configOf(config, benchmark), { benchmark: entry - 1, run, phase });
      expect({ order, cpus }).toEqual({ order: drawn.order, cpus: { A: drawn.cpus.A[0], B: drawn.cpus.B[0] } });
    }
    // The duets have two runs, so that the third round is without them; sequential began with its warm-up run.
    const [first, , third] = rounds;
    expect(third?.map(({ entry }) => entry).toSorted((a, b) => a - b)).toEqual([2, 3, 5, 6, 7]);
    expect(first?.find(({ entry }) => entry === 3)).toMatchObject({ run: 0, phase: 'warmup' });
    expect(third?.find(({ entry }) => entry === 3)).toMatchObject({ run: 1, phase: 'measure' });
  });

  it('begins with the pilot runs that choose methods, once for the same programs', async () => {
    const typed = `name: plan
seed: s
runs: 9
benchmarks:
  one: { A: { command: old }, B: { command: new } }
  two: { A: { command: old }, B: { command: new } }
  three: { command: old }
`;
    const { config } = fit(await folder.read(typed));
    const plan = makePlan({ config, warnings: [] }, { earlier: [], seedIsDrawn: false });
    expect(plan.entries.map(({ chosenBy }) => chosenBy)).toEqual([1, 1, 3]);
    const pilots = plan.rounds.flat().map(({ entry, run, phase }) => `${entry} ${phase} ${run}`);
    expect(pilots.toSorted()).toEqual([0, 1, 2].flatMap((run) => [`1 pilot ${run}`, `3 pilot ${run}`]).toSorted());
    const text = renderPlan(plan);
    expect(text).toMatch(/^1\. one +auto, tandem unless pilot runs choose another$/m);
    expect(text).toMatch(/^2\. two +auto, as chosen for 1$/m);
  });

  it('takes one entry after another in a sequential schedule', async () => {
    const { config } = fit(await folder.read(`schedule: sequential\n${file}`));
    const { rounds } = makePlan({ config, warnings: [] }, { earlier: [], seedIsDrawn: false });
    expect(rounds.map((round) => round.map(({ entry, run }) => [entry, run]))).toEqual([[[1, 0]], [[1, 1]], [[2, 0]]]);
  });
});

describe('the expected duration', () => {
  const rule = { stable: null, maxTimeNs: null, leastRuns: 5, warmupRuns: 0, pilotRuns: 0, lanes: 1 };
  const earlier = { recording: 'r', runNs: 1e9 };

  it('is unknown without earlier runs', () => {
    expect(expectTime({ ...rule, stop: { kind: 'runs', runs: 9 } }, null)).toMatchObject({
      leastNs: null,
      mostNs: null,
    });
    const known = expectTime({ ...rule, stop: { kind: 'runs', runs: 9 } }, earlier);
    const unknown = expectTime({ ...rule, stop: { kind: 'runs', runs: 9 } }, null);
    expect(totalTime([known, unknown], null)).toEqual({ leastNs: null, mostNs: null });
    expect(totalTime([known, unknown], 5e9)).toEqual({ leastNs: null, mostNs: 5e9 });
    expect(totalTime([known, known], null)).toEqual({ leastNs: 18e9, mostNs: 18e9 });
    expect(totalTime([known, known], 10e9)).toEqual({ leastNs: 10e9, mostNs: 10e9 });
  });

  it('is the time of all runs, warm-up included', () => {
    expect(expectTime({ ...rule, warmupRuns: 2, stop: { kind: 'runs', runs: 9 } }, earlier)).toMatchObject({
      leastNs: 11e9,
      mostNs: 11e9,
    });
  });

  it('holds pilot runs as far as they are made, and runs that are made at once share it', () => {
    const auto = { ...rule, pilotRuns: 3, stop: { kind: 'runs', runs: 12 } } as const;
    expect(expectTime(auto, { ...earlier, runNs: 1e6 }).leastNs).toBe(15e6);
    // Two of them are two seconds.
    expect(expectTime(auto, earlier).leastNs).toBe(14e9);
    expect(expectTime({ ...auto, lanes: 4 }, earlier).leastNs).toBe(5e9);
  });

  it('is what the rule asks for: runs and time, cut by the most runs and the time limit', () => {
    const enough = { kind: 'enough', minRuns: 20, maxRuns: null, minTimeNs: 5e9 } as const;
    expect(expectTime({ ...rule, stop: enough }, earlier).leastNs).toBe(20e9);
    expect(expectTime({ ...rule, stop: enough }, { ...earlier, runNs: 1e6 }).leastNs).toBe(5e9);
    expect(expectTime({ ...rule, stop: { ...enough, minRuns: 2, maxRuns: 3 } }, earlier).leastNs).toBe(3e9);
    // Past the limit the run in flight is finished, and five runs are waited for.
    expect(expectTime({ ...rule, stop: enough, maxTimeNs: 7e9 }, earlier).mostNs).toBe(8e9);
    expect(expectTime({ ...rule, stop: enough, maxTimeNs: 7e9 }, { ...earlier, runNs: 4e9 }).mostNs).toBe(20e9);
  });

  it('has no upper end where a precision decides without a limit', () => {
    const precise = { kind: 'precision', precision: 0.01, minRuns: 20, maxRuns: null } as const;
    expect(expectTime({ ...rule, stop: precise }, earlier)).toMatchObject({ leastNs: 20e9, mostNs: null });
    expect(expectTime({ ...rule, stop: { ...precise, maxRuns: 50 } }, earlier)).toMatchObject({ mostNs: 50e9 });
  });

  it('comes from the newest recording that has such runs; failed ones do not count', async () => {
    const { config } = fit(await folder.read(file));
    const recording = (directory: string, trials: readonly Trial[]): Recording => ({
      directory,
      experiment: { config } as Recording['experiment'],
      trials,
    });
    const recordings = [
      recording('new', [trialOf(0, 'sync-duet', 9e9, 'failed'), trialOf(3, 'sync-duet', 8e9)]),
      recording('old', [trialOf(0, 'sync-duet', 2e9), trialOf(0, 'sync-duet', 3e9), trialOf(1, 'async-duet', 7e9)]),
    ];
    const find = (n: string, method: Trial['method']): unknown =>
      findEarlierRuns(recordings, { name: 'level', params: { n }, method });
    expect(find('1', 'sync-duet')).toEqual({ recording: 'old', runNs: 2.5e9 });
    expect(find('9', 'sync-duet')).toEqual({ recording: 'new', runNs: 8e9 });
    expect(find('1', 'sequential')).toBeNull();
    // Of what pilot runs chose, whatever that was, and without them.
    const pilot: Trial = { ...trialOf(0, 'sync-duet', 90e9), phase: 'pilot' };
    const chosen = [recording('auto', [pilot, trialOf(0, 'tandem', 4e9)])];
    expect(findEarlierRuns(chosen, { name: 'level', params: { n: '1' }, method: null })).toEqual({
      recording: 'auto',
      runNs: 4e9,
    });
  });

  it('does without what is no recording', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'deadheat-plan-'));
    mkdirSync(join(parent, '20260101T000000Z-plan'));
    writeFileSync(join(parent, '20260101T000000Z-plan', 'experiment.json'), '{');
    expect(await readEarlier(parent, 'plan')).toEqual([]);
    expect(await readEarlier(join(parent, 'none'), 'plan')).toEqual([]);
    rmSync(parent, { recursive: true });
  });
});

/** The request of words behind `deadheat run`. */
function typed(...words: readonly string[]): RunInvocation {
  const invocation = parse(['run', ...words]);
  if (invocation.kind !== 'subcommand') throw new TypeError(`a ${invocation.kind}`);
  const { file, ...values } = invocation.request as RunValues & { readonly file: string | null };
  return toRunInvocation(file, values);
}

/** The experiment of the file above with what is typed behind `deadheat run`. */
async function runOf(...words: readonly string[]): Promise<ExperimentDraft> {
  const invocation = typed(...words);
  if (invocation.kind !== 'run') throw new TypeError(`a ${invocation.kind}`);
  return folder.read(file, 'deadheat.yaml', invocation.changes);
}

describe('what is typed beside a file', () => {
  const entries = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await runOf(...words)).benchmarks.map(({ name, params, own }) => `${name}${params['n'] ?? ''} ${own.method}`);

  it('measures what a limit of --fail-on is set for, beside what the file asks for', async () => {
    const draft = await folder.read(`${file}also: [faults]\n`, 'deadheat.yaml', { resources: ['rss'] });
    expect(draft.also).toEqual(['faults', 'rss']);
    expect(new Set(draft.benchmarks.map(({ own }) => (own.also ?? draft.also)?.join()))).toEqual(
      new Set(['faults,rss']),
    );
    expect((await runOf('--fail-on', 'slower,rss>5%,time>10%')).also).toEqual(['rss']);
  });

  it('puts a control beside each benchmark that it keeps, once', async () => {
    const draft = await runOf('--control', '--correction', 'none');
    expect(draft.correction).toBe('none');
    const controls = draft.benchmarks.filter(({ controlOf }) => controlOf !== null);
    expect(controls.length).toBeGreaterThan(0);
    for (const { name, controlOf, commands } of controls) {
      expect(name).toBe(`${controlOf} (A/A control)`);
      expect(commands.B).toEqual(commands.A);
    }
    const of = async (text: string, ...words: readonly string[]): Promise<unknown> => {
      const invocation = typed(...words);
      return 'changes' in invocation && (await folder.read(text, 'deadheat.yaml', invocation.changes)).benchmarks;
    };
    expect(await of(`${file}control: true\n`, '--control')).toEqual(await of(`${file}control: true\n`));
    const [first] = controls;
    const { benchmarks: named } = await runOf('--control', '--filter', first!.controlOf!);
    expect(named.some(({ controlOf }) => controlOf === first!.controlOf)).toBe(true);
  });

  it('keeps benchmarks by name, and replaces methods', async () => {
    expect(await entries()).toHaveLength(7);
    expect(await entries('--filter', 'timed')).toEqual(['timed sync-duet']);
    expect(await entries('--filter', 'l*l', '--filter', 'timed', '--method', 'sync-duet')).toEqual([
      'level1 sync-duet',
      'level9 sync-duet',
      'timed sync-duet',
    ]);
    expect(await entries('--filter', 't*', '--method', 'tandem,sequential')).toEqual([
      'timed tandem',
      'timed sequential',
    ]);
  });

  it('measures by a method in place of what pilot runs would choose, with the settings of the file for it', async () => {
    const text = 'name: plan\nbenchmarks: { one: { command: old }, two: { command: new, methods: [async-duet] } }\n';
    const kept = async (methods?: readonly Trial['method'][]): Promise<unknown> => {
      const draft = await folder.read(text, 'deadheat.yaml', { typed: methods === undefined ? {} : { methods } });
      return draft.benchmarks.map(({ name, own }) => [name, own.method, own.pilotRuns ?? draft.pilotRuns]);
    };
    expect(await kept()).toEqual([
      ['one', 'tandem', 3],
      ['two', 'async-duet', 0],
    ]);
    expect(await kept(['sync-duet'])).toEqual([
      ['one', 'sync-duet', 0],
      ['two', 'sync-duet', 0],
    ]);
    expect(await runOf('--filter', 'level', '--method', 'sequential')).toMatchObject({ warmupRuns: 1 });
    // A setting of the file that does nothing by that method is no mistake of who types it.
    const swapping = (methods: readonly Trial['method'][]): Promise<ExperimentDraft> =>
      folder.read('swap: run\nbenchmarks: { one: { command: old } }\n', 'deadheat.yaml', { typed: { methods } });
    expect((await swapping(['sequential'])).swap).toBe('pair');
  });

  it('changes seed, time limit and programs of every benchmark', async () => {
    const draft = await runOf('--seed', 'x', '--max-time', '3s', '--show-output');
    expect(draft).toMatchObject({ seed: 'x', showOutput: true, maxTimeNs: 3e9 });
    expect((await runOf('--max-time', 'none')).benchmarks.every(({ own }) => own.maxTimeNs === undefined)).toBe(true);
    const words = ['--setup', 'make {n}', '-p', 'a', '-p', 'b', '--environment', 'X=typed', '--environment', 'Y=1'];
    const { benchmarks: changed } = await runOf(...words, '--cwd', '/', '-S', 'none', '-n', 'left', '-n', 'right');
    expect(changed[0]).toMatchObject({
      hooks: { A: { setup: 'make 1', prepare: 'a' }, B: { setup: 'make 1', prepare: 'b' } },
      environment: { A: { X: 'typed', Y: '1' }, B: { X: 'typed', Y: '1' } },
      workingDirectory: { A: '/', B: '/' },
      commands: { A: { name: 'left' }, B: { name: 'right' } },
    });
    expect(changed.at(-1)?.hooks.B.prepare).toBe('b');
  });

  it('replaces parameters of the file by their names', async () => {
    const paramsOf = async (...words: readonly string[]): Promise<unknown> =>
      (await runOf(...words, '--filter', 'level', '--method', 'tandem')).benchmarks.map(({ params }) => params['n']);
    expect(await paramsOf('-P', 'n', '3', '5')).toEqual(['3', '4', '5']);
    await expect(paramsOf('-L', 'm', '3,5')).rejects.toThrow(/the parameter m has no effect/);
  });

  it('is refused by its flags', async () => {
    const refusal = async (...words: readonly string[]): Promise<string> => {
      try {
        return (await entries(...words)).join();
      } catch (error) {
        return error instanceof UsageError ? `${error.message} | ${error.hint}` : String(error);
      }
    };
    expect(await refusal('--filter', 'levl')).toBe('--filter levl: no benchmark has such a name | Did you mean level?');
    expect(await refusal('--filter', 'level.')).toMatch(/no benchmark/);
    expect(await refusal('--filter', 'x*')).toMatch(/Benchmarks of the file: level, timed/);
    expect(await refusal('--swap', 'run', '--method', 'sequential')).toBe(
      '--swap has no effect: only the sides of a duet have cores to trade | Leave it out.',
    );
    expect(await refusal('--run-timeout', '1s', '--engine', 'docker')).toBe(
      '--engine has no effect: nothing here has an image | Leave it out.',
    );
    expect(await refusal('--lift-caps', '2')).toMatch(/^--lift-caps says how --stable decides/);
    expect(await refusal('--stable', 'cv', '--warmup-iterations', '3')).toMatch(
      /^--stable and --warmup-iterations contradict each other/,
    );
    expect(await refusal('--results', 'f')).toMatch(/^--results has no effect.*Add --parser/);
    expect(await refusal('--harness', '--parser', 'go')).toBe(
      '--parser has no effect: the workload is harness | Leave --parser out, or --harness.',
    );
    expect(await refusal('--cwd', '/no/such/folder')).toMatch(/^--cwd: there is no folder \/no\/such\/folder/);
    expect(await refusal('--input', '/no/such/file')).toMatch(/^--input \/no\/such\/file cannot be read/);
  });
});

describe('deadheat run', () => {
  it.each([
    [['f.yaml', '--resume', 'r'], /an argument \(file\) does nothing with --resume/],
    [['--resume', 'r', '--seed', 'x'], /--seed does nothing with --resume/],
    [['--resume', 'r', '--dry-run'], /--dry-run/],
    [['--dry-run', '--output', 'd'], /--output does nothing with --dry-run/],
    [['--dry-run', '--strict'], /--strict does nothing/],
    [['--dry-run', '--export', 'csv:x'], /--export csv does nothing/],
    [['--show-output', '--export', 'json:-'], /--show-output would mix/],
    [['--detach'], /--detach does nothing without --on/],
    [['--on', 'fleet:postgres://x', '--detach', '--confirm', '1'], /--confirm and --detach exclude each other/],
    [['--on', 'fleet:postgres://x', '--show-output'], /--show-output does nothing with --on fleet/],
    [['--on', 'slurm', '--hosts', '2', '--part', '1/2'], /--part does nothing with --on slurm/],
    [['--on', 'slurm', '--hosts', '2', '--detach'], /--detach does nothing with --on slurm/],
    [['--on', 'here', '--hosts', '2'], /--hosts does nothing with --on here/],
    [['--on', 'fleet:postgres://x', '--submit-option', 'x'], /--submit-option does nothing with --on fleet/],
    [['--on', 'slurm', '--hosts', '2', '--pod', 'pod.yaml'], /--pod does nothing with --on slurm/],
    [['--on', 'kubernetes', '--hosts', '2'], /--on kubernetes needs the manifest of a pod/],
    [['--on', 'postgres://x'], /--on must be here, slurm, gridengine, kubernetes, or fleet:postgres:/],
    [['--on', 'slurm', '--hosts', '2', '--runs', '3'], /--runs cannot be typed with --on slurm/],
  ])('refuses %j', (words, message) => {
    expect(() => typed(...words)).toThrow(message);
  });

  it('exports a plan where an export of results would go', () => {
    expect(typed('--dry-run', '--export', 'json:-')).toMatchObject({
      kind: 'plan',
      json: '-',
      file: null,
    });
    expect(typed('--resume', 'r', '--fail-on', 'changed')).toMatchObject({ kind: 'resume', failOn: 'changed' });
  });
});
