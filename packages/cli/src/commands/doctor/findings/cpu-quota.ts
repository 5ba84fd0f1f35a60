import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount, meanOf, percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** A limit of CPU time of the container or job. */
export function cpuQuota({ machine: { cpuQuota: quota }, disturbances }: DoctorFacts): Finding | null {
  const heldBack = meanOf(disturbances, 'throttled');
  const effect = effectOfCount(disturbances, { name: 'throttled', sign: 'longer' });
  if (effect === null && heldBack === 0 && (quota === null || quota >= 2)) return null;
  const limit = quota === null ? 'a limit of CPU time' : `${Number(quota.toFixed(2))} CPUs`;
  return {
    code: 'CPU_QUOTA',
    title: 'The container or job has too little CPU time for two cores at once',
    effect,
    evidence: `the control group may use ${limit} and was stopped for ${percentOf(heldBack)} of the runs' time`,
    advice: {
      withoutRoot:
        'Start the container or job with at least 2 CPUs (--cpus=2, limits.cpu: 2) or none. Else --method tandem ' +
        'and --method sequential need 1 alone, and --metric cpu suffers least.',
      asRoot: 'On the host lift cpu.max (v1: cpu.cfs_quota_us) of the group.',
    },
    applies: null,
  };
}
