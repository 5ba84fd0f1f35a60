import type { Outlook, Verdict } from '@deadheat/model';
import { planOutlook } from '../verdict/plan-outlook.ts';

/** As `planOutlook` where the interval is over hosts: it narrows with their number, and each brings as many runs as so far. */
export const outlookOverHosts = (
  ratio: { readonly estimate: number; readonly low: number; readonly high: number },
  facts: {
    readonly verdict: Verdict;
    readonly margin: number;
    readonly runs: number;
    readonly timeNsPerRun: number;
    readonly hosts: number;
  },
): Outlook | null => {
  const { verdict, margin, hosts, timeNsPerRun } = facts;
  const runsPerHost = Math.ceil(facts.runs / hosts);
  const found = planOutlook(ratio, {
    verdict,
    margin,
    runs: hosts,
    timeNsPerRun: runsPerHost * timeNsPerRun,
    step: 1,
  });
  if (found === null) return null;
  return { moreRuns: found.moreRuns * runsPerHost, moreTimeNs: found.moreTimeNs, moreHosts: found.moreRuns };
};
