import type { Outlook } from '@deadheat/model';
import { planOutlook } from '../verdict/plan-outlook.ts';

/** As `planOutlook` where the interval is over hosts: it narrows with their number, and each brings as many runs as so far. */
export const outlookOverHosts = (
  ratio: Parameters<typeof planOutlook>[0],
  facts: Omit<Parameters<typeof planOutlook>[1], 'step'> & { readonly hosts: number },
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
