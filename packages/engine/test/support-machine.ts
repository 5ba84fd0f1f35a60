import type { Machine } from '@deadheat/model';

/** A machine of which nothing is known. */
export const unknownMachine: Machine = {
  hostname: 'unknown',
  platform: 'unknown',
  kernel: 'unknown',
  node: 'unknown',
  cpuModel: null,
  onlineCpus: 1,
  usableCpus: [],
  smtSiblings: {},
  smtActive: null,
  governor: null,
  turbo: null,
  aslr: null,
  clockSource: null,
  virtualization: null,
  memoryTotalBytes: 0,
  memoryAvailableBytes: null,
  cpuQuota: null,
  cgroupVersion: 'none',
  load1: 0,
};
