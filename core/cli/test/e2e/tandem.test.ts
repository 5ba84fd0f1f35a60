import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '@deadheat/recording';
import { sides, type Comparison, type Iteration, type Report, type Trial } from '@deadheat/model';
import { getAffinity, hasNativeCalls } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import {
  leavesNothing,
  noDuets,
  parseReport,
  processesWith,
  until,
  useScene,
  type Ended,
  type Scene,
} from './support.ts';

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Work of a length that can be chosen, by the shell alone, and the same twice at once. */
const work = 'i=0; while [ $i -lt $1 ]; do i=$((i+1)); done';
const twice = `{ ${work}; } & { ${work}; } & wait`;

const skipped = noDuets === null ? '' : ` (skipped: ${noDuets})`;
const affinity = hasNativeCalls() ? getAffinity() : [];
const [firstCpu = 0] = affinity;
const twoLanes = ['--lanes', '2', '--cpus', affinity.slice(0, 2).join(',')];

const measuredOf = (trials: readonly Trial[]): readonly Trial[] => trials.filter(({ phase }) => phase === 'measure');
/** Three, or fewer that take two seconds together. */
const pilotsOf = (trials: readonly Trial[]): readonly Trial[] => trials.filter(({ phase }) => phase === 'pilot');
const numbersOf = (trials: readonly Trial[]): readonly number[] =>
  trials.map(({ run }) => run).toSorted((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, run) => run);

/** From the first start to the last end of what the sides of a run did. */
function spanOf({ sides: { A, B } }: Trial): Pick<Iteration, 's' | 'e'> {
  const iterations = [...A.iterations, ...B.iterations];
  return { s: Math.min(...iterations.map(({ s }) => s)), e: Math.max(...iterations.map(({ e }) => e)) };
}

/** Whether two runs were in flight at the same time at any moment. */
function wereTogether(trials: readonly Trial[]): boolean {
  const spans = trials.map(spanOf);
  return spans.some((one, index) => spans.slice(index + 1).some((other) => one.s < other.e && other.s < one.e));
}

/** With a prefix, such as `taskset`, in a process of its own. */
async function compare(scene: Scene, args: readonly string[], prefix: readonly string[] = []): Promise<Report> {
  const all = ['--export', 'json:report.json', ...args];
  const ended = await (prefix.length === 0 ? scene.run(all) : scene.start(all, { prefix }).ended);
  expect(ended.status, ended.stderr).toBe(0);
  return parseReport(readFileSync(scene.path('report.json'), 'utf8'));
}

async function compareOne(...facts: Parameters<typeof compare>): Promise<Comparison> {
  const [comparison] = (await compare(...facts)).comparisons;
  if (comparison === undefined) throw new RangeError('no comparison');
  return comparison;
}

