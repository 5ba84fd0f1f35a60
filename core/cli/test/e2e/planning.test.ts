import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { configOf } from '@deadheat/model';
import { parseReport, useScene } from './support.ts';

const bench = fileURLToPath(new URL('../../../harness/test/fixtures/tiny.mjs', import.meta.url));

const scene = useScene();

const few = ['--shift-rate', '20%', '--long-runs', '2', '--short-runs', '3', '--short-iterations', '4'];

// Short runs have fewer iterations than long ones.
const fewer = [...few.slice(0, -1), '2', '--warmup-iterations', '2'];

describe('deadheat calibrate, plan and run', () => {
  it('plans from a calibration, writes a file that runs, and overwrites nothing', async () => {
    const command = `node ${bench}`;
    const calibrated = await scene.run([
      'calibrate',
      ...few,
      '--warmup-iterations',
      '2',
      '--method',
      'sequential',
      '--output',
      'calibration',
      '--seed',
      '1',
      command,
    ]);
    expect(calibrated.stderr + calibrated.stdout).toContain('long runs of 4 iterations');
    expect(calibrated.status).toBe(0);
    const planned = await scene.run(['plan', 'calibration', '--budget', '10m', '--export', 'json:-']);
    expect(planned.status).toBe(0);
    const { schema, goal, programs } = JSON.parse(planned.stdout) as {
      schema: string;
      goal: unknown;
      programs: { runs: number; iterations: number; warmup: number; timeNs: number; halfWidths: number[] }[];
    };
    expect({ schema, goal }).toEqual({ schema: 'deadheat.planned/1', goal: { kind: 'budget', timeNs: 600e9 } });
    const side = await scene.run(['plan', 'calibration', '--side', 'A', '--budget', '10m', '--write', '-']);
    expect(side.status).toBe(0);
    expect(side.stderr).toContain('the mean time of A');
    expect(side.stdout).toContain('# side A alone');
    expect(side.stdout).not.toMatch(/^ +B:|planned-width/m);
    const refused = await scene.run(['plan', 'calibration', '--side', 'A', '--detect', '1%']);
    expect(refused.stderr).toContain('--side and --detect exclude each other: a slowdown is about both sides');
    expect(programs).toHaveLength(1);
    expect(programs[0]?.timeNs).toBeLessThanOrEqual(600e9);
    expect(readFileSync(scene.path('deadheat.yaml'), 'utf8')).toContain(`runs: ${programs[0]?.runs}`);

    const plan = await scene.run(['run', '--dry-run', '--export', 'json:-']);
    expect(plan.stderr).toBe('');
    expect(plan.status).toBe(0);

    const written = readFileSync(scene.path('deadheat.yaml'), 'utf8');
    const width = Math.expm1(Math.max(...(programs[0]?.halfWidths ?? [])));
    // On a busy machine times may spread by more than all of them, which no interval is planned to reach.
    expect(/planned-width: (\S+)/.exec(written)?.[1]).toBe(width < 1 ? String(width) : undefined);
    const file = written.replace(/^ +planned-width: .*\n/m, '');
    writeFileSync(
      scene.path('few.yaml'),
      file.replace(/^( +)runs: \d+/m, '$1runs: 2\n$1planned-width: 0.25').replace(/iterations: \d+/, 'iterations: 4'),
    );
    const ran = await scene.run(['run', 'few.yaml', '--details', '--export', 'json:report.json']);
    expect(ran.stdout).toMatch(/planned +an interval that reaches/);
    const { comparisons } = parseReport(readFileSync(scene.path('report.json'), 'utf8'));
    expect(comparisons[0]?.planned?.halfWidth).toBe(0.25);

    const again = await scene.run(['plan', 'calibration', '--budget', '10m']);
    expect(again.status).toBe(2);
    expect(again.stderr).toContain('deadheat.yaml exists already');
  });

  it.each(['auto', 'tandem'])('goes on by the method of the calibration: %s', async (method) => {
    const calibrated = await scene.run([
      'calibrate',
      ...fewer,
      ...(method === 'auto' ? [] : ['--method', method]),
      '--output',
      'calibration',
      `node ${bench}`,
    ]);
    expect(calibrated.status).toBe(0);
    const { experiment, trials } = await readRecording(scene.path('calibration'));
    const { config } = experiment;
    const chosen = new Set(config.benchmarks.map((benchmark) => configOf(config, benchmark).method));
    expect(chosen.size).toBe(1);
    const [used] = chosen;
    // Long runs are not made to find out what short ones tell as well.
    const pilots = trials.filter(({ phase }) => phase === 'pilot');
    const lengths = new Set(pilots.map(({ benchmark }) => config.benchmarks[benchmark]?.params['calibration']));
    expect([...lengths]).toEqual(method === 'auto' ? ['short'] : []);
    expect(pilots.length).toBeLessThanOrEqual(3);
    if (method === 'auto') expect(calibrated.stdout).toMatch(new RegExp(`is measured by\\s+${used}:`));
    else expect(used).toBe(method);
    const planned = await scene.run(['plan', 'calibration', '--budget', '10m', '--export', 'json:-']);
    const { programs } = JSON.parse(planned.stdout) as { readonly programs: readonly { readonly method: string }[] };
    expect(programs.map((program) => program.method)).toEqual([used]);
    const file = readFileSync(scene.path('deadheat.yaml'), 'utf8');
    expect(file).toMatch(new RegExp(`methods:\\n +- ${used}\\n`));
    // Only the sides of a duet have cores to trade.
    expect(file.includes('swap:')).toBe(used === 'sync-duet');
    writeFileSync(
      scene.path('few.yaml'),
      file.replace(/runs: \d+/, 'runs: 2').replace(/iterations: \d+/, 'iterations: 4'),
    );
    const ran = await scene.run(['run', 'few.yaml', '--output', 'ran']);
    expect(ran.status).toBe(0);
    const made = (await readRecording(scene.path('ran'))).trials.map((trial) => `${trial.phase} ${trial.method}`);
    expect(made).toEqual([`measure ${used}`, `measure ${used}`]);
  });

  it('takes programs whose output is parsed, which are told how many iterations to make, and other recordings', async () => {
    const script = `for (let i = 0; i < Number(process.env.DEADHEAT_ITERATIONS); i++) {
      console.log('====== sum (x) [default], iteration ' + i + ' completed (' + (2 + Math.random()).toFixed(3) + ' ms) ======');
    }`;
    writeFileSync(scene.path('sum.cjs'), script);
    const program = { command: 'node sum.cjs', parser: 'renaissance', setup: 'true' };
    const file = { seed: 'parsed', methods: ['sequential', 'async-duet'], benchmarks: { sum: program } };
    writeFileSync(scene.path('sum.yaml'), JSON.stringify(file));
    const calibrate = ['calibrate', ...fewer, '--output', 'calibration', 'sum.yaml'];
    const several = await scene.run(calibrate);
    expect(several).toMatchObject({ status: 2 });
    expect(several.stderr).toContain('several methods');
    const calibrated = await scene.run([...calibrate, '--method', 'sequential']);
    expect(calibrated.status, calibrated.stderr).toBe(0);
    expect(calibrated.stdout).toContain('2 long runs of 4 iterations');
    const { trials } = await readRecording(scene.path('calibration'));
    expect(trials).toHaveLength(5);

    const planned = await scene.run(['plan', 'calibration', '--budget', '10m']);
    expect(planned.status, planned.stderr).toBe(0);
    const text = readFileSync(scene.path('deadheat.yaml'), 'utf8');
    expect(text).toMatch(/parser: renaissance/);
    expect(text).toMatch(/setup: "true"|setup: 'true'|setup: true/);
    expect((await scene.run(['run', '--dry-run'])).status).toBe(0);

    // A recording that was made for another purpose: the first half of 8 iterations is warm-up.
    const other = { runs: 3, iterations: 8, workload: 'harness', methods: ['sequential'], command: `node ${bench}` };
    writeFileSync(scene.path('other.yaml'), JSON.stringify({ ...other, benchmarks: { tiny: {} } }));
    expect((await scene.run(['run', 'other.yaml', '--output', 'other'])).status).toBe(0);
    const from = ['plan', 'other', '--budget', '10m', '--write', '-', '--export', 'json:other.json'];
    const ofOther = await scene.run(from);
    expect(ofOther.status, ofOther.stderr).toBe(0);
    const { programs } = JSON.parse(readFileSync(scene.path('other.json'), 'utf8')) as {
      readonly programs: readonly { readonly warmup: number }[];
    };
    expect(programs.map(({ warmup }) => warmup)).toEqual([4]);
  });

  it('refuses what is no calibration, and a goal that nothing reaches', async () => {
    await scene.run(['--method', 'sequential', '--runs', '2', '--output', 'plain', 'true']);
    const plain = await scene.run(['plan', 'plain', '--budget', '1h']);
    expect(plain.status).toBe(2);
    expect(plain.stderr).toContain('is no calibration');
    const both = await scene.run(['plan', 'plain', '--budget', '1h', '--detect', '1%']);
    expect(both.status).toBe(2);
    expect(both.stderr).toContain('--budget and --detect exclude each other: an experiment is planned for one goal');
  });

  it('ends with what failed when a program records nothing', async () => {
    const ended = await scene.run(['calibrate', ...few, '--method', 'sequential', 'true']);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toContain('recorded no iteration');
  });
});
