import type { Files } from './fake-tree.ts';

/** A desktop of four cores with two threads each: CPU n and n + 4 share a core. */
export const desktop: Files = {
  '/proc/cpuinfo': 'processor\t: 0\nmodel name\t: Example CPU 8C\nflags\t\t: fpu tsc ht\n\nprocessor\t: 1\n',
  '/proc/meminfo': 'MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n',
  '/proc/loadavg': '0.25 0.10 0.05 1/200 1234\n',
  '/proc/sys/kernel/hostname': 'desk\n',
  '/proc/sys/kernel/osrelease': '6.1.0-18-amd64\n',
  '/proc/sys/kernel/randomize_va_space': '2\n',
  '/sys/devices/system/cpu/online': '0-7\n',
  '/sys/devices/system/cpu/smt/active': '1\n',
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => [
      `/sys/devices/system/cpu/cpu${cpu}/topology/core_cpus_list`,
      `${cpu % 4},${(cpu % 4) + 4}\n`,
    ]),
  ),
  '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  '/sys/devices/system/clocksource/clocksource0/available_clocksource': 'tsc hpet acpi_pm\n',
  '/sys/class/dmi/id/sys_vendor': 'Example Computers\n',
};

/** The desktop with SMT turned off: four CPUs, each alone on its core. */
export const smtOff: Files = {
  ...desktop,
  '/sys/devices/system/cpu/online': '0-3\n',
  '/sys/devices/system/cpu/smt/active': '0\n',
  ...Object.fromEntries(
    [0, 1, 2, 3].map((cpu) => [`/sys/devices/system/cpu/cpu${cpu}/topology/core_cpus_list`, `${cpu}\n`]),
  ),
};

/** A laptop on battery. */
export const laptop: Files = {
  ...desktop,
  '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n',
  '/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor': 'powersave\n',
  '/sys/devices/system/cpu/intel_pstate/no_turbo': '0\n',
};

/** Pure cgroup v2; the process is in a service below a slice. */
export const v2: Files = {
  '/proc/self/cgroup': '0::/system.slice/bench.service\n',
  '/proc/self/mountinfo':
    '22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw\n' +
    '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n',
  '/sys/fs/cgroup/system.slice/cpu.max': 'max 100000\n',
  '/sys/fs/cgroup/system.slice/bench.service/cpu.max': 'max 100000\n',
};

/** cgroup v1 alone, with cpu and cpuacct mounted together. */
export const v1: Files = {
  '/proc/self/cgroup': '4:memory:/jobs/1\n3:cpuset:/\n2:cpu,cpuacct:/jobs/1\n1:name=systemd:/jobs\n',
  '/proc/self/mountinfo':
    '31 23 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n' +
    '32 23 0:29 / /sys/fs/cgroup/cpu,cpuacct rw master:9 - cgroup cgroup rw,cpu,cpuacct\n',
  '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
  '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
  '/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us': '300000\n',
  '/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us': '100000\n',
  '/sys/fs/cgroup/cpu,cpuacct/jobs/1/cpu.cfs_quota_us': '-1\n',
  '/sys/fs/cgroup/cpu,cpuacct/jobs/1/cpu.cfs_period_us': '100000\n',
};

/** v1 controllers beside a v2 tree that limits nothing. */
export const hybrid: Files = {
  '/proc/self/cgroup': '2:cpuacct:/\n1:cpu:/\n0::/\n',
  '/proc/self/mountinfo':
    '32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n' +
    '33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct\n' +
    '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n',
  '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
  '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
  '/sys/fs/cgroup/unified/cpu.stat': 'usage_usec 10\n',
};

/** Inside a container started with 1.5 CPUs, with a cgroup namespace of its own. */
export const container: Files = {
  '/.dockerenv': '',
  '/proc/self/cgroup': '0::/\n',
  '/proc/self/mountinfo': '652 651 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n',
  '/sys/fs/cgroup/cpu.max': '150000 100000\n',
  '/sys/fs/cgroup/cpu.stat': 'usage_usec 100\nnr_periods 4\nnr_throttled 2\nthrottled_usec 5000\n',
};
