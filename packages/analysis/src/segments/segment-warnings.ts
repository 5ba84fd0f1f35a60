import type { Warning } from '@deadheat/model';
import type { SegmentedRun } from './segmented-runs.ts';
import type { TrendOfRuns } from './trend-of-runs.ts';

const FEWEST_MEASUREMENTS = 4;
const SHORTEST_END = 2;

const list = (places: readonly number[]): string => {
  const shown = places.slice(0, 3).map((place) => place + 1);
  const rest = places.length - shown.length;
  return `${places.length === 1 ? 'run' : 'runs'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const places = (runs: readonly SegmentedRun[], holds: (run: SegmentedRun) => boolean): number[] =>
  runs.flatMap((run, r) => (holds(run) ? [r] : []));

/** What the values of runs are: nanoseconds, logarithms of ratios, or of any one unit. */
export type SeriesUnit = 'ns' | 'log-ratio' | 'any';

const trendText = ({ slope, low, high, level }: TrendOfRuns, unit: SeriesUnit): string => {
  const scale = unit === 'log-ratio' ? 100 : 1;
  const suffix = { ns: ' ns', 'log-ratio': ' %', any: '' }[unit];
  const [by, from, to] = [Math.abs(slope), low, high].map((value) => (scale * value).toPrecision(3));
  return (
    `values ${slope > 0 ? 'rise' : 'fall'} while a run lasts, by ${by}${suffix} an iteration ` +
    `(${100 * level} % interval ${from} to ${to}${suffix})`
  );
};

/** What makes the segments, or a mean over them, doubtful. */
export const segmentWarnings = (
  runs: readonly SegmentedRun[],
  { trend, unit }: { readonly trend: TrendOfRuns | null; readonly unit: SeriesUnit },
): Warning[] => {
  const warnings: Warning[] = [];
  if (trend?.present) {
    warnings.push({
      code: 'TREND',
      message:
        `${trendText(trend, unit)}: a mean over such runs depends on their length; ` +
        'look for a leak, or take more warm-up away (--warmup-iterations), and compare runs of equal length',
    });
  }
  if (runs.length === 1) {
    warnings.push({
      code: 'ONE_RUN',
      message:
        'only one run: how much runs differ is unknown, so no interval holds for the next run; give it 10 runs or more (--runs 10)',
    });
  }
  const few = places(runs, (run) => run.values.length < FEWEST_MEASUREMENTS);
  if (few.length > 0) {
    warnings.push({
      code: 'FEW_MEASUREMENTS',
      message: `${list(few)} had fewer than ${FEWEST_MEASUREMENTS} measurements after warm-up: no change can be seen in so few; make runs longer (--iterations)`,
    });
  }
  const equal = places(runs, ({ values }) => values.length > 1 && values.every((value) => value === values[0]));
  if (equal.length > 0) {
    warnings.push({
      code: 'ALL_EQUAL',
      message: `all measurements of ${list(equal)} are equal: the clock may be too coarse for them; put more work into one iteration`,
    });
  }
  const edge = places(runs, ({ segments }) => {
    const [first, last] = [segments[0]!, segments.at(-1)!];
    return segments.length > 1 && Math.min(first.count, last.count) <= SHORTEST_END;
  });
  if (edge.length > 0) {
    warnings.push({
      code: 'CHANGE_AT_EDGE',
      message:
        `${list(edge)} changed at the first or last point, which makes a segment of ${SHORTEST_END} values with the weight of a long one: ` +
        'take more warm-up away (--warmup-iterations), or a higher penalty (--penalty)',
    });
  }
  return warnings;
};
