import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { until, useScene } from '../../../../core/cli/test/e2e/support.ts';

const scene = useScene();

/** Four runs of 120 iterations of a second or so, which change their level now and then. */
function writeSeries(name: string): void {
  let state = 1;
  const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  const series = Array.from({ length: 4 }, () => {
    let level = 1 + 0.05 * next();
    return Array.from({ length: 120 }, () => {
      if (next() < 1 / 40) level = 1 + 0.05 * next();
      return level + 0.01 * next();
    });
  });
  writeFileSync(scene.path(name), JSON.stringify({ benchmark: `project#${name}`, unit: 's', series }));
}

const small = [
  'lab',
  'simulate',
  'a.json',
  '--experiments',
  '250',
  '--dimensions',
  '3x40,4x20',
  '--boundaries',
  'known',
  '--seed',
  'one',
];

const tables = (name: string): unknown =>
  (JSON.parse(readFileSync(scene.path(name), 'utf8')) as { tables: unknown }).tables;

const simulated = async (args: readonly string[]): Promise<unknown> => {
  const ended = await scene.run([...args, '--style', 'none', '--export', 'json:tables.json']);
  expect(ended.stderr).toBe('');
  expect(ended.status).toBe(0);
  return tables('tables.json');
};

beforeEach(() => {
  writeSeries('a.json');
});

