import {
  isCount,
  resourcesOf,
  sides,
  type Benchmark,
  type Count,
  type ExperimentConfig,
  type MeasuredRun,
  type Metric,
} from '@deadheat/model';
import { judgedTimes, type JudgedTimes } from '../metric/iteration-times.ts';
import { unpairedRun, type UsableRun } from '../pairing/select-runs.ts';
import { estimateOf, judgeSetup } from './estimate.ts';
import { judgeFixed, type Judgement } from './judging.ts';

/** Fewest counting runs that show whether a count repeats. */
export const fewestCountingRuns = 2;

/** The counting runs of a benchmark that brought a count of both sides, in their order; their times are none of the program's. */
function countingRuns(
  runs: readonly MeasuredRun[],
  { metric, workload }: { readonly metric: Count } & Pick<Benchmark, 'workload'>,
): readonly UsableRun[] {
  return runs
    .filter(
      ({ trial }) =>
        trial.counting === true &&
        trial.status === 'ok' &&
        sides.every((side) => trial.sides[side].counts?.[metric] !== undefined),
    )
    .map((run) => unpairedRun(run, { warmup: { kind: 'none' }, workload }))
    .toSorted((one, other) => one.trial.run - other.trial.run);
}

/** The result of a count, and what is known of how well it repeats. */
export interface JudgedCount {
  readonly judgement: Judgement;
  /** Counting runs of both sides. */
  readonly runs: number;
  /** True if each side had the same count in all of them. */
  readonly repeats: boolean;
  /** `null` = a number. */
  readonly unit: 'bytes' | null;
}

/**
 * Judges what counting runs counted beside the metric that decides: the ratio of both sides by its t interval over the counting runs. Counts that are
 * the same in every run have an interval without width. Only counts above 0 have a ratio.
 */
export function judgeCounts(
  all: readonly MeasuredRun[],
  { benchmark, config }: { readonly benchmark: Benchmark; readonly config: ExperimentConfig },
): readonly JudgedCount[] {
  return resourcesOf(config)
    .filter((metric): metric is Count & Metric => isCount(metric))
    .flatMap((metric) => {
      const runs = countingRuns(all, { metric, workload: benchmark.workload });
      const times = runs.length < fewestCountingRuns ? null : judgedTimes(runs, metric, false);
      if (times === null) return [];
      const [first] = runs;
      const own = { ...config, interval: 't' as const, judge: null, ...(config.marginNs == null ? {} : { margin: 0 }) };
      const setup = judgeSetup(runs, {
        method: first?.trial.method ?? config.method,
        unpaired: false,
        takesTurns: true,
        benchmark,
        config: own,
      });
      const judgement = judgeFixed(own)(estimateOf(setup, { metric, times }), {
        pace: { runs: runs.length, timeNsPerRun: 0, step: 1, spentNs: 0, origin: 'experiment' },
        anytimeAt: () => {
          throw new RangeError('counts have no interim analyses');
        },
      });
      const isBytes = metric === 'allocations' && first?.trial.sides.A.countedBytes === true;
      const repeats = isSame(times.A) && isSame(times.B);
      return [{ judgement, runs: runs.length, repeats, unit: isBytes ? ('bytes' as const) : null }];
    });
}

function isSame(values: JudgedTimes['A']): boolean {
  return [...values].every((run) => run[0] === values.at(0)?.[0]);
}
