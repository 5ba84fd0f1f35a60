import { parseCpuList } from './cpu-list.ts';
import { readInteger } from './read-integer.ts';
import { readText } from './read-text.ts';

const cpuFolder = '/sys/devices/system/cpu';

/** The numbers of the CPUs that are online, ascending; `null` when the machine does not tell. */
export function readOnlineCpus(root = '/'): readonly number[] | null {
  const text = readText(root, `${cpuFolder}/online`);
  const cpus = text === null ? null : parseCpuList(text);
  return cpus === null || cpus.length === 0 ? null : cpus;
}

/**
 * The CPUs that share one physical core with `cpu`, itself included, ascending; `null` when the machine does not tell.
 * A virtual machine may show its CPUs as separate cores although the host runs them on two threads of one.
 */
export function readSmtSiblings(cpu: number, root = '/'): readonly number[] | null {
  const folder = `${cpuFolder}/cpu${cpu}/topology`;
  // The first name replaced the second in Linux 5.3; old kernels have only the second.
  const text = readText(root, `${folder}/core_cpus_list`) ?? readText(root, `${folder}/thread_siblings_list`);
  const siblings = text === null ? null : parseCpuList(text);
  return siblings === null || !siblings.includes(cpu) ? null : siblings;
}

/**
 * Whether any core runs two or more threads; `null` when unknown. Kernels before 4.19 have no switch for it, so there
 * a CPU of `cpus` with a sibling is the only sign.
 */
export function readSmtActive(cpus: readonly number[], root = '/'): boolean | null {
  const active = readInteger(root, `${cpuFolder}/smt/active`);
  if (active !== null) return active === 1;
  return cpus.some((cpu) => (readSmtSiblings(cpu, root)?.length ?? 1) > 1) ? true : null;
}
