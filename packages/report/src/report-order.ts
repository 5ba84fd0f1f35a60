import { decidingInterval, type Comparison, type Verdict } from '@deadheat/model';

/** What needs looking at first. */
export const verdictOrder: readonly Verdict[] = ['slower', 'undecided', 'faster', 'dead-heat'];

/** Comparisons with the worst first: by verdict, then the largest ratio. */
export function worstFirst(comparisons: readonly Comparison[]): readonly Comparison[] {
  const rank = ({ verdict }: Comparison): number => verdictOrder.indexOf(verdict);
  return comparisons.toSorted(
    (one, other) => rank(one) - rank(other) || decidingInterval(other).estimate - decidingInterval(one).estimate,
  );
}
