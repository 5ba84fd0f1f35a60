import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import type { Trial } from '@deadheat/model';
import type { FullPlan } from '../../../deadheat/src/library/plan.ts';
import { noDuets, parseReport, until, useScene } from './support.ts';

/** Three benchmarks, three methods, two values of a parameter; three runs and a warm-up run of each. */
const suite = `name: suite
seed: shows-6
runs: 3
warmup: 1
methods:
  sync-duet:
  async-duet: { iterations: 2 }
  sequential:
matrix: { n: [one, two] }
benchmarks:
  same: { command: '/bin/true {n}' }
  both: { A: { command: '/bin/true {n}' }, B: { command: /bin/true more }, swap: run }
  shell: { command: 'exit 0 # {n}' }
`;
/** 3 x 3 x 2 entries of 1 + 3 runs. */
const trialsOfSuite = 72;

describe.skipIf(noDuets !== null)('a configured experiment', () => {
  // The guardian of a killed experiment removes its page in its own time.
  const scene = useScene(() => until(() => scene.leftoverPages().length === 0));

  const write = (text: string, name = 'deadheat.yaml'): void => writeFileSync(scene.path(name), text);

  it('runs one after another in a sequential schedule', async () => {
    write(`schedule: sequential\n${suite}`);
    expect((await scene.run(['run', '--filter', 's*', '--method', 'sequential'])).status).toBe(0);
    const order = scene.trials().map(({ benchmark }) => benchmark);
    expect(order).toEqual([0, 1, 2, 3].flatMap((entry) => [entry, entry, entry, entry]));
  });

  it('gives each side its folder, variables and hooks', async () => {
    for (const side of ['base', 'change']) mkdirSync(scene.path(side));
    scene.script('base/work', 'echo "$DEADHEAT_SIDE $VALUE $(pwd -P)" >> seen');
    scene.script('change/work', 'echo "$DEADHEAT_SIDE $VALUE $(pwd -P)" >> seen');
    write(`runs: 2
methods: [sync-duet]
environment: { VALUE: 1.10 }
benchmarks:
  work:
    command: ./work
    setup: echo setup >> hooks
    A: { cwd: base }
    B: { cwd: change, environment: { VALUE: two } }
`);
    const ended = await scene.run(['run']);
    expect(ended.status).toBe(0);
    const read = (path: string): string => readFileSync(scene.path(path), 'utf8');
    const folder = (name: string): string => join(scene.directory, name);
    expect(read('base/seen')).toBe(`A 1.10 ${folder('base')}\n`.repeat(2));
    expect(read('change/seen')).toBe(`B two ${folder('change')}\n`.repeat(2));
    expect(read('base/hooks')).toBe('setup\n');
    expect(ended.stdout + ended.stderr).toContain('VALUE=two ./work (in change)');
  });

  it('is shown and not run with --dry-run, and is then run as shown: every benchmark, value and method, interleaved', async () => {
    write(suite);
    const shown = await scene.run(['run', '--dry-run', '--export', 'json:-']);
    expect(shown.status).toBe(0);
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
    const plan = JSON.parse(shown.stdout) as FullPlan;
    expect(plan.entries).toHaveLength(18);
    expect(plan.expected).toEqual({ leastNs: null, mostNs: null });
    expect((await scene.run(['run', '--dry-run'])).stdout).toContain('Expected duration: unknown until the first run');
    const ended = await scene.run(['run', '--export', 'json:-']);
    expect(ended.status).toBe(0);
    const seen = parseReport(ended.stdout).comparisons.map(
      ({ benchmark, params, method }) => `${benchmark} ${params['n']} ${method}`,
    );
    expect(new Set(seen).size).toBe(seen.length);
    // Executions of an asynchronous duet need not overlap, and are no comparison then; the others always are.
    expect(seen.filter((text) => !text.endsWith('async-duet'))).toHaveLength(12);
    const trials = scene.trials();
    expect(trials).toHaveLength(trialsOfSuite);
    // A round is one run of each: the first 18 are 18 different ones, and not in the order of the file.
    const first = trials.slice(0, 18).map(({ benchmark }) => benchmark);
    expect(new Set(first).size).toBe(18);
    expect(first).not.toEqual(first.toSorted((a, b) => a - b));
    expect(trials.find(({ method }) => method === 'async-duet')?.sides.A.iterations).toHaveLength(2);
    const drawn = plan.rounds
      .flat()
      .map(({ entry, run, phase, order, cpus }) => [entry - 1, run, phase, order, cpus.A]);
    const made = trials.map(({ benchmark, run, phase, order, sides }) => [benchmark, run, phase, order, sides.A.cpu]);
    expect(made.slice(0, drawn.length)).toEqual(drawn);
    // The second time it is known how long it takes.
    const again = JSON.parse((await scene.run(['run', '--dry-run', '--export', 'json:-'])).stdout) as FullPlan;
    const walls = trials.reduce((sum, { wallNs }) => sum + wallNs, 0);
    expect(again.expected.leastNs).toBeCloseTo(walls, -3);
  });

  it('keeps what its artifacts print', async () => {
    write('runs: 1\nartifacts: { greeting: echo hello }\nbenchmarks:\n  a: { command: /bin/true }\n');
    expect((await scene.run(['run'])).status).toBe(0);
    const folder = join(scene.recording(), 'artifacts');
    const kept = readdirSync(folder).find((name) => name.startsWith('greeting')) ?? '';
    expect(readFileSync(join(folder, kept), 'utf8')).toContain('hello');
  });

  it('tells what is wrong with its file and exits 2', async () => {
    write('benchmarks:\n  a: { comand: /bin/true }\n');
    const ended = await scene.run(['run']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/^deadheat: deadheat\.yaml:2:8: unknown key comand[^]*Did you mean command\?\n$/);
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
  });

  it('reads the files of duetbench', async () => {
    write(
      'duetbench: { name: old, duets: [a], run_base: /bin/true, sequential_repetitions: 2 }\na: { A: { run: -x } }\n',
      'duet.yml',
    );
    expect((await scene.run(['run', 'duet.yml'])).status).toBe(0);
    expect(scene.trials().map(({ method }) => method)).toEqual(['async-duet', 'sequential', 'sequential']);
  });

  it('killed twice and resumed twice equals one never killed in its set of trials', async () => {
    // An experiment that is to be killed waits for that, however late it comes.
    const waits = '[ -e length ] && [ $(wc -l < cut/trials.jsonl) -ge $(cat length) ]';
    write(suite.replace('exit 0', `while ${waits}; do sleep 0.01; done`));
    const lines = (): number =>
      existsSync(scene.path('cut/trials.jsonl'))
        ? readFileSync(scene.path('cut/trials.jsonl'), 'utf8').split('\n').length - 1
        : 0;
    const killAt = async (args: readonly string[], length: number): Promise<void> => {
      write(`${length}`, 'length');
      const running = scene.start(args);
      await until(() => lines() >= length || running.child.exitCode !== null);
      running.child.kill('SIGKILL');
      await running.ended;
      expect(lines()).toBeGreaterThanOrEqual(length);
      expect(lines()).toBeLessThan(trialsOfSuite);
      await until(() => scene.leftoverPages().length === 0);
    };
    await killAt(['run', '--output', 'cut'], 13);
    await killAt(['run', '--resume', 'cut'], 40);
    rmSync(scene.path('length'));
    expect((await scene.run(['run', '--resume', 'cut'])).status).toBe(0);
    expect((await scene.run(['run', '--output', 'whole'])).status).toBe(0);
    const [cut, whole] = [await readRecording(scene.path('cut')), await readRecording(scene.path('whole'))];
    expect(cut.trials).toHaveLength(trialsOfSuite);
    expect(cut.experiment.config).toEqual(whole.experiment.config);
    expect(placesOf(cut.trials)).toEqual(placesOf(whole.trials));
  });
});

/** Everything that was drawn for each run, sorted. */
function placesOf(trials: readonly Trial[]): readonly string[] {
  return trials
    .map(({ benchmark, method, phase, run, order, sides: { A, B } }) =>
      JSON.stringify({
        benchmark,
        method,
        phase,
        run,
        order,
        cpus: [A.cpu, B.cpu],
        padBytes: [A.padBytes, B.padBytes],
      }),
    )
    .toSorted();
}
