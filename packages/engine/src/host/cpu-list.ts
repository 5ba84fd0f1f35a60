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
