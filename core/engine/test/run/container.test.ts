import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { benchmarkDefaults, type Container, type Failure } from '@deadheat/model';
import type { Execution } from '@deadheat/sync';
import { usedBetween } from '../../src/run/container/container-usage.ts';
import { isCutByLimit } from '../../src/experiment/trial-runner.ts';
import { copyOutput } from '../../src/run/container/side-output.ts';
import { describeEnd, isFine, toExecution, type SideEnd, whyKilled } from '../../src/run/container/describe-end.ts';
import { explainEngineFailure } from '../../src/run/container/container-engine.ts';
import { barrierName, resultFileName, RunFolders } from '../../src/run/container/run-folders.ts';
import type { RunOutcome } from '../../src/run/executor.ts';

const container: Container = {
  image: 'old:1',
  workingDirectory: null,
  cpus: null,
  memoryBytes: null,
  network: 'none',
  results: [],
  output: null,
};

const ended = (status: number | null, stderr = ''): SideEnd => ({
  executions: [toExecution({ startNs: 1, endNs: 2, status })],
  strays: 0,
  stderr,
  stderrBytes: stderr.length,
  exceeded: null,
  observed: null,
  error: null,
});

const context = { during: 'run 3', commandLine: 'work 1', image: 'new:2', engine: 'podman', together: false };
const tell = (end: SideEnd, ignoreFailure = false): ReturnType<typeof describeEnd> =>
  describeEnd('B', { ...context, end, ignoreFailure });

describe('the name of a kept result', () => {
  // ResultFile of duetbench: suite.benchmark.runid.type.order.pair.file, dots of the first two as underscores.
  const containers = { A: container, B: container, suite: 'dacapo', agentBarrier: false, countsCut: false };
  const benchmark = { ...benchmarkDefaults, name: 'avrora', containers };

  it('is the one that duetbench gives', () => {
    const kept = { benchmark, run: 4, side: 'A' } as const;
    expect(resultFileName({ ...kept, method: 'async-duet', order: 'AB' }, 'results.csv')).toBe(
      'dacapo.avrora.4.duet.AB.A.results.csv',
    );
    expect(resultFileName({ ...kept, method: 'sync-duet', order: 'BA' }, 'results.csv')).toBe(
      'dacapo.avrora.4.syncduet.BA.A.results.csv',
    );
    expect(resultFileName({ ...kept, method: 'sequential', order: 'BA' }, 'result')).toBe(
      'dacapo.avrora.4.seqn.None.A.result',
    );
  });

  it('holds no character that duetbench could not read back', () => {
    const kept = { run: 0, side: 'B', method: 'sequential', order: 'AB' } as const;
    const spec = { ...benchmark, name: '541.leela_r/x', params: { size: '1.5' } };
    expect(resultFileName({ ...kept, benchmark: spec }, 'x')).toBe('dacapo.541_leela_r_x-1_5.0.seqn.None.B.x');
    // A suite of the benchmark's own stands before its name.
    expect(resultFileName({ ...kept, benchmark: { ...benchmark, name: 'dacapo.fop' } }, 'x')).toBe(
      'dacapo.fop.0.seqn.None.B.x',
    );
  });

  it('and that of the barrier name the run', () => {
    expect(barrierName({ benchmark, method: 'sync-duet', run: 2 })).toBe('syncduet.avrora.2:barrier');
  });
});

it('hooks have a folder for temporary files a side, which stays from run to run', () => {
  const folders = new RunFolders();
  try {
    const [a, b] = [folders.temporary('A'), folders.temporary('B')];
    expect(a).not.toBe(b);
    writeFileSync(join(a, 'made by a hook'), '');
    folders.renew();
    expect([readdirSync(a), readdirSync(b)]).toEqual([['made by a hook'], []]);
  } finally {
    folders.remove();
  }
});

