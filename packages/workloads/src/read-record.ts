/** One iteration of a workload that ran alone, as its record has it. */
export interface WorkloadIteration {
  readonly startNs: number;
  readonly endNs: number;
  /** CPU time of the process; `null` where it is not recorded. */
  readonly cpuNs: number | null;
}

/** Iterations of a record that one of our own workloads wrote: its first line names the benchmark. */
export function readRecord(text: string): readonly WorkloadIteration[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"i":'))
    .map((line) => {
      const { s, e, c = null } = JSON.parse(line) as { s: number; e: number; c?: number };
      return { startNs: s, endNs: e, cpuNs: c };
    });
}
