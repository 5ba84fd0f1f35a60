import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, until, useScene } from './support.ts';

/** Real work of a length that can be chosen, by the shell alone. */
const work = 'i=0; while [ $i -lt $1 ]; do i=$((i+1)); done';

describe.skipIf(noDuets !== null)('comparing two commands', () => {
  const scene = useScene(leavesNothing);

  it('says that twice the work is slower, as JSON on a clean standard output', async () => {
    const program = scene.script('work', work);
    const args = [
      '--method',
      'sync-duet',
      '--runs',
      '20',
      '--export',
      'json:-',
      `${program} 10000`,
      `${program} 20000`,
    ];
    const ended = await scene.start(args, { installed: true }).ended;
    expect(ended.status).toBe(0);
    const report = parseReport(ended.stdout);
    expect(report.comparisons[0]).toMatchObject({
      verdict: 'slower',
      method: 'sync-duet',
      runs: 20,
      pairs: 20,
      margin: 0,
    });
    expect(report.comparisons[0]?.interval).toMatchObject({
      level: 0.99,
      kind: expect.stringMatching(/^(side-and-core|signed-rank|cosine-t)$/) as string,
    });
    expect(report.results).toHaveLength(2);
    expect(report.results[0]?.times).toHaveLength(20);
    expect(ended.stderr).toContain('SLOWER');
  });

  it('leaves a recording that can be judged again', async () => {
    const program = scene.script('work', work);
    // From 16 runs on ranks can tell of 99.9 %; below, Student's t does, which may be narrower than ranks at 99 %.
    const ended = await scene.run(['--runs', '16', `${program} 2000`, `${program} 2000`]);
    expect(ended.status).toBe(0);
    const recording = scene.recording();
    for (const name of ['experiment.json', 'trials.jsonl', 'iterations.parquet', 'report.json']) {
      expect(existsSync(join(recording, name)), name).toBe(true);
    }
    expect(existsSync(join(recording, 'lock'))).toBe(false);
    const written = parseReport(readFileSync(join(recording, 'report.json'), 'utf8'));
    const again = await scene.run(['analyse', '--export', 'json:-', recording]);
    expect(parseReport(again.stdout).comparisons).toEqual(written.comparisons);
    const wider = await scene.run(['analyse', '--confidence', '99.9%', '--export', 'json:-', '.deadheat']);
    const [before] = written.comparisons;
    const [after] = parseReport(wider.stdout).comparisons;
    expect(after?.interval.level).toBe(0.999);
    expect(after?.interval.low).toBeLessThanOrEqual(before?.interval.low ?? 0);
    expect(after?.interval.high).toBeGreaterThanOrEqual(before?.interval.high ?? Infinity);
    expect(after?.interval).not.toEqual({ ...before?.interval, level: 0.999 });
  });

  it('starts both sides together, each on a core of its own, trading cores at every pair', async () => {
    await scene.run(['--method', 'sync-duet', '--runs', '8', 'sleep 0.2', 'sleep 0.2']);
    const trials = scene.trials();
    expect(trials).toHaveLength(8);
    for (const { sides } of trials) expect(sides.A.cpu).not.toBe(sides.B.cpu);
    for (let run = 0; run < 8; run += 2) expect(trials[run]?.sides.A.cpu).toBe(trials[run + 1]?.sides.B.cpu);
    const overlapping = trials.filter(({ sides: { A, B } }) => {
      const [a, b] = [A.iterations[0], B.iterations[0]];
      return a !== undefined && b !== undefined && a.s < b.e && b.s < a.e;
    });
    // A busy machine may take a core away at any moment, but hardly every time.
    expect(overlapping.length).toBeGreaterThanOrEqual(4);
  });

  it('never runs A and B at the same time with --method sequential', async () => {
    const ended = await scene.run(['--runs', '10', '--method', 'sequential', '/bin/true', '/bin/true']);
    expect(ended.status).toBe(0);
    for (const { sides, order, method } of scene.trials()) {
      expect(method).toBe('sequential');
      const [first, second] = order === 'AB' ? [sides.A, sides.B] : [sides.B, sides.A];
      expect(first.iterations[0]?.e).toBeLessThanOrEqual(second.iterations[0]?.s ?? 0);
    }
  });

  it('pairs the executions of an asynchronous duet by their overlap', async () => {
    const program = scene.script('work', work);
    const ended = await scene.run([
      '--method',
      'async-duet',
      // Beside other work sides start so far apart that runs have no pairs.
      '--runs',
      '16',
      '--minimum-overlap-rate',
      '0.1',
      '--iterations',
      '5',
      '--export',
      'json:-',
      `${program} 10000`,
      `${program} 16000`,
    ]);
    expect(ended.status).toBe(0);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison).toMatchObject({ method: 'async-duet', iterationsPerRun: 5 });
    expect(comparison?.pairs).toBeGreaterThanOrEqual(comparison?.runs ?? Infinity);
    expect(comparison?.interval.estimate).toBeGreaterThan(1.1);
    for (const { sides } of scene.trials()) expect(sides.A.iterations).toHaveLength(5);
  });

  it('compares a command with itself when it is given one', async () => {
    const ended = await scene.run(['--runs', '6', '--export', 'json:-', '/bin/true']);
    expect(ended.status).toBe(0);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison?.sides.A.command).toBe(comparison?.sides.B.command);
    expect(comparison?.minimalDetectableSlowdown).toBeGreaterThan(0);
  });

  it('makes a benchmark of every value of a parameter', async () => {
    const ended = await scene.run([
      '--runs',
      '4',
      '-L',
      'n',
      '1,2',
      '--export',
      'json:-',
      'sh -c "exit 0" {n}',
      'true {n}',
    ]);
    expect(ended.status).toBe(0);
    const report = parseReport(ended.stdout);
    expect(report.comparisons.map(({ params }) => params)).toEqual([{ n: '1' }, { n: '2' }]);
    expect(report.results).toHaveLength(4);
  });

  it('uses a shell only for commands that need one, and records which', async () => {
    await scene.run(['--runs', '4', '/bin/true a b', 'true && true']);
    const experiment = JSON.parse(readFileSync(join(scene.recording(), 'experiment.json'), 'utf8')) as {
      config: { benchmarks: { commands: Record<string, { executedBy: string; argv: string[] }> }[] };
    };
    expect(experiment.config.benchmarks[0]?.commands).toMatchObject({
      A: { executedBy: 'direct', argv: ['/bin/true', 'a', 'b'] },
      B: { executedBy: 'shell', argv: ['/bin/sh', '-c', 'true && true'] },
    });
  });

  it('gives each execution its side, a run number and the input', async () => {
    writeFileSync(scene.path('input'), 'text of the input');
    const log = scene.path('log');
    const program = scene.script('tell', `echo "$DEADHEAT_SIDE $DEADHEAT_RUN $(cat)" >> ${log}.$DEADHEAT_SIDE`);
    await scene.run(['--method', 'sync-duet', '--runs', '2', '--input', 'input', program, program]);
    expect(readFileSync(`${log}.A`, 'utf8')).toBe('A 0 text of the input\nA 1 text of the input\n');
    expect(readFileSync(`${log}.B`, 'utf8')).toBe('B 0 text of the input\nB 1 text of the input\n');
  });

  it('gives every execution what is piped into it, and says what it leaves unread', async () => {
    const program = scene.script('reads', 'cat >> "seen-$DEADHEAT_SIDE"');
    const through = (line: string): { prefix: string[] } => ({ prefix: ['sh', '-c', line] });
    const few = ['--method', 'sequential', '--runs', '2', program];
    const piped = await scene.start(['--input', '-', ...few], through('echo hello | "$0" "$@"')).ended;
    expect(piped.status, piped.stderr).toBe(0);
    for (const side of ['A', 'B']) expect(readFileSync(scene.path(`seen-${side}`), 'utf8')).toBe('hello\nhello\n');
    // What a copy of it left that was killed is not taken for it.
    const [kept = ''] = readdirSync(scene.path('.deadheat/stdin'));
    expect(readdirSync(scene.path('.deadheat/stdin'))).toHaveLength(1);
    writeFileSync(scene.path(`.deadheat/stdin/${kept}`), 'hel');
    await scene.start(['--input', '-', ...few], through('echo hello | "$0" "$@"')).ended;
    for (const side of ['A', 'B']) expect(readFileSync(scene.path(`seen-${side}`), 'utf8')).toBe('hello\n'.repeat(4));
    const unread = await scene.start(few, through('"$0" "$@" < seen-A')).ended;
    expect(unread.stderr).toContain('standard input is not read: --input - gives it to every command');
  });

  it('runs hooks outside the timed path, for each side', async () => {
    const log = scene.path('log');
    const hook = (word: string): string => `echo ${word} $DEADHEAT_SIDE >> ${log}`;
    const args = ['-s', hook('setup'), '-p', hook('prepare'), '-C', hook('conclude'), '-c', hook('cleanup')];
    const fixed = ['--method', 'sync-duet', '--runs', '2'];
    const ended = await scene.run([...fixed, ...args, '/bin/true', '/bin/true']);
    expect(ended.status).toBe(0);
    const both = (word: string): string[] => [`${word} A`, `${word} B`];
    const run = [...both('prepare'), ...both('conclude')];
    const expected = [...both('setup'), ...run, ...run, ...both('cleanup')];
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(expected);
  });

  it.each(['sequential', 'alone'])(
    'runs the hooks of a run directly around the command of their side where sides take turns (%s)',
    async (method) => {
      const log = scene.path('log');
      const program = scene.script('logged', `echo run $DEADHEAT_SIDE >> ${log}`);
      const hook = (word: string): string => `echo ${word} $DEADHEAT_SIDE >> ${log}`;
      const args = ['--method', method, '--runs', '4', '-p', hook('prepare'), '-C', hook('conclude')];
      expect((await scene.run([...args, program, program])).status).toBe(0);
      const around = (side: string): string => `prepare ${side}\nrun ${side}\nconclude ${side}\n`;
      const orders = scene.trials().map(({ order }) => (order === 'AB' ? ['A', 'B'] : ['B', 'A']));
      expect(readFileSync(log, 'utf8')).toBe(orders.flat().map(around).join(''));
    },
  );

  it('ends with the words of a hook that fails between the sides', async () => {
    const hook = 'test $DEADHEAT_SIDE = A || { echo broken >&2; exit 9; }';
    const ended = await scene.run(['--method', 'sequential', '--runs', '4', '-p', hook, '/bin/true', '/bin/true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(/B.*prepare command/);
    expect(ended.stderr).toContain('broken');
    const concluded = await scene.run(['--method', 'sequential', '--runs', '4', '-C', hook, '/bin/true', '/bin/true']);
    expect(concluded.stderr).toMatch(/B.*conclude command/);
  });

  it('starts no program after an interruption in a hook', async () => {
    const log = scene.path('log');
    const program = scene.script('logged', `echo run $DEADHEAT_SIDE >> ${log}`);
    const hook = `echo prepare >> ${log}; sleep 60`;
    const run = scene.start(['--method', 'sequential', '--runs', '4', '-p', hook, program, program]);
    await until(() => existsSync(log));
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    expect(readFileSync(log, 'utf8')).toBe('prepare\n');
  });

  it('reads what programs wrote before a hook removes it', async () => {
    const primaryMetric = { score: 5, scoreUnit: 'ns/op', rawData: [[5, 5.1, 4.9]] };
    writeFileSync(scene.path('results'), JSON.stringify([{ benchmark: 'sort', mode: 'avgt', primaryMetric }]));
    const program = scene.script('written', 'cp results $DEADHEAT_SIDE.json');
    const args = ['--parser', 'jmh', '--results', '$DEADHEAT_SIDE.json', '--method', 'sequential', '--runs', '2'];
    const ended = await scene.run([...args, '-C', 'rm $DEADHEAT_SIDE.json', program, program]);
    expect(ended.stderr).not.toContain('RESULTS_NOT_FOUND');
    expect(scene.trials().map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  it('lets no side run beside the other by itself where a command prepares it', async () => {
    const program = scene.script('busy', 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done');
    const ended = await scene.run(['--runs', '2', '-p', 'true', program, program]);
    expect(ended.status).toBe(0);
    const measured = scene.trials().filter(({ phase }) => phase === 'measure');
    expect(measured).toHaveLength(2);
    for (const { method } of measured) expect(['alone', 'sequential']).toContain(method);
  });

  it('shows what the commands print with --show-output, and nothing of it without', async () => {
    const program = scene.script('noisy', 'echo out; echo err >&2');
    const fixed = ['--method', 'sync-duet', '--runs', '2'];
    const quiet = await scene.run([...fixed, '--output', 'first', program]);
    expect(quiet.stdout).not.toMatch(/^out$/m);
    const shown = await scene.start([...fixed, '--show-output', '--output', 'second', program]).ended;
    expect(shown.stdout.match(/^out$/gm)).toHaveLength(4);
    expect(shown.stderr.match(/^err$/gm)).toHaveLength(4);
  });

  it('exports CSV and Markdown', async () => {
    await scene.run([
      '--runs',
      '4',
      '--export',
      'sides-csv:a.csv',
      '--export',
      'markdown:a.md',
      '/bin/true',
      '/bin/true',
    ]);
    expect(readFileSync(scene.path('a.csv'), 'utf8').trim().split('\n')).toHaveLength(3);
    expect(readFileSync(scene.path('a.md'), 'utf8')).toContain('/bin/true');
  });

  it('draws the same order, cores and paddings from the same seed', async () => {
    const program = scene.script('work', work);
    const plan = (name: string): unknown =>
      // Runs in lanes end in another order.
      scene
        .trials(name)
        .toSorted((one, other) => one.run - other.run)
        .map(({ order, sides }) => [order, sides.A.cpu, sides.A.padBytes, sides.B.padBytes]);
    for (const method of ['sync-duet', 'tandem']) {
      const fixed = ['--method', method, '--runs', '6', '--seed', 'same'];
      for (const name of [`first-${method}`, `second-${method}`]) {
        await scene.run([...fixed, '--output', name, `${program} 2000`]);
      }
      expect(plan(`second-${method}`)).toEqual(plan(`first-${method}`));
    }
    expect(plan('first-tandem')).not.toEqual(plan('first-sync-duet'));
  });

  it('ends with 1 when B is slower and that is asked about, and with 6 when it was not measured well enough', async () => {
    const program = scene.script('work', work);
    const slower = [
      '--runs',
      '12',
      '--fail-on',
      'slower',
      '--output',
      'slower',
      `${program} 10000`,
      `${program} 40000`,
    ];
    const failed = await scene.run(slower);
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/^deadheat: gate failed: .*work 10000 vs .*work 40000$/m);
    expect((await scene.run(['analyse', 'slower'])).status).toBe(0);
    // An interval at 99.99 % of four pairs is far wider than a margin of a millionth: neither equal nor different.
    const same = ['--runs', '4', '--confidence', '99.99%', '--margin', '0.0001%', '--output', 'same', '/bin/true'];
    const open = await scene.run([...same, '--fail-on', 'slower']);
    expect(open.status).toBe(6);
    expect(open.stderr).toMatch(/^deadheat: gate not measured: .* may be (up to .* slower|slower by anything)$/m);
    expect((await scene.run(['analyse', 'same'])).status).toBe(0);
    const passed = await scene.run(['analyse', 'same', '--fail-on', 'slower', '--undecided', 'pass']);
    expect(passed).toMatchObject({ status: 0, stderr: expect.stringMatching(/^deadheat: gate passed$/m) });
  });
});

describe('a machine that cannot do a duet', () => {
  const scene = useScene();

  const cases = [
    ['SINGLE_CORE', { prefix: ['taskset', '-c', '0'] }],
    ['NO_SHARED_MEMORY', { env: { DEADHEAT_SHM: '/nonexistent' } }],
    ['NO_NATIVE_CALLS', { env: { DEADHEAT_NO_NATIVE: '1' } }],
  ] as const;
  for (const [code, options] of cases) {
    it.skipIf(noDuets !== null)(`still compares, one after the other, and says ${code}`, async () => {
      // A program that waits, so that it is no tandem on a single CPU either.
      const args = ['--method', 'sync-duet', '--runs', '6', '--export', 'json:-', 'sleep 0.02'];
      const ended = await scene.start(args, options).ended;
      expect(ended.status).toBe(0);
      const report = parseReport(ended.stdout);
      expect(report.comparisons[0]).toMatchObject({ method: 'sequential', runs: 6 });
      expect(report.warnings.map((warning) => warning.code)).toContain(code);
      expect(ended.stderr).toContain(code);
    });
  }
});
