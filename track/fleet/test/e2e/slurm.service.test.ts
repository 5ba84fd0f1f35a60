import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { reportSchema } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSlurm, SlurmCluster } from './support-slurm.ts';
import { type Ended, until, useScene } from '../../../../core/cli/test/e2e/support.ts';

if (noSlurm !== null) console.log(`tests of Slurm are skipped: ${noSlurm}`);

/** Nodes that are lost or drained; a long test has `DEADHEAT_LOST_NODES=60`, and `--test-timeout 0` for vitest. */
const losses = Number(process.env['DEADHEAT_LOST_NODES'] ?? 4);

const file = (command: string, runs = 8): string => `name: spread
methods: [sequential]
runs: ${runs}
seed: slurm
benchmarks:
  pause:
    command: ${JSON.stringify(command)}
`;

describe.skipIf(noSlurm !== null)('an experiment on the nodes of a cluster', () => {
  const scene = useScene();
  let cluster: SlurmCluster;
  beforeAll(async () => {
    cluster = await SlurmCluster.start(4);
  });
  afterAll(() => cluster.stop());
  const run = async (args: readonly string[]) =>
    scene.run(['run', '--on', 'slurm', ...args], { env: cluster.environment });

  it('makes a part on each node, and one recording of all', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const { status, stderr } = await run(['--hosts', '4', '--output', 'whole', '--export', 'json:report.json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/Slurm job \d+, 4 parts/) });
    const report = reportSchema.parse(JSON.parse(readFileSync(scene.path('report.json'), 'utf8')));
    expect(report.experiment.complete).toBe(true);
    expect(report.comparisons[0]).toMatchObject({ benchmark: 'pause', runs: 8 });
    const hosts = new Map<string, number[]>();
    for (const { host = '', run: number } of scene.trials('whole'))
      hosts.set(host, [...(hosts.get(host) ?? []), number]);
    expect([...hosts.keys()].toSorted()).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect([...hosts.values()].flat().toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    // What was gathered needs no second copy.
    expect(readdirSync(scene.directory).toSorted()).toEqual(['deadheat.yaml', 'report.json', 'whole']);
  });

  /** Writes a program that records that it computed all of its 5005 or 6006 ns, or a fifth where `waits` holds, and did not wait for a CPU, and its experiment. */
  const writeRecording = (waits: string): void => {
    const line = String.raw`printf '{"i":%d,"s":%d,"e":%d,"c":%d,"q":0}\n' $i $((i * 1000000)) $((i * 1000000 + $1)) $c`;
    const head = String.raw`printf '{"deadheat":1,"benchmark":"own","params":{}}\n' > $DEADHEAT_RECORD`;
    const lines = `${head}\nfor i in 0 1 2 3; do ${line}; done >> $DEADHEAT_RECORD\n`;
    writeFileSync(scene.path('program.sh'), `if ${waits}; then c=$(($1 / 5)); else c=$1; fi\n${lines}`);
    const side = (ns: number): string => `{ command: sh program.sh ${ns} }`;
    const begun = 'name: spread\nruns: 4\nseed: slurm\nworkload: harness\nbenchmarks:\n  own:\n';
    writeFileSync(scene.path('deadheat.yaml'), `${begun}    A: ${side(5005)}\n    B: ${side(6006)}\n`);
  };

  it('has the method that the pilot runs of all nodes chose', async () => {
    writeRecording('false');
    const { status, stderr } = await run(['--hosts', '2', '--output', 'whole', '--export', 'json:report.json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/Slurm job \d+, 2 parts/) });
    const { comparisons } = reportSchema.parse(JSON.parse(readFileSync(scene.path('report.json'), 'utf8')));
    expect(comparisons[0]).toMatchObject({ method: 'tandem', metric: 'cpu', runs: 4, verdict: 'slower' });
    const made = scene.trials('whole').map(({ host, phase, method }) => `${host} ${phase} ${method}`);
    for (const node of ['n1', 'n2']) {
      expect(made.filter((text) => text === `${node} measure tandem`)).toHaveLength(2);
      expect(made.filter((text) => text.startsWith(`${node} pilot `)).length).toBeGreaterThan(0);
    }
  });

  it('is not judged where nodes chose differently, and says what to do', async () => {
    writeRecording('[ $SLURMD_NODENAME = n1 ]');
    const { status, stderr } = await run(['--hosts', '2', '--output', 'whole']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/for own the pilot runs chose .*; and .*methods: .*\n.*--method/);
    const fixed = await run(['--hosts', '2', '--output', 'whole', '--method', 'tandem']);
    expect({ status: fixed.status, stderr: fixed.stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    expect(new Set(scene.trials('whole').map(({ phase, method }) => `${phase} ${method}`))).toEqual(
      new Set(['measure tandem']),
    );
  });

  it('says which parts failed, and keeps what is there', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sh -c "exit 3"'));
    const { status, stderr } = await run(['--hosts', '2']);
    expect(status).toBe(4);
    expect(stderr).toMatch(/part 1\/2 ended with 4 \(.*1\.log\)\n(?: {2}.*\n)*.*status 3/);
    expect(stderr).toContain('deadheat ci merge ');
  });

  it('says why Slurm ended a part, which goes on where it was when it is submitted again', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sh -c "test -e go || test $DEADHEAT_SIDE = A || exec sleep 600"'));
    const running = scene.start(['run', '--on', 'slurm', '--hosts', '2', '--output', 'whole'], {
      env: cluster.environment,
    });
    await until(() => running.said.includes('2 running') || running.child.exitCode !== null);
    const job = /Slurm job (\d+)/.exec(running.said)?.[1] ?? '';
    execFileSync('scancel', [`${job}_2`], { env: { ...process.env, ...cluster.environment } });
    writeFileSync(scene.path('go'), '');
    execFileSync('scancel', [`${job}_1`], { env: { ...process.env, ...cluster.environment } });
    const { status, stderr } = await running.ended;
    expect(status).toBe(4);
    expect(stderr).toMatch(/part 2\/2 was cancelled.*\(CANCELLED\)/);
    const folder = /deadheat run --resume (\S+)/.exec(stderr)?.[1] ?? '';
    const again = await scene.run(['run', '--resume', folder, '--submit-option', '--time=10'], {
      env: cluster.environment,
    });
    expect({ status: again.status, stderr: again.stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    // Slurm ends all processes of a part, so that the run in hand may be one that failed.
    expect(scene.trials('whole').filter((trial) => trial.status === 'ok')).toHaveLength(8);
  });

  /** Starts two parts that wait half way, one on n1 and one on n2; answers what ends them, and the number of the job. */
  async function halfWay(): Promise<{
    readonly go: () => ReturnType<typeof scene.start>['ended'];
    readonly job: string;
  }> {
    for (const node of ['n3', 'n4']) cluster.control('update', `NodeName=${node}`, 'State=DRAIN', 'Reason=spare');
    const called = '$SLURMD_NODENAME.calls';
    const waits = `echo >> ${called}; test $(wc -l < ${called}) -lt 4 || until test -e go; do sleep 0.1; done`;
    writeFileSync(scene.path('deadheat.yaml'), file(`sh -c '${waits}'`));
    const options = ['--hosts', '2', '--output', 'whole', '--export', 'json:report.json'];
    const running = scene.start(['run', '--on', 'slurm', ...options], { env: cluster.environment });
    const calls = (node: string): number =>
      existsSync(scene.path(`${node}.calls`)) ? readFileSync(scene.path(`${node}.calls`), 'utf8').length : 0;
    await until(() => (calls('n1') >= 4 && calls('n2') >= 4) || running.child.exitCode !== null);
    for (const node of ['n3', 'n4']) cluster.control('update', `NodeName=${node}`, 'State=RESUME');
    const go = async (): Promise<Ended> => {
      writeFileSync(scene.path('go'), '');
      return running.ended;
    };
    return { go, job: /Slurm job (\d+)/.exec(running.said)?.[1] ?? '' };
  }

  /** Every run is there once, and all of a part are of one node; `nodes` = those that made them, where that is known. */
  function isWhole({ status, stderr }: Ended, nodes: readonly string[] | null, runs = 8): void {
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
    const report = reportSchema.parse(JSON.parse(readFileSync(scene.path('report.json'), 'utf8')));
    expect(report.experiment.complete).toBe(true);
    expect(report.comparisons[0]).toMatchObject({ benchmark: 'pause', runs });
    const made = scene.trials('whole').filter((trial) => trial.status === 'ok');
    expect(made.map(({ run: number }) => number).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: runs }, (_, number) => number),
    );
    if (nodes !== null) expect(new Set(made.map(({ host }) => host))).toEqual(new Set(nodes));
    expect(readdirSync(scene.directory).filter((name) => name.startsWith('slurm-'))).toEqual([]);
  }

  it('has every run once where a node is lost half way and another takes its part', async () => {
    const { go, job } = await halfWay();
    cluster.control('update', 'NodeName=n4', 'State=DRAIN', 'Reason=spare');
    const part = cluster.partOn('n1', job);
    cluster.lose('n1');
    // Slurm waits two minutes before it starts such a task again.
    cluster.control('update', `JobId=${job}_${part}`, 'StartTime=now');
    await until(() => cluster.partOn('n3', job) === part);
    const ended = await go();
    await cluster.returns('n1');
    cluster.control('update', 'NodeName=n4', 'State=RESUME');
    isWhole(ended, ['n2', 'n3']);
  });

  it('ends on a node that is drained half way', async () => {
    const { go } = await halfWay();
    cluster.control('update', 'NodeName=n1', 'State=DRAIN', 'Reason=repair');
    const ended = await go();
    cluster.control('update', 'NodeName=n1', 'State=RESUME');
    isWhole(ended, ['n1', 'n2']);
  });

  it('has every run once, whichever nodes lose their power and whichever are drained', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('test -e go || sleep 2', 30));
    const options = ['--hosts', '3', '--output', 'whole', '--export', 'json:report.json'];
    const running = scene.start(['run', '--on', 'slurm', ...options], { env: cluster.environment });
    await until(() => running.said.includes('3 running') || running.child.exitCode !== null);
    const job = /Slurm job (\d+)/.exec(running.said)?.[1] ?? '';
    const random = createRandom('nodes of Slurm that are lost');
    const counts = { killed: 0, drained: 0 };
    const at = (): ReadonlyMap<string, string> =>
      new Map(['n1', 'n2', 'n3', 'n4'].map((node) => [node, cluster.partOn(node, job)]));
    for (let loss = 0; loss < losses; loss++) {
      await pause(200 + random.int(1500));
      const busy = [...at()].filter(([, part]) => /^[123]$/.test(part));
      const [node, part] = busy[random.int(busy.length)] ?? ['', ''];
      const isKilled = random.next() < 0.5;
      counts[isKilled ? 'killed' : 'drained'] += 1;
      if (isKilled) cluster.lose(node);
      else {
        cluster.control('update', `NodeName=${node}`, 'State=DRAIN', 'Reason=repair');
        cluster.control('requeue', `${job}_${part}`);
      }
      // Its part goes to the node that is free, at once where an operator says so.
      for (let moved = false; !moved && running.child.exitCode === null;) {
        cluster.hurry(`${job}_${part}`);
        await pause(300);
        moved = [...at()].some(([other, one]) => other !== node && one === part);
      }
      if (isKilled) await cluster.returns(node);
      else cluster.control('update', `NodeName=${node}`, 'State=RESUME');
      expect(running.child.exitCode, running.said).toBe(null);
    }
    writeFileSync(scene.path('go'), '');
    isWhole(await running.ended, null, 30);
    console.log(`Slurm: ${JSON.stringify(counts)}, 30 runs, every one once`);
  });

  it('cancels the job on Ctrl-C', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 5'));
    const running = scene.start(['run', '--on', 'slurm', '--hosts', '2'], { env: cluster.environment });
    await until(() => running.said.includes('2 running') || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect(status).toBe(130);
    expect(stderr).toContain('the job was cancelled');
  });

  it('hands options on to sbatch, and says what Slurm refuses', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const { status, stderr } = await run(['--hosts', '2', '--submit-option', '--partition=absent']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/Slurm did not take the job: .*partition/i);
  });
});

describe('without a cluster', () => {
  const scene = useScene();

  it('says that there is no sbatch', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('/bin/sleep 0.01'));
    const { status, stderr } = await scene.run(['run', '--on', 'slurm', '--hosts', '2'], {
      env: { PATH: '/nowhere' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('There is no sbatch here');
  });
});
