import type { Warning } from '@deadheat/model';

// What a file cannot support, in the words of every adapter. `what` begins the message; its end is what to do.

export function noRunVariance(what: string): Warning {
  return {
    code: 'NO_RUN_VARIANCE',
    message:
      `${what} holds a single run (one process), so it does not show how much runs differ. Repeat the run ten times or ` +
      'more and give the folder of the files.',
  };
}

export function summaryOnly(what: string): Warning {
  return {
    code: 'SUMMARY_ONLY',
    message:
      `${what} holds means and no single times: no outlier, trend or warm-up can be seen in it. Let the tool keep its ` +
      'samples, or measure with deadheat itself.',
  };
}

export function sortedSamples(what: string): Warning {
  return {
    code: 'SORTED_SAMPLES',
    message:
      `${what} holds its times sorted, so their order is lost: no pairing, no warm-up and no change over time can be seen. ` +
      'Measure with deadheat itself where that matters.',
  };
}

export function noTimestamps(what: string): Warning {
  return {
    code: 'NO_TIMESTAMPS',
    message:
      `${what} does not contain when an iteration began, so iterations of the two sides cannot be paired by time. Compare ` +
      'them as measured one after the other, or measure with deadheat itself.',
  };
}

export function rateInverted(what: string): Warning {
  return {
    code: 'RATE_INVERTED',
    message:
      `${what} gives operations in a time; each score was turned into the time of one operation. Measure the time itself ` +
      '(JMH: -bm avgt) where the mean matters.',
  };
}

export function coarseClock(what: string, resolution: string): Warning {
  return {
    code: 'COARSE_CLOCK',
    message:
      `${what} gives times in whole ${resolution}; a difference below that cannot be seen. Let an iteration take a ` +
      'thousand times as long or more.',
  };
}

export function iterationsMerged(what: string, group: number): readonly Warning[] {
  return group === 1
    ? []
    : [
        {
          code: 'ITERATIONS_MERGED',
          message:
            `${what} holds more iterations than are kept at once, so each ${group} that followed each other in a run count as ` +
            'one: means of runs stay what they are, scatter and extremes become smaller. Analyse a part of the file where those matter.',
        },
      ];
}

export function runsMerged(what: string, group: number): readonly Warning[] {
  return group === 1
    ? []
    : [
        {
          code: 'ITERATIONS_MERGED',
          message:
            `${what} holds more runs than are kept at once, so each ${group} that followed each other count as one: the mean of ` +
            'all stays what it is, scatter and extremes of runs become smaller. Analyse a part of the file where those matter.',
        },
      ];
}

/** @param precision as that of a `HistogramStore` */
export function invocationsMerged(what: string, precision: number | null): readonly Warning[] {
  if (precision === 0) return [];
  const done =
    precision === null
      ? 'the mean of each iteration is kept alone'
      : `those of an iteration within ${Number((100 * precision).toPrecision(2))} % of each other count as one`;
  const message =
    `${what} holds more times of invocations than are kept at once, so ${done}: means stay what they are. Study a part of ` +
    'the file where the distribution of invocations matters.';
  return [{ code: 'ITERATIONS_MERGED', message }];
}

export function entriesLeftOut(count: number, why: string): readonly Warning[] {
  return count === 0
    ? []
    : [
        {
          code: 'FAILED_RUNS_IGNORED',
          message: `${count} ${count === 1 ? 'entry was' : 'entries were'} left out: ${why}. Look at why, and measure again.`,
        },
      ];
}
