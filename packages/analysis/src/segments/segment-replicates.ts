import { hierarchicalBootstrap } from '@deadheat/stats';
import type { FlatSample, HierarchicalOptions } from '@deadheat/stats';
import type { IntervalMethod } from './interval-method.ts';

/**
 * Bootstrap replicates of the grand mean. `aware`: runs are drawn, in each its segments, in each its measurements; `ignorant`: runs are
 * drawn, and in each its measurements whatever their segment.
 *
 * @param sample runs of segments of measurements.
 * @param options as `hierarchicalBootstrap`; `part` shares the work between workers.
 * @throws RangeError as `hierarchicalBootstrap`.
 * Source: Antoch et al., OOPSLA'26, section 5.2. O(replicates times values).
 */
export const segmentReplicates = (
  sample: FlatSample,
  segments: IntervalMethod['segments'],
  options: Pick<HierarchicalOptions, 'replicates' | 'random' | 'part'>,
): Float64Array => {
  if (segments === 'aware') return hierarchicalBootstrap(sample, options);
  const [runStarts, segmentStarts] = sample.offsets;
  const starts = Int32Array.from(runStarts!, (place) => segmentStarts![place]!);
  return hierarchicalBootstrap({ values: sample.values, offsets: [starts] }, options);
};
