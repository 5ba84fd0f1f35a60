import type { Outlook, Verdict } from '@deadheat/model';

/** More runs than this are no advice. */
const MOST_RUNS = 1_000_000;

/**
 * How many more runs would decide, if the estimate stays where it is and the interval narrows with the square root of the
 * number of runs: its half-width must fall below the distance to the nearer edge of the margin, on the log scale.
 *
 * @param facts.runs runs in the interval.
 * @param facts.timeNsPerRun what a run cost, ns.
 * @param facts.step runs come in multiples of this: 2 where two runs that traded cores are one unit.
 * @returns `null` unless the verdict is `undecided`, and when the estimate lies so close to the edge that no feasible
 *   number of runs would decide.
 */
export const planOutlook = (
  ratio: { readonly estimate: number; readonly low: number; readonly high: number },
  facts: {
    readonly verdict: Verdict;
    readonly margin: number;
    readonly runs: number;
    readonly timeNsPerRun: number;
    readonly step: number;
  },
): Outlook | null => {
  if (facts.verdict !== 'undecided') return null;
  const halfWidth = (Math.log(ratio.high) - Math.log(ratio.low)) / 2;
  const distance = Math.abs(Math.abs(Math.log(ratio.estimate)) - Math.log1p(facts.margin));
  const needed = facts.runs * (halfWidth / distance) ** 2;
  if (!(needed <= MOST_RUNS)) return null;
  const moreRuns = Math.max(1, Math.ceil((needed - facts.runs) / facts.step)) * facts.step;
  return { moreRuns, moreTimeNs: moreRuns * facts.timeNsPerRun };
};
