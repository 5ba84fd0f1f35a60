import { cpus as osCpus, hostname, loadavg, release, cpus, totalmem } from 'node:os';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '@deadheat/model';
import { readCgroupVersion, readCpuQuota } from './cgroups.ts';
import { readOnlineCpus, readSmtActive, readSmtSiblings } from './cpu-topology.ts';
import { readInteger, readText } from './read-text.ts';

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
 * than Linux). A fact that is not reported is `null`; a CPU whose siblings are unknown is missing from `smtSiblings`.
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

/** True if the processor may run above its nominal frequency; `null` when the machine does not report it. */
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
 * The processor's name. Linux on ARM reports only the numbers of designer and part, which are given as they are
 * (`implementer 0x41 part 0xd0c`). `null` when nothing is reported.
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

/** The machine's memory in bytes. The memory available without swapping is `null` where the kernel does not report it. */
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
 * The identifier of a machine among several: its name and, where the system reports it, a few digits that are new with every boot.
 * Machines that were cloned with their names are distinguished.
 */
export function hostId(hostname: string, root = '/'): string {
  const boot = readText(root, '/proc/sys/kernel/random/boot_id');
  if (boot === null) return hostname;
  return `${hostname}-${createHash('sha256').update(boot).digest('hex').slice(0, digits)}`;
}

/**
 * The layers between this process and the hardware, as short names: a container (`docker`, `podman`, `kubernetes`, `lxc`,
 * ...), a virtual machine (`kvm`, `vmware`, `xen`, `hyper-v`, ..., `vm` when its maker is unknown), or both joined by
 * `+`, such as `docker+kvm`. `null` = nothing seen, which does not prove that there is nothing.
 */
export function readVirtualization(root = '/'): string | null {
  const layers = [containerOf(root), virtualMachineOf(root)].filter((layer) => layer !== null);
  return layers.length === 0 ? null : layers.join('+');
}

function containerOf(root: string): string | null {
  const cgroup = readText(root, '/proc/self/cgroup') ?? '';
  if (/kubepods/.test(cgroup) || existsSync(join(root, '/var/run/secrets/kubernetes.io'))) return 'kubernetes';
  if (existsSync(join(root, '/run/.containerenv'))) return 'podman';
  if (existsSync(join(root, '/.dockerenv'))) return 'docker';
  // Written by container managers for systemd's ConditionVirtualization=.
  const manager = readText(root, '/run/systemd/container');
  if (manager !== null && /^[a-z0-9-]{1,32}$/.test(manager)) return manager;
  const named = /[/](docker|libpod|lxc)[-/.]/.exec(cgroup)?.[1];
  return named === 'libpod' ? 'podman' : (named ?? null);
}

/** Makers of virtual machines by the names that their firmware reports; the first match counts. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'virtualbox'],
  [/parallels/i, 'parallels'],
  [/apple virtualization/i, 'apple'],
  [/bhyve/i, 'bhyve'],
  [/microsoft corporation virtual machine/i, 'hyper-v'],
  [/\bxen\b/i, 'xen'],
  [/qemu|kvm|bochs|google compute engine|amazon ec2(?!.*\.metal)|openstack|digitalocean|hetzner vserver/i, 'kvm'],
];

function virtualMachineOf(root: string): string | null {
  if (/microsoft/i.test(readText(root, '/proc/sys/kernel/osrelease') ?? '')) return 'wsl';
  const flags = /^flags\s*:(.*)$/m.exec(readText(root, '/proc/cpuinfo') ?? '')?.[1];
  // On x86 a flag shows that a hypervisor is there; without the flag the maker's name means real hardware.
  if (flags !== undefined && !/\bhypervisor\b/.test(flags)) return null;
  const type = readText(root, '/sys/hypervisor/type');
  if (type !== null) return type;
  const firmware = ['sys_vendor', 'product_name', 'board_vendor', 'bios_vendor']
    .map((name) => readText(root, `/sys/class/dmi/id/${name}`) ?? '')
    .join(' ');
  const maker = makers.find(([pattern]) => pattern.test(firmware))?.[1];
  if (maker !== undefined) return maker;
  return deviceTreeHypervisorOf(root) ?? (flags === undefined ? null : (paravirtualClockOf(root) ?? 'vm'));
}

function deviceTreeHypervisorOf(root: string): string | null {
  const compatible = readText(root, '/proc/device-tree/hypervisor/compatible');
  if (compatible === null) return null;
  return /kvm/.test(compatible) ? 'kvm' : /xen/.test(compatible) ? 'xen' : 'vm';
}

/** Small virtual machines have no firmware tables, but their clock sources name the hypervisor. */
function paravirtualClockOf(root: string): string | null {
  const clocks = readText(root, '/sys/devices/system/clocksource/clocksource0/available_clocksource') ?? '';
  return /kvm-clock/.test(clocks) ? 'kvm' : /hyperv/.test(clocks) ? 'hyper-v' : /\bxen\b/.test(clocks) ? 'xen' : null;
}
