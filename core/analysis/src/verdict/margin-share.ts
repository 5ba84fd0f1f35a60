import { isResourceMetric, metricKinds, type ExperimentConfig, type Metric } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';

type AskedMargin = Pick<ExperimentConfig, 'margin' | 'marginNs'>;

/**
 * The margin of a comparison as a share: one that was given as a time is divided by A's typical time.
 *
 * @param deciding the metric that decides, and the typical time of A in it, ns, above 0.
 * @throws AnalysisError `MARGIN_IS_A_TIME` where the metric is none.
 */
export function marginShare(
  { margin, marginNs }: AskedMargin,
  deciding: () => { readonly metric: Metric; readonly typicalNs: number },
): number {
  if (marginNs == null) return margin;
  const { metric, typicalNs } = deciding();
  if (!isResourceMetric(metric)) return marginNs / typicalNs;
  throw new AnalysisError(
    'MARGIN_IS_A_TIME',
    `the margin is a time, and ${metricKinds[metric].name}, which decides, is none; give a share such as 1%`,
  );
}

/** The field of a comparison that says that its margin was given as a time. */
export function marginAsGiven({ marginNs }: AskedMargin): { readonly marginNs?: number } {
  return marginNs == null ? {} : { marginNs };
}
