import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { trialSchema } from '@deadheat/model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNoiseProbe, type NoiseProbe } from '../../src/host/noise-probe.ts';
import { fakeTree, writeFiles, type Files } from './fake-tree.ts';
import { container, hybrid, v1, v2 } from './trees.ts';

interface Stat {
  readonly steal: readonly [number, number, number];
  readonly ctxt: number;
  readonly interrupts?: number;
}

/** /proc/stat of CPUs 0, 1 and 10. */
function stat({ steal, ctxt, interrupts = 3 }: Stat): Files {
  const line = (name: string, ticks: number): string => `${name} 9 0 8 7000 5 0 1 ${ticks} 0 0\n`;
  return {
    '/proc/stat':
      line('cpu ', 999) +
      line('cpu0', steal[0]) +
      line('cpu1', steal[1]) +
      line('cpu10', steal[2]) +
      `intr 77${' 0'.repeat(interrupts)}\nctxt ${ctxt}\nbtime 1\n`,
  };
}

const before = stat({ steal: [3, 40, 500], ctxt: 1000 });

function probeOf(root: string, cpus: readonly number[]): NoiseProbe {
  const probe = createNoiseProbe({ root, cpus });
  onTestFinished(() => {
    probe.close();
  });
  return probe;
}

describe('the noise of a run', () => {
  it('is the difference of the counters of the chosen CPUs', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, stat({ steal: [5, 41, 900], ctxt: 1234 }));
    // (5 - 3) + (41 - 40) = 3 ticks of 10 ms; CPU 10 is not of the experiment.
    expect(probe.stop()).toEqual({ stealNs: 30_000_000, throttledNs: null, contextSwitches: 234 });
  });

  it('takes CPU 10 for itself, not for CPU 1', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [10]);
    probe.start();
    writeFiles(root, stat({ steal: [3, 80, 501], ctxt: 1000 }));
    expect(probe.stop().stealNs).toBe(10_000_000);
  });

  it('counts one CPU once when both sides run on it', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [1, 1]);
    probe.start();
    writeFiles(root, stat({ steal: [3, 41, 500], ctxt: 1000 }));
    expect(probe.stop().stealNs).toBe(10_000_000);
  });

  it('leaves out what happened before its start', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [0, 1]);
    writeFiles(root, stat({ steal: [5, 41, 500], ctxt: 5000 }));
    probe.start();
    expect(probe.stop()).toEqual({ stealNs: 0, throttledNs: null, contextSwitches: 0 });
  });

  it('is found behind an intr line longer than the buffer, and when that line shrinks again', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, stat({ steal: [3, 40, 500], ctxt: 1007, interrupts: 20_000 }));
    expect(probe.stop().contextSwitches).toBe(7);
    probe.start();
    writeFiles(root, stat({ steal: [3, 40, 500], ctxt: 1010 }));
    expect(probe.stop().contextSwitches).toBe(3);
  });

  it('does not take the remains of a longer reading for a counter', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [0]);
    probe.start();
    writeFiles(root, { '/proc/stat': 'cpu  1 2 3 4\ncpu0 1 2 3 4 5 6 7 3\n' });
    expect(probe.stop()).toEqual({ stealNs: 0, throttledNs: null, contextSwitches: null });
  });

  it('has no steal where a CPU is offline or the kernel has no such column', () => {
    expect(probeOf(fakeTree(before), [0, 7]).stop().stealNs).toBeNull();
    const old = { '/proc/stat': 'cpu  1 2 3 4\ncpu0 1 2 3 4\nctxt 5\n' };
    expect(probeOf(fakeTree(old), [0]).stop()).toEqual({ stealNs: null, throttledNs: null, contextSwitches: 0 });
  });

  it('is never negative when a counter is set back', () => {
    const root = fakeTree(before);
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, stat({ steal: [0, 0, 0], ctxt: 1 }));
    expect(probe.stop()).toEqual({ stealNs: 0, throttledNs: null, contextSwitches: 0 });
  });

  it('holds the throttled time of a v2 group, told in microseconds', () => {
    const root = fakeTree(before, container);
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, { '/sys/fs/cgroup/cpu.stat': 'usage_usec 100\nthrottled_usec 5700\n' });
    expect(probe.stop().throttledNs).toBe(700_000);
  });

  it('holds the throttled time of a v1 ancestor, told in nanoseconds', () => {
    const file = '/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.stat';
    const root = fakeTree(before, v1, { [file]: 'nr_periods 1\nnr_throttled 1\nthrottled_time 1000\n' });
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, { [file]: 'nr_periods 2\nnr_throttled 2\nthrottled_time 91000\n' });
    expect(probe.stop().throttledNs).toBe(90_000);
  });

  it('takes the longest of nested groups, whose times overlap', () => {
    const [outer, inner] = ['/sys/fs/cgroup/system.slice', '/sys/fs/cgroup/system.slice/bench.service'];
    const throttled = (a: number, b: number): Files => ({
      [`${outer}/cpu.stat`]: `usage_usec 1\nthrottled_usec ${a}\n`,
      [`${inner}/cpu.stat`]: `usage_usec 1\nthrottled_usec ${b}\n`,
    });
    const limits = { [`${outer}/cpu.max`]: '150000 100000', [`${inner}/cpu.max`]: '100000 100000' };
    const root = fakeTree(before, v2, limits, throttled(0, 0));
    const probe = probeOf(root, [0, 1]);
    probe.start();
    writeFiles(root, throttled(20, 30));
    expect(probe.stop().throttledNs).toBe(30_000);
  });

  it('has no throttling where groups could have a quota and have none', () => {
    expect(probeOf(fakeTree(before, hybrid), [0, 1]).stop().throttledNs).toBe(0);
  });

  it('is null throughout where there is no /proc', () => {
    const probe = probeOf(fakeTree({}), [0, 1]);
    probe.start();
    expect(probe.stop()).toEqual({ stealNs: null, throttledNs: null, contextSwitches: null });
  });

  it('is null throughout after close', () => {
    const probe = probeOf(fakeTree(before, hybrid), [0, 1]);
    probe.start();
    probe.close();
    expect(probe.stop()).toEqual({ stealNs: null, throttledNs: null, contextSwitches: null });
  });

  it('outlives the disappearance of its group', () => {
    const root = fakeTree(before, container);
    const probe = probeOf(root, [0, 1]);
    probe.start();
    rmSync(join(root, 'sys'), { recursive: true });
    expect(trialSchema.shape.noise.parse(probe.stop()).contextSwitches).toBe(0);
  });

  it('is valid on the machine that runs this test', () => {
    const probe = probeOf('/', [0, 1]);
    probe.start();
    const noise = probe.stop();
    expect(trialSchema.shape.noise.parse(noise)).toEqual(noise);
  });
});
