import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { observeTasks } from '@deadheat/sync';

/** CPU time that everything in a container has taken so far. */
export interface ContainerUsage {
  readonly totalNs: number;
  /** This and the next may be counted in ticks. */
  readonly userNs: number;
  readonly systemNs: number;
}

const root = '/sys/fs/cgroup';
const mountsOfV1 = ['cpuacct', 'cpu,cpuacct', 'cpuacct,cpu'];

/**
 * Reader of the CPU time of a container by its control group, version 1 or 2; `null` where that cannot be seen, as when
 * the engine runs on another machine.
 *
 * @param pid first process of the container as this machine numbers it
 */
export function openContainerUsage(pid: number): (() => ContainerUsage) | null {
  const groups = readGroups(pid);
  const first = groups.get('cpuacct');
  if (first !== undefined && first !== '/') {
    for (const mount of mountsOfV1) {
      const folder = join(root, mount, first);
      function read(): ContainerUsage {
        return {
          totalNs: readNumber(join(folder, 'cpuacct.usage')),
          userNs: readNumber(join(folder, 'cpuacct.usage_user')),
          systemNs: readNumber(join(folder, 'cpuacct.usage_sys')),
        };
      }
      if (works(read)) return read;
    }
  }
  const second = groups.get('');
  if (second !== undefined && second !== '/') {
    const file = join(root, second, 'cpu.stat');
    function read(): ContainerUsage {
      return readCpuStat(file);
    }
    if (works(read)) return read;
  }
  return null;
}

/**
 * Observes the processes of a container; `null` where they cannot be seen, as when the engine runs on another machine.
 *
 * @param pid first process of the container as this machine numbers it
 */
export function observeContainer(pid: number): ReturnType<typeof observeTasks> | null {
  const groups = readGroups(pid);
  for (const [mount, path] of [...mountsOfV1, ''].map(
    (name) => [name, groups.get(name === '' ? '' : 'cpuacct')] as const,
  )) {
    if (path === undefined || path === '/') continue;
    const file = join(root, mount, path, 'cgroup.procs');
    if (existsSync(file)) return observeTasks(() => readProcesses(file));
  }
  return null;
}

function readProcesses(file: string): readonly number[] {
  try {
    return readFileSync(file, 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Paths of a process's control groups by controller; that of version 2 has the name `''`. */
function readGroups(pid: number): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  try {
    for (const line of readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n')) {
      const [, controllers, ...path] = line.split(':');
      for (const controller of controllers?.split(',') ?? []) groups.set(controller, path.join(':'));
    }
  } catch {
    // The container's processes are not this machine's.
  }
  return groups;
}

function works(read: () => ContainerUsage): boolean {
  try {
    return Object.values(read()).every((value) => Number.isFinite(value));
  } catch {
    return false;
  }
}

function readNumber(path: string): number {
  return Number.parseInt(readFileSync(path, 'latin1'), 10);
}

/** The kernel's cgroup-v2.rst. */
function readCpuStat(path: string): ContainerUsage {
  const text = readFileSync(path, 'latin1');
  function read(key: string): number {
    return Number(new RegExp(String.raw`^${key} (\d+)$`, 'm').exec(text)?.[1]) * 1000;
  }
  return { totalNs: read('usage_usec'), userNs: read('user_usec'), systemNs: read('system_usec') };
}

/** CPU time between two readings: the exact sum, divided in proportion to the parts. */
export function usedBetween(
  before: ContainerUsage,
  after: ContainerUsage,
): { readonly userNs: number; readonly systemNs: number } {
  const totalNs = after.totalNs - before.totalNs;
  const [user, system] = [after.userNs - before.userNs, after.systemNs - before.systemNs];
  const systemNs = user + system > 0 ? Math.round((totalNs * system) / (user + system)) : 0;
  return { userNs: totalNs - systemNs, systemNs };
}
