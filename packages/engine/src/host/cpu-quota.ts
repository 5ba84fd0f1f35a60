import { readCpuGroups } from './cpu-groups.ts';

/** The smallest CPU limit of this process's control groups, in CPUs (1.5 = one and a half); `null` = none seen. */
export function readCpuQuota(root = '/'): number | null {
  const quotas = readCpuGroups(root)
    .map((group) => group.quota)
    .filter((quota) => quota !== null);
  return quotas.length === 0 ? null : Math.min(...quotas);
}
