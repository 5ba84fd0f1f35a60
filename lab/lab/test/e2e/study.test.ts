import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { descendants, parentOf } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { noDuets, until, useScene } from '../../../../core/cli/test/e2e/support.ts';

const scene = useScene();

interface Table {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

const tablesOf = (json: string): readonly Table[] => (JSON.parse(json) as { readonly tables: readonly Table[] }).tables;

describe('deadheat lab study', () => {
  it('makes tables of recordings, says what is missing, and exports', async () => {
    const measured = await scene.run(['--method', 'sequential', '--runs', '4', '--output', 'alone', 'sleep 0.001']);
    expect(measured.status).toBe(0);
    const accuracy = await scene.run(['lab', 'study', 'accuracy', 'alone', '--export', 'csv:widths.csv']);
    expect(accuracy.status).toBe(0);
    expect(accuracy.stdout).toContain('--method sync-duet');
    expect(accuracy.stdout).toContain('sleep 0.001');
    expect(readFileSync(scene.path('widths.csv'), 'utf8')).toMatch(/^table,benchmark,metric,runs \[count\]/);
    const asymmetry = await scene.run(['lab', 'study', 'asymmetry', 'alone', '--export', 'json:-']);
    expect(asymmetry.status).toBe(0);
    expect(JSON.parse(asymmetry.stdout)).toMatchObject({ schema: 'deadheat.study/1', kind: 'asymmetry' });
    expect(asymmetry.stderr).toContain('started first');
  });

  it('has a row for each machine, and counts a recording once that is given twice', async () => {
    await scene.run(['--method', 'sequential', '--runs', '2', '--output', 'here', 'sleep 0.001']);
    cpSync(scene.path('here'), scene.path('there'), { recursive: true });
    const path = scene.path('there/experiment.json');
    const experiment = JSON.parse(readFileSync(path, 'utf8')) as { machine: object };
    const machine = { ...experiment.machine, hostname: 'there', cpuModel: 'Another CPU' };
    writeFileSync(path, JSON.stringify({ ...experiment, id: 'another', machine, check: undefined }));
    const { status, stdout } = await scene.run(['lab', 'study', 'accuracy', 'here', 'there', '--export', 'json:-']);
    expect(status).toBe(0);
    const [widths] = tablesOf(stdout);
    expect(widths!.columns.slice(0, 4).map(({ name }) => name)).toEqual(['machine', 'benchmark', 'metric', 'runs']);
    const rows = widths!.rows.filter(([, , metric]) => metric === 'wall').map(([name, , , runs]) => [name, runs]);
    expect(rows).toEqual([
      [expect.not.stringContaining('there'), 2],
      ['there (Another CPU)', 2],
    ]);
    cpSync(scene.path('here'), scene.path('copy'), { recursive: true });
    const twice = await scene.run(['lab', 'study', 'accuracy', 'here', 'copy', '--export', 'json:-']);
    expect(twice.stdout).toContain('copy is the same recording as');
    const [once] = tablesOf(twice.stdout);
    expect(once!.columns[0]).toMatchObject({ name: 'benchmark' });
    expect(once!.rows.map((row) => row[2])).toContain(2);
  });

  it('says that there is no such recording', async () => {
    const ended = await scene.run(['lab', 'study', 'mds', 'nowhere']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('nowhere');
  });
});

describe('deadheat lab study --run', () => {
  const few = ['--workload', 'float', '--runs', '2', '--iterations', '4', '--duration', '1ms', '--seed', 's'];
  const run = (...args: readonly string[]) => ['lab', 'study', ...args, '--run', ...few];
  const environment = () => ({ env: { XDG_CACHE_HOME: scene.path('cache') } });

  it('measures beside every neighbour, keeps the recordings and makes tables by neighbour', async () => {
    if (noDuets !== null) return console.log(`skipped: ${noDuets}`);
    const args = [...run('accuracy'), '--output', 'kept', '--export', 'json:study.json', '--export', 'csv:study.csv'];
    const { status, stdout, stderr } = await scene.run(args, environment());
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stderr).toMatch(/neighbours +none; both \(bursts on CPUs \d+ and \d+ at once\)/);
    expect(stderr).toMatch(/expected +about /);
    expect(stdout).toMatch(/^none +float +wall/m);
    expect(stdout).toMatch(/^both +float +wall/m);
    expect(readFileSync(scene.path('study.csv'), 'utf8')).toMatch(/^table,neighbour,benchmark,/);
    const made: unknown = JSON.parse(readFileSync(scene.path('study.json'), 'utf8'));
    expect(made).toMatchObject({ kind: 'accuracy', recordings: [expect.any(String), expect.any(String)] });
    // Two runs by each of three methods.
    for (const neighbour of ['none', 'both']) expect(scene.trials(`kept/${neighbour}`)).toHaveLength(6);
    expect(stdout).toContain('tandem : duet : shuffled : standard');
    const again = await scene.run(['lab', 'study', 'accuracy', 'kept/none', 'kept/both']);
    expect(again.stdout).toBe(stdout);
    expect(scene.leftoverPages()).toEqual([]);
  });

  it('measures what can be measured where there are no duets', async () => {
    const { env } = environment();
    const options = { env: { ...env, DEADHEAT_SHM: scene.path('nowhere') } };
    const { status, stdout, stderr } = await scene.run([...run('asymmetry'), '--neighbour', 'none'], options);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stderr).toContain('by sequential only: ');
    expect(stdout).toMatch(/^none +float +sequential +wall/m);
    const refused = await scene.run(run('overlap'), options);
    expect(refused.status).toBe(5);
    expect(refused.stderr).toMatch(/^deadheat: the study overlap is about duets\. /);
  });

  it('keeps what is recorded when it is interrupted, and leaves no load behind', async () => {
    const args = [
      'lab',
      'study',
      'mds',
      '--run',
      ...few,
      '--runs',
      '1000000',
      '--neighbour',
      'one,none',
      '--output',
      'kept',
    ];
    const running = scene.start(args, environment());
    const pid = running.child.pid ?? 0;
    const recorded = (): boolean => {
      try {
        return readFileSync(scene.path('kept/one/trials.jsonl'), 'utf8').includes('\n');
      } catch {
        return false;
      }
    };
    await until(recorded);
    const below = descendants(pid);
    expect(below.length).toBeGreaterThan(0);
    running.child.kill('SIGINT');
    const { status, stdout, stderr } = await running.ended;
    expect(status).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toContain('deadheat: interrupted\n');
    expect(stderr).toContain('deadheat lab study mds kept/one\n');
    await until(() => below.every((one) => parentOf(one) === null));
    const tables = await scene.run(['lab', 'study', 'asymmetry', 'kept/one']);
    expect(tables.status).toBe(0);
  });

  it('refuses a folder that holds something before it measures', async () => {
    mkdirSync(scene.path('kept/both'), { recursive: true });
    writeFileSync(scene.path('kept/both/mine'), '');
    const { status, stderr } = await scene.run([...run('accuracy'), '--output', 'kept'], environment());
    expect(status).toBe(2);
    expect(stderr).toMatch(/^deadheat: --output: kept\/both is not empty/);
  });
});
