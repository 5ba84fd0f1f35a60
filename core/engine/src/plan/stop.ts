import { familyConfidence, isInterimAnalysis, runsOfBlock } from '@deadheat/analysis';
import { stopRuleOf, type ExperimentConfig, type InterimAnalysis } from '@deadheat/model';

/** The state of a benchmark for the stop rule; measured runs only. */
export interface StopInputs {
  readonly runs: number;
  /** Time spent on its trials, warm-up included. */
  readonly elapsedNs: number;
  /** `true` = the rule `stable` of the settings calls the runs stable, or allows no more of them. */
  readonly stable: boolean;
  /** Comparisons that are corrected together with those of the benchmark; at least 1. */
  readonly family: number;
  /** The interim analysis of the runs so far; called only when the rule asks for one. */
  readonly analyse: (facts: { readonly mostRuns: number }) => InterimAnalysis;
}

export type StopDecision =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'enough' }
  /** The question will hardly be answered within the limits. */
  | { readonly kind: 'futile' }
  /** `--max-time` is over and there are enough runs for a result. */
  | { readonly kind: 'time-limit' }
  /** `--max-time` is over several times and there still is no result. */
  | { readonly kind: 'given-up' };

/** A command that is too slow for its time limit still gets its least number of runs, up to this many limits. */
const patience = 5;

const goOn: StopDecision = { kind: 'go-on' };
const enough: StopDecision = { kind: 'enough' };

/**
 * The decision of the stop rule on another run of a benchmark.
 *
 * With cores traded in blocks of two runs, a benchmark has enough only after whole blocks, except for a fixed number of runs.
 */
export function decideStop(
  config: Pick<ExperimentConfig, 'stop' | 'stable' | 'swap' | 'method' | 'confidence' | 'maxTimeNs' | 'leastRuns'>,
  inputs: StopInputs,
): StopDecision {
  const { maxTimeNs, leastRuns } = config;
  const { runs, elapsedNs } = inputs;
  const rule = stopRuleOf(config.stop);
  const isWhole = rule.fixedRuns !== null || runs % runsOfBlock(config) === 0;
  const progress = { runs, elapsedNs, isStable: inputs.stable, liftCaps: config.stable?.liftCaps ?? 1 };
  if (isWhole && rule.isEnough(progress)) return enough;
  const atLevelOfFamily = { ...config, confidence: familyConfidence(config.confidence, inputs.family) };
  if (rule.interim !== null && isInterimAnalysis(runs, atLevelOfFamily)) {
    const found = inputs.analyse({ mostRuns: mostRuns(config, inputs) });
    if (rule.interim.isReached(found)) return enough;
    if (rule.interim.asksVerdict && found.futile) return { kind: 'futile' };
  }
  if (maxTimeNs !== null && elapsedNs >= maxTimeNs) {
    if (runs >= leastRuns) return { kind: 'time-limit' };
    if (elapsedNs >= (giveUpAfterNs(config) ?? Infinity)) return { kind: 'given-up' };
  }
  return goOn;
}

/** Runs that the limits allow in all, at the pace so far; Infinity without a limit. */
function mostRuns(
  { stop, maxTimeNs }: Pick<ExperimentConfig, 'stop' | 'maxTimeNs'>,
  { runs, elapsedNs }: StopInputs,
): number {
  const byTime = maxTimeNs === null || elapsedNs === 0 ? Infinity : Math.floor((runs * maxTimeNs) / elapsedNs);
  return Math.max(runs, Math.min(byTime, stopRuleOf(stop).mostRuns));
}

/** Time spent on a benchmark after which a result is no longer waited for; `null` = without end. */
export function giveUpAfterNs({ maxTimeNs }: Pick<ExperimentConfig, 'maxTimeNs'>): number | null {
  return maxTimeNs === null ? null : maxTimeNs * patience;
}

/** The share of a benchmark that is done by its rule's own measure, 0..1. */
export function shareDone(config: Pick<ExperimentConfig, 'stop' | 'maxTimeNs'>, inputs: StopInputs): number {
  const { stop, maxTimeNs } = config;
  const byTime = maxTimeNs === null ? 0 : inputs.elapsedNs / maxTimeNs;
  return Math.min(1, Math.max(byTime, stopRuleOf(stop).shareDone(inputs)));
}
