import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeUpRecording } from '../../../../bench/lib/made-up-recording.js';
import { startPostgres, whyNoPostgres, type PostgresServer } from '../../../../bench/lib/postgres.js';
import { useScene, type Scene } from '../../../../core/cli/test/e2e/support.ts';

const noPostgres = whyNoPostgres();

/** Eight recordings, one a commit, against one baseline; B takes 10 % longer from the fifth on. */
async function record(scene: Scene): Promise<readonly string[]> {
  const names: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    const name = `rec${at}`;
    const commit = (label: string, day: number): { id: string; label: string; committedAt: string } => ({
      id: `${label}00000000`,
      label,
      committedAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`,
    });
    await madeUpRecording(scene.path(name), {
      id: `exp${at}`,
      startedAt: `2026-04-0${at + 1}T10:00:00.000Z`,
      commits: { A: commit('v1', 1), B: commit(`c${at}`, 10 + at) },
      slowdown: at < 4 ? 1 : 1.1,
    });
    names.push(name);
  }
  return names;
}

/** Pushes, lists, follows and pulls. */
async function walkThrough(scene: Scene, place: string): Promise<void> {
  const names = await record(scene);
  const pushed = await scene.run(['history', 'push', ...names, '--to', place]);
  expect(pushed).toMatchObject({ status: 0, stderr: '' });
  expect(pushed.stdout.split('\n')[0]).toBe(`pushed parser (exp0), 8 runs, to ${place}`);
  const again = await scene.run(['history', 'push', 'rec0', '--to', place]);
  expect(again).toMatchObject({ status: 0, stdout: `parser (exp0) is in ${place} already; nothing was changed\n` });

  const shown = await scene.run([
    'history',
    'show',
    'parse',
    '--from',
    place,
    '--last',
    '3',
    '--export',
    'json:history.json',
  ]);
  expect(shown.status).toBe(0);
  const lines = shown.stdout.split('\n');
  expect(lines[0]).toBe('parser: parse size=5, sync-duet: 8 comparisons');
  expect(lines[1]).toMatch(/5 earlier ones/);
  expect(lines[4]).toMatch(/^ {2}2026-03-17 {2}v1 -> c7 {2}\+\S+ % {2,}\[.* … .*\] {2}99 % CI {2}8 runs {2}SLOWER$/);
  expect(lines[6]).toMatch(
    /^ {4}\+\S+ % \[\+\S+ % … \+\S+ %\] from comparison 5 on, 2026-03-14, after c3 and until c4$/,
  );
  const document = JSON.parse(readFileSync(scene.path('history.json'), 'utf8')) as {
    readonly schema: string;
    readonly series: readonly {
      readonly quantity: string;
      readonly points: readonly { readonly experiment: string; readonly level: number }[];
      readonly changes: readonly { readonly at: number; readonly until: { readonly label: string } }[];
    }[];
  };
  expect(document.schema).toBe('deadheat.history/1');
  expect(document.series).toHaveLength(1);
  expect(document.series[0]?.quantity).toBe('ratio');
  expect(document.series[0]?.points.map(({ experiment }) => experiment)).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `exp${at}`),
  );
  expect(document.series[0]?.changes).toMatchObject([{ at: 4, until: { label: 'c4' } }]);

  expect(shown.stdout).toContain('smaller ones than 0.5 % are not shown');
  const coarse = await scene.run([
    'history',
    'show',
    'parse',
    '--from',
    place,
    '--least-change',
    '30%',
    '--export',
    'json:-',
  ]);
  expect(coarse.stderr).toContain('no change of level: B / A against the one baseline; smaller ones than 30 % are');
  expect(JSON.parse(coarse.stdout)).toMatchObject({ series: [{ leastChange: 0.3, changes: [] }] });

  const csv = await scene.run(['history', 'show', '--from', place, '--all', '--export', 'csv:-']);
  expect(csv.stderr).toContain('parser: parse size=5, sync-duet: 8 comparisons');
  const [head = '', ...rows] = csv.stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(8);
  expect(head.split(',').slice(0, 5)).toEqual(['project', 'benchmark', 'params', 'method', 'experiment']);
  // Where the new level begins its ratio stands in the last column.
  expect(rows.map((row) => !row.endsWith(','))).toEqual([4, 4, 4, 4, 4, 4, 4, 4].map((change, at) => at === change));

  const cpu = await scene.run(['history', 'show', 'parse', '--from', place, '--metric', 'cpu', '--export', 'csv:-']);
  expect(cpu.stderr).toMatch(/^parser: parse size=5, sync-duet, CPU time: 8 comparisons\n/);
  expect(cpu.stdout).toMatch(/^project,.*,unit,mean_a,mean_b\n.*,ns,\S+\n/);
  const unmeasured = await scene.run(['history', 'show', '--from', place, '--metric', 'rss']);
  expect(unmeasured).toMatchObject({ status: 2, stdout: '' });
  expect(unmeasured.stderr).toContain('Its comparisons hold cpu, time.');

  const misspelt = await scene.run(['history', 'show', 'parze', '--from', place]);
  expect(misspelt.status).toBe(2);
  expect(misspelt.stderr).toContain('Did you mean parse?');
  const listed = await scene.run(['history', 'show', '--recordings', '--from', place]);
  expect(listed.stdout.split('\n')).toHaveLength(9);
  expect(listed.stdout).toMatch(/^exp0 {2}2026-04-01 10:00Z {2}parser {2}v1 -> c0 {2}1 comparison {2}bench$/m);

  const pulled = await scene.run(['history', 'pull', 'exp3', '--from', place]);
  expect(pulled).toMatchObject({ status: 0, stdout: '.deadheat/20260404T100000Z-exp3\n' });
  const judged = await scene.run(['analyse', '.deadheat/20260404T100000Z-exp3']);
  expect(judged.status).toBe(0);
  expect((await scene.run(['history', 'pull', 'exp', '--from', place])).stderr).toMatch(/how the ids of 8 experiments/);
}

describe('a history', () => {
  const scene = useScene();

  it('in a folder is pushed to, followed and pulled from', async () => {
    await walkThrough(scene, 'store');
  });

  it('begins with what changed, and is short', async () => {
    await record(scene);
    await madeUpRecording(scene.path('steady'), {
      id: 'steady',
      startedAt: '2026-04-01T10:00:00.000Z',
      runs: 2,
      iterations: 30,
    });
    const shown = await scene.run(['history', 'show', '--from', '.']);
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    const lines = shown.stdout.split('\n');
    expect(lines[0]).toBe('What changed: 1 change of level in 3 series, the newest first');
    expect(lines[1]).toMatch(
      /^ {2}2026-03-14 {2}SLOWER {2}\+\S+ % {2}\[\+\S+ % … \+\S+ %\] {2}parser: parse size=5, sync-duet {2}after c3 and until c4$/,
    );
    expect(lines[2]).toMatch(/^2 series without a change\. deadheat history show BENCHMARK/);
    expect(lines).toHaveLength(4);
    const all = await scene.run(['history', 'show', '--from', '.', '--all']);
    expect(all.stdout).toContain('parser: scan size=1');
    // Comparisons without a known commit, such as a canary, have no column for them.
    expect(all.stdout).not.toContain('?');
  });

  it('takes the commits of this repository by their names', async () => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
        cwd: scene.directory,
        encoding: 'utf8',
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05+00:00' },
      }).trim();
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    git('tag', 'v1');
    await madeUpRecording(scene.path('rec'), { id: 'exp', startedAt: '2026-04-01T10:00:00.000Z' });
    const pushed = await scene.run([
      'history',
      'push',
      'rec',
      '--to',
      'store',
      '--commit',
      'A=v1,B=elsewhere',
      '--project',
      'nightly',
    ]);
    expect(pushed.status).toBe(0);
    const { stdout } = await scene.run(['history', 'show', '--recordings', '--from', 'store', '--export', 'json:-']);
    const { recordings } = JSON.parse(stdout) as { readonly recordings: readonly object[] };
    expect(recordings).toMatchObject([
      {
        id: 'exp',
        project: 'nightly',
        commits: {
          A: { id: git('rev-parse', 'HEAD'), label: 'v1', committedAt: '2026-01-02T03:04:05+00:00' },
          B: { id: 'elsewhere', label: 'elsewhere', committedAt: null },
        },
      },
    ]);
  });

  it('calls a commit by its hash where it was named by a branch or HEAD, which are others tomorrow', async () => {
    await madeUpRecording(scene.path('rec'), { id: 'exp', startedAt: '2026-04-01T10:00:00.000Z' });
    const git = (...words: readonly string[]): string =>
      execFileSync('git', words, { cwd: scene.directory, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'one');
    git('tag', 'v1');
    await scene.run(['history', 'push', 'rec', '--to', 'store', '--commit', 'A=main,B=HEAD']);
    await scene.run(['history', 'push', 'rec', '--to', 'tagged', '--commit', 'B=v1']);
    const short = git('rev-parse', '--short=7', 'HEAD').trim();
    const shown = await scene.run(['history', 'show', '--all', '--from', 'store']);
    expect(shown.stdout).toContain(`${short} -> ${short}`);
    expect((await scene.run(['history', 'show', '--all', '--from', 'tagged'])).stdout).toContain('-> v1');
  });

  it('makes what a recording lacks before it is pushed', async () => {
    await madeUpRecording(scene.path('rec'), { id: 'exp', startedAt: '2026-04-01T10:00:00.000Z' });
    for (const file of ['iterations.parquet', 'report.json']) execFileSync('rm', [scene.path(`rec/${file}`)]);
    expect(await scene.run(['history', 'push', 'rec', '--to', 'store'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('refuses a password in a URL without repeating it, and a place that is none', async () => {
    await madeUpRecording(scene.path('rec'), { id: 'exp', startedAt: '2026-04-01T10:00:00.000Z' });
    const refused = await scene.run(['history', 'push', 'rec', '--to', 'postgres://ci:geheim@localhost/x']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('.pgpass');
    expect(refused.stderr + refused.stdout).not.toContain('geheim');
    expect((await scene.run(['history', 'show', '--from', 'nowhere'])).status).toBe(2);
    expect((await scene.run(['history', 'show', '--from', 'mysql://x/y'])).stderr).toContain('postgres://');
  });
});

describe.skipIf(noPostgres !== null)('a history in a database', () => {
  const scene = useScene();
  let server: PostgresServer | null = null;
  beforeAll(() => {
    server = startPostgres();
  });
  afterAll(() => {
    server?.stop();
  });

  it('is pushed to, followed and pulled from', async () => {
    await walkThrough(scene, server?.url() ?? '');
  });

  it('says which password it lacks', async () => {
    server?.sql("create role ci login password 'right'; create database ci owner ci");
    await madeUpRecording(scene.path('rec'), { id: 'exp', startedAt: '2026-04-01T10:00:00.000Z' });
    const push = (password: string): ReturnType<Scene['run']> =>
      scene.run(['history', 'push', 'rec', '--to', server?.url('ci', 'ci') ?? ''], { env: { PGPASSWORD: password } });
    const wrong = await push('wrong');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('the password is missing or wrong');
    expect((await push('right')).status).toBe(0);
  });
});
