import { checkRequestedCpus } from './check-requested-cpus.ts';
import { formatCpuList } from './cpu-list.ts';

export interface ChooseCpusOptions {
  /** CPUs that this process may use (affinity and cpuset). */
  readonly usableCpus: readonly number[];
  /** CPUs on the same physical core as a CPU, itself included; `null` when the machine does not tell. */
  readonly smtSiblingsOf: (cpu: number) => readonly number[] | null;
  /** CPUs of `--cpus`, in the order given: A's, B's. */
  readonly requested?: readonly number[];
  /** CPUs of the machine that are online, so that a refusal can tell a missing CPU from a forbidden one. */
  readonly onlineCpus?: readonly number[] | null;
}

/** Two CPUs, or the reason why there are none; both carry a sentence for the user. */
export type CpuChoice =
  | {
      readonly cpus: readonly [number, number];
      /** Whether the two are known to be threads of one physical core. */
      readonly sharedCore: boolean;
      readonly reason: string;
    }
  | { readonly cpus: null; readonly reason: string };

/**
 * Two CPUs for a duet: those that the user asked for, otherwise by these rules, the first being the strongest. Not two
 * threads of one core; with more than three usable CPUs not CPU 0, which serves most interrupts, and then not another
 * thread of its core; the lowest numbers.
 *
 * @throws CpuError when the CPUs asked for cannot be used
 */
export function chooseCpus(options: ChooseCpusOptions): CpuChoice {
  const { smtSiblingsOf, requested } = options;
  const usableCpus = [...new Set(options.usableCpus)].toSorted((a, b) => a - b);
  if (requested !== undefined) {
    const cpus = checkRequestedCpus({ requested, usableCpus, onlineCpus: options.onlineCpus ?? null });
    return { cpus, sharedCore: shareCore(cpus, smtSiblingsOf), reason: 'asked for with --cpus' };
  }
  const candidates = inOrderOfPreference(usableCpus, smtSiblingsOf);
  for (const [i, first] of candidates.entries()) {
    const second = candidates.slice(i + 1).find((cpu) => !shareCore([first, cpu], smtSiblingsOf));
    if (second !== undefined)
      return { cpus: ascending(first, second), sharedCore: false, reason: 'two separate cores' };
  }
  const [first, second] = candidates;
  if (first === undefined || second === undefined) {
    const usable = first === undefined ? 'no CPU' : `only CPU ${formatCpuList(usableCpus)}`;
    return {
      cpus: null,
      reason:
        `this process may use ${usable}, and a duet needs two at the same time; ` +
        'give it a second one (taskset, cpuset of the container, size of the virtual machine)',
    };
  }
  return { cpus: ascending(first, second), sharedCore: true, reason: 'all usable CPUs are threads of one core' };
}

function shareCore(
  [first, second]: readonly [number, number],
  smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
): boolean {
  return smtSiblingsOf(first)?.includes(second) ?? false;
}

function inOrderOfPreference(
  usableCpus: readonly number[],
  smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
): readonly number[] {
  if (usableCpus.length <= 3) return usableCpus;
  const coreOfZero = smtSiblingsOf(0) ?? [0];
  const rank = (cpu: number): number => (cpu === 0 ? 2 : coreOfZero.includes(cpu) ? 1 : 0);
  return usableCpus.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

function ascending(first: number, second: number): readonly [number, number] {
  return first < second ? [first, second] : [second, first];
}
