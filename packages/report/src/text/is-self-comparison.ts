import type { Comparison } from '@deadheat/model';

/** Whether both sides are the same command: an A/A comparison, which shows what the machine can see. */
export function isSelfComparison({ sides }: Pick<Comparison, 'sides'>): boolean {
  return sides.A.command === sides.B.command;
}