describe('the end of a program in a container', () => {
  it('is told as a shell tells it', () => {
    expect(toExecution({ startNs: 1, endNs: 2, status: 3 })).toMatchObject({ exitCode: 3, signal: null });
    expect(toExecution({ startNs: 1, endNs: 2, status: 137 })).toMatchObject({ exitCode: null, signal: 9 });
    // 128 + 18 is no signal that ends a program: the program itself has said so.
    expect(toExecution({ startNs: 1, endNs: 2, status: 146 })).toMatchObject({ exitCode: 146, signal: null });
    expect(toExecution({ startNs: 1, endNs: 2, status: null })).toMatchObject({ exitCode: null, signal: 9 });
  });

  it('counts when it is 0, and another one when failures are ignored', () => {
    expect(tell(ended(0))).toBeNull();
    expect(isFine(ended(0), { ignoreFailure: false })).toBe(true);
    expect(tell(ended(3, 'oops\n'))).toMatchObject({ side: 'B', code: 'EXIT_STATUS' });
    expect(tell(ended(3), true)).toBeNull();
    expect(isFine(ended(3), { ignoreFailure: true })).toBe(true);
    expect(tell(ended(139), true)).toMatchObject({ side: 'B', code: 'SIGNAL' });
    expect(isFine(ended(139), { ignoreFailure: true })).toBe(false);
  });

  it('names what to do where both sides wanted the same, unless they cannot meet', () => {
    const end = ended(1, 'Error: listen EADDRINUSE: address already in use :::8080');
    const meeting = describeEnd('B', { ...context, end, ignoreFailure: false, together: true });
    expect(meeting?.message).toContain('hint: both sides run at the same time');
    expect(tell(end)?.message).not.toContain('hint');
  });

  it.each([
    [
      'podman',
      'Error: runc: exec failed: unable to start container process: exec: "work": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found',
    ],
    [
      'crun',
      'Error: crun: executable file `work` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found',
    ],
    [
      'docker',
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "work": executable file not found in $PATH: unknown',
    ],
    ['the latch', 'work: not found in the image'],
  ])('says that the image lacks the program, in the words of %s', (_, said) => {
    const failure = tell(ended(127, said), true);
    expect(failure?.code).toBe('NOT_STARTED');
    expect(failure?.message).toContain('B could not be started in run 3 (the image new:2 cannot execute work): work 1');
    expect(failure?.message).toContain('Install it in the image');
    expect(isFine(ended(127, said), { ignoreFailure: true })).toBe(false);
  });

  it("tells the engine's failure from the program's", () => {
    expect(tell(ended(125, 'Error: no such container'))?.message).toContain('podman exec failed');
    // A shell in the container says so, too.
    expect(tell(ended(127, 'sh: nosuch: not found'))).toMatchObject({ code: 'EXIT_STATUS' });
  });
});

describe('CPU time of a container', () => {
  const usage = (totalNs: number, userNs: number, systemNs: number): Parameters<typeof usedBetween>[0] => ({
    totalNs,
    userNs,
    systemNs,
  });

  it('is the exact sum, divided as the coarse parts tell', () => {
    // 9 ms, of which ticks of 4 ms say 8 to 4: two thirds are the program's own.
    expect(usedBetween(usage(1e6, 4e6, 0), usage(10e6, 12e6, 4e6))).toEqual({ userNs: 6e6, systemNs: 3e6 });
    expect(usedBetween(usage(0, 4e6, 4e6), usage(5e5, 4e6, 4e6))).toEqual({ userNs: 5e5, systemNs: 0 });
  });
});

describe('an engine that refuses', () => {
  const explain = (stderr: string): string => explainEngineFailure('podman', { args: ['run', '--detach'], stderr });

  it.each([
    ['Error: OCI runtime error: crun: cgroups in hybrid mode not supported, drop all controllers', 'runtime = "runc"'],
    ['Error: crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted: OCI permission denied', 'default_ulimits'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'Start the docker service'],
    ['exec: "/bin/sh": stat /bin/sh: no such file or directory', 'The image needs /bin/sh'],
    ['write /var/lib/x: no space left on device', 'make room'],
    ['Error: unable to find network with name or ID net: network not found', 'network create'],
    ['something else', 'podman info'],
  ])('is quoted with what helps: %s', (said, remedy) => {
    expect(explain(said)).toContain(`podman: ${said}`);
    expect(explain(said).toLowerCase()).toContain(remedy.toLowerCase());
  });
});

it('an engine is quoted without its references to its own help', () => {
  const stderr = "docker: Error response from daemon: no such thing\n\nRun 'docker run --help' for more information\n";
  expect(explainEngineFailure('docker', { args: ['run'], stderr })).toBe(
    'docker run failed.\n  docker: docker: Error response from daemon: no such thing\nTry it by hand: docker info.',
  );
});

