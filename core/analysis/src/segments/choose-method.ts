import { expandedTail, type VarianceComponents } from '@deadheat/stats';
import { SEGMENT_REPLICATES } from './segment-interval.ts';
import type { IntervalMethod } from './segment-replicates.ts';

/** "Much larger": the paper's workloads that did not gain had a segment variance below a tenth of the run variance. */
const negligible = 0.1;

/** Replicates that should lie beyond each end of an interval, so that more than the most extreme one decides it. */
const replicatesBeyond = 5;

/** Settings of the interval. */
export interface ChooseMethodOptions {
  /** Inside (0, 1), default 0.99. */
  readonly confidence?: number;
  /** Default 33 000. */
  readonly replicates?: number;
}

/** A method and why it. */
export interface ChosenMethod extends IntervalMethod {
  /** Var(S)/N_SR over Var(R): what segments add to the variance of a run mean, against the runs' own; null where one is unknown. */
  readonly segmentShare: number | null;
  /** One sentence for each of the two choices. */
  readonly reasons: readonly [segments: string, kind: string];
}

function percent(share: number): string {
  return share >= 10 ? `${share.toPrecision(3)} times` : `${(100 * share).toPrecision(3)} % of`;
}

/** Facts that the choice depends on. */
type ChoiceFacts = Pick<VarianceComponents, 'segmentVariance' | 'runVariance' | 'segments' | 'runs'>;

function chooseSegments(
  components: ChoiceFacts,
): Pick<ChosenMethod, 'segments' | 'segmentShare'> & { readonly reason: string } {
  const { segmentVariance, runVariance, segments, runs } = components;
  if (segmentVariance === null) {
    return {
      segments: 'ignorant',
      segmentShare: null,
      reason: 'no run changes its level, so there are no segments to account for',
    };
  }
  if (segmentVariance === 0) {
    return {
      segments: 'aware',
      segmentShare: 0,
      reason: 'segments differ no more than their measurements do; accounting for them is the safe default',
    };
  }
  if (runVariance === null || runVariance === 0) {
    return {
      segments: 'aware',
      segmentShare: null,
      reason: 'what runs differ by is explained by their segments (Var(R) is 0), so segments are accounted for',
    };
  }
  const share = segmentVariance / (segments / runs) / runVariance;
  return share < negligible
    ? {
        segments: 'ignorant',
        segmentShare: share,
        reason: `segments add ${percent(share)} the run variance to a run's mean (Var(S)/N_SR against Var(R)), too little to matter`,
      }
    : {
        segments: 'aware',
        segmentShare: share,
        reason: `segments add ${percent(share)} the run variance to a run's mean (Var(S)/N_SR against Var(R)), so they are accounted for`,
      };
}

/**
 * Which interval to compute: with or without segments, analytical or by resampling.
 *
 * Segments are ignored when Var(S)/N_SR is below a tenth of Var(R), N_SR the mean number of segments in a run, or when there are none;
 * accounting for them is the safe default. Resampling is the safe default too, because run and segment effects may be skewed; with few
 * runs or at an extreme level its ends would be the most extreme replicates (fewer than five beyond each end), and the t interval stands in.
 *
 * @throws RangeError for a level outside (0, 1).
 * Source: Antoch et al., OOPSLA'26, section 7, "Decide on Confidence Interval Computation Method"; that "much larger" means ten times and
 * that five replicates must lie beyond an end is our reading.
 */
export function chooseMethod(components: ChoiceFacts, options: ChooseMethodOptions = {}): ChosenMethod {
  const { confidence = 0.99, replicates = SEGMENT_REPLICATES } = options;
  const { reason, ...segments } = chooseSegments(components);
  const { runs } = components;
  const beyond = runs < 2 ? 0 : expandedTail(confidence, runs) * replicates;
  const resample = beyond >= replicatesBeyond;
  const why = resample
    ? 'resampling makes no assumption about how runs and segments are distributed'
    : `with ${runs} ${runs === 1 ? 'run' : 'runs'} at ${100 * confidence} % only ${beyond.toPrecision(2)} of ${replicates} replicates would lie beyond each end, ` +
      'so a t interval, which assumes normal run means, stands in';
  return { ...segments, kind: resample ? 'resampling' : 't', reasons: [reason, why] };
}
