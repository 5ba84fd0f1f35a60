import { fileURLToPath } from 'node:url';
import { buildProgram } from './c/build-program.ts';
import type { Language } from './language.ts';
import type { WorkloadOrder } from './workload-order.ts';

const script = fileURLToPath(new URL('./javascript/main.js', import.meta.url));

/**
 * Program and arguments of a workload as a process that takes part in a duet, and alone does its iterations one after the
 * other. Prints what the last of them computed.
 *
 * @throws what {@link buildProgram} throws, for the language c
 */
export function workloadCommand(
  { workload, amount, iterations }: WorkloadOrder,
  language: Language,
): readonly string[] {
  const program = language === 'c' ? [buildProgram('workload')] : [process.execPath, script];
  return [...program, workload, String(amount), String(iterations)];
}
