import { cpus as osCpus, hostname, release, totalmem } from 'node:os';
import { machineSchema, type Machine } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { readMachine } from '../../src/host/read-machine.ts';
import { fakeTree, type Files } from './fake-tree.ts';
import { container, desktop, hybrid, laptop, smtOff, v1, v2 } from './trees.ts';

const machineOf = async (...layers: readonly Files[]): Promise<Machine> =>
  readMachine({ root: fakeTree(...layers), usableCpus: [0, 1], cpus: [0, 1] });

describe('machine facts', () => {
  it('are all read on a desktop', async () => {
    expect(await machineOf(desktop, v2)).toEqual({
      hostname: 'desk',
      platform: process.platform,
      kernel: '6.1.0-18-amd64',
      node: process.version,
      cpuModel: 'Example CPU 8C',
      onlineCpus: 8,
      usableCpus: [0, 1],
      smtSiblings: { 0: [0, 4], 1: [1, 5] },
      smtActive: true,
      governor: null,
      turbo: null,
      aslr: 2,
      clockSource: 'tsc',
      virtualization: null,
      // meminfo counts in units of 1024 bytes.
      memoryTotalBytes: 16_000_000 * 1024,
      memoryAvailableBytes: 8_000_000 * 1024,
      cpuQuota: null,
      cgroupVersion: 'v2',
      load1: 0.25,
    });
  });

  it('with SMT off list every CPU alone on its core', async () => {
    expect(await machineOf(smtOff)).toMatchObject({
      onlineCpus: 4,
      smtActive: false,
      smtSiblings: { 0: [0], 1: [1] },
    });
  });

  it('of an old kernel come from thread_siblings_list, and a sibling shows that SMT is on', async () => {
    const old = { '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list': '0-1\n' };
    expect(await machineOf(old)).toMatchObject({ smtActive: true, smtSiblings: { 0: [0, 1] } });
  });

  it('of a laptop name governor and turbo', async () => {
    expect(await machineOf(laptop)).toMatchObject({ governor: 'powersave', turbo: true });
  });

  it('name both governors when the cores have different ones', async () => {
    const mixed = { '/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor': 'performance\n' };
    expect((await machineOf(laptop, mixed)).governor).toBe('performance, powersave');
  });

  it.each([
    ['intel_pstate/no_turbo', '1', false],
    ['cpufreq/boost', '1', true],
    ['cpufreq/boost', '0', false],
    ['cpu1/cpufreq/boost', '1', true],
    ['cpufreq/boost', 'garbage', null],
  ])('take turbo from %s = %s', async (file, value, turbo) => {
    expect((await machineOf({ [`/sys/devices/system/cpu/${file}`]: `${value}\n` })).turbo).toBe(turbo);
  });

  it('give the quota of a container and its name', async () => {
    expect(await machineOf(desktop, container)).toMatchObject({ cpuQuota: 1.5, virtualization: 'docker' });
  });

  it('on ARM give designer and part when there is no name', async () => {
    const arm = { '/proc/cpuinfo': 'processor : 0\nFeatures : fp\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n' };
    expect((await machineOf(arm)).cpuModel).toBe('implementer 0x41 part 0xd0c');
  });

  it('come from Node where nothing of /proc and /sys exists', async () => {
    expect(await machineOf({})).toMatchObject({
      hostname: hostname(),
      kernel: release(),
      onlineCpus: Math.max(1, osCpus().length),
      memoryTotalBytes: totalmem(),
      memoryAvailableBytes: null,
      smtSiblings: {},
      smtActive: null,
      governor: null,
      turbo: null,
      aslr: null,
      clockSource: null,
      virtualization: null,
      cpuQuota: null,
      cgroupVersion: 'none',
    });
  });

  it('are null where a file holds nonsense or is a folder', async () => {
    const nonsense = {
      '/proc/meminfo': 'what',
      '/proc/loadavg': 'what',
      '/proc/self/mountinfo': 'what\n\n - \n',
      '/proc/self/cgroup': ':::\nwhat',
      '/proc/sys/kernel/randomize_va_space': 'two',
      '/sys/devices/system/cpu/online': 'all',
      '/sys/devices/system/cpu/cpu0/topology/core_cpus_list': '5,6',
      '/sys/devices/system/clocksource/clocksource0/current_clocksource/folder': '',
    };
    const machine = await machineOf(nonsense);
    expect(machineSchema.parse(machine)).toEqual(machine);
    expect(machine).toMatchObject({ aslr: null, clockSource: null, smtSiblings: {}, cgroupVersion: 'none' });
  });

  it.each([desktop, smtOff, laptop, v1, v2, hybrid, container])('are valid for tree %#', async (files) => {
    const machine = await machineOf(files);
    expect(machineSchema.parse(machine)).toEqual(machine);
  });

  it('of the machine that runs this test are valid', async () => {
    const machine = await readMachine({ usableCpus: [0], cpus: [0, 1] });
    expect(machineSchema.parse(machine)).toEqual(machine);
  });
});
