import {
  agreeOnAmount,
  maximumAmount,
  runAlone,
  takePart,
  type Language,
  type WorkloadName,
} from '@deadheat/workloads';
import { UsageError } from 'deadheat/settings';
import { workloadTable } from './workload-table.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** A workload as it was asked for. */
export interface WorkloadInvocation {
  readonly workload: WorkloadName;
  readonly language: Language;
  /** How much an iteration does before `slower` is added. */
  readonly size:
    { readonly kind: 'amount'; readonly amount: number } | { readonly kind: 'duration'; readonly durationNs: number };
  /** Work added, as a fraction. */
  readonly slower: number;
  readonly iterations: number;
}

/** Variables of which one at least is there when deadheat started this process. */
const signs = ['DEADHEAT_SIDE', 'DEADHEAT_PAGE', 'DEADHEAT_RECORD'];

/** `deadheat workload NAME`: takes part in a comparison, or alone writes the times of its iterations. */
export async function runWorkload(invocation: WorkloadInvocation, { stdout, env }: Terminal): Promise<number> {
  const { workload, language, size, slower, iterations } = invocation;
  const base =
    size.kind === 'amount' ? size.amount : agreeOnAmount({ workload, language, durationNs: size.durationNs });
  const amount = Math.round(base * (1 + slower));
  if (amount > maximumAmount) {
    throw new UsageError('BAD_VALUE', `an iteration of ${amount} units is more than ${maximumAmount}`, {
      hint: 'Do less in one iteration, and more iterations.',
    });
  }
  const order = { workload, amount, iterations };
  if (signs.some((name) => (env[name] ?? '') !== '')) return takePart(order, language);
  stdout.write(workloadTable(runAlone(order, language), { ...order, language }));
  return 0;
}
