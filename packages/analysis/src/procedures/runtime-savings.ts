import { mean } from '@deadheat/stats';
import type { TimeSpan } from '../pairing/time-span.ts';

/** When the processes of both sides of a run were there, from the start of each to its end; warm-up belongs to it. */
export interface SpanOfRun {
  readonly A: TimeSpan;
  readonly B: TimeSpan;
}

/** What running both sides at once saves, in the unit of the spans. */
export interface RuntimeSavings {
  /** Mean time of a run whose sides follow each other: both durations added. */
  readonly sequential: number;
  /** Mean time of a run of a duet: from the sooner start to the later end. */
  readonly duet: number;
  /** sequential / duet; 1.73 is what the thesis prints as a speedup of 73 %. */
  readonly speedup: number;
  /** Share of the sequential time that is not needed, 1 - duet / sequential; below 0 where the duet takes longer. */
  readonly saved: number;
}

const length = ({ s, e }: TimeSpan): number => e - s;

/**
 * How much sooner a duet is done than the same runs one side after the other. The printed formula takes
 * min(start) - max(end) for the duet, which is below 0; the later end minus the sooner start is meant. A speedup of 2 is the
 * most that can come of overlap alone, and means that the sides did not get into each other's way. It counts the time that
 * the machine is taken, not its cores: a duet takes two.
 *
 * @throws RangeError without runs of both, or when the runs took no time.
 * Source: Drozdik 2023, section 5.2.1, equation 5.1.
 */
export const runtimeSavings = (runs: {
  readonly sequential: readonly SpanOfRun[];
  readonly duet: readonly SpanOfRun[];
}): RuntimeSavings => {
  const sequential = mean(runs.sequential.map(({ A, B }) => length(A) + length(B)));
  const duet = mean(runs.duet.map(({ A, B }) => Math.max(A.e, B.e) - Math.min(A.s, B.s)));
  if (!(sequential > 0 && duet > 0)) {
    throw new RangeError(`runs must take time, got means of ${sequential} (sequential) and ${duet} (duet)`);
  }
  return { sequential, duet, speedup: sequential / duet, saved: 1 - duet / sequential };
};
