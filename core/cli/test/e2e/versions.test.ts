import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, until, useScene, type Ended } from './support.ts';
import { SceneRepository, setup, skipped, slow, usual, work } from './support-repository.ts';

/** Packages of this repository. */
const installed = join(import.meta.dirname, '../../../../node_modules');

/** Enough for verdicts on a busy machine: they end much earlier in quiet. */
const decided = ['--until', 'decided', '--metric', 'cpu', '--confidence', '95%', '--margin', '60%', '--max-time', '5m'];

describe.skipIf(skipped !== null)('deadheat git', () => {
  const scene = useScene(async (ended) => {
    leavesNothing(ended);
    const { folder } = new SceneRepository(ended);
    if (!existsSync(folder)) return;
    expect(new SceneRepository(ended).git('worktree', 'list').split('\n')).toHaveLength(1);
  });
  const repository = new SceneRepository(scene);

  it('names a slowdown, 1, a harmless commit, 0, and a commit that does not build, 4', async () => {
    repository.history();
    const run = async (range: string): Promise<Ended> =>
      repository.run('git', range, ...decided, '--fail-on', 'slower', '--build', setup, '--', 'sh', 'work.sh');
    const slower = await run('HEAD~3..HEAD~2');
    expect([slower.status, slower.stdout]).toEqual([1, expect.stringMatching(/SLOWER/)]);
    const harmless = await run('HEAD~2..HEAD~1');
    expect([harmless.status, harmless.stdout]).toEqual([0, expect.stringMatching(/DEAD HEAT/)]);
    expect(harmless.stderr).toContain('A: uses the kept build');
    const broken = await run('HEAD~5..HEAD~4');
    expect(broken.status).toBe(4);
    const hash = repository.git('rev-parse', '--short', 'HEAD~4');
    expect(broken.stderr).toContain(`B, HEAD~4, ${hash} does not build, cannot be built`);
    expect(broken.stderr).toMatch(/ended with status 1\n {2}building\n {2}bad syntax\n$/);
  });

  it('compares the working tree, with new files, with HEAD where only it is changed, and does not touch it', async () => {
    repository.commit('first', { 'work.sh': work(slow), '.gitignore': '.deadheat\n' });
    repository.write({ 'work.sh': '. ./new.sh\n', 'new.sh': work(usual) });
    const before = repository.git('status', '--porcelain');
    const ended = await repository.run('git', ...decided, '--export', 'json:-', '--', 'sh', 'work.sh');
    expect(ended.status).toBe(0);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison?.verdict).toBe('faster');
    expect(comparison?.benchmark).toBe('sh work.sh');
    expect(comparison?.sides.A.name).toMatch(/^HEAD \([0-9a-f]+\)$/);
    expect(comparison?.sides.B.name).toMatch(/^working tree \([0-9a-f]+\)$/);
    expect(repository.git('status', '--porcelain')).toBe(before);

    const listed = await repository.run('history', 'show', '--recordings', '--export', 'json:-');
    const { recordings } = JSON.parse(listed.stdout) as { readonly recordings: readonly object[] };
    expect(recordings).toMatchObject([
      {
        commits: {
          A: {
            id: repository.git('rev-parse', 'HEAD'),
            label: 'HEAD',
            committedAt: repository.git('log', '-1', '--format=%cI'),
            subject: 'first',
            author: repository.git('log', '-1', '--format=%an'),
          },
          B: { label: 'working tree', committedAt: repository.git('log', '-1', '--format=%cI') },
        },
      },
    ]);
  });

  it('runs vitest bench with the packages of the working tree', async () => {
    const bench = (loops: number): string => `
      import { bench } from 'vitest';
      let sum = 0;
      bench('count', () => { for (let i = 0; i < ${loops}; i++) sum = (sum * 31 + i) | 0; }, { time: 20 });
    `;
    repository.commit('first', { 'count.bench.js': bench(20_000), '.gitignore': '.deadheat\nnode_modules\n' });
    mkdirSync(scene.path('repo/node_modules/.bin'), { recursive: true });
    for (const name of ['vitest', '.bin/vitest']) {
      symlinkSync(join(installed, name), scene.path(`repo/node_modules/${name}`));
    }
    repository.commit('second', { 'count.bench.js': bench(100_000) });
    const few = ['--method', 'tandem', '--runs', '2', '--iterations', '6', '--export', 'json:-'];
    const ended = await repository.run('git', 'HEAD~1..', ...few, '--', 'vitest', 'bench');
    expect([ended.status, ended.stderr]).toEqual([
      0,
      expect.stringContaining('B: uses the node_modules of the working tree'),
    ]);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison).toMatchObject({ benchmark: 'count', params: { file: 'count.bench.js' }, runs: 2 });
    expect(comparison?.interval.estimate).toBeGreaterThan(2);
  });

  it('runs what deadheat.yaml of the newer side describes, in both', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    repository.commit('second', {
      'work.sh': work(slow),
      'deadheat.yaml':
        'margin: 60%\nmetric: cpu\nuntil: decided\nmax-time: 5m\nbenchmarks:\n  count: { command: sh work.sh }\n',
    });
    const ended = await repository.run('git', 'HEAD~1..', '--fail-on', 'slower', '--export', 'json:-');
    expect(ended.status).toBe(1);
    const report = parseReport(ended.stdout);
    expect(report.comparisons.map(({ benchmark, verdict }) => [benchmark, verdict])).toEqual([['count', 'slower']]);
    expect(report.experiment.name).toBe('repo');
    const idle = await repository.run('git', 'HEAD~1..', '--swap', 'run', '--method', 'sequential');
    expect([idle.status, idle.stderr]).toEqual([
      2,
      expect.stringMatching(/--swap has no effect: only the sides of a duet/),
    ]);
  });

  it('uses the benchmark of the newer side on both', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    repository.commit('second', { 'bench.sh': '. ./work.sh\n' });
    const without = await repository.run('git', '--runs', '2', '--', 'sh bench.sh');
    expect([without.status, without.stderr]).toEqual([
      4,
      expect.stringMatching(/A exited with status [0-9]+ in run 1/),
    ]);
    const options = ['--bench-path', 'bench.sh', '--control', '--runs', '5', '--export', 'json:-'];
    const shared = await repository.run('git', ...options, '--', 'sh bench.sh');
    expect([0, 5]).toContain(shared.status);
    const [tested, control] = parseReport(shared.stdout).comparisons;
    expect([tested?.sides.A.name, tested?.sides.B.name]).toEqual([
      expect.stringMatching(/^HEAD~1 /),
      expect.stringMatching(/^[0-9a-f]+$/),
    ]);
    expect(control?.controlOf).toBe('sh bench.sh');
    expect(control?.sides.B.name).toBe(tested?.sides.A.name);
  });

  it('is resumed in the folders of its commits, which are lent to it again', async () => {
    repository.history();
    const env = { DEADHEAT_CACHE: scene.path('cache') };
    const [begun, goOn] = [scene.path('begun'), scene.path('go-on')];
    const command = `sh -c "cat work.sh > /dev/null; touch ${begun}; test -e ${goOn} || exec sleep 1000"`;
    const running = scene.start(['git', '--runs', '5', '--', command], { cwd: 'repo', env });
    await until(() => existsSync(begun));
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    const [name = ''] = readdirSync(scene.path('repo/.deadheat'));
    writeFileSync(goOn, '');
    // From any folder, and after another comparison has been made in the same folders.
    expect((await repository.run('git', '--runs', '2', '--', 'sh', 'work.sh')).status).toBe(0);
    const resumed = await scene.run(['--resume', join(scene.path('repo/.deadheat'), name), '--export', 'json:-'], {
      env,
    });
    expect([resumed.status, resumed.stderr]).toEqual([expect.toBeOneOf([0, 5]), expect.anything()]);
    expect(parseReport(resumed.stdout).comparisons.map(({ runs }) => runs)).toEqual([5]);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('gives everything back when it is interrupted; without what is kept, which can be removed, it cannot be resumed', async () => {
    repository.history();
    const env = { DEADHEAT_CACHE: scene.path('cache') };
    const begun = scene.path('begun');
    const running = scene.start(['git', '--', `sh -c "touch ${begun}; exec sleep 1000"`], { cwd: 'repo', env });
    await until(() => existsSync(begun));
    running.child.kill('SIGINT');
    expect((await running.ended).status).toBe(130);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    const [name = ''] = readdirSync(scene.path('repo/.deadheat'));
    const listed = await repository.run('cleanup', '--versions', '--dry-run');
    expect([listed.status, listed.stdout.match(/^version .* abandoned$/gm)]).toEqual([
      0,
      [expect.anything(), expect.anything()],
    ]);
    const removed = await repository.run('cleanup', '--versions');
    expect([removed.status, readdirSync(scene.path('cache/versions'))]).toEqual([0, []]);
    const resumed = await repository.run('--resume', join('.deadheat', name));
    expect([resumed.status, resumed.stderr]).toEqual([2, expect.stringMatching(/begun again by its command/)]);
  });

  it('is put in order after kill -9 by the next start', async () => {
    repository.history();
    const env = { DEADHEAT_CACHE: scene.path('cache') };
    const begun = scene.path('begun');
    const running = scene.start(['git', '--', `sh -c "touch ${begun}; exec sleep 1000"`], { cwd: 'repo', env });
    await until(() => existsSync(begun));
    running.child.kill('SIGKILL');
    await running.ended;
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(3);
    const next = await repository.run('git', '--runs', '2', '--', 'sh', 'work.sh');
    expect(next.status).toBe(0);
    await until(() => scene.leftoverPages().length === 0);
  });

  it('is refused outside of a repository, for unknown revisions and without anything to run', async () => {
    const outside = await scene.run(['git', '--', 'true']);
    expect([outside.status, outside.stderr]).toEqual([
      2,
      expect.stringMatching(/is in no working tree of a git repository/),
    ]);
    repository.history();
    for (const [args, why] of [
      [['git', 'nowhere', '--', 'true'], /nowhere is no commit/],
      [['git', 'main'], /there is no deadheat\.yaml here/],
      [['bisect', 'main', 'main~1', '--', 'true'], /no ancestor of main~1/],
    ] as const) {
      const ended = await repository.run(...args);
      expect([args, ended.status, ended.stderr]).toEqual([args, 2, expect.stringMatching(why)]);
    }
  });
});

