import { halfWidth } from '@deadheat/analysis';
import type { Comparison, StopRule, Warning } from '@deadheat/model';

/** Keeps a whole number of runs from being rounded up by the last bit of a quotient. */
const rounding = 1e-6;

/**
 * What a benchmark that was ended by its time limit lacks, and what more time would bring. The half-width of an interval
 * shrinks with the square root of the number of runs. A comparison that is not decided says so itself.
 */
export function limitWarning(comparison: Comparison, stop: StopRule): Warning | null {
  if (stop.kind === 'decided') return null;
  const { benchmark, runs, time } = comparison;
  const width = halfWidth(comparison);
  if (stop.kind === 'precision') {
    const wanted = Math.ceil(runs * (width / stop.precision) ** 2 - rounding);
    return {
      code: 'PRECISION_NOT_REACHED',
      message:
        `${benchmark}: --max-time ended it after ${runs} runs with an interval of about ${percent(width)} to either side; ` +
        `${percent(stop.precision)} was wanted. About ${wanted} runs would bring it ` +
        `(--max-time ${seconds((time.wallNs / runs) * wanted)}).`,
    };
  }
  const wanted = stop.kind === 'runs' ? stop.runs : stop.minRuns;
  if (runs >= wanted) return null;
  const narrower = 1 - Math.sqrt(runs / wanted);
  return {
    code: 'TIME_LIMIT',
    message:
      `${benchmark}: --max-time ended it after ${runs} of ${wanted} runs. All ${wanted} would make the interval about ` +
      `${percent(narrower)} narrower; they take about ${seconds((time.wallNs / runs) * wanted)} (--max-time).`,
  };
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}

function seconds(ns: number): string {
  return `${Math.ceil(ns / 1e9)}s`;
}
