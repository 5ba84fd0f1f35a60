import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reportSchema } from '@deadheat/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, until, useScene } from '../../../../core/cli/test/e2e/support.ts';
import { GridEngineCluster, noGridEngine } from './support-grid-engine.ts';

if (noGridEngine !== null) console.log(`tests of Grid Engine are skipped: ${noGridEngine}`);

const file = (command: string): string => `name: spread
methods: [sequential]
runs: 8
seed: grid engine
benchmarks:
  pause:
    command: ${JSON.stringify(command)}
`;

describe.skipIf(noGridEngine !== null)('an experiment on the nodes of Grid Engine', () => {
  const scene = useScene();
  let cluster: GridEngineCluster;
  beforeAll(async () => {
    cluster = await GridEngineCluster.start(3);
  });
  afterAll(() => cluster.stop());
  const words = (...more: readonly string[]): readonly string[] => ['run', '--on', 'gridengine', ...more];

  function start(...more: readonly string[]): ReturnType<typeof scene.start> {
    return scene.start(words(...more), { env: cluster.environment });
  }

  /** Every run is there once, and all of a part are of one node. */
  function isWhole({ status, stderr }: Ended, nodes: readonly string[]): void {
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    const report = reportSchema.parse(JSON.parse(readFileSync(scene.path('report.json'), 'utf8')));
    expect(report.experiment.complete).toBe(true);
    expect(report.comparisons[0]).toMatchObject({ benchmark: 'pause', runs: 8 });
    const made = scene.trials('whole').filter((trial) => trial.status === 'ok');
    expect(made.map(({ run }) => run).toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(made.map(({ host }) => host))).toEqual(new Set(nodes));
    expect(readdirSync(scene.directory).filter((name) => name.startsWith('gridengine-'))).toEqual([]);
  }

  it('makes a part on each node, and one recording of all', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const running = start('--hosts', '3', '--output', 'whole', '--export', 'json:report.json');
    const ended = await running.ended;
    expect(running.said).toMatch(/Grid Engine job \d+, 3 parts/);
    isWhole(ended, ['n1', 'n2', 'n3']);
  });

  it('has every run once where a node is lost half way and another takes its part', async () => {
    const waits =
      'echo >> $HOSTNAME.calls; test $(wc -l < $HOSTNAME.calls) -lt 4 || until test -e go; do sleep 0.1; done';
    writeFileSync(scene.path('deadheat.yaml'), file(`sh -c '${waits}'`));
    cluster.ask('qmod', '-d', 'all.q@n3');
    const running = start('--hosts', '2', '--output', 'whole', '--export', 'json:report.json');
    const calls = (node: string): number =>
      existsSync(scene.path(`${node}.calls`)) ? readFileSync(scene.path(`${node}.calls`), 'utf8').length : 0;
    await until(() => (calls('n1') >= 4 && calls('n2') >= 4) || running.child.exitCode !== null);
    cluster.lose('n1');
    cluster.ask('qmod', '-e', 'all.q@n3');
    await until(() => calls('n3') >= 4 || running.child.exitCode !== null);
    writeFileSync(scene.path('go'), '');
    const ended = await running.ended;
    await cluster.returns('n1');
    isWhole(ended, ['n2', 'n3']);
  });

  it('says why Grid Engine ended a part, which goes on where it was when it is submitted again', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sh -c "test -e go || test $DEADHEAT_SIDE = A || exec sleep 600"'));
    const options = ['--submit-option=-l h_rt=4', '--output', 'whole', '--export', 'json:report.json'];
    const { status, stderr } = await start('--hosts', '2', ...options).ended;
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: expect.stringMatching(/part 2\/2 was ended by a limit on n\d .*h_rt.*give it more \(qsub -l h_rt/),
    });
    writeFileSync(scene.path('go'), '');
    const folder = /deadheat run --resume (\S+)/.exec(stderr)?.[1] ?? '';
    const again = ['run', '--resume', folder, '--submit-option=-l h_rt=600', '--export', 'json:report.json'];
    const whole = await scene.run(again, { env: cluster.environment });
    expect(whole, whole.stderr).toMatchObject({ status: 0 });
    expect(scene.trials('whole').filter((trial) => trial.status === 'ok')).toHaveLength(8);
  });

  it('cancels the job on Ctrl-C', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 5'));
    const running = start('--hosts', '2');
    await until(() => running.said.includes('2 running') || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect({ status, stderr }).toEqual({ status: 130, stderr: expect.stringContaining('the job was cancelled') });
    await until(() => cluster.ask('qstat', '-u', '*').trim() === '');
  });

  it('hands options on to qsub, and says what Grid Engine refuses', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const { status, stderr } = await start('--hosts', '2', '--submit-option=-l nothing=1').ended;
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/Grid Engine did not take the job: .*unknown resource "nothing"/),
    });
  });
});

describe('without a cluster', () => {
  const scene = useScene();

  it('says that there is no qsub', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('/bin/sleep 0.01'));
    const { status, stderr } = await scene.run(['run', '--on', 'gridengine', '--hosts', '2'], {
      env: { PATH: '/nowhere' },
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('There is no qsub here') });
  });
});