describe('why a program was killed', () => {
  const tell = async (state: 'running' | 'ended' | 'gone', memoryBytes: number | null): Promise<string | null> =>
    whyKilled({ state: async () => state }, { memoryBytes });

  it('is told by what has become of its container, and by its limit', async () => {
    expect(await tell('ended', null)).toMatch(/^Its container was ended while it ran/);
    expect(await tell('gone', 2 ** 25)).toMatch(/^Its container was removed while it ran/);
    expect(await tell('running', 2 ** 25)).toMatch(/^It may take 32 MiB and no more: raise limits: memory/);
    expect(await tell('running', null)).toBeNull();
  });
});

describe('the file that is read of a container', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-output-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const to = join(folder, 'taken');
  const copied: string[] = [];
  /** Has a folder /result with files of these names, each of which holds its name. */
  const copy = async (path: string, names: readonly string[]): Promise<string | null> => {
    const place = {
      copyOut: async (from: string, target: string): Promise<string | null> => {
        copied.push(from);
        if (from !== '/result') return 'no such file';
        mkdirSync(target);
        for (const name of names) writeFileSync(join(target, name), name);
        return null;
      },
    };
    return copyOutput(place, path, { to, stage: join(folder, 'stage') });
  };

  it('is the one that a path with * finds', async () => {
    const names = ['CPU2017.001.log', 'CPU2017.002.log', 'CPU2017.002.log.debug', '002.logs'];
    expect(await copy('/result/*002.log', names)).toBeNull();
    expect(readFileSync(to, 'utf8')).toBe('CPU2017.002.log');
    expect(await copy('/result/C*.*1.l*', names)).toBeNull();
    expect(readFileSync(to, 'utf8')).toBe('CPU2017.001.log');
    expect(copied).toEqual(['/result', '/result']);
  });

  it('has to be one, and to be there', async () => {
    expect(await copy('/result/*.log', ['b.log', 'a.log'])).toBe('several have such a name: a.log, b.log');
    expect(await copy('/result/a*a.log', ['a.log'])).toBe('no file there has such a name');
    expect(await copy('/elsewhere/*.log', [])).toBe('no such file');
    expect(await copy('/result.csv', [])).toBe('no such file');
  });

  it.each(['/result.log', '/*.log'])(
    'is not one of this machine, to which %s of the container is a link',
    async (path) => {
      rmSync(to, { force: true });
      writeFileSync(join(folder, 'shadow'), 'secret');
      const place = {
        // Docker copies a link as it is, and both copy folders with the links in them.
        copyOut: async (from: string, target: string): Promise<string | null> => {
          if (from === '/') mkdirSync(target);
          symlinkSync(join(folder, 'shadow'), from === '/' ? join(target, 'result.log') : target);
          return null;
        },
      };
      expect(await copyOutput(place, path, { to, stage: join(folder, 'stage') })).toBe('it is a symbolic link');
      expect(existsSync(to)).toBe(false);
    },
  );
});

describe('a run that its time limit ended', () => {
  const failure = (code: Failure['code']): Failure => ({ side: 'A', code, message: '' });
  const outcome = (...codes: readonly Failure['code'][]): RunOutcome => {
    const side = { executions: [], strays: 0, stderrBytes: 0, stopped: false, observed: null };
    return { sides: { A: side, B: side }, failures: codes.map(failure) };
  };
  const containers = { A: container, B: container, suite: 's', agentBarrier: false, countsCut: true };

  it('is told from one that failed otherwise, and from those whose limit is a failure', () => {
    expect(isCutByLimit({ containers }, outcome('TIMEOUT', 'TIMEOUT'))).toBe(true);
    expect(isCutByLimit({ containers }, outcome('TIMEOUT', 'SIGNAL'))).toBe(false);
    expect(isCutByLimit({ containers }, outcome())).toBe(false);
    expect(isCutByLimit({ containers: { ...containers, countsCut: false } }, outcome('TIMEOUT'))).toBe(false);
    expect(isCutByLimit({ containers: null }, outcome('TIMEOUT'))).toBe(false);
  });
});

/** Keeps the shape of an execution in view: what a container does not tell is `null`. */
const unknown: Partial<Execution> = { maxRssBytes: null, runDelayNs: null, voluntarySwitches: null };

it('knows of an execution what the engine tells', () => {
  expect(toExecution({ startNs: 1, endNs: 2, status: 0 })).toMatchObject(unknown);
});
