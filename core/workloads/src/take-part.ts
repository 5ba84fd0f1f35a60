import { spawn } from 'node:child_process';
import { benchWorkload } from './javascript/bench-workload.ts';
import { workloadCommand, type Language, type WorkloadOrder } from './workload-command.ts';

/**
 * Executes a workload as a side of a duet, with the environment and the output of this process: in JavaScript in this
 * process, in C in a child process.
 *
 * @returns the exit code
 */
export async function takePart(order: WorkloadOrder, language: Language): Promise<number> {
  if (language === 'js') {
    await benchWorkload(order);
    return 0;
  }
  const [file = '', ...args] = workloadCommand(order, language);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
