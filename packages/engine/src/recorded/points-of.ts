import { reportPoints } from '@deadheat/analysis';
import { configOf, type BenchmarkPoints, type ExperimentConfig } from '@deadheat/model';
import type { MeasuredEntry } from './measure.ts';

/** Segments are looked for without being asked up to so many iterations of a side, which takes about a second. */
const mostIterations = 20_000;
/** Shorter runs have no segments to speak of. */
const fewestInRun = 20;

export interface PointsOptions {
  readonly config: ExperimentConfig;
  /** Whether segments of steady performance are looked for; `auto`: where there are not too many iterations for it. */
  readonly segments: boolean | 'auto';
}

/** What was measured, as a report draws it. */
export function pointsOf(
  measured: readonly MeasuredEntry[],
  { config, segments }: PointsOptions,
): readonly BenchmarkPoints[] {
  const wanted = segments === 'auto' ? isCheap(measured) : segments;
  return measured.map(({ benchmark, runs }) =>
    reportPoints({ runs, benchmark, config: configOf(config, benchmark), segments: wanted && isLong(runs) }),
  );
}

function isCheap(measured: readonly MeasuredEntry[]): boolean {
  return measured.reduce((sum, { runs }) => sum + iterationsOf(runs), 0) <= mostIterations;
}

function isLong(runs: MeasuredEntry['runs']): boolean {
  return runs.length > 0 && iterationsOf(runs) / runs.length >= fewestInRun;
}

function iterationsOf(runs: MeasuredEntry['runs']): number {
  return runs.reduce((sum, { iterations }) => sum + iterations.A.length, 0);
}
