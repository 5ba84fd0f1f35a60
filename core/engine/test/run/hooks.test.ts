import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmarkDefaults, type Benchmark, type Command } from '@deadheat/model';
import { parentOf } from '@deadheat/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Hooks, runArtifact } from '../../src/run/hooks.ts';

describe.skipIf(process.platform !== 'linux')('a hook', () => {
  function benchmarkWith(cleanup: string): Benchmark {
    const command: Command = { name: 'true', commandLine: 'true', argv: ['/bin/true'], executedBy: 'direct' };
    const none = { build: null, setup: null, prepare: null, conclude: null, cleanup };
    return { ...benchmarkDefaults, name: 'b', commands: { A: command, B: command }, hooks: { A: none, B: none } };
  }

  it('that is not waited for any longer goes on, and is told of', async () => {
    const running: (number | null)[] = [];
    const hooks = new Hooks({ output: 'null', inherited: process.env, onStart: (pid) => running.push(pid) });
    const failure = await hooks.run('cleanup', { benchmark: benchmarkWith('sleep 1000'), side: 'A', leaveAfterMs: 50 });
    const [pid = 0] = hooks.left;
    expect(failure).toMatchObject({
      code: 'HOOK_FAILED',
      message: expect.stringContaining(`(process ${pid})`) as string,
    });
    expect(running).toEqual([pid, null]);
    expect(parentOf(pid)).toBe(process.pid);
    process.kill(-pid, 'SIGKILL');
  });

  it('that ends in time is none that is left', async () => {
    const hooks = new Hooks({ output: 'null', inherited: process.env, onStart: () => {} });
    const benchmark = benchmarkWith('exit 0');
    expect(await hooks.run('cleanup', { benchmark, side: 'A', leaveAfterMs: 60_000 })).toBeNull();
    expect(hooks.left).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('an artifact', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'artifact-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is what a command prints', async () => {
    const file = join(directory, 'artifact');
    expect(await runArtifact('echo fact', { file, signal: new AbortController().signal })).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe('fact\n');
  });

  it('is ended by an interruption, and keeps what was printed until then', async () => {
    const file = join(directory, 'artifact');
    const controller = new AbortController();
    const running = runArtifact('echo fact; sleep 1000', { file, signal: controller.signal });
    while (readFileSync(file, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await running).toBe('it was interrupted');
    expect(readFileSync(file, 'utf8')).toBe('fact\n');
  });
});
