import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { TimeMetric } from '../metric/iteration-times.ts';
import { judgedTimes } from '../metric/judged-times.ts';
import { pairedTimes, type PairedTimes } from '../metric/paired-times.ts';
import { runLogRatios } from '../pairing/paired-ratios.ts';
import type { StudyRuns } from './study-group.ts';

/** All metrics with the words for them. */
export const studyMetrics: readonly { readonly metric: TimeMetric; readonly word: string }[] = [
  { metric: 'time', word: 'wall' },
  { metric: 'cpu', word: 'cpu' },
  { metric: 'thread', word: 'thread' },
];

/**
 * The judged times of a method's runs, ns: of a duet those of its pairs, of `sequential` all of both sides.
 *
 * @returns `null` where the metric was not measured for every iteration.
 */
export const studyTimes = ({ selection }: StudyRuns, metric: TimeMetric): PairedTimes | null => {
  const times = judgedTimes(selection.runs, metric);
  if (times === null) return null;
  return selection.method === 'sequential' ? { A: times.A, B: times.B } : pairedTimes(selection.runs, times);
};

/** The logarithm of B / A of every run: of a duet the mean over its pairs, else that of the sides' means. */
export const studyLogRatios = ({ selection }: StudyRuns, times: PairedTimes): Float64Array =>
  selection.method === 'sequential'
    ? Float64Array.from(times.A, (run, r) => Math.log(mean(at(times.B, r)) / mean(run)))
    : runLogRatios(times.B, times.A);
