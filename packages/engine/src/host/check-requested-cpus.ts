import { CpuError, type CpuErrorCode } from './cpu-error.ts';
import { formatCpuList } from './cpu-list.ts';

export interface RequestedCpus {
  readonly requested: readonly number[];
  readonly usableCpus: readonly number[];
  /** CPUs of the machine that are online; without them a missing CPU is only called unusable. */
  readonly onlineCpus: readonly number[] | null;
}

/**
 * The CPUs of `--cpus`, when each exists and may be used and they differ.
 *
 * @throws CpuError with a message that names the CPUs that can be used
 */
export function checkRequestedCpus(options: RequestedCpus): readonly number[] {
  const { requested, usableCpus, onlineCpus } = options;
  const fail = (code: CpuErrorCode, what: string): CpuError => {
    const choice =
      usableCpus.length === 0
        ? 'this process may use no CPU'
        : `this process may use CPUs ${formatCpuList(usableCpus)}; name one or more of them, such as --cpus ${usableCpus.slice(0, 2).join(',')}`;
    return new CpuError(code, `--cpus ${requested.join(',')}: ${what}; ${choice}.`, { requested, usableCpus });
  };
  if (requested.length === 0) throw fail('CPU_COUNT', 'no CPU is named');
  for (const cpu of requested) {
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
  const twice = requested.find((cpu, index) => requested.indexOf(cpu) !== index);
  if (twice !== undefined) throw fail('CPU_TWICE', `CPU ${twice} is named twice`);
  return requested;
}
