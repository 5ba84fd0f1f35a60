import { describe, expect, it } from 'vitest';
import { readCgroupVersion, readCpuQuota } from '../../src/host/cgroups.ts';
import { fakeTree } from './fake-tree.ts';
import { container, hybrid, v1, v2 } from './trees.ts';

describe('the version of the control groups', () => {
  it.each([
    ['v1', v1],
    ['hybrid', hybrid],
    ['v2', v2],
    ['none', {}],
  ] as const)('is %s', (version, files) => {
    expect(readCgroupVersion(fakeTree(files))).toBe(version);
  });
});

describe('the CPU quota', () => {
  it('is null where no group has one', () => {
    expect(readCpuQuota(fakeTree(v2))).toBeNull();
    expect(readCpuQuota(fakeTree(hybrid))).toBeNull();
    expect(readCpuQuota(fakeTree({}))).toBeNull();
  });

  it('of a v2 group is quota over period', () => {
    const root = fakeTree(v2, { '/sys/fs/cgroup/system.slice/bench.service/cpu.max': '50000 100000\n' });
    expect(readCpuQuota(root)).toBe(0.5);
  });

  it('is the smallest of the group and its ancestors', () => {
    const root = fakeTree(v2, {
      '/sys/fs/cgroup/system.slice/cpu.max': '120000 100000\n',
      '/sys/fs/cgroup/system.slice/bench.service/cpu.max': '400000 100000\n',
    });
    expect(readCpuQuota(root)).toBe(1.2);
  });

  it('of a v1 ancestor counts where the own group is unlimited', () => {
    expect(readCpuQuota(fakeTree(v1))).toBe(3);
  });

  it('is found in the v1 hierarchy of a hybrid machine', () => {
    expect(readCpuQuota(fakeTree(hybrid, { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n' }))).toBe(0.5);
  });

  it('of a container with a cgroup namespace stands at the mount point', () => {
    expect(readCpuQuota(fakeTree(container))).toBe(1.5);
  });

  it('of a container without one is found when the mount shows only its own group', () => {
    // The path is the one on the host, /docker/abc, and so is the mounted group.
    const root = fakeTree({
      '/proc/self/cgroup': '3:cpu,cpuacct:/docker/abc\n',
      '/proc/self/mountinfo': '9 8 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    });
    expect(readCpuQuota(root)).toBe(1.5);
  });

  it('is looked for at the mount point when the path is that of an outer namespace', () => {
    expect(readCpuQuota(fakeTree(container, { '/proc/self/cgroup': '0::/outer/group\n' }))).toBe(1.5);
  });

  it('is unknown when the own group lies outside of the cgroup namespace', () => {
    expect(readCpuQuota(fakeTree(container, { '/proc/self/cgroup': '0::/../elsewhere\n' }))).toBeNull();
  });

  it('is unknown when the mount shows groups above the cgroup namespace', () => {
    const mountinfo = '652 651 0:26 /../.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n';
    expect(readCpuQuota(fakeTree(container, { '/proc/self/mountinfo': mountinfo }))).toBeNull();
  });

  it('is found behind a mount point with a space, which mountinfo writes as \\040', () => {
    const root = fakeTree({
      '/proc/self/cgroup': '0::/job:1\n',
      '/proc/self/mountinfo': '9 8 0:29 / /mnt/my\\040groups rw - cgroup2 none rw\n',
      '/mnt/my groups/job:1/cpu.max': '25000 50000\n',
    });
    expect(readCpuQuota(root)).toBe(0.5);
  });

  it.each(['', 'max', '1 2 3', '0 0', 'nonsense 100000'])('is null for the unreadable limit %j', (text) => {
    expect(readCpuQuota(fakeTree(container, { '/sys/fs/cgroup/cpu.max': text }))).toBeNull();
  });
});
