import { cpus as osCpus, hostname, loadavg, release, cpus, totalmem } from 'node:os';
import { createHash } from 'node:crypto';
import type { Machine } from '@deadheat/model';
import { readCgroupVersion, readCpuQuota } from './cgroups.ts';
import { readOnlineCpus, readSmtActive, readSmtSiblings } from './cpu-topology.ts';
import { readInteger, readText } from './read-text.ts';
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

const cpuFolder = '/sys/devices/system/cpu';

/**
 * The frequency governor of the CPUs; several different ones are joined by `, `. `null` when the machine does not report it,
 * as in most virtual machines.
 */
function readGovernor(cpus: readonly number[], root = '/'): string | null {
  const governors = new Set<string>();
  for (const cpu of cpus) {
    const governor = readText(root, `${cpuFolder}/cpu${cpu}/cpufreq/scaling_governor`);
    if (governor !== null) governors.add(governor);
  }
  return governors.size === 0 ? null : [...governors].toSorted().join(', ');
}

/** Whether the processor may run above its nominal frequency; `null` when the machine does not report it. */
function readTurbo(cpus: readonly number[], root = '/'): boolean | null {
  const noTurbo = readInteger(root, `${cpuFolder}/intel_pstate/no_turbo`);
  if (noTurbo !== null) return noTurbo === 0;
  const boost = readInteger(root, `${cpuFolder}/cpufreq/boost`);
  if (boost !== null) return boost === 1;
  // Drivers without the global switch may have one for each CPU; one CPU that may boost is enough.
  const each = cpus
    .map((cpu) => readInteger(root, `${cpuFolder}/cpu${cpu}/cpufreq/boost`))
    .filter((value) => value !== null);
  return each.length === 0 ? null : each.includes(1);
}

/**
 * The processor's name. Linux on ARM tells only the numbers of designer and part, which are given as they are
 * (`implementer 0x41 part 0xd0c`). `null` when nothing is told.
 */
function readCpuModel(root = '/'): string | null {
  const cpuinfo = readText(root, '/proc/cpuinfo');
  if (cpuinfo !== null) {
    // The key differs by architecture: x86 and LoongArch, PowerPC, RISC-V.
    const name = field(cpuinfo, 'model name') ?? field(cpuinfo, 'cpu') ?? field(cpuinfo, 'uarch');
    if (name !== null) return name;
    const implementer = field(cpuinfo, 'CPU implementer');
    const part = field(cpuinfo, 'CPU part');
    if (implementer !== null && part !== null) return `implementer ${implementer} part ${part}`;
  }
  const model = cpus()[0]?.model.trim();
  return model === undefined || model === '' || model === 'unknown' ? null : model;
}

function field(cpuinfo: string, key: string): string | null {
  const match = new RegExp(`^${key}\\s*:\\s*(\\S.*)$`, 'im').exec(cpuinfo);
  return match?.[1]?.trim() ?? null;
}

/** The machine's memory in bytes. What is available without swapping is `null` where the kernel does not tell. */
function readMemory(root = '/'): { readonly totalBytes: number; readonly availableBytes: number | null } {
  const meminfo = readText(root, '/proc/meminfo') ?? '';
  return {
    totalBytes: bytesOf(meminfo, 'MemTotal') ?? totalmem(),
    availableBytes: bytesOf(meminfo, 'MemAvailable'),
  };
}

/** meminfo says kB and means 1024 bytes. */
function bytesOf(meminfo: string, key: string): number | null {
  const match = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(meminfo);
  return match === null ? null : Number(match[1]) * 1024;
}

const digits = 8;

/**
 * What a machine is called among several: its name and, where the system tells it, a few digits that are new with every boot.
 * Machines that were cloned with their names are distinguished.
 */
export function hostId(hostname: string, root = '/'): string {
  const boot = readText(root, '/proc/sys/kernel/random/boot_id');
  if (boot === null) return hostname;
  return `${hostname}-${createHash('sha256').update(boot).digest('hex').slice(0, digits)}`;
}
