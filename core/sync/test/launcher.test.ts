import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { descendants, getAffinity, Launcher, parentOf, stoppedBelow, word, type ExecuteReply } from '@deadheat/sync';
import type { ExecuteRequest } from '../src/launcher/messages.ts';
import { kill } from '../src/processes.ts';
import { readRunDelay, Spawner } from '../src/launcher/spawner.ts';
import { loadLibc } from '../src/libc.ts';
import { noPages, once, until, useLauncher } from './support.ts';

describe.skipIf(noPages !== null)('a launcher', () => {
  const scene = useLauncher();

  async function shell(script: string, request: Partial<ExecuteRequest> = {}): Promise<ExecuteReply> {
    return scene.execute(['/bin/sh', '-c', script], { request });
  }

  it('tells exit status, times and resources of a program', async () => {
    const { executions, strays } = await shell('i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 3');
    expect(strays).toBe(0);
    expect(executions).toHaveLength(1);
    const [execution] = executions;
    expect(execution).toMatchObject({ exitCode: 3, signal: null });
    expect(execution?.endNs).toBeGreaterThan(execution?.startNs ?? Infinity);
    expect(execution?.userNs).toBeGreaterThan(0);
  });

  it('reads every figure of the usage of a program from its place', async () => {
    // It uses over a second in itself, 0.1 s in the kernel, 200 MB and 300 sleeps, and tells at its end what the kernel counted.
    writeFileSync(
      join(scene.directory, 'use.mjs'),
      `import { openSync, readSync } from 'node:fs';
       const usage = () => process.resourceUsage();
       while (usage().userCPUTime < 1.05e6) for (let i = 0; i < 1e6; i++);
       const [zero, target] = [openSync('/dev/zero'), Buffer.alloc(2e8, 1)];
       while (usage().systemCPUTime < 1e5) readSync(zero, target, 0, 1e6);
       const cell = new Int32Array(new SharedArrayBuffer(4));
       for (let i = 0; i < 300; i++) Atomics.wait(cell, 0, 0, 0.1);
       process.stderr.write(JSON.stringify(usage()));`,
    );
    const { executions, stderr } = await shell(`exec ${process.execPath} ${join(scene.directory, 'use.mjs')}`);
    const own = JSON.parse(stderr) as NodeJS.ResourceUsage;
    const [read] = executions;
    // What the program did after it had asked is small, and so are the figures of the shell before it.
    for (const [figure, counted, more] of [
      [read?.userNs, own.userCPUTime * 1e3, 0.2e9],
      [read?.systemNs, own.systemCPUTime * 1e3, 0.2e9],
      [read?.maxRssBytes, own.maxRSS * 1024, 30e6],
      [read?.voluntarySwitches, own.voluntaryContextSwitches, 100],
      [read?.involuntarySwitches, own.involuntaryContextSwitches, 500],
    ] as const) {
      expect(figure).toBeGreaterThanOrEqual(counted);
      expect(figure).toBeLessThanOrEqual(counted + more);
    }
    expect(read?.userNs).toBeGreaterThanOrEqual(1.05e9);
    expect(read?.systemNs).toBeGreaterThanOrEqual(0.1e9);
    expect(read?.maxRssBytes).toBeGreaterThan(200e6);
    expect(read?.voluntarySwitches).toBeGreaterThanOrEqual(300);
  });

  it('counts how often a program gave up its core by itself', async () => {
    async function switchesOf(script: string): Promise<number> {
      return (await shell(script)).executions[0]?.voluntarySwitches ?? -1;
    }

    const waits = await switchesOf('for i in $(seq 20); do sleep 0.001; done');
    // Each sleep waits, and the shell for each that is not over when it comes to that.
    expect(waits).toBeGreaterThanOrEqual(20);
    const computes = await switchesOf('i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done');
    expect(computes).toBeGreaterThanOrEqual(0);
    expect(computes).toBeLessThan(waits);
  });

  it('counts how often a program lost its core to another one, as both of a tandem do', async () => {
    const other = await Launcher.start({ page: scene.page.path, party: 1 });
    try {
      const program: Parameters<Launcher['define']>[0] = {
        id: 0,
        argv: ['/bin/sh', '-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'],
        environment: { PATH: process.env['PATH'] ?? '' },
        input: null,
        output: 'null',
        outputFile: null,
        workingDirectory: null,
      };
      const tandem = { ...once, barrier: { wait: 'yield', deadlineMs: 30_000 } } as const;
      const replies = await Promise.all(
        [scene.launcher, other].map(async (one) => {
          await one.define(program);
          return one.execute(tandem);
        }),
      );
      for (const { executions } of replies) expect(executions[0]?.exitCode).toBe(0);
      const lost = replies.map(({ executions }) => executions[0]?.involuntarySwitches ?? 0);
      // Who is first takes its turns with the other until it is over; the rest of the other may be alone.
      expect(Math.min(...lost)).toBeGreaterThan(0);
    } finally {
      await other.close();
    }
  });

  it('tells the signal that killed a program', async () => {
    const { executions } = await shell('kill -SEGV $$');
    expect(executions[0]).toMatchObject({ exitCode: null, signal: 11 });
  });

  it('keeps the end of standard error for the message', async () => {
    expect(await shell('echo first; echo second >&2; exit 1')).toMatchObject({ stderr: 'second\n', stderrBytes: 7 });
    expect(await shell('exit 1')).toMatchObject({ stderr: '', stderrBytes: 0 });
  });

  it('gives a program its environment, the run, its CPUs and a padding of the wanted length', async () => {
    const { stderr } = await shell('echo "$GIVEN $DEADHEAT_RUN $DEADHEAT_CPUS ${#DEADHEAT_PAD}" >&2');
    expect(stderr).toBe(`yes 7 ${once.cpus.join(',')} 100\n`);
    const shorter = await scene.launcher.execute({ ...once, run: 12, padBytes: 3 });
    expect(shorter.stderr).toBe(`yes 12 ${once.cpus.join(',')} 3\n`);
  });

  it('runs a program on the CPUs that it is told', async () => {
    for (const cpu of getAffinity().slice(0, 2)) {
      const { stderr } = await shell('grep Cpus_allowed_list /proc/self/status >&2', { cpus: [cpu] });
      expect(stderr.trim().split(/\s+/)[1]).toBe(String(cpu));
    }
  });

  it('executes a program in its folder and sends its standard output to a file, made anew', async () => {
    const outputFile = join(scene.directory, 'output');
    writeFileSync(outputFile, 'of an earlier run, and long\n');
    const program = { outputFile, workingDirectory: scene.directory };
    expect((await scene.execute(['/bin/sh', '-c', 'pwd'], { program })).executions[0]?.exitCode).toBe(0);
    expect(readFileSync(outputFile, 'utf8')).toBe(`${scene.directory}\n`);
  });

  it('takes another program for the same number as often as is wanted', async () => {
    for (let k = 0; k < 200; k++) {
      const { executions } = await shell(`exit ${k % 100}`);
      expect(executions[0]?.exitCode).toBe(k % 100);
    }
  });

  it('gives every execution the whole input file', async () => {
    const input = join(scene.directory, 'input');
    writeFileSync(input, 'some text\n');
    const { stderr } = await scene.execute(['/bin/sh', '-c', 'cat >&2'], {
      program: { input },
      request: { repeat: 3 },
    });
    expect(stderr).toBe('some text\n'.repeat(3));
  });

  it('repeats a program and stops at a failure only when asked to', async () => {
    expect((await shell('exit 1', { repeat: 4 })).executions).toHaveLength(1);
    expect((await shell('exit 1', { repeat: 4, stopAtFailure: false })).executions).toHaveLength(4);
  });

  it('does not let SIGPIPE be ignored in the program', async () => {
    const { stderr } = await shell('grep SigIgn /proc/self/status >&2');
    const ignored = BigInt(`0x${stderr.trim().split(/\s+/)[1]}`);
    expect(ignored & (1n << 12n)).toBe(0n);
  });

  it('finds and ends processes that outlive the program, even in another session', async () => {
    const marker = join(scene.directory, 'stray-pid');
    const { strays } = await shell(
      `setsid sh -c 'echo $$ > ${marker}; sleep 1000' & while [ ! -s ${marker} ]; do :; done`,
    );
    expect(strays).toBeGreaterThan(0);
    const pid = Number(readFileSync(marker, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    expect(descendants(scene.launcher.pid)).toEqual([]);
  });

  it('does not mistake a child that ends at once for a stray', async () => {
    expect(await shell('true & true & exit 0')).toMatchObject({ strays: 0 });
  });

  it('ends a program that hangs and goes on living', async () => {
    const hanging = shell('sleep 1000');
    let isEnded = false;
    void hanging.finally(() => {
      isEnded = true;
    });
    // The first descendants are the starts that fail at once and warm the path up.
    await until(() => {
      scene.launcher.endPrograms();
      return isEnded;
    });
    expect((await hanging).executions[0]).toMatchObject({ signal: 9 });
    expect((await shell('exit 0')).executions[0]).toMatchObject({ exitCode: 0 });
  });

  it('says why a program cannot be started', async () => {
    const path = join(scene.directory, 'no-program');
    writeFileSync(path, 'just text', { mode: 0o755 });
    await scene.launcher.define({
      id: 2,
      argv: [path],
      environment: {},
      input: null,
      output: 'null',
      outputFile: null,
      workingDirectory: null,
    });
    await expect(scene.launcher.execute({ ...once, program: 2 })).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: 'ENOEXEC',
    });
  });

  it('is reported lost, with a reason, when it is killed', async () => {
    const hanging = scene.launcher.execute({ ...once, program: 99 }).catch((error: unknown) => error);
    expect(await hanging).toMatchObject({ code: 'LAUNCHER_PROTOCOL' });
    kill(scene.launcher.pid);
    await expect(scene.launcher.execute(once)).rejects.toMatchObject({
      code: 'LAUNCHER_LOST',
      message: expect.stringContaining('SIGKILL') as string,
    });
  });

  it('goes on when it is asked to end, which is for the engine alone', async () => {
    const [begun, goOn] = ['begun', 'go-on'].map((name) => join(scene.directory, name)) as [string, string];
    const running = shell(`: > ${begun}; while [ ! -e ${goOn} ]; do :; done; exit 5`);
    await until(() => existsSync(begun));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(scene.launcher.pid, signal);
    writeFileSync(goOn, '');
    expect((await running).executions[0]?.exitCode).toBe(5);
    expect((await shell('exit 6')).executions[0]?.exitCode).toBe(6);
  });

  it('leaves no program behind when it is killed, not even one in another session', async () => {
    const marker = join(scene.directory, 'started');
    const running = shell(`setsid sh -c 'echo $$ > ${marker}; sleep 1000' & sleep 1000`).catch(
      (error: unknown) => error,
    );
    await until(() => existsSync(marker) && descendants(scene.launcher.pid).length >= 3);
    const started = descendants(scene.launcher.pid);
    kill(scene.launcher.pid);
    expect(await running).toMatchObject({ code: 'LAUNCHER_LOST' });
    await until(() => started.every((pid) => parentOf(pid) === null));
  });

  it('is ended although it is stopped, and says so to who waits for it', async () => {
    const running = shell('sleep 1000').catch((error: unknown) => error);
    await until(() => descendants(scene.launcher.pid).length > 0);
    process.kill(scene.launcher.pid, 'SIGSTOP');
    await until(() => stoppedBelow(scene.launcher.pid).stopped === 'root');
    await scene.launcher.close();
    expect(await running).toMatchObject({
      code: 'LAUNCHER_LOST',
      message: expect.stringContaining('did not end') as string,
    });
  });

  it('knows a program that a signal has stopped', async () => {
    const running = shell('kill -STOP $$; exit 7');
    await until(() => stoppedBelow(scene.launcher.pid).stopped === 'below');
    expect(stoppedBelow(process.pid).stopped).toBe('below');
    for (const pid of descendants(scene.launcher.pid)) process.kill(pid, 'SIGCONT');
    expect((await running).executions[0]?.exitCode).toBe(7);
    expect(stoppedBelow(scene.launcher.pid).stopped).toBe('none');
  });

  it('ends a program that starts itself again and again, each time in a session of its own', async () => {
    const path = join(scene.directory, 'phoenix');
    // It would go on for longer than a test may take.
    const again = `[ $1 -gt 200000 ] && exit; setsid "$0" $(($1 + 1)) & exit 0`;
    writeFileSync(path, `#!/bin/sh\n${again}\n`, { mode: 0o755 });
    await shell(`${path} 0`);
    await until(() => descendants(scene.launcher.pid).length === 0);
  });

  it('makes no view of native memory for a run, which would cost memory for good', () => {
    const { koffi } = loadLibc();
    const view = vi.spyOn(koffi, 'view');
    const spawner = new Spawner(() => {});
    function execute(run: number): void {
      spawner.define({
        op: 'program',
        id: 0,
        argv: ['/bin/true'],
        environment: { RUN: String(run) },
        input: null,
        output: 'null',
        outputFile: null,
        workingDirectory: null,
      });
      const values = { run, cpus: [0], padBytes: run };
      const program = spawner.prepare(0, values, { page: scene.page, pidWord: word.pid(0) });
      expect(program.start().exitCode).toBe(0);
    }
    execute(0);
    const before = view.mock.calls.length;
    for (let run = 1; run <= 20; run++) execute(run);
    expect(view.mock.calls.length).toBe(before);
    view.mockRestore();
  });

  it('refuses a page that is none', async () => {
    const path = join(scene.directory, 'foreign');
    writeFileSync(path, Buffer.alloc(4096));
    await expect(Launcher.start({ page: path, party: 1 })).rejects.toMatchObject({
      code: 'NOT_A_PAGE',
      message: expect.stringMatching(/^[^\n]*is not a shared page[^\n]*$/) as string,
    });
  });
});

