import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reportSchema } from '@deadheat/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSlurm, SlurmCluster } from './support-slurm.ts';
import { until, useScene } from './support.ts';

if (noSlurm !== null) console.log(`tests of Slurm are skipped: ${noSlurm}`);

const file = (command: string): string => `name: spread
methods: [sequential]
runs: 8
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
    scene.run(['run', '--engine', 'slurm', ...args], { env: cluster.environment });

  it('makes a part on each node, and one recording of all', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const { status, stderr } = await run(['--hosts', '4', '--output', 'whole', '--export-json', 'report.json']);
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

  it('says which parts failed, and keeps what is there', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sh -c "exit 3"'));
    const { status, stderr } = await run(['--hosts', '2']);
    expect(status).toBe(4);
    expect(stderr).toMatch(/part 1\/2 ended with 4 \(.*1\.log\)\n(?: {2}.*\n)*.*status 3/);
    expect(stderr).toContain('deadheat merge ');
  });

  it('cancels the job on Ctrl-C', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 5'));
    const running = scene.start(['run', '--engine', 'slurm', '--hosts', '2'], { env: cluster.environment });
    let told = '';
    running.child.stderr?.on('data', (bytes: Buffer) => (told += bytes.toString()));
    await until(() => told.includes('2 running') || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect(status).toBe(130);
    expect(stderr).toContain('the job was cancelled');
  });

  it('hands options on to sbatch, and says what Slurm refuses', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('sleep 0.01'));
    const { status, stderr } = await run(['--hosts', '2', '--sbatch', '--partition=absent']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/Slurm did not take the job: .*partition/i);
  });
});

describe('without a cluster', () => {
  const scene = useScene();

  it('says that there is no sbatch', async () => {
    writeFileSync(scene.path('deadheat.yaml'), file('/bin/sleep 0.01'));
    const { status, stderr } = await scene.run(['run', '--engine', 'slurm', '--hosts', '2'], {
      env: { PATH: '/nowhere' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('There is no sbatch here');
  });
});
