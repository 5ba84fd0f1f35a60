import type { Machine } from '@deadheat/model';
import { readCgroupMounts } from './cgroup-mounts.ts';

/** Which control groups are mounted; `hybrid` = v1 controllers beside a v2 tree. */
export function readCgroupVersion(root = '/'): Machine['cgroupVersion'] {
  const versions = new Set(readCgroupMounts(root).map((mount) => mount.version));
  if (versions.has(1)) return versions.has(2) ? 'hybrid' : 'v1';
  return versions.has(2) ? 'v2' : 'none';
}
