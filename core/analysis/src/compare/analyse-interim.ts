import { methodFacts, type InterimAnalysis, type Verdict } from '@deadheat/model';
import type { ComparisonInput } from './usable-runs.ts';
import { estimateOf, judgeSetup } from './estimate.ts';
import { chooseDeciding, metricFacts } from '../metric/choose-metric.ts';
import { judgedTimes } from '../metric/iteration-times.ts';
import { isHardlyOverlapping } from '../pairing/overlaps.ts';
import { selectRuns } from '../pairing/select-runs.ts';
import { relativeHalfWidth } from '../verdict/decide-verdict.ts';
import { anytimeRatioOfRuns, type AnytimeRatio } from '../anytime/anytime-ratio.ts';
import { anytimeVerdict, isDecided, isFutile } from '../anytime/anytime-verdict.ts';
import { familyConfidence } from '../anytime/interim-schedule.ts';

/** `decided`: the verdict answers the question, and a slower one counts among all comparisons. */
interface InterimVerdict extends InterimAnalysis {
  readonly verdict: Verdict;
}

const nothing: InterimVerdict = { verdict: 'undecided', decided: false, halfWidth: Infinity, futile: false };

/**
 * The interim analysis of a benchmark while it is measured: what `compareBenchmark` will say of the same runs by the interval
 * that holds its level at every interim analysis, without any resampling.
 *
 * @param options.mostRuns runs that the limits allow in all; Infinity without a limit.
 * @param options.family number of comparisons that are corrected together with this one: a gate counts a benchmark that is slower,
 *   and a control that differs, only at the level of all of them.
 * @throws AnalysisError as `overlaps`.
 */
export function analyseInterim(
  input: ComparisonInput,
  options: { readonly mostRuns: number; readonly family: number },
): InterimVerdict {
  const { benchmark, config } = input;
  const selection = selectRuns(input.runs, { ...config, workload: benchmark.workload });
  const { method, runs } = selection;
  if (runs.length < 2) return nothing;
  // More of such runs would not overlap any better.
  if (isHardlyOverlapping(selection)) return { ...nothing, futile: true };
  const { metric } = chooseDeciding(config.metric, { facts: metricFacts(runs), runs });
  const times = judgedTimes(runs, metric) ?? judgedTimes(runs, 'time');
  if (times === null) return nothing;
  const unpaired = methodFacts[method].pairs === 'none' && config.unpaired;
  const setup = judgeSetup(runs, { method, unpaired, takesTurns: true, benchmark, config });
  const { units } = setup;
  const ratioAt = (confidence: number): AnytimeRatio => anytimeRatioOfRuns(runs, { method, times, units, confidence });
  const ratio = ratioAt(config.confidence);
  const { margin } = config;
  const { mostRuns, family } = options;
  const found = anytimeVerdict(ratio, margin);
  // The same as in the final comparison; without ranks an estimate may take a bootstrap, and refuses nothing.
  const isRefused =
    found === 'dead-heat' && config.interval === 'rank' && estimateOf(setup, { metric, times }).slow !== null;
  const verdict = isRefused ? 'undecided' : found;
  const isControl = benchmark.controlOf !== null;
  const counts = verdict === 'slower' || (isControl && verdict === 'faster');
  const among = counts && family > 1 ? ratioAt(familyConfidence(config.confidence, family)) : ratio;
  return {
    verdict,
    decided: isDecided(verdict, margin) && anytimeVerdict(among, margin) === found,
    halfWidth: relativeHalfWidth(ratio),
    futile: isFutile(among, { margin, mostRuns }),
  };
}
