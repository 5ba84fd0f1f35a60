import { readInteger } from './read-integer.ts';
import { readText } from './read-text.ts';

const cpuFolder = '/sys/devices/system/cpu';

/**
 * The frequency governor of the CPUs; several different ones are joined by `, `. `null` when the machine does not tell,
 * as in most virtual machines.
 */
export function readGovernor(cpus: readonly number[], root = '/'): string | null {
  const governors = new Set<string>();
  for (const cpu of cpus) {
    const governor = readText(root, `${cpuFolder}/cpu${cpu}/cpufreq/scaling_governor`);
    if (governor !== null) governors.add(governor);
  }
  return governors.size === 0 ? null : [...governors].toSorted().join(', ');
}

/** Whether the processor may run above its nominal frequency; `null` when the machine does not tell. */
export function readTurbo(cpus: readonly number[], root = '/'): boolean | null {
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