describe.skipIf(noDuets !== null)(`the method that is chosen for a command${skipped}`, () => {
  const scene = useScene(leavesNothing);

  it('is tandem where both sides keep a core busy, which the output says, and why', async () => {
    const program = scene.script('work', work);
    const ended = await scene.run(['--details', '--runs', '6', '--export', 'json:report.json', `${program} 20000`]);
    expect(ended.status).toBe(0);
    const reason = /tandem, both sides on one core at the same time: both sides keep one core busy \(share of the time/;
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(reason);
    expect(ended.stdout).toMatch(/CPU time of 6 executions of each side/);
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(/wall time alone on a core, median of the pilot runs: A \d/);

    const [comparison] = parseReport(readFileSync(scene.path('report.json'), 'utf8')).comparisons;
    expect(comparison).toMatchObject({
      method: 'tandem',
      metric: 'cpu',
      runs: 6,
      pairs: 6,
      otherMetrics: [],
      resampled: { unit: 'run', count: 6 },
      sides: { A: { metric: 'cpu' }, B: { metric: 'cpu' } },
    });
    expect(comparison?.methodReason).toMatch(/^both sides keep one core busy/);
    const trials = scene.trials();
    const pilots = pilotsOf(trials);
    expect(trials.slice(0, pilots.length)).toEqual(pilots);
    // The last of three shows each side by itself.
    const expected = ['sync-duet', 'sync-duet', 'sequential'].slice(0, pilots.length);
    expect(pilots.map(({ method }) => method)).toEqual(expected);
    expect(pilots.length).toBeLessThanOrEqual(3);
    expect(numbersOf(measuredOf(trials))).toEqual(upTo(6));
    for (const side of sides) {
      const summary = comparison?.sides[side];
      const duets = pilots.filter(({ method }) => method === 'sync-duet');
      const walls = duets.map((trial) => {
        const [iteration] = trial.sides[side].iterations;
        return iteration === undefined ? 0 : (iteration.e - iteration.s) / 1e9;
      });
      expect(summary?.alone).toBeCloseTo(median(walls), 9);
      const cpu = measuredOf(trials).map((trial) => (trial.sides[side].iterations[0]?.c ?? 0) / 1e9);
      expect(summary?.times.toSorted((a, b) => a - b)).toEqual(cpu.toSorted((a, b) => a - b));
    }
    for (const { method, sides: both } of measuredOf(trials)) {
      expect(method).toBe('tandem');
      expect(both.A.cpu).toBe(both.B.cpu);
    }
  });

  it('is tandem on a single CPU too, without a word of anything better', async () => {
    const program = scene.script('work', work);
    const prefix = ['taskset', '-c', String(firstCpu)];
    const report = await compare(scene, ['--runs', '6', `${program} 20000`], prefix);
    expect(report.comparisons).toMatchObject([{ method: 'tandem', metric: 'cpu', runs: 6 }]);
    expect(report.warnings.map(({ code }) => code)).not.toContain('SINGLE_CORE');
    for (const { phase, method, sides: both } of scene.trials()) {
      expect(method).toBe(phase === 'pilot' ? 'sequential' : 'tandem');
      expect([both.A.cpu, both.B.cpu]).toEqual([firstCpu, firstCpu]);
    }
  });

  it('is sync-duet where a side waits, and sequential instead on a single CPU', async () => {
    // `sleep` alone takes about the 1 ms of CPU time below which its clock is too coarse for it; much more, and beside others it waits for its core alone.
    const program = `${scene.script('waits', `${work}; exec sleep 0.05`)} 4000`;
    const comparison = await compareOne(scene, ['--runs', '4', program]);
    expect(comparison).toMatchObject({ method: 'sync-duet', metric: 'undelayed', runs: 4 });
    expect(comparison.methodReason).toMatch(/^a side waits for other things than its core/);
    expect(comparison.sides.A.metric).toBe('time');
    const prefix = ['taskset', '-c', String(firstCpu)];
    const single = await compareOne(scene, ['--runs', '4', '--output', 'single', program], prefix);
    expect(single).toMatchObject({ method: 'sequential', metric: 'undelayed', runs: 4, pairs: 4 });
    expect(single.methodReason).toBeTypeOf('string');
  });

  it('is judged by CPU time on a busy machine where a program that it starts does the work', async () => {
    const others = [0, 1, 2].map(() => spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
    try {
      // The shell itself only waits for the one that it starts.
      const program = scene.script('starts', `sh -c '${work}' sh $1; true`);
      const busy = await compareOne(scene, ['--method', 'sync-duet', '--runs', '2', `${program} 300000`]);
      expect(busy, busy.metricReason).toMatchObject({ metric: 'cpu' });
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });

  it('is sequential where a side computes in several threads, and each side gets all CPUs', async () => {
    const program = scene.script('twice', twice);
    const comparison = await compareOne(scene, ['--runs', '4', `${program} 60000`]);
    expect(comparison).toMatchObject({ method: 'sequential', runs: 4, pairs: 4 });
    expect(comparison.methodReason).toMatch(/^a side computes in several threads at once \(on average A [12]\.\d\d, B/);
    for (const { method, order, sides: both } of measuredOf(scene.trials())) {
      expect(method).toBe('sequential');
      expect([both.A.cpus, both.B.cpus]).toEqual([affinity, affinity]);
      const [first, second] = order === 'AB' ? [both.A, both.B] : [both.B, both.A];
      expect(first.iterations[0]?.e).toBeLessThanOrEqual(second.iterations[0]?.s ?? 0);
    }
  });

  it('is sync-duet for what is shorter than the clock of CPU time resolves', async () => {
    const comparison = await compareOne(scene, ['--runs', '4', '/bin/true']);
    const medians = sides.map((side) => {
      const together = pilotsOf(scene.trials()).filter(({ method }) => method === 'sync-duet');
      return median(together.map((trial) => trial.sides[side].iterations[0]?.c ?? 0));
    });
    // A machine with much else to do may need more than a millisecond for it.
    if (Math.min(...medians) >= 1e6) return;
    expect(comparison).toMatchObject({ method: 'sync-duet', metric: 'time', runs: 4 });
    expect(comparison.methodReason).toMatch(
      /^an execution uses (?:0\.\d\d|1\.00) ms of CPU time, too short for its clock$/,
    );
  });

  it('is not looked for where the user names one, or an option that means one', async () => {
    const program = scene.script('work', work);
    for (const [args, method] of [
      [['--method', 'tandem'], 'tandem'],
      [['--method', 'sequential'], 'sequential'],
      [['--swap', 'never'], 'sync-duet'],
      [['--metric', 'time'], 'sync-duet'],
    ] as const) {
      const output = `of ${args.join(' ')}`;
      const comparison = await compareOne(scene, ['--runs', '2', ...args, '--output', output, `${program} 2000`]);
      expect(comparison).toMatchObject({ method, methodReason: null });
      expect(comparison.sides.A.alone).toBeNull();
      expect(scene.trials(output).every(({ phase }) => phase === 'measure')).toBe(true);
    }
  });

  it('is told again of the recording, and kept by what is resumed', async () => {
    const program = scene.script('work', work);
    const first = await compareOne(scene, ['--runs', '4', '--output', 'recording', `${program} 20000`]);
    const again = await scene.run(['analyse', 'recording', '--export', 'json:-']);
    expect(parseReport(again.stdout).comparisons).toEqual([first]);
    const journal = scene.path('recording/trials.jsonl');
    const pilots = pilotsOf(scene.trials('recording'));
    // After the pilot runs and one run.
    const kept = readFileSync(journal, 'utf8')
      .split('\n')
      .slice(0, pilots.length + 1);
    writeFileSync(journal, `${kept.join('\n')}\n`);
    const resumed = await scene.run(['--resume', 'recording', '--export', 'json:-']);
    const [comparison] = parseReport(resumed.stdout).comparisons;
    const { method, methodReason, runs } = first;
    expect(comparison).toMatchObject({ method, methodReason, runs });
    const trials = scene.trials('recording');
    expect(pilotsOf(trials)).toEqual(pilots);
    expect(numbersOf(measuredOf(trials))).toEqual(upTo(4));
  });
});

describe.skipIf(noDuets !== null)(`different programs${skipped}`, () => {
  const scene = useScene(leavesNothing);

  /** One process, and several that do as much between them, for some tenths of a second so that every pilot run holds many samples. */
  function programs(): readonly [string, string] {
    const several = `sh -c '${work}' sh $1; sh -c '${work}' sh $1 | cat`;
    return [`${scene.script('one', work)} 120000`, `${scene.script('several', several)} 60000`];
  }

  it('run alone on the same core, one after the other, and are judged by the CPU time of all their processes', async () => {
    const comparison = await compareOne(scene, ['--runs', '6', ...twoLanes, ...programs()]);
    expect(comparison).toMatchObject({ method: 'alone', metric: 'cpu', runs: 6, pairs: 6 });
    expect(comparison.methodReason).toContain('as different programs may share its caches unequally');
    // The shell of several waits for both of them, and takes about a tenth of the time itself.
    expect(comparison.interval.estimate).toBeGreaterThan(0.5);
    const trials = measuredOf(scene.trials());
    expect(wereTogether(trials)).toBe(false);
    for (const { order, sides: both } of trials) {
      expect(both.A.cpu).toBe(both.B.cpu);
      const [first, second] = order === 'AB' ? [both.A, both.B] : [both.B, both.A];
      expect(first.iterations[0]?.e).toBeLessThanOrEqual(second.iterations[0]?.s ?? 0);
    }
    expect(new Set(trials.map(({ sides: both }) => both.A.cpu)).size).toBeGreaterThan(1);
  });

  it('run alone on a single CPU too', async () => {
    const report = await compare(scene, ['--runs', '4', ...programs()], ['taskset', '-c', String(firstCpu)]);
    expect(report.comparisons).toMatchObject([{ method: 'alone', metric: 'cpu', runs: 4 }]);
    expect(report.warnings.map(({ code }) => code)).not.toContain('SINGLE_CORE');
  });

  it('run alone between the tandems that were asked for, and so after --resume', async () => {
    const args = ['--method', 'tandem', '--lanes', '1', '--runs', '6', '--output', 'recording', ...programs()];
    const comparison = await compareOne(scene, args);
    expect(comparison).toMatchObject({ method: 'tandem', runs: 6 });
    const phases = ['measure', 'pilot', 'measure', 'measure', 'pilot', 'measure', 'measure', 'pilot', 'measure'];
    const trials = scene.trials('recording');
    expect(trials.map(({ phase }) => phase)).toEqual(phases);
    for (const { method, sides: both } of pilotsOf(trials)) {
      expect(method).toBe('alone');
      expect(both.A.cpu).toBe(both.B.cpu);
    }
    const journal = scene.path('recording/trials.jsonl');
    const kept = readFileSync(journal, 'utf8').split('\n').slice(0, 3);
    writeFileSync(journal, `${kept.join('\n')}\n`);
    const resumed = await scene.run(['--resume', 'recording', '--export', 'json:-']);
    expect(parseReport(resumed.stdout).comparisons).toMatchObject([{ method: 'tandem', runs: 6 }]);
    expect(scene.trials('recording').map(({ phase }) => phase)).toEqual(phases);
  });
});

describe.skipIf(noDuets !== null)(`sequential runs of commands${skipped}`, () => {
  const scene = useScene(leavesNothing);

  it('are pairs, unless two samples are asked for, of the same recording too', async () => {
    const args = ['--method', 'sequential', '--runs', '6', '/bin/true'];
    expect(await compareOne(scene, ['--output', 'pairs', ...args])).toMatchObject({ pairs: 6, runs: 6 });
    const apart = await compareOne(scene, ['--unpaired', '--output', 'apart', ...args]);
    expect(apart).toMatchObject({ pairs: 0, runs: 6, pairingGain: null });
  });
});

describe.skipIf(noDuets !== null)(`lanes${skipped}`, () => {
  const scene = useScene(leavesNothing);
  const lanes = ['--method', 'tandem', ...twoLanes];
  const lines = (): number => {
    const path = scene.path('recording/trials.jsonl');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  };
  const nothingIsLeft = async (): Promise<void> => {
    // What a killed experiment leaves is ended by its guardians, in their own time.
    await until(() => processesWith(scene.directory).length === 0);
    await until(() => scene.leftoverPages().length === 0);
  };

  it('make exactly the runs that were asked for, on every core, two at a time', async () => {
    const program = scene.script('work', work);
    const ended = await scene.run([...lanes, '--runs', '21', '--export', 'json:-', `${program} 20000`]);
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('tandem, 2 lanes');
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison).toMatchObject({ method: 'tandem', runs: 21, pairs: 21 });
    const trials = scene.trials();
    expect(trials).toHaveLength(21);
    expect(numbersOf(trials)).toEqual(upTo(21));
    expect(new Set(trials.map(({ trial }) => trial)).size).toBe(21);
    for (const { sides: both } of trials) expect(both.A.cpu).toBe(both.B.cpu);
    expect(new Set(trials.map(({ sides: both }) => both.A.cpu))).toEqual(new Set(affinity.slice(0, 2)));
    expect(wereTogether(trials)).toBe(true);
    // Two on the same core never are.
    for (const cpu of affinity.slice(0, 2)) {
      expect(wereTogether(trials.filter(({ sides: both }) => both.A.cpu === cpu))).toBe(false);
    }
  });

  it('draw what a single lane draws', async () => {
    const program = scene.script('work', work);
    const plan = (name: string): unknown =>
      scene
        .trials(name)
        .toSorted((a, b) => a.run - b.run)
        .map(({ run, order, sides: { A, B } }) => [run, order, A.cpu, A.padBytes, B.padBytes]);
    const args = ['--runs', '8', '--seed', 'same', `${program} 2000`];
    await compare(scene, [...lanes, '--output', 'two', ...args]);
    await compare(scene, [...lanes, '--lanes', '1', '--output', 'one', ...args]);
    expect(plan('two')).toEqual(plan('one'));
  });

  it('are as many as the user allows, and no more than there are cores', async () => {
    const cores = affinity.length;
    const many = await scene.run(['--lanes', String(cores + 1), '/bin/true']);
    expect(many.status).toBe(2);
    expect(many.stderr).toMatch(
      /\d+ tandems at the same time need \d+ cores, and there (?:is one|are \d+) for them here/,
    );
    const single = await scene.start(['--lanes', '2', '/bin/true'], { prefix: ['taskset', '-c', String(firstCpu)] })
      .ended;
    expect(single.status).toBe(2);
    expect(single.stderr).toContain('there is one for them here. Ask for at most 1, or for all.');
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
    const report = await scene.run(['--method', 'tandem', '--lanes', 'all', '--runs', '6', '/bin/true']);
    expect(report.status, report.stderr).toBe(0);
    expect(report.stderr).toMatch(/tandem, \d+ lanes/);
  });

  it('leave nothing behind after SIGKILL, and are finished by --resume with exact counts', async () => {
    const program = scene.script('work', work);
    const args = [...lanes, '--runs', '40', '--seed', 's', '--output', 'recording', `${program} 20000`];
    const running = scene.start(args);
    await until(() => lines() >= 7);
    running.child.kill('SIGKILL');
    await running.ended;
    await nothingIsLeft();
    const before = scene.trials('recording');
    expect(before.length).toBeLessThan(40);
    expect(new Set(numbersOf(before)).size).toBe(before.length);

    const resumed = await scene.run(['--resume', 'recording']);
    expect(resumed.status, resumed.stderr).toBe(0);
    const trials = scene.trials('recording');
    expect(trials.slice(0, before.length)).toEqual(before);
    expect(numbersOf(trials)).toEqual(upTo(40));
    expect(new Set(trials.map(({ trial }) => trial)).size).toBe(40);
    expect(resumed.stdout).toMatch(/40 runs/);
  });

  it('leave nothing behind when they are killed while pilot runs choose, and begin there again', async () => {
    const program = scene.script('work', work);
    const chosen = lanes.slice(lanes.indexOf('--lanes'));
    const running = scene.start([...chosen, '--runs', '9', '--output', 'recording', `${program} 20000`]);
    await until(() => lines() >= 1);
    running.child.kill('SIGKILL');
    await running.ended;
    await nothingIsLeft();
    const resumed = await scene.run(['--resume', 'recording']);
    expect(resumed.status, resumed.stderr).toBe(0);
    const trials = scene.trials('recording');
    const pilots = pilotsOf(trials);
    expect(pilots.length).toBeLessThanOrEqual(3);
    expect(numbersOf(pilots)).toEqual(upTo(pilots.length));
    expect(numbersOf(measuredOf(trials))).toEqual(upTo(9));
  });

  it('sum up what there is on Ctrl-C, with exit code 130, and go on later', async () => {
    const program = scene.script('work', work);
    const running = scene.start([...lanes, '--runs', '60', '--output', 'recording', `${program} 20000`]);
    await until(() => lines() >= 12);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(ended.stdout).toMatch(/tandem/);
    expect(ended.stdout + ended.stderr).toContain('--resume');
    leavesNothing(scene);
    const before = scene.trials('recording');
    expect(before.every(({ status }) => status === 'ok')).toBe(true);
    expect(before.length).toBeLessThan(60);
    const resumed = await scene.run(['--resume', 'recording']);
    expect(resumed.status, resumed.stderr).toBe(0);
    expect(numbersOf(scene.trials('recording'))).toEqual(upTo(60));
  });

  it('end together when one of them fails, which is named, with the runs before it', async () => {
    const [count, first] = [scene.path('count'), scene.path('first')];
    // The first of the executions from the twelfth on fails.
    const late = `[ $(wc -l < ${count}) -ge 12 ] && mkdir ${first} 2> /dev/null`;
    const failing = scene.script('fails', `${work}\necho x >> ${count}\nif ${late}; then exit 3; fi`);
    const slow = scene.script('slow', work);
    const ended = await scene.run([
      ...lanes,
      '--runs',
      '40',
      '--output',
      'recording',
      `${slow} 5000`,
      `${failing} 5000`,
    ]);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B exited with status 3 in run \d+/);
    const trials = scene.trials('recording');
    expect(trials.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(trials.length).toBeGreaterThanOrEqual(10);
    expect(trials.length).toBeLessThanOrEqual(13);
  });

  it('keep and name everything written when the disk is full', async (context) => {
    const disk = scene.path('disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('a small file system cannot be mounted here');
    }
    try {
      const ended = await scene.run([...lanes, '--runs', '2000', '--output', 'disk/recording', '/bin/true']);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain(join('disk', 'recording'));
      expect(ended.stderr).toMatch(/full|space/);
      const { trials } = await readRecording(join(disk, 'recording'));
      expect(trials.length).toBeGreaterThan(20);
      expect(new Set(numbersOf(trials)).size).toBe(trials.length);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('options that have no meaning together', () => {
  const scene = useScene();

  it.each([
    ['--swap', '--method tandem', ['--method', 'tandem', '--swap', 'pair']],
    ['--swap', '--method sequential', ['--method', 'sequential', '--swap', 'never']],
    ['--swap', '--method auto', ['--method', 'auto', '--swap', 'run']],
    ['--trade-every', '--method tandem', ['--harness', '--method', 'tandem', '--trade-every', '5']],
    ['--trade-every', '--method auto', ['--harness', '--method', 'auto', '--trade-every', '5']],
    ['--lanes', '--method sync-duet', ['--method', 'sync-duet', '--lanes', '2']],
    ['--lanes', '--method async-duet', ['--method', 'async-duet', '--lanes', 'all']],
    ['--lanes', '--method sequential', ['--method', 'sequential', '--lanes', '2']],
    ['--lanes', 'sync-duet, which --swap means', ['--swap', 'run', '--lanes', '2']],
    ['--lanes', 'sync-duet, which --metric time means', ['--metric', 'time', '--lanes', '2']],
    ['--unpaired', '--method sync-duet', ['--method', 'sync-duet', '--unpaired']],
    ['--unpaired', '--method async-duet', ['--method', 'async-duet', '--unpaired']],
    ['--unpaired', '--method tandem', ['--method', 'tandem', '--unpaired']],
    ['--metric time', '--method tandem', ['--method', 'tandem', '--metric', 'time']],
    ['--fill', '--method tandem', ['--harness', '--method', 'tandem', '--fill']],
    ['--fill', '--method auto', ['--harness', '--method', 'auto', '--fill']],
    ['--fill', '--method sequential', ['--harness', '--method', 'sequential', '--fill']],
    ['--trade-every', '--method async-duet', ['--harness', '--trade-every', '5', '--method', 'async-duet']],
    ['--stable', '--method sequential', ['--harness', '--stable', 'cv', '--method', 'sequential']],
  ])('are refused: %s with %s', async (flag, method, args) => {
    const ended = await scene.run([...args, '/bin/true']);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      new RegExp(`^deadheat: ${flag} has no effect with ${method}: .*\n.*Leave one of them out`),
    );
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
  });
});

describe.skipIf(noDuets !== null)(`methods in a file${skipped}`, () => {
  const scene = useScene(leavesNothing);
  const run = async (text: string): Promise<Ended> => {
    writeFileSync(scene.path('deadheat.yaml'), text);
    return scene.run(['run', '--export', 'json:report.json']);
  };
  const comparisons = (): readonly Comparison[] =>
    parseReport(readFileSync(scene.path('report.json'), 'utf8')).comparisons;

  it('may be chosen by pilot runs, named, and several of them', async () => {
    const program = scene.script('work', work);
    const ended = await run(`runs: 4
lanes: 2
cpus: [${affinity.slice(0, 2).join(', ')}]
command: ${program} 20000
benchmarks:
  chosen: { methods: [auto] }
  named: { methods: [tandem] }
  default:
  both: { methods: [tandem, sequential] }
  apart: { methods: { sequential: { unpaired: true } } }
`);
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stderr).toMatch(/, 2 lanes/);
    const seen = comparisons().map(({ benchmark, method, methodReason, runs, pairs }) => {
      return [benchmark, method, methodReason === null ? 'named' : 'chosen', runs, pairs];
    });
    expect(seen).toEqual([
      ['chosen', 'tandem', 'chosen', 4, 4],
      ['named', 'tandem', 'named', 4, 4],
      ['default', 'tandem', 'chosen', 4, 4],
      ['both', 'tandem', 'named', 4, 4],
      ['both', 'sequential', 'named', 4, 4],
      ['apart', 'sequential', 'named', 4, 0],
    ]);
  });

  it('leave the cores that are named', async () => {
    const cpu = affinity[1] ?? firstCpu;
    const ended = await run(`runs: 4\ncpus: [${cpu}]\nmethods: [tandem]\nbenchmarks: { a: { command: /bin/true } }\n`);
    expect(ended.status, ended.stderr).toBe(0);
    for (const { sides: both } of scene.trials()) expect([both.A.cpu, both.B.cpu]).toEqual([cpu, cpu]);
  });

  it('are refused where one is to be chosen and another one named', async () => {
    const ended = await run('benchmarks: { a: { command: /bin/true, methods: [auto, sequential] } }\n');
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('auto chooses one of the methods and does not go with others');
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
  });
});

describe.skipIf(noDuets !== null)(`programs that time themselves, on one core${skipped}`, () => {
  const scene = useScene(leavesNothing);
  const harness = JSON.stringify(import.meta.resolve('@deadheat/harness'));
  const bench = (): string => {
    const text = `
      import { bench, keep } from ${harness};
      const numbers = Array.from({ length: 2000 }, (_, i) => (i * 7919) % 2000);
      bench('sort', () => keep(numbers.toSorted((a, b) => a - b)), { iterationTime: 2 });
      bench('sum', () => keep(numbers.reduce((a, b) => a + b)), { iterationTime: 2 });
    `;
    writeFileSync(scene.path('bench.mjs'), text);
    return `${process.execPath} ${scene.path('bench.mjs')}`;
  };

  it('meet at every iteration of a tandem, and are judged by CPU time', async () => {
    const command = bench();
    const args = ['--harness', '--method', 'tandem', '--runs', '4', '--iterations', '12', command];
    const report = await compare(scene, args);
    expect(report.comparisons).toMatchObject(
      ['sort', 'sum'].map((benchmark) => ({
        benchmark,
        method: 'tandem',
        metric: 'cpu',
        runs: 4,
        pairs: 24,
        iterationsPerRun: 6,
        resampled: { unit: 'run', count: 4 },
      })),
    );
    for (const { sides: both } of scene.trials()) expect(both.A.cpu).toBe(both.B.cpu);
  });

  it('have their method chosen, with lanes', async () => {
    const command = bench();
    const cpus = affinity.slice(0, 2).join(',');
    const args = ['--harness', '--lanes', '2', '--cpus', cpus, '--runs', '6', '--iterations', '12', command];
    const report = await compare(scene, args);
    expect(report.comparisons.map(({ benchmark, runs }) => [benchmark, runs])).toEqual([
      ['sort', 6],
      ['sum', 6],
    ]);
    const [{ method, methodReason } = { method: null, methodReason: null }] = report.comparisons;
    // On a machine with much else to do the iterations of pilot runs may wait.
    expect(['tandem', 'sync-duet']).toContain(method);
    expect(methodReason).toBeTypeOf('string');
    const trials = scene.trials();
    expect(pilotsOf(trials).length).toBeGreaterThan(0);
    expect(pilotsOf(trials).length).toBeLessThanOrEqual(3);
    expect(numbersOf(measuredOf(trials))).toEqual(upTo(6));
    for (const { sides: both } of measuredOf(trials)) expect(both.A.cpu === both.B.cpu).toBe(method === 'tandem');
  });

  it('leave nothing of runs that were in flight when lanes were killed, once they are resumed', async () => {
    const command = bench();
    const lanes = ['--method', 'tandem', '--lanes', '2', '--cpus', affinity.slice(0, 2).join(',')];
    const running = scene.start(['--harness', ...lanes, '--runs', '9', '--iterations', '12', '--output', 'x', command]);
    const journal = scene.path('x/trials.jsonl');
    await until(() => existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 4);
    running.child.kill('SIGKILL');
    await running.ended;
    await until(() => processesWith(scene.directory).length === 0 && scene.leftoverPages().length === 0);
    const resumed = await scene.run(['--resume', 'x']);
    expect(resumed.status, resumed.stderr).toBe(0);
    const trials = scene.trials('x');
    expect(numbersOf(trials)).toEqual(upTo(9));
    const records = trials.flatMap(({ sides: { A, B } }) => [A.record ?? '', B.record ?? '']);
    expect(
      readdirSync(scene.path('x/iterations'))
        .map((name) => `iterations/${name}`)
        .toSorted(),
    ).toEqual(records.toSorted());
  });

  it('end their warm-up in a tandem when it is stable by CPU time', async () => {
    const command = bench();
    const args = ['--harness', '--method', 'tandem', '--stable', 'cv', '--runs', '2', command];
    const { comparisons } = await compare(scene, args);
    expect(comparisons.map(({ benchmark, runs }) => [benchmark, runs])).toEqual([
      ['sort', 2],
      ['sum', 2],
    ]);
    for (const { stability } of comparisons) {
      expect(stability?.runs).toHaveLength(2);
      for (const { decidedAfter, stable } of stability?.runs ?? []) {
        expect(decidedAfter).toBeGreaterThanOrEqual(5);
        expect(stable || decidedAfter === 50).toBe(true);
      }
    }
  });
});
