import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { noDuets, until, type Ended, type Running } from './support.ts';
import { asleep, helpersOf, noCompiler, sleepers, TestEngine, useContainerScene } from './support-containers.ts';

const found = noDuets ?? TestEngine.find();
const variables = typeof found === 'string' ? found : await found.serveDocker();
const why = typeof variables === 'string' ? variables : null;
if (why !== null) {
  console.warn(`container tests are skipped, those with docker: ${why}`);
  if (typeof found !== 'string') found.end();
}

/** The client is docker's own; what serves it is podman, which has the same containers. */
describe.skipIf(why !== null)('an experiment in containers of docker', () => {
  const engine = found as TestEngine;
  let old = '';
  let fresh = '';
  const scene = useContainerScene(engine);
  beforeAll(() => {
    old = engine.image('old');
    fresh = engine.image('new');
  });

  const start = (args: readonly string[]): Running =>
    scene.start([...args, '--engine', 'docker'], { env: variables as Readonly<Record<string, string>> });
  const run = async (text: string): Promise<Ended> => {
    writeFileSync(scene.path('deadheat.yaml'), text);
    return start(['run']).ended;
  };
  const startSleeping = async (): Promise<Running> => {
    writeFileSync(scene.path('deadheat.yaml'), `benchmarks: { b: { command: sleep ${asleep}, image: '${old}' } }`);
    const running = start(['run']);
    await until(() => sleepers() >= 2);
    return running;
  };

  it('compares two images by all methods, and keeps what they leave', async () => {
    const ended = await run(`name: images
runs: 1
methods: { tandem: , sync-duet: , async-duet: { iterations: 2 }, sequential: }
benchmarks:
  read:
    command: cat /etc/name
    keep: [/etc/name]
    limits: { memory: 64m, cpus: 1 }
    A: { image: ${old} }
    B: { image: ${fresh} }
`);
    expect(ended.status, ended.stderr).toBe(0);
    const { experiment, trials } = await readRecording(scene.recording());
    expect(trials).toHaveLength(4);
    for (const { sides, method } of trials) {
      expect(sides.A.iterations).toHaveLength(method === 'async-duet' ? 2 : 1);
      expect(sides.A.cpu === sides.B.cpu).toBe(method === 'tandem' || method === 'sequential');
      expect(sides.B.exitCode).toBe(0);
    }
    expect(experiment.containers?.engine).toBe('docker');
    expect(experiment.containers?.images[old]?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(scene.read('results/images.read.0.seqn.None.B.name')).toBe('new\n');
    expect(scene.read('logs/images.read.0.seqn.None.A.stdout.txt')).toBe('old\n');
  });

  it.skipIf(noCompiler !== null)('lets harnesses meet at the shared page', async () => {
    const image = engine.image('harness', { 'bin/harness': engine.compile('harness') });
    const ended = await run(`runs: 1
iterations: 6
methods: [tandem, sync-duet, async-duet, sequential]
benchmarks: { sort: { image: '${image}', workload: harness, command: harness 6 2000 } }
`);
    expect(ended.status, ended.stderr).toBe(0);
    const { trials } = await readRecording(scene.recording());
    expect(trials).toHaveLength(4);
    for (const { trial } of trials) {
      expect(scene.read(`iterations/${trial}-B.jsonl`).trimEnd().split('\n')).toHaveLength(7);
    }
  });

  it.each([
    [
      'an image that is missing',
      "A: { command: 'true' }, B: { command: 'true', image: 'localhost/no-such:1' }",
      /B of b cannot be started: there is no image localhost\/no-such:1 here \(docker: [^]*docker pull localhost/,
    ],
    [
      'a command that is missing',
      'A: { command: sleep 0 }, B: { command: no-such-program 1 }',
      /B could not be started in run 1 \(the image .* cannot execute no-such-program\): [^]*Install it in the image/,
    ],
    [
      'an exec that fails',
      "cwd: /nowhere, command: 'true'",
      /[AB] could not be started in run 1 \(docker exec failed\): true[^]*cwd has to be a folder in the image/,
    ],
    [
      'a network that is missing',
      "network: no-such, command: 'true'",
      /A could not be started in run 1: true\ndocker run failed\.[^]*network create/,
    ],
    [
      'a disk that is full',
      "A: { command: 'true' }, B: { command: 'dd if=/dev/zero of=/dev/shm/fill bs=1M count=100' }",
      /B exited with status 1 in run 1: dd [^]*No space left on device/,
    ],
    [
      'a file that is not there',
      "keep: [/tmp/none], command: 'true'",
      /A left no \/tmp\/none in its container \(.*no such file or directory\): true/,
    ],
  ])('ends with the reason of %s', async (_, keys, reason) => {
    const ended = await run(`runs: 1\nbenchmarks: { b: { image: '${old}', ${keys} } }`);
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(reason);
  });

  it('is over when its containers are killed midway', async () => {
    const running = await startSleeping();
    engine.call(['kill', ...engine.containers()]);
    const ended = await running.ended;
    expect(ended.status).toBe(4);
    expect(ended.stderr).toMatch(
      /[AB] was killed by SIGKILL in run 1: sleep \d+\nIts container was ended while it ran/,
    );
  });

  it('leaves nothing behind after Ctrl-C, and after SIGKILL', async () => {
    const interrupted = await startSleeping();
    interrupted.child.kill('SIGINT');
    expect((await interrupted.ended).status).toBe(130);
    expect(engine.containers()).toEqual([]);
    const killed = await startSleeping();
    killed.child.kill('SIGKILL');
    await killed.ended;
    await until(() => engine.containers().length === 0 && scene.leftoverPages().length === 0);
  });

  it('is cleaned up after when its guardian is gone too', async () => {
    const running = await startSleeping();
    for (const pid of helpersOf(running.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
    running.child.kill('SIGKILL');
    await running.ended;
    const left = engine.containers();
    expect(left).toHaveLength(2);
    const cleaned = await start(['cleanup']).ended;
    expect(cleaned.status, cleaned.stderr).toBe(0);
    for (const name of left) expect(cleaned.stdout).toContain(`docker ${name}  removed`);
  });
});
