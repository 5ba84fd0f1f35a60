import { methodFacts, type Benchmark, type ExperimentConfig, type MeasuredRun } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import type { SplitRun } from './estimate.ts';
import { fewerRuns, selectRuns, type Selection } from '../pairing/select-runs.ts';
import { moreOfTool, type Origin, withOptions } from '../warnings/run-warnings.ts';

/** Input of `compareBenchmark`. */
export interface ComparisonInput {
  /** Every run of this benchmark, in any order; warm-up runs and failed ones are sorted out. */
  readonly runs: readonly MeasuredRun[];
  readonly benchmark: Benchmark;
  /** Configuration of this benchmark (`configOf`). */
  readonly config: ExperimentConfig;
  /**
   * True if a run of `sequential` counts for the side that has iterations when the other has none, as in files that hold
   * one side each; `false` when absent. `runs` of the result is then that of the side with fewer.
   */
  readonly keepOneSided?: boolean;
  /** True if all runs of A were executed before all of B, each in the order given; `false` when absent. */
  readonly inBlocks?: boolean;
  /** `experiment` when absent. */
  readonly origin?: Origin;
  /** The sides whose runs are the parts of a single one. */
  readonly splitRun?: SplitRun;
}

/**
 * The runs of a benchmark that count.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs; as `overlaps` for `async-duet`.
 */
export function usableRuns(input: ComparisonInput): Selection {
  const { runs, benchmark, config, keepOneSided = false, origin = 'experiment' } = input;
  const selection = selectRuns(runs, { ...config, workload: benchmark.workload, keepOneSided });
  refuseTooFew(selection, { benchmark, minimumOverlapRate: config.minimumOverlapRate, origin });
  return selection;
}

/** Fewest runs that make an interval. */
const fewestRuns = 2;

function describe({ name, params }: Pick<Benchmark, 'name' | 'params'>): string {
  const pairs = Object.entries(params).map(([parameter, value]) => `${parameter} = ${value}`);
  return pairs.length === 0 ? name : `${name} (${pairs.join(', ')})`;
}

/**
 * Says why a benchmark is left out of the comparisons.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs.
 */
function refuseTooFew(
  { runs, failed, measured, method }: Selection,
  {
    benchmark,
    minimumOverlapRate,
    origin,
  }: Pick<Required<ComparisonInput>, 'benchmark' | 'origin'> & { readonly minimumOverlapRate: number },
): void {
  const usable = fewerRuns(runs);
  if (usable >= fewestRuns) return;
  const unpaired = measured.length - runs.length;
  const byOverlap = methodFacts[method].pairs === 'overlapping' && unpaired > 0;
  const why = byOverlap
    ? `in ${unpaired} no iteration of A overlapped one of B by a rate of more than ${minimumOverlapRate}`
    : `${unpaired} had nothing that pairs`;
  const lost = [...(failed > 0 ? [`${failed} failed`] : []), ...(unpaired > 0 ? [why] : [])];
  const advice = byOverlap
    ? `, so it is not compared: ${withOptions('give a run more iterations', '--iterations', origin)} or longer ones, or use sync-duet, which starts both together`
    : origin === 'files'
      ? `. ${moreOfTool}`
      : ', so let it run longer (--runs, --max-time) or look at what failed';
  throw new AnalysisError(
    'TOO_FEW_RUNS',
    `${describe(benchmark)}: ${usable} usable runs of ${method}${lost.length > 0 ? ` (${lost.join(', ')})` : ''}; ` +
      `a comparison needs at least ${fewestRuns}${advice}`,
    { benchmark: benchmark.name },
  );
}