describe('deadheat lab simulate', () => {
  it('gives the same tables with one worker and two, kept and resumed; another seed gives others', async () => {
    const one = await simulated([...small, '--workers', '1']);
    const kept = [...small, '--workers', '2', '--output', 'kept.jsonl'];
    expect(await simulated(kept)).toEqual(one);

    // As an interruption in the middle of a write leaves it.
    const lines = readFileSync(scene.path('kept.jsonl'), 'utf8').split('\n').slice(0, -1);
    expect(lines).toHaveLength(1 + 2 * 3);
    writeFileSync(scene.path('kept.jsonl'), `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 50)}`);
    expect(await simulated(kept)).toEqual(one);
    expect(readFileSync(scene.path('kept.jsonl'), 'utf8').split('\n')).toHaveLength(1 + 2 * 3 + 1);

    expect(await simulated([...small, '--seed', 'two'])).not.toEqual(one);
  });

  it('goes on to more experiments, and back to fewer', async () => {
    const few = await simulated([...small, '--experiments', '130', '--output', 'kept.jsonl']);
    expect(await simulated([...small, '--output', 'kept.jsonl'])).toEqual(await simulated(small));
    expect(await simulated([...small, '--experiments', '130', '--output', 'kept.jsonl'])).toEqual(few);
  });

  it('refuses a file of another simulation, of something else, and a broken line', async () => {
    await simulated([...small, '--output', 'kept.jsonl']);
    const another = await scene.run([...small, '--output', 'kept.jsonl', '--boundaries', 'detected']);
    expect(another.status).toBe(2);
    expect(another.stderr).toContain("'kept.jsonl' holds another simulation");
    expect(another.stderr).toContain('boundaries');
    const other = await scene.run([...small, '--output', 'a.json']);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain("--output 'a.json' cannot be resumed: line 1");
    appendFileSync(scene.path('kept.jsonl'), '{"task":0}\n');
    const broken = await scene.run([...small, '--output', 'kept.jsonl']);
    expect(broken.status).toBe(2);
    expect(broken.stderr).toContain('line 8');
  });

  it('keeps what is done when it is interrupted, and goes on from there', async () => {
    const args = [...small, '--experiments', '3000', '--output', 'kept.jsonl'];
    const running = scene.start([...args, '--style', 'basic']);
    const linesKept = (): number => {
      try {
        return readFileSync(scene.path('kept.jsonl'), 'utf8').split('\n').length - 1;
      } catch {
        return 0;
      }
    };
    await until(() => linesKept() >= 3 || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(ended.stderr).toContain("what was finished is kept in 'kept.jsonl'");
    expect(ended.stdout).toContain('Misses and widths');
    const before = linesKept();
    expect(before).toBeLessThan(61);
    await simulated(args);
    expect(linesKept()).toBe(61);
  });

  it('tries resampling as well, with boundaries found, of a recording too', async () => {
    const resampled = await scene.run([
      ...small.slice(0, 3),
      '-r',
      '3',
      '--iterations',
      '30',
      '--experiments',
      '4',
      '--replicates',
      '50',
      '--boundaries',
      'detected',
      '--confidence',
      '90%',
      '--export',
      'csv:tables.csv',
    ]);
    expect(resampled.status).toBe(0);
    expect(resampled.stdout).toContain('tables 4 and 9');
    expect(resampled.stdout).toContain('as PELT found them');
    expect(readFileSync(scene.path('tables.csv'), 'utf8')).toContain('project#a.json,3x30');
    expect(resampled.stderr).toContain('deadheat: 4 of 4 simulated experiments');
    const measured = await scene.run(['--method', 'sequential', '--runs', '4', '--output', 'alone', 'sleep 0.001']);
    expect(measured.status).toBe(0);
    const ended = await scene.run(['lab', 'simulate', 'alone', '--experiments', '20', '--export', 'json:alone.json']);
    expect(ended.status).toBe(0);
    expect(JSON.stringify(tables('alone.json'))).toContain('4x2');
  });

  it('writes the ends of intervals, artificial recordings, and curves by number of runs', async () => {
    const exports = ['--export-intervals', 'ends.csv', '--export-recordings', 'drawn.csv', '--figures', 'figures'];
    const args = [
      'lab',
      'simulate',
      'a.json',
      '--runs',
      '3,4',
      '--iterations',
      '20',
      '--experiments',
      '5',
      '--workers',
      '1',
    ];
    expect((await scene.run([...args, ...exports])).status).toBe(0);
    const rowsOf = (name: string): string[][] =>
      readFileSync(scene.path(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
    const [head, ...ends] = rowsOf('ends.csv');
    expect(head!.join(' ')).toBe('benchmark dimension experiment runs iterations segments quantiles low high missed');
    // Two numbers of runs, 5 experiments, normal and t, aware and ignorant.
    expect(ends).toHaveLength(2 * 5 * 4);
    for (const [, , , , , , , low, high, missed] of ends) {
      expect(missed).toBe(Number(low) > 1 || Number(high) < 1 ? '1' : '0');
    }
    const drawn = rowsOf('drawn.csv').slice(1);
    expect(drawn).toHaveLength(5 * (3 + 4) * 20);
    // The middle of an ignorant interval is the mean of its recording over the true mean, which is that of all experiments.
    const trueMeans = ['2', '3'].map((wanted) => {
      const times = drawn
        .filter(([, dimension, k]) => dimension === '3x20' && k === wanted)
        .map((row) => Number(row[6]));
      const [, , , , , , , low, high] = ends.find(
        ([, dimension, k, , , segments]) => dimension === '3x20' && k === wanted && segments === 'ignorant',
      )!;
      return times.reduce((sum, one) => sum + one, 0) / times.length / ((Number(low) + Number(high)) / 2);
    });
    expect(trueMeans[0]! / trueMeans[1]!).toBeCloseTo(1, 9);
    expect(readFileSync(scene.path('figures/oopsla26-figure-8-location-1.csv'), 'utf8')).toContain('low ends');
    expect(readFileSync(scene.path('figures/oopsla26-figure-11-runs-1.csv'), 'utf8')).toContain('grand mean,4,');
  });

  it('shows what would be drawn from without any experiment, with boundaries found unless they are to be known', async () => {
    const shown = await scene.run(['lab', 'simulate', 'a.json', '--experiments', '0', '--figures', 'figures']);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain('skewness of R');
    expect(shown.stdout).not.toContain('Misses');
    expect(readFileSync(scene.path('figures/oopsla26-figure-7-artificial-1.svg'), 'utf8')).toContain('<svg');
    const usual = await scene.run(['lab', 'simulate', 'a.json', '--experiments', '1', '--dimensions', '2x9']);
    expect(usual.stdout).toContain('as PELT found them');
  });

  it.each([
    [['lab', 'simulate'], 'simulate needs data'],
    [['lab', 'simulate', 'a.json', '--durations', '1h', '--mix', '--runs', '3'], '--mix and --runs exclude each other'],
    [['lab', 'simulate', 'a.json', '--runs', '3,1'], '--runs must be'],
    [['lab', 'simulate', 'a.json', '--dimensions', '3x9', '--runs', '4'], '--dimensions and --runs exclude each other'],
    [['lab', 'simulate', 'a.json', '--dimensions', '1x9'], '--dimensions must be a list'],
    [['lab', 'simulate', 'a.json', '--boundaries', 'guessed'], '--boundaries must be'],
    [['lab', 'simulate', 'a.json', '--warmup-iterations', '120'], 'all of them warm-up'],
    [['lab', 'simulate', 'none'], 'none'],
  ])('%j: says what is wrong', async (args, message) => {
    const ended = await scene.run(args);
    expect(ended.status).not.toBe(0);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('unexpected');
  });
});