describe.skipIf(skipped !== null)('deadheat bisect', () => {
  const scene = useScene(leavesNothing);
  const repository = new SceneRepository(scene);
  interface Found {
    readonly verdict: string;
    readonly suspects: readonly { readonly subject: string }[];
    readonly method: { readonly name: string; readonly reason: string | null } | null;
    readonly steps: readonly {
      readonly commit: { readonly subject: string };
      readonly outcome: string;
      readonly recording: string | null;
    }[];
    readonly confidence: number;
  }
  const options = [
    '--metric',
    'cpu',
    '--margin',
    '60%',
    '--max-time',
    '5m',
    '--build',
    setup,
    '--export',
    'json:found.json',
  ];
  const command = ['--', 'sh', 'work.sh'];
  const found = (): Found => JSON.parse(readFileSync(scene.path('repo/found.json'), 'utf8')) as Found;

  it('names the commit that made it slower', async () => {
    repository.history();
    const ended = await repository.run('bisect', 'HEAD~6', 'HEAD', ...options, '--fail-on', 'slower', ...command);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(/^The first slow commit is [0-9a-f]+ much more work\n/);
    const { verdict, suspects, confidence, steps, method } = found();
    expect([verdict, suspects.map(({ subject }) => subject)]).toEqual(['slower', ['much more work']]);
    expect(confidence).toBeGreaterThan(0.95);
    expect(steps[0]).toMatchObject({ commit: { subject: 'harmless 3' }, outcome: 'bad' });
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    // The first step chooses the method for all of them.
    const recordings = await Promise.all(
      steps
        .flatMap(({ recording }) => recording ?? [])
        .map(async (folder) => readRecording(scene.path(`repo/${folder}`))),
    );
    expect(recordings.length).toBeGreaterThan(2);
    const pilots = recordings.map(({ trials }) => trials.filter(({ phase }) => phase === 'pilot').length);
    expect(pilots[0]).toBeGreaterThan(0);
    expect(pilots.slice(1)).toEqual(pilots.slice(1).map(() => 0));
    const measured = recordings.flatMap(({ trials }) => trials.filter(({ phase }) => phase === 'measure'));
    expect([...new Set(measured.map((trial) => trial.method))]).toEqual([method?.name]);
    expect(ended.stdout).toContain(`method      ${method?.name ?? ''}: ${method?.reason ?? ''}`);
  });

  it('leaves the commits that cannot be built beside the slow one', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\nfound.json\n' });
    repository.commit('breaks it', { broken: 'x' });
    repository.commit('slows it down', { 'work.sh': work(slow) });
    repository.commit('repairs it', { broken: null });
    const ended = await repository.run('bisect', 'HEAD~3', 'HEAD', ...options, '--fail-on', 'slower', ...command);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(/^The first slow commit is one of 3, after [0-9a-f]+ first\n/);
    expect(ended.stdout).toContain('because 2 commits could not be built or did not run');
    expect(found().steps.map(({ outcome }) => outcome)).toEqual(['bad', 'skipped', 'skipped']);
  });

  it('has nothing to search where BAD is not slower, and needs GOOD and BAD to be built', async () => {
    repository.history();
    const same = await repository.run('bisect', 'HEAD~6', 'HEAD~5', ...options, '--fail-on', 'slower', ...command);
    expect([same.status, same.stdout]).toEqual([
      0,
      expect.stringMatching(/is not slower than GOOD.*there is nothing to search/),
    ]);
    const broken = await repository.run('bisect', 'HEAD~5', 'HEAD~4', ...options, ...command);
    expect([broken.status, broken.stderr]).toEqual([
      4,
      expect.stringMatching(/BAD, .* does not build, cannot be built/),
    ]);
    const failing = await repository.run('bisect', 'HEAD~3', 'HEAD', ...options, '--', 'sh', 'no-such-file');
    expect([failing.status, failing.stderr]).toEqual([4, expect.stringMatching(/exited with status/)]);
  });
});

