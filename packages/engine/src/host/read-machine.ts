import { cpus as osCpus, hostname, loadavg, release } from 'node:os';
import type { Machine } from '@deadheat/model';
import { readCgroupVersion } from './cgroup-version.ts';
import { readGovernor, readTurbo } from './cpu-frequency.ts';
import { readCpuModel } from './cpu-model.ts';
import { readCpuQuota } from './cpu-quota.ts';
import { readOnlineCpus, readSmtActive, readSmtSiblings } from './cpu-topology.ts';
import { readMemory } from './memory.ts';
import { readInteger } from './read-integer.ts';
import { readText } from './read-text.ts';
import { readVirtualization } from './virtualization.ts';

export interface ReadMachineOptions {
  /** Folder that stands for `/`. */
  readonly root?: string;
  /** CPUs that this process may use (affinity and cpuset). */
  readonly usableCpus: readonly number[];
  /** CPUs of the experiment: for these the SMT siblings and the governor are read. */
  readonly cpus: readonly number[];
}

/**
 * The facts of this machine, read from procfs and sysfs, and from Node where these are missing (as on other systems
 * than Linux). A fact that is not told is `null`; a CPU whose siblings are not told is missing from `smtSiblings`.
 * Never rejects.
 */
export async function readMachine(options: ReadMachineOptions): Promise<Machine> {
  const { root = '/', usableCpus, cpus } = options;
  const memory = readMemory(root);
  return {
    hostname: readText(root, '/proc/sys/kernel/hostname') ?? hostname(),
    platform: process.platform,
    kernel: readText(root, '/proc/sys/kernel/osrelease') ?? release(),
    node: process.version,
    cpuModel: readCpuModel(root),
    onlineCpus: readOnlineCpus(root)?.length ?? Math.max(1, osCpus().length),
    usableCpus: [...usableCpus],
    smtSiblings: siblingsOf(cpus, root),
    smtActive: readSmtActive(cpus, root),
    governor: readGovernor(cpus, root),
    turbo: readTurbo(cpus, root),
    aslr: readInteger(root, '/proc/sys/kernel/randomize_va_space'),
    clockSource: readText(root, '/sys/devices/system/clocksource/clocksource0/current_clocksource'),
    virtualization: readVirtualization(root),
    memoryTotalBytes: memory.totalBytes,
    memoryAvailableBytes: memory.availableBytes,
    cpuQuota: readCpuQuota(root),
    cgroupVersion: readCgroupVersion(root),
    load1: loadOf(readText(root, '/proc/loadavg')) ?? loadavg()[0] ?? 0,
  };
}

function siblingsOf(cpus: readonly number[], root: string): Record<string, number[]> {
  const siblings: Record<string, number[]> = {};
  for (const cpu of cpus) {
    const list = readSmtSiblings(cpu, root);
    if (list !== null) siblings[cpu] = [...list];
  }
  return siblings;
}

function loadOf(text: string | null): number | null {
  const match = text === null ? null : /^(\d+\.\d+) /.exec(text);
  return match === null ? null : Number(match[1]);
}
