import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leavesNothing, noDuets, parseReport, until, useScene } from './support.ts';

if (noDuets !== null) console.warn(`experiments over machines, methods and versions are not tested: ${noDuets}`);

const study = `name: study
machines: [north, south]
methods: [sync-duet, sequential]
versions: { small: seq 1000, same: seq 1000, large: seq 3000 }
runs: 8
benchmarks: { numbers: , again: { prepare: sleep 0.05 } }
`;

describe.skipIf(noDuets !== null)('one file of benchmarks, versions, methods and machines', () => {
  const scene = useScene(leavesNothing);

  it('is divided into parts by machine and benchmark, which are continued and merged into one table', async () => {
    writeFileSync(scene.path('study.yaml'), study);
    const divided = await scene.run(['ci', 'matrix', 'study.yaml', '--jobs', '4', '--experiment-id', 'x']);
    const { include } = JSON.parse(divided.stdout) as { include: { part: string; number: number; machine: string }[] };
    expect(include.map(({ part, machine }) => [part, machine])).toEqual([
      ['1/4', 'north'],
      ['2/4', 'north'],
      ['3/4', 'south'],
      ['4/4', 'south'],
    ]);
    for (const { part, number } of include) {
      const words = ['run', 'study.yaml', '--part', part, '--experiment-id', 'x', '--output', `parts/${number}`];
      if (number === 2) {
        const running = scene.start(words);
        await until(
          () =>
            existsSync(scene.path('parts/2/trials.jsonl')) &&
            readFileSync(scene.path('parts/2/trials.jsonl'), 'utf8') !== '',
        );
        running.child.kill('SIGINT');
        expect((await running.ended).status).toBe(130);
        const resumed = await scene.run(['run', '--resume', 'parts/2', '--export', 'json:-']);
        expect(resumed.status, resumed.stderr).toBe(0);
        const { comparisons, experiment, warnings } = parseReport(resumed.stdout);
        expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(Array.from({ length: 4 }, () => 'again'));
        expect(comparisons.map(({ runs }) => runs)).toEqual([4, 4, 4, 4]);
        expect(experiment.complete).toBe(true);
        expect(warnings.map(({ message }) => message).filter((text) => text.includes('numbers'))).toEqual([]);
        continue;
      }
      const ended = await scene.run(words);
      expect(ended.status, ended.stderr).toBe(0);
    }
    const merged = await scene.run(['ci', 'merge', 'parts', '--output', 'whole']);
    expect(merged.status, merged.stderr).toBe(0);
    for (const name of ['numbers version=same', 'again version=large', 'geometric mean version=large']) {
      for (const method of ['sync-duet', 'sequential'])
        expect(merged.stdout).toMatch(new RegExp(`${name} +${method} `));
    }
    expect(merged.stdout).toContain('8 runs on 2 hosts');
    const { stdout } = await scene.run(['analyse', 'whole', '--export', 'json:-']);
    const { comparisons, hosts, experiment } = parseReport(stdout);
    expect(comparisons).toHaveLength(8);
    expect(comparisons.map(({ runs }) => runs)).toEqual(comparisons.map(() => 8));
    expect(new Set(comparisons.map(({ sides }) => `${sides.A.name} ${sides.B.name}`))).toEqual(
      new Set(['small same', 'small large']),
    );
    expect(hosts?.map(({ id }) => id)).toEqual(['north', 'south']);
    expect(experiment).toMatchObject({ complete: true, parts: { count: 4, taken: [1, 2, 3, 4] } });
    const partly = await scene.run(['ci', 'merge', 'parts/1', 'parts/2', 'parts/4', '--output', 'partly']);
    expect(partly.stdout).toContain('1 of 4 parts are missing (3/4)');
  });

  it('says which numbers of parts there can be', async () => {
    writeFileSync(scene.path('study.yaml'), study);
    writeFileSync(scene.path('open.yaml'), study.replace(/machines.*\n/, ''));
    const byMachine = await scene.run(['ci', 'matrix', 'study.yaml', '--format', 'gitlab', '--experiment-id', 'x']);
    expect(JSON.parse(byMachine.stdout)).toEqual({
      parallel: {
        matrix: ['north', 'south'].map((machine, index) => ({
          DEADHEAT_PART: [`${index + 1}/2`],
          DEADHEAT_EXPERIMENT: ['x'],
          DEADHEAT_MACHINE: [machine],
        })),
      },
    });
    for (const [words, why] of [
      [['ci', 'matrix', 'open.yaml'], /the number of jobs is missing[^]*--jobs 4/],
      [['ci', 'matrix', 'study.yaml', '--jobs', '3'], /2 benchmarks on 2 machines[^]*a multiple of 2, at most 4/],
      [['run', 'study.yaml', '--part', '1/6', '--experiment-id', 'x'], /cannot be divided into 6 parts/],
    ] as const) {
      const { status, stderr } = await scene.run(words);
      expect(status).toBe(2);
      expect(stderr).toMatch(why);
    }
  });

  it('compares commits that build lays out', async () => {
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: scene.directory });
    git('init', '--quiet');
    for (const [index, count] of [1000, 1000, 3000].entries()) {
      writeFileSync(scene.path('bench.sh'), `seq ${count}\n# ${index}\n`);
      git('add', 'bench.sh');
      git('commit', '--quiet', '-m', `${count}`);
      git('tag', `v1.${index}0`);
    }
    writeFileSync(
      scene.path('deadheat.yaml'),
      `versions: [v1.00, v1.10, v1.20]
methods: [sequential]
runs: 2
build: test -d at/{version} || git worktree add --quiet --detach at/{version} {version}
command: sh at/{version}/bench.sh
benchmarks: { bench: }
`,
    );
    const { status, stdout, stderr } = await scene.run(['run', '--export', 'json:-']);
    expect(status, stderr).toBe(0);
    const { comparisons } = parseReport(stdout);
    expect(comparisons.map(({ sides: { A, B } }) => [A.name, B.name])).toEqual([
      ['v1.00', 'v1.10'],
      ['v1.00', 'v1.20'],
    ]);
  });
});