describe.skipIf(noDuets !== null)('deadheat npm', () => {
  const scene = useScene(leavesNothing);

  it('runs what imports two tarballs, and their programs, without a registry', async () => {
    mkdirSync(scene.path('project'));
    mkdirSync(scene.path('seen'));
    const pack = (version: string): string => {
      const source = scene.path(`lib-${version}/package`);
      mkdirSync(source, { recursive: true });
      const manifest = { name: 'lib', version, type: 'module', main: 'index.js', bin: { count: 'count.js' } };
      writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(source, 'index.js'), `export const version = '${version}';\n`);
      writeFileSync(join(source, 'count.js'), "#!/usr/bin/env node\nimport './index.js';\n", { mode: 0o755 });
      // What `npm pack` would make of it.
      execFileSync('tar', ['-czf', scene.path(`project/lib-${version}.tgz`), 'package'], { cwd: join(source, '..') });
      return `./lib-${version}.tgz`;
    };
    const tarballs = [pack('1.0.0'), pack('2.0.0')];
    writeFileSync(
      scene.path('project/bench.mjs'),
      `import { version } from 'lib';
import { writeFileSync } from 'node:fs';
writeFileSync(process.env.SEEN + '/' + process.env.DEADHEAT_SIDE + version, '');
`,
    );
    const env = {
      DEADHEAT_CACHE: scene.path('cache'),
      SEEN: scene.path('seen'),
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
    };
    const run = async (...args: readonly string[]): Promise<Ended> =>
      scene.run(['npm', ...tarballs, '--runs', '2', ...args], { cwd: 'project', env });
    const ended = await run('--export', 'json:-', '--', 'node', 'bench.mjs');
    expect(ended.status).toBe(0);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect([comparison?.sides.A.name, comparison?.sides.B.name]).toEqual(['lib@1.0.0', 'lib@2.0.0']);
    expect(readdirSync(scene.path('seen')).toSorted()).toEqual(['A1.0.0', 'B2.0.0']);
    const program = await run('--', 'count');
    expect([program.status, program.stderr]).toEqual([0, expect.stringContaining('A = lib@1.0.0, installed before')]);
    const left = ['.deadheat', 'bench.mjs', 'lib-1.0.0.tgz', 'lib-2.0.0.tgz'];
    expect(readdirSync(scene.path('project')).toSorted()).toEqual(left);
  });
});
