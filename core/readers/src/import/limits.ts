import type { Warning } from '@deadheat/model';

// Warnings about the limits of a file, shared by the adapters. `what` begins the message; its end is the advice.

export function noRunVariance(what: string): Warning {
  const message = `${what} holds a single run (one process), so it does not show how much runs differ. Repeat the run ten times or more and give the folder of the files.`;
  return { code: 'NO_RUN_VARIANCE', message };
}

export function summaryOnly(what: string): Warning {
  const message = `${what} holds means and no single times: no outlier, trend or warm-up can be seen in it. Let the tool keep its samples, or measure with deadheat itself.`;
  return { code: 'SUMMARY_ONLY', message };
}

export function sortedSamples(what: string): Warning {
  const message = `${what} holds its times sorted, so their order is lost: no pairing, no warm-up and no change over time can be seen. Measure with deadheat itself where that matters.`;
  return { code: 'SORTED_SAMPLES', message };
}

export function noTimestamps(what: string): Warning {
  const message = `${what} does not contain when an iteration began, so iterations of the two sides cannot be paired by time. Compare them as measured one after the other, or measure with deadheat itself.`;
  return { code: 'NO_TIMESTAMPS', message };
}

export function rateInverted(what: string): Warning {
  const message = `${what} gives operations in a time; each score was turned into the time of one operation. Measure the time itself (JMH: -bm avgt) where the mean matters.`;
  return { code: 'RATE_INVERTED', message };
}

export function coarseClock(what: string, resolution: string): Warning {
  const message = `${what} gives times in whole ${resolution}; a difference below that cannot be seen. Let an iteration take a thousand times as long or more.`;
  return { code: 'COARSE_CLOCK', message };
}

export function entriesLeftOut(count: number, why: string): readonly Warning[] {
  const message = `${count} ${count === 1 ? 'entry was' : 'entries were'} left out: ${why}. Look at why, and measure again.`;
  return count === 0 ? [] : [{ code: 'FAILED_RUNS_IGNORED', message }];
}

/** `exits` of the executions of a command; `null` = ended by a signal. */
export function nonzeroExit(command: string, exits: readonly (number | null)[]): readonly Warning[] {
  const failed = exits.filter((exit) => exit !== 0).length;
  if (failed === 0) return [];
  const message =
    `${failed} of ${exits.length} executions of ${command} ended with another status than 0 (hyperfine --ignore-failure). ` +
    'One that fails may have done less: look at why, and measure again.';
  return [{ code: 'NONZERO_EXIT', message }];
}
