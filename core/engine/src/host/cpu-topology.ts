import { readInteger, readText } from './read-text.ts';

const cpuFolder = '/sys/devices/system/cpu';

/** The numbers of the CPUs that are online, ascending; `null` when the machine does not report it. */
export function readOnlineCpus(root = '/'): readonly number[] | null {
  const text = readText(root, `${cpuFolder}/online`);
  const cpus = text === null ? null : parseCpuList(text);
  return cpus === null || cpus.length === 0 ? null : cpus;
}

/**
 * The CPUs that share one physical core with `cpu`, itself included, ascending; `null` when the machine does not report it.
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
 * True if any core runs two or more threads; `null` when unknown. Kernels before 4.19 have no switch for it, so there
 * a CPU of `cpus` with a sibling is the only sign.
 */
export function readSmtActive(cpus: readonly number[], root = '/'): boolean | null {
  const active = readInteger(root, `${cpuFolder}/smt/active`);
  if (active !== null) return active === 1;
  return cpus.some((cpu) => (readSmtSiblings(cpu, root)?.length ?? 1) > 1) ? true : null;
}

/** Far above any machine's; a guard against a malformed range that would fill the memory. */
const largestCpu = 65_535;

/**
 * The CPU numbers of a list as the kernel writes it, such as `0-3,8`, ascending and without repetition
 * (Documentation/admin-guide/kernel-parameters: "cpu lists"). `null` when the text is not such a list; an empty list
 * is `[]`.
 */
export function parseCpuList(text: string): readonly number[] | null {
  const cpus = new Set<number>();
  for (const part of text.trim().split(',')) {
    if (part === '') continue;
    const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (match === null) return null;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last > largestCpu) return null;
    for (let cpu = first; cpu <= last; cpu += 1) cpus.add(cpu);
  }
  return [...cpus].toSorted((a, b) => a - b);
}

/** CPU numbers as a short list, `0-3,8`; the inverse of {@link parseCpuList}. */
export function formatCpuList(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)].toSorted((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    parts.push(end === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return parts.join(',');
}
