import { CpuError, type CpuErrorCode } from './cpu-error.ts';
import { formatCpuList } from './cpu-list.ts';

export interface RequestedCpus {
  readonly requested: readonly number[];
  readonly usableCpus: readonly number[];
  /** CPUs of the machine that are online; without them a missing CPU is only called unusable. */
  readonly onlineCpus: readonly number[] | null;
}

/**
 * The two CPUs of `--cpus`, when each exists and may be used and they differ.
 *
 * @throws CpuError with a message that names the CPUs that can be used
 */
export function checkRequestedCpus(options: RequestedCpus): readonly [number, number] {
  const { requested, usableCpus, onlineCpus } = options;
  const fail = (code: CpuErrorCode, what: string): CpuError => {
    const choice =
      usableCpus.length < 2
        ? `this process may use ${usableCpus.length === 0 ? 'no CPU' : `only CPU ${usableCpus[0]}`}; give it a second one (taskset, cpuset of ` +
          'the container) or leave --cpus away to run A and B one after the other'
        : `this process may use CPUs ${formatCpuList(usableCpus)}; name two of them, such as --cpus ${usableCpus[0]},${usableCpus[1]}`;
    return new CpuError(code, `--cpus ${requested.join(',')}: ${what}; ${choice}.`, { requested, usableCpus });
  };
  const [first, second] = requested;
  if (first === undefined || second === undefined || requested.length !== 2) {
    throw fail('CPU_COUNT', `a duet takes exactly two CPUs, one for each side, but ${requested.length} are given`);
  }
  for (const cpu of [first, second]) {
    if (!Number.isSafeInteger(cpu) || cpu < 0) throw fail('CPU_NOT_FOUND', `${cpu} is not the number of a CPU`);
    if (usableCpus.includes(cpu)) continue;
    if (onlineCpus !== null && !onlineCpus.includes(cpu)) {
      const online = formatCpuList(onlineCpus);
      throw fail('CPU_NOT_FOUND', `there is no CPU ${cpu} online on this machine (online: ${online})`);
    }
    throw fail(
      'CPU_NOT_USABLE',
      `CPU ${cpu} is not usable, outside the affinity or cpuset of this process or not there`,
    );
  }
  if (first === second) throw fail('CPU_TWICE', `CPU ${first} is named twice, but the sides need a CPU each`);
  return [first, second];
}
