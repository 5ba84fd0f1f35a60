import { z } from 'zod';

/** Facts of the machine that a reader needs to judge a result. `null` = this machine does not tell. */
export const machineSchema = z.object({
  hostname: z.string(),
  platform: z.string(),
  kernel: z.string(),
  node: z.string(),
  cpuModel: z.string().nullable(),
  /** CPUs of the machine that are online. */
  onlineCpus: z.int().positive(),
  /** CPUs that this process may use (affinity and cpuset). */
  usableCpus: z.array(z.int().nonnegative()),
  /** CPUs that share a core with a CPU of the experiment, by that CPU; a CPU alone on its core lists itself. */
  smtSiblings: z.record(z.string(), z.array(z.int().nonnegative())),
  smtActive: z.boolean().nullable(),
  governor: z.string().nullable(),
  turbo: z.boolean().nullable(),
  /** Address space layout randomisation: 0 off, 1 stack and libraries, 2 also the heap. */
  aslr: z.int().nullable(),
  clockSource: z.string().nullable(),
  virtualization: z.string().nullable(),
  memoryTotalBytes: z.int().nonnegative(),
  memoryAvailableBytes: z.int().nonnegative().nullable(),
  /** CPU quota of the control group, in CPUs (1.5 = one and a half); `null` = none. */
  cpuQuota: z.number().positive().nullable(),
  cgroupVersion: z.enum(['v1', 'hybrid', 'v2', 'none']),
  /** Load average over one minute when the experiment began. */
  load1: z.number().nonnegative(),
});
export type Machine = z.infer<typeof machineSchema>;

/** What disturbed one run, as differences of kernel counters over it. `null` = not told by this machine. */
export const noiseSchema = z.object({
  /** Time that the hypervisor took from the CPUs of the experiment, ns. */
  stealNs: z.number().nonnegative().nullable(),
  /** Time that the control group was throttled, ns. */
  throttledNs: z.number().nonnegative().nullable(),
  /** Context switches of the whole machine. */
  contextSwitches: z.int().nonnegative().nullable(),
});
export type Noise = z.infer<typeof noiseSchema>;