describe('the wait of a program for a CPU', () => {
  function delayOf(wallNs: number, { cpu = 1, schedstat = '5000000 300000 4' } = {}) {
    const files: Readonly<Record<string, string>> = {
      '/proc/7/schedstat': schedstat,
      '/proc/7/stat': `7 (a) b) Z${' 0'.repeat(35)} 1`,
      '/proc/7/sched': 'se.exec_start : 100.5',
      '/proc/thread-self/stat': `9 (node) R${' 0'.repeat(35)} ${cpu}`,
      '/proc/thread-self/sched': 'se.exec_start : 102.75',
    };
    const read: string[] = [];
    const delayNs = readRunDelay(7, wallNs, (path) => {
      read.push(path);
      return files[path] ?? '';
    });
    return { delayNs, read };
  }

  it('is read from one file where it and the time on a CPU explain the wall time', () => {
    expect(delayOf(5_499_999)).toEqual({ delayNs: 300_000, read: ['/proc/7/schedstat'] });
  });

  it('holds how late the end was seen where time is left', () => {
    const { delayNs, read } = delayOf(7_600_000);
    expect(delayNs).toBe(300_000 + 2_250_000);
    expect(read).toHaveLength(5);
  });

  it('holds no more than its own of a program that ended on another CPU', () => {
    expect(delayOf(7_600_000, { cpu: 0 }).delayNs).toBe(300_000);
  });

  it('is not known on a kernel that does not say', () => {
    expect(delayOf(7_600_000, { schedstat: '' })).toEqual({ delayNs: null, read: ['/proc/7/schedstat'] });
  });
});
