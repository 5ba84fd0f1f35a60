import { fileURLToPath } from 'node:url';
import type { WorkloadName } from './javascript/workloads.ts';
import { buildProgram } from './c/build-program.ts';

/** Languages in which the workloads and the load are written. */
export const languages = ['js', 'c'] as const;
export type Language = (typeof languages)[number];

/** The amount of work of a workload. */
export interface WorkloadOrder {
  readonly workload: WorkloadName;
  /** Units of work an iteration, from 0 to 2^31 - 1. */
  readonly amount: number;
  /** Iterations where the runner does not say how many; at least 1. */
  readonly iterations: number;
  /** Bytes that `cache` or `memory` walks over, a power of two from 4096 to 2^31; absent = its own. */
  readonly workingSetBytes?: number;
}

const walks = new Set<WorkloadOrder['workload']>(['cache', 'memory']);

const script = fileURLToPath(new URL('./javascript/main.js', import.meta.url));

/**
 * Program and arguments of a workload as a process that takes part in a duet. Outside a duet the process executes its
 * iterations one after the other. It prints the result of the last iteration.
 *
 * @throws RangeError for a working set that the workload cannot have; what {@link buildProgram} throws, for the
 *   language c
 */
export function workloadCommand(
  { workload, amount, iterations, workingSetBytes }: WorkloadOrder,
  language: Language,
): readonly string[] {
  const program = language === 'c' ? [buildProgram('workload')] : [process.execPath, script];
  const order = [...program, workload, String(amount), String(iterations)];
  if (workingSetBytes === undefined) return order;
  if (!walks.has(workload)) throw new RangeError(`the workload ${workload} has no working set`);
  if (!Number.isInteger(Math.log2(workingSetBytes)) || workingSetBytes < 2 ** 12 || workingSetBytes > 2 ** 31) {
    throw new RangeError(`a power of two from 4096 to 2^31 bytes expected, not ${workingSetBytes}`);
  }
  return [...order, String(workingSetBytes / 1024)];
}
