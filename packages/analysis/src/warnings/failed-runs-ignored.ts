import type { Warning } from '@deadheat/model';

/** FAILED_RUNS_IGNORED: what failed is not in the result. */
export const failedRunsIgnored = (counts: { readonly failed: number; readonly used: number }): Warning[] =>
  counts.failed === 0
    ? []
    : [
        {
          code: 'FAILED_RUNS_IGNORED',
          message:
            `${counts.failed} of ${counts.failed + counts.used} runs failed and are not in the result, which now speaks only ` +
            'about the runs that did not; look into trials.jsonl of the recording for the causes',
        },
      ];
