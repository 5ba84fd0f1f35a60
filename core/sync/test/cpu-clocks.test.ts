import { fsync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getAffinity, setProcessAffinity } from '../src/affinity.ts';
import { openCpuClocks } from '../src/clocks.ts';
import { hasNativeCalls } from '../src/libc.ts';

describe.skipIf(!hasNativeCalls())('the CPU clocks', () => {
  it('grow while the thread works, the process at least as much as the thread', () => {
    const { processNs, threadNs } = openCpuClocks();
    const [process, thread] = [processNs(), threadNs()];
    let x = 0;
    while (threadNs() - thread < 5_000_000) x += Math.sqrt(x + 1);
    expect(x).toBeGreaterThan(0);
    // The thread's clock is read inside the other two readings, hence cannot have got further.
    const threadUsed = threadNs() - thread;
    expect(processNs() - process).toBeGreaterThanOrEqual(threadUsed);
  });
});

describe.skipIf(!hasNativeCalls())('the affinity of a process', () => {
  it('holds for all of its threads', async () => {
    // Any asynchronous file operation starts the pool's threads.
    await new Promise((resolve) => fsync(1, resolve));
    const before = getAffinity();
    const cpu = before.at(-1) ?? 0;
    try {
      setProcessAffinity([cpu]);
      const allowed = readdirSync('/proc/self/task').map(
        (thread) => /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8'))?.[1],
      );
      expect(allowed.length).toBeGreaterThan(1);
      expect(new Set(allowed)).toEqual(new Set([String(cpu)]));
    } finally {
      setProcessAffinity(before);
    }
  });
});
