import { posix } from 'node:path';
import type { Machine } from '@deadheat/model';
import { readInteger, readText } from './read-text.ts';

/** A control group that can limit the CPU time of this process: its own or an ancestor. */
export interface CpuGroup {
  readonly version: 1 | 2;
  /** Folder of the group, without the root that the file system was given. */
  readonly directory: string;
  /** Limit in CPUs, 1.5 = one and a half; `null` = unlimited. */
  readonly quota: number | null;
}

/**
 * The groups of this process that have a CPU limit to set, from its own group up to the highest one that is visible.
 * In a container the groups above the container's own are not visible, so a limit there goes unseen.
 */
export function readCpuGroups(root = '/'): readonly CpuGroup[] {
  const mounts = readCgroupMounts(root);
  const groups: CpuGroup[] = [];
  for (const membership of (readText(root, '/proc/self/cgroup') ?? '').split('\n')) {
    // hierarchy:controllers:path; the path may hold colons itself.
    const match = /^\d+:([^:]*):(.*)$/.exec(membership);
    if (match === null) continue;
    const controllers = (match[1] ?? '').split(',');
    const version = match[1] === '' ? 2 : 1;
    if (version === 1 && !controllers.includes('cpu')) continue;
    const candidates = mounts.filter(
      (mount) => mount.version === version && (version === 2 || mount.controllers.includes('cpu')),
    );
    const mount = candidates.find((each) => below(each.group, match[2] ?? '') !== null) ?? candidates[0];
    if (mount !== undefined) groups.push(...groupsOf(root, mount, match[2] ?? ''));
  }
  return groups;
}

function groupsOf(root: string, mount: CgroupMount, path: string): readonly CpuGroup[] {
  // Outside of what this cgroup namespace can name: no group here is known to be an ancestor.
  if (climbs(path) || climbs(mount.group)) return [];
  const groups: CpuGroup[] = [];
  // A path that does not lie below the mounted group is that of an outer namespace; the mount shows the own group.
  let inner = below(mount.group, path) ?? '';
  for (;;) {
    const directory = posix.join(mount.mountPoint, inner);
    const limit = mount.version === 2 ? limitOfV2(root, directory) : limitOfV1(root, directory);
    if (limit !== null) groups.push({ version: mount.version, directory, quota: limit.quota });
    if (inner === '') return groups;
    inner = inner.slice(0, inner.lastIndexOf('/'));
  }
}

/** The part of `path` behind `group`, '' or beginning with a slash; `null` when it lies elsewhere. */
function below(group: string, path: string): string | null {
  const prefix = group === '/' ? '' : group;
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return null;
  const inner = path.slice(prefix.length);
  return inner === '/' ? '' : inner;
}

function climbs(path: string): boolean {
  return path.split('/').includes('..');
}

/** `cpu.max` is `max 100000` or `150000 100000`: microseconds of CPU time in a period of microseconds. */
function limitOfV2(root: string, directory: string): { readonly quota: number | null } | null {
  const text = readText(root, `${directory}/cpu.max`);
  const match = text === null ? null : /^(max|\d+) (\d+)$/.exec(text);
  if (match === null) return null;
  return { quota: match[1] === 'max' ? null : ratio(Number(match[1]), Number(match[2])) };
}

/** A v1 quota of -1 means unlimited. */
function limitOfV1(root: string, directory: string): { readonly quota: number | null } | null {
  const quota = readInteger(root, `${directory}/cpu.cfs_quota_us`);
  const period = readInteger(root, `${directory}/cpu.cfs_period_us`);
  return quota === null || period === null ? null : { quota: ratio(quota, period) };
}

function ratio(quota: number, period: number): number | null {
  return quota > 0 && period > 0 ? quota / period : null;
}

/** A mounted hierarchy of control groups. */
interface CgroupMount {
  readonly version: 1 | 2;
  /** The group that the mount point shows, as seen from this process's cgroup namespace. */
  readonly group: string;
  readonly mountPoint: string;
  /** Controllers of a v1 hierarchy; empty for v2, whose controllers are listed in its files. */
  readonly controllers: readonly string[];
}

/** The control-group hierarchies of `/proc/self/mountinfo` (format: proc(5)); empty when there are none. */
function readCgroupMounts(root = '/'): readonly CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of (readText(root, '/proc/self/mountinfo') ?? '').split('\n')) {
    const [before, after] = line.split(' - ');
    const [, , , group, mountPoint] = (before ?? '').split(' ');
    const [type, , options] = (after ?? '').split(' ');
    if (group === undefined || mountPoint === undefined) continue;
    const place = { group: unescaped(group), mountPoint: unescaped(mountPoint) };
    if (type === 'cgroup2') mounts.push({ version: 2, ...place, controllers: [] });
    if (type === 'cgroup') mounts.push({ version: 1, ...place, controllers: (options ?? '').split(',') });
  }
  return mounts;
}

/** mountinfo writes space, tab, newline and backslash as `\040`, `\011`, `\012`, `\134`. */
function unescaped(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

/** Which control groups are mounted; `hybrid` = v1 controllers beside a v2 tree. */
export function readCgroupVersion(root = '/'): Machine['cgroupVersion'] {
  const versions = new Set(readCgroupMounts(root).map((mount) => mount.version));
  if (versions.has(1)) return versions.has(2) ? 'hybrid' : 'v1';
  return versions.has(2) ? 'v2' : 'none';
}

/** The smallest CPU limit of this process's control groups, in CPUs (1.5 = one and a half); `null` = none seen. */
export function readCpuQuota(root = '/'): number | null {
  const quotas = readCpuGroups(root)
    .map((group) => group.quota)
    .filter((quota) => quota !== null);
  return quotas.length === 0 ? null : Math.min(...quotas);
}
