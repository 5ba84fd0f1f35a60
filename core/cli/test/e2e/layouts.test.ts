import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRecording } from '@deadheat/recording';
import { sides } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { leavesNothing, parseReport, until, useScene } from './support.ts';
import { SceneRepository, skipped, usual, work } from './support-repository.ts';

const missing = ['gcc', 'make'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
const why = skipped ?? (missing.length > 0 ? `${missing.join(' and ')} not installed` : null);

const program = (work: number): string =>
  `#include <stdlib.h>
   static volatile unsigned sum;
   __attribute__((noinline)) void add(unsigned by) { sum += by; }
   int main(void) { for (unsigned i = 0; i < ${work}u; i++) add(i); return 0; }`;
const makefile = 'program: program.c\n\tgcc -O1 -o program program.c\n';
const few = ['--method', 'tandem', '--metric', 'cpu', '--export', 'json:-'];

describe.skipIf(why !== null)(`several builds of each side${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const scene = useScene(leavesNothing);
  const repository = new SceneRepository(scene);

  function commits(): void {
    repository.commit('first', { 'program.c': program(1e6), Makefile: makefile, '.gitignore': '.deadheat\n' });
    repository.commit('twice', { 'program.c': program(2e6) });
  }

  it('are made with seeds of their own, share the runs, and carry the interval', async () => {
    commits();
    const layouts = ['--layouts', '3', '--build', 'make'];
    const ended = await repository.run('git', 'HEAD~1..', ...layouts, '--runs', '12', ...few, '--', './program');
    expect([ended.status, ended.stderr]).toEqual([0, expect.stringContaining('B, layout 3 of 3: make')]);
    const [comparison] = parseReport(ended.stdout).comparisons;
    expect(comparison).toMatchObject({ interval: { kind: 't' }, resampled: { unit: 'layout', count: 3 }, runs: 12 });
    expect(comparison?.layouts?.each.map(({ id, runs }) => [id, runs])).toEqual([
      ['layout 1', 4],
      ['layout 2', 4],
      ['layout 3', 4],
    ]);
    expect(comparison?.warnings.map(({ code }) => code)).not.toContain('LAYOUTS_IDENTICAL');
    const [name = ''] = readdirSync(scene.path('repo/.deadheat'));
    const { experiment, trials } = await readRecording(scene.path(`repo/.deadheat/${name}`));
    const built = experiment.config.benchmarks[0]?.layouts;
    const all = sides.flatMap((side) => built?.[side] ?? []);
    expect(new Set(all.map(({ seed }) => seed)).size).toBe(6);
    expect(new Set(all.map(({ code }) => code)).size).toBe(6);
    const measured = trials.filter(({ phase }) => phase === 'measure').toSorted((a, b) => a.run - b.run);
    expect(measured.map(({ layout }) => layout)).toEqual([0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);

    const said = await repository.run('analyse', '--details', `.deadheat/${name}`);
    expect(said.stdout.replaceAll(/\s+/g, ' ')).toContain('the interval is over layouts');
  });

  it('are executed each, also with the hook of a file that builds, which finds the seed', async () => {
    repository.commit('first', {
      'deadheat.yaml': [
        'benchmarks:',
        '  work:',
        '    build: echo "$DEADHEAT_LAYOUT_SEED" > seed; command -v gcc > compiler',
        '    command: sh work.sh',
      ].join('\n'),
      'work.sh': `cat seed >> ${scene.path('seeds')}\n${work(usual)}`,
      '.gitignore': '.deadheat\n',
    });
    const ended = await repository.run('git', 'HEAD..HEAD', '--exact', '--layouts', '2', '--runs', '4', ...few);
    expect([ended.status, ended.stderr]).toEqual([0, expect.anything()]);
    const { experiment } = await readRecording(
      join(scene.path('repo/.deadheat'), readdirSync(scene.path('repo/.deadheat'))[0] ?? ''),
    );
    const { layouts } = experiment.config.benchmarks[0] ?? {};
    const all = sides.flatMap((side) => layouts?.[side] ?? []);
    const seeds = readFileSync(scene.path('seeds'), 'utf8').trim().split('\n');
    expect(new Set(seeds)).toEqual(new Set(all.map(({ seed }) => seed)));
    for (const { root, tools } of all) {
      // The folder of a build that is not in use.
      expect(readFileSync(join(dirname(root), 'parked/compiler'), 'utf8').trim()).toBe(join(tools, 'bin/gcc'));
    }
  });

  it('are refused where nothing is built, and named where they are alike', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    const refused = await repository.run('git', 'HEAD..HEAD', '--exact', '--layouts', '2', '--', 'sh work.sh');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--build 'make'")]);
    const many = await repository.run('git', '--layouts', '17', '--build', 'true', '--', 'sh work.sh');
    expect([many.status, many.stderr]).toEqual([2, expect.stringContaining('at most 16')]);
    const alike = await repository.run(
      'git',
      'HEAD..HEAD',
      '--exact',
      '--layouts',
      '2',
      '--build',
      'true',
      '--runs',
      '4',
      ...few,
      '--',
      'sh work.sh',
    );
    const [comparison] = parseReport(alike.stdout).comparisons;
    expect(comparison?.warnings.map(({ code }) => code)).toContain('LAYOUTS_IDENTICAL');
  });

  it('are resumed with the builds that there were', async () => {
    repository.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    const [begun, goOn] = [scene.path('begun'), scene.path('go-on')];
    const command = `sh -c "cat built > /dev/null; touch ${begun}; test -e ${goOn} || exec sleep 1000"`;
    const env = { DEADHEAT_CACHE: scene.path('cache') };
    const build = 'echo "$DEADHEAT_LAYOUT_SEED" > built';
    const words = ['git', 'HEAD..HEAD', '--exact', '--layouts', '2', '--build', build, '--runs', '4', '--', command];
    const running = scene.start(words, { cwd: 'repo', env });
    await until(() => existsSync(begun));
    running.child.kill('SIGINT');
    expect((await running.ended).status).toBe(130);
    writeFileSync(goOn, '');
    const [name = ''] = readdirSync(scene.path('repo/.deadheat'));
    const resumed = await scene.run(['--resume', join(scene.path('repo/.deadheat'), name), '--export', 'json:-'], {
      env,
    });
    expect([resumed.status, resumed.stderr]).toEqual([expect.toBeOneOf([0, 5]), expect.anything()]);
    expect(parseReport(resumed.stdout).comparisons.map(({ runs, layouts }) => [runs, layouts?.each.length])).toEqual([
      [4, 2],
    ]);
  });
});
