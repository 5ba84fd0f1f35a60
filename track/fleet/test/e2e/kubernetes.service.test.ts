import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { reportSchema } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Ended, until, useScene } from '../../../../core/cli/test/e2e/support.ts';
import { noKubectl, SimulatedKubernetes } from './support-kubernetes.ts';

if (noKubectl !== null) console.log(`tests of Kubernetes are skipped: ${noKubectl}`);

/** Evictions and nodes that are cut off; `DEADHEAT_LOST_NODES=60` for a long test. */
const losses = Number(process.env['DEADHEAT_LOST_NODES'] ?? 6);

const file = (command: string, runs = 8): string => `name: spread
methods: [sequential]
runs: ${runs}
seed: kubernetes
benchmarks:
  pause:
    command: ${JSON.stringify(command)}
`;

const pod = {
  metadata: { labels: { team: 'speed' } },
  spec: { containers: [{ name: 'runs', image: 'deadheat:0.1' }] },
};

describe.skipIf(noKubectl !== null)('an experiment on a simulated Kubernetes', () => {
  const scene = useScene();
  let cluster: SimulatedKubernetes;
  beforeEach(async () => {
    cluster = await SimulatedKubernetes.start(4, [process.execPath, inject('bundledCommand')]);
    writeFileSync(scene.path('pod.json'), JSON.stringify(pod));
  });
  afterEach(() => cluster.stop());

  function start(...more: readonly string[]): ReturnType<typeof scene.start> {
    const typed = [
      'run',
      '--on',
      'kubernetes',
      '--pod',
      'pod.json',
      '--output',
      'whole',
      '--export',
      'json:report.json',
    ];
    return scene.start([...typed, ...more], { env: cluster.environment });
  }

  /** Every run is there once, and all of a part are of one node. */
  function isWhole({ status, stderr }: Ended, runs = 8): void {
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    const report = reportSchema.parse(JSON.parse(readFileSync(scene.path('report.json'), 'utf8')));
    expect(report.experiment.complete).toBe(true);
    expect(report.comparisons[0]).toMatchObject({ benchmark: 'pause', runs });
    const made = scene.trials('whole').filter((trial) => trial.status === 'ok');
    expect(made.map(({ run }) => run).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: runs }, (_, run) => run),
    );
    // Parts are runs that follow each other.
    const hosts = made.toSorted((one, other) => one.run - other.run).map(({ host }) => host);
    expect(hosts.filter((host, run) => run > 0 && host !== hosts[run - 1]).length).toBeLessThan(3);
    expect(readdirSync(scene.directory).filter((name) => name.startsWith('kubernetes-'))).toEqual([]);
    expect(cluster.jobs).toEqual([]);
  }

  it('makes a part in each pod, and one recording of all, also where an answer is lost and lists expire', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    cluster.loseAnswers(1);
    cluster.expire(3);
    const running = start('--hosts', '3');
    const ended = await running.ended;
    expect(running.said).toMatch(/Kubernetes job deadheat-[0-9a-f]{16}-1, 3 parts/);
    isWhole(ended);
    expect(new Set(scene.trials('whole').map(({ host }) => host)).size).toBe(3);
  });

  it('has every run once, whichever pods are evicted and whichever nodes are cut off and go on', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('test -e go || sleep 2', 30));
    const running = start('--hosts', '3');
    const random = createRandom('nodes that are lost');
    const cut: string[] = [];
    for (let loss = 0; loss < losses; loss++) {
      await until(() => cluster.busy().length >= 2 || running.child.exitCode !== null);
      await pause(200 + random.int(1500));
      const busy = cluster.busy();
      const node = busy[random.int(busy.length)] ?? '';
      if (random.next() < 0.5) {
        cluster.evict(node);
      } else {
        cluster.cutOff(node);
        cut.push(node);
      }
      // At most one is away at a time.
      if (cut.length > 1 || random.next() < 0.5) cut.splice(0, 1).forEach((one) => cluster.returns(one));
      if (random.next() < 0.3) cluster.expire(1 + random.int(2));
      expect(running.child.exitCode).toBe(null);
    }
    for (const node of cut) cluster.returns(node);
    writeFileSync(scene.path('go'), '');
    isWhole(await running.ended, 30);
  });

  it('waits for a pod that no node takes, says so, and ends the job on Ctrl-C', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 5', 10));
    const running = start('--hosts', '5');
    await until(() => running.said.includes('4 running, 1 waiting (Unschedulable)') || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect({ status, stderr }).toEqual({ status: 130, stderr: expect.stringContaining('the job was cancelled') });
    expect(cluster.jobs).toEqual([]);
  });

  it('says which parts failed, and goes on with them where they were', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('test -e go'));
    const { status, stderr } = await start('--hosts', '2').ended;
    expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringMatching(/part 1\/2 ended with 4/) });
    writeFileSync(scene.path('go'), '');
    const folder = /deadheat run --resume (\S+)/.exec(stderr)?.[1] ?? '';
    const again = await scene.run(['run', '--resume', folder, '--export', 'json:report.json'], {
      env: cluster.environment,
    });
    expect({ status: again.status, stderr: again.stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    expect(scene.trials('whole').filter((trial) => trial.status === 'ok')).toHaveLength(8);
    expect(existsSync(folder)).toBe(false);
  });

  it('says what is wrong with a manifest, and what the server refuses', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    writeFileSync(scene.path('pod.json'), '{"spec":{"containers":[{"name":"runs"}]}}');
    const local = await start('--hosts', '2').ended;
    expect(local).toMatchObject({ status: 2, stderr: expect.stringMatching(/no valid spec\.containers\.0\.image/) });
    writeFileSync(scene.path('pod.json'), JSON.stringify(pod));
    const { status, stderr } = await start('--hosts', '2', '--submit-option=--namespace=absent').ended;
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/Kubernetes did not take the job: /),
    });
  });
});

describe('without a cluster', () => {
  const scene = useScene();

  it('says that there is no kubectl', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('/bin/sleep 0.01'));
    writeFileSync(scene.path('pod.json'), JSON.stringify(pod));
    const typed = ['run', '--on', 'kubernetes', '--hosts', '2', '--pod', 'pod.json'];
    const { status, stderr } = await scene.run(typed, { env: { PATH: '/nowhere' } });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('There is no kubectl here') });
  });
});
