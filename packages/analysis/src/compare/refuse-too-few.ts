import type { Benchmark } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { fewerRuns, type Selection } from '../pairing/select-runs.ts';

/** Fewest runs that make an interval. */
const FEWEST_RUNS = 2;

const describe = ({ name, params }: Pick<Benchmark, 'name' | 'params'>): string => {
  const pairs = Object.entries(params).map(([parameter, value]) => `${parameter} = ${value}`);
  return pairs.length === 0 ? name : `${name} (${pairs.join(', ')})`;
};

/**
 * Says why a benchmark is left out of the comparisons.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two usable runs.
 */
export const refuseTooFew = (
  { runs, failed, measured, method }: Selection,
  options: { readonly benchmark: Pick<Benchmark, 'name' | 'params'>; readonly minimumOverlapRate: number },
): void => {
  const usable = fewerRuns(runs);
  if (usable >= FEWEST_RUNS) return;
  const { benchmark, minimumOverlapRate } = options;
  const unpaired = measured.length - runs.length;
  const byOverlap = method === 'async-duet' && unpaired > 0;
  const why = byOverlap
    ? `in ${unpaired} no iteration of A overlapped one of B by a rate of more than ${minimumOverlapRate}`
    : `${unpaired} had nothing that pairs`;
  const lost = [...(failed > 0 ? [`${failed} failed`] : []), ...(unpaired > 0 ? [why] : [])];
  const advice = byOverlap
    ? 'so it is not compared: give a run more iterations (--iterations) or longer ones, or use sync-duet, which starts both together'
    : 'so let it run longer (--runs, --max-time) or look at what failed';
  throw new AnalysisError(
    'TOO_FEW_RUNS',
    `${describe(benchmark)}: ${usable} usable runs of ${method}${lost.length > 0 ? ` (${lost.join(', ')})` : ''}; ` +
      `a comparison needs at least ${FEWEST_RUNS}, ${advice}`,
    { benchmark: benchmark.name },
  );
};
