import { at, count, number, share, text, type StudyTable } from '@deadheat/analysis';

/** Metrics that adapters of harnesses record of each iteration, and its CPU time. */
export const usualMetrics: readonly string[] = ['c', 'gcCount', 'gcMs', 'compileMs', 'heapBytes'];

/** A metric of a run around one change of its performance. */
export interface MetricAtChange {
  readonly metric: string;
  /** 0-based index of the last iteration before the change. */
  readonly changepoint: number;
  /** Means of the windows before and behind the change, in the unit of the metric. */
  readonly before: number;
  readonly after: number;
  /** Share of places in the run at which the metric shifts, or rises for a moment, at least as much; in (0, 1]. */
  readonly shiftP: number;
  readonly burstP: number;
  readonly kind: 'shift' | 'burst' | 'none';
}

/** Where and how closely metrics are looked at. */
export interface VerticalProfileOptions {
  /** 0-based index of the last iteration of every segment but the final one, ascending. */
  readonly changepoints: ArrayLike<number>;
  /** Most iterations before and behind a change that are looked at, >= 10; default 500. */
  readonly window?: number;
  /** Probability that some metric is called at a change although none follows it, in (0, 1); default 0.01. */
  readonly level?: number;
}

const leastWindow = 10;

/** Sums of the first values, from none to all. */
function sumsOf(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, k) => (sums[k + 1] = at(sums, k) + value));
  return sums;
}

/** The largest value of each stretch of `2 reach + 1` values around a place; of ends what is there. */
function peaksOf(values: Float64Array, reach: number): Float64Array {
  return values.map((_, k) =>
    values.subarray(Math.max(0, k - reach), k + reach + 1).reduce((most, value) => Math.max(most, value)),
  );
}

/**
 * Which metrics of a run change together with its performance: a durable shift of the level, or a burst about the change. The shift at a change, and the
 * largest value within a twentieth of the window of it, are ranked among those at all places of the run that are a window away from every change. The rank
 * holds its level for metrics that depend on their neighbours too, such as a heap that grows and is collected, as long as they are stationary elsewhere; the level is
 * divided by two and by the number of metrics.
 *
 * @param metrics a value of each iteration; those with values that are not finite are left out.
 * @returns for each change and metric in turn; none for changes with fewer than 10 iterations on one side, or too few other places for the level.
 * @throws RangeError for a window below 10, a level out of range
 * Sources: OOPSLA'26, section 3 (steps 2a and 2b), after M. Hauswirth et al., Vertical profiling, OOPSLA 2004. The paper looks by hand; the ranks are ours.
 */
export function verticalProfile(
  metrics: Readonly<Record<string, Float64Array>>,
  { changepoints, window = 500, level = 0.01 }: VerticalProfileOptions,
): readonly MetricAtChange[] {
  if (!(window >= leastWindow)) throw new RangeError(`window must be at least ${leastWindow}, got ${window}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level must lie between 0 and 1, got ${level}`);
  const usable = Object.entries(metrics)
    .filter(([, values]) => values.every((value) => Number.isFinite(value)))
    .map(([metric, values]) => ({ metric, values, sums: sumsOf(values) }));
  const changes = Array.from(changepoints);
  return changes.flatMap((changepoint, place) =>
    usable.flatMap(({ metric, values, sums }) => {
      const [previous, next] = [changes[place - 1] ?? -1, changes[place + 1] ?? values.length - 1];
      const width = Math.min(window, changepoint - previous, next - changepoint);
      const away = Array.from(values.keys()).filter(
        (k) => k >= width - 1 && k < values.length - width && changes.every((change) => Math.abs(k - change) >= width),
      );
      const bound = level / (2 * usable.length);
      if (width < leastWindow || 1 / (away.length + 1) > bound) return [];
      const meanOf = (from: number): number => (at(sums, from + width) - at(sums, from)) / width;
      const shiftAt = (k: number): number => Math.abs(meanOf(k + 1) - meanOf(k - width + 1));
      const peaks = peaksOf(values, Math.max(2, Math.round(width / 20)));
      const rankOf = (of: (k: number) => number): number => {
        const own = of(changepoint);
        return (1 + away.filter((k) => of(k) >= own).length) / (1 + away.length);
      };
      const [shiftP, burstP] = [rankOf(shiftAt), rankOf((k) => at(peaks, k))];
      const kind = shiftP <= bound ? 'shift' : burstP <= bound ? 'burst' : 'none';
      const [before, after] = [meanOf(changepoint - width + 1), meanOf(changepoint + 1)];
      return [{ metric, changepoint, before, after, shiftP, burstP, kind }];
    }),
  );
}

/** A run as it was cut, with its metrics at each change. */
export interface ProfiledRun {
  readonly label: string;
  readonly run: number;
  readonly changes: readonly MetricAtChange[];
  /** The time of an iteration at the same changes. */
  readonly times: readonly MetricAtChange[];
}

/** Metrics that follow a change of performance, a row each; none where no metric could be looked at. */
export function verticalTable(runs: readonly ProfiledRun[]): readonly StudyTable[] {
  const all = runs.flatMap(({ changes }) => changes);
  if (all.length === 0) return [];
  return [
    {
      title: 'Metrics that change together with the performance',
      source: "Antoch et al., OOPSLA'26, section 3; Hauswirth et al., OOPSLA'04",
      columns: [
        text('benchmark'),
        count('run'),
        count('after iteration'),
        share('time'),
        text('metric'),
        text('what'),
        number('before'),
        number('after'),
        number('p of the shift'),
        number('p of the burst'),
      ],
      rows: runs.flatMap(({ label, run, changes, times }) =>
        changes
          .filter(({ kind }) => kind !== 'none')
          .map(({ metric, changepoint, kind, before, after, shiftP, burstP }) => {
            const time = times.find((one) => one.changepoint === changepoint);
            const change = time === undefined ? null : time.after / time.before - 1;
            return [label, run, changepoint + 1, change, metric, kind, before, after, shiftP, burstP];
          }),
      ),
      notes: [
        `looked at: ${all.length} metrics at changes; p: share of other places of the run with at least as large a shift, or peak; a metric that follows is no cause yet: change what it depends on and measure again`,
      ],
    },
  ];
}
