import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Execution, ProgramRequest } from '../src/launcher/messages.ts';
import { counterNames, counterObstacles, openCounter, ProgramCounters } from '../src/launcher/program-counters.ts';
import { SmallStarter } from '../src/launcher/small-starter.ts';
import { loadLibc, hasNativeCalls } from '../src/libc.ts';
import { useLauncher } from './support.ts';

const mebibyte = 2 ** 20;
const hasStarter = hasNativeCalls() && SmallStarter.make(loadLibc()) !== null;

describe.skipIf(!hasStarter)('the resources of a program', () => {
  const scene = useLauncher();

  async function execute(argv: readonly string[], program: Partial<ProgramRequest> = {}): Promise<Execution> {
    const { executions } = await scene.execute(argv, { program: { exactMemory: true, ...program } });
    return executions[0]!;
  }

  async function shell(script: string): Promise<Execution> {
    return execute(['/bin/sh', '-c', script]);
  }

  /** `dd` has a buffer of one block, which it fills. */
  function block(mebibytes: number): string {
    return `dd if=/dev/zero of=/dev/null bs=${mebibytes}M count=1`;
  }

  it('hold the memory of a small program, which is less than that of the launcher', async () => {
    const { maxRssBytes } = await shell(':');
    expect(maxRssBytes).toBeGreaterThan(0);
    // Node needs more than 30 MiB, a shell less than 8.
    expect(maxRssBytes).toBeLessThan(8 * mebibyte);
  });

  it('hold the memory that a program allocates', async () => {
    const small = (await shell(block(4))).maxRssBytes!;
    const large = (await shell(block(20))).maxRssBytes!;
    expect((large - small) / mebibyte).toBeGreaterThan(15);
    expect((large - small) / mebibyte).toBeLessThan(17);
  });

  it('hold the memory of the largest process below the program', async () => {
    const { maxRssBytes } = await shell(`(${block(16)}; :); :`);
    expect(maxRssBytes).toBeGreaterThan(16 * mebibyte);
    expect(maxRssBytes).toBeLessThan(24 * mebibyte);
  });

  it('hold its page faults: one at least for each page that it fills', async () => {
    const few = (await shell(':')).pageFaults!;
    const many = (await shell('x=a; i=0; while [ $i -lt 18 ]; do x=$x$x; i=$((i+1)); done')).pageFaults!;
    expect(few).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(few);
  });

  it('do not change what a program sees: its arguments, its environment, its descriptors, its status', async () => {
    expect((await shell('[ "$GIVEN" = yes ] && [ ! -e /proc/self/fd/200 ] && exit 7')).exitCode).toBe(7);
    expect((await shell('kill -9 $$')).signal).toBe(9);
    expect((await execute(['/bin/sh', '-c', 'exit $#', 'sh', 'a', 'b'])).exitCode).toBe(2);
  });

  it('are told of a program that leaves its process group', async () => {
    expect((await execute(['/usr/bin/env', 'setsid', '/bin/sh', '-c', 'exit 5'])).exitCode).toBe(5);
  });

  it('are not asked of a program that cannot be started', async () => {
    await expect(execute(['/nothing/here'])).rejects.toMatchObject({ code: 'SPAWN_FAILED', message: 'ENOENT' });
    expect((await shell('exit 3')).exitCode).toBe(3);
  });

  it('have only those counters that the machine offers', async () => {
    const { counters } = await execute(['/bin/sh', '-c', ':'], { counters: counterNames });
    const offered = counterNames.filter((name) => counterObstacles()[name] === null);
    expect(Object.keys(counters ?? {})).toEqual(offered);
  });
});

/** Page faults, which the kernel counts itself: the way of a hardware counter on machines that have none. */
const faults = { type: 1, config: 2 };
const allFaults = { instructions: faults, cycles: faults, 'branch-misses': faults, 'cache-misses': faults };

function countsFaults(): boolean {
  if (!hasNativeCalls()) return false;
  const fd = openCounter(loadLibc(), faults);
  if (fd >= 0) closeSync(fd);
  return fd >= 0;
}

describe.skipIf(!countsFaults())('a counter', () => {
  it('counts nothing of what starts programs', () => {
    const counters = new ProgramCounters(loadLibc(), ['cycles'], allFaults);
    try {
      const pages = 5000;
      Buffer.alloc(pages * 4096, 1);
      expect(counters.take().cycles ?? 0).toBe(0);
      spawnSync('/bin/sh', ['-c', ':']);
      expect(counters.take().cycles).toBeLessThan(pages);
    } finally {
      counters.close();
    }
  });
});

describe.skipIf(!hasNativeCalls())('counters of programs', () => {
  it('are absent where the kernel refuses', () => {
    const unknown = { type: 0x7fff_fff0, config: 0 };
    const libc = loadLibc();
    const counters = new ProgramCounters(libc, ['instructions'], {
      instructions: unknown,
      cycles: unknown,
      'branch-misses': unknown,
      'cache-misses': unknown,
    });
    expect(counters.take()).toEqual({});
    counters.close();
  });
});
