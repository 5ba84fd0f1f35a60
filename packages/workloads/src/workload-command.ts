import { fileURLToPath } from 'node:url';
import { buildProgram } from './c/build-program.ts';
import type { Language } from './language.ts';
import type { WorkloadOrder } from './workload-order.ts';

const walks = new Set<WorkloadOrder['workload']>(['cache', 'memory']);

const script = fileURLToPath(new URL('./javascript/main.js', import.meta.url));

/**
 * Program and arguments of a workload as a process that takes part in a duet, and alone does its iterations one after the
 * other. Prints what the last of them computed.
 *
 * @throws RangeError for a working set that the workload cannot have; what {@link buildProgram} throws, for the language c
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
