import type { Command } from '@deadheat/model';
import { workloadCommand, type Language } from '@deadheat/workloads';
import type { SizedWorkload } from '../commands/study/study-request.ts';

/** An artificial workload of a known amount as a side of a comparison. @throws what `workloadCommand` throws */
export function workloadSide(
  { workload, amount }: SizedWorkload,
  { language, iterations }: { readonly language: Language; readonly iterations: number },
): Command {
  const commandLine = `deadheat workload ${workload} --amount ${amount} --language ${language}`;
  const argv = workloadCommand({ workload, amount, iterations }, language);
  return { name: commandLine, commandLine, argv: [...argv], executedBy: 'direct' };
}
