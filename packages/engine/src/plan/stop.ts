import { familyConfidence, isLook, runsOfBlock } from '@deadheat/analysis';
import { mostRunsOf, type ExperimentConfig, type StopRule } from '@deadheat/model';

/** What the stop rule looks at; all of one benchmark, measured runs only. */
export interface StopInputs {
  readonly runs: number;
  /** Time spent on its trials, warm-up included. */
  readonly elapsedNs: number;
  /** Whether the rule `stable` of the settings calls the runs stable, or allows no more of them. */
  readonly stable: boolean;
  /** Comparisons that are corrected together with those of the benchmark; at least 1. */
  readonly family: number;
  /** What the measurements say, by intervals that hold at every interim analysis; asked for only when a rule looks. */
  readonly analyse: (facts: { readonly mostRuns: number }) => InterimAnalysis;
}

/** What is left to do for a rule that depends on the measurements. */
export interface InterimAnalysis {
  /** Half-width of the ratio's interval. */
  readonly halfWidth: number;
  /** Whether the verdict is safe. */
  readonly decided: boolean;
  /** Whether more runs within the limits would hardly make it so. */
  readonly futile: boolean;
}

export type StopDecision =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'enough' }
  /** What was asked will hardly be answered within the limits. */
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
 * Whether a benchmark needs another run.
 *
 * With cores traded in blocks of two runs, the rules look only after whole blocks, except for a fixed number of runs.
 */
export function decideStop(
  config: Pick<ExperimentConfig, 'stop' | 'stable' | 'swap' | 'method' | 'confidence' | 'maxTimeNs' | 'leastRuns'>,
  inputs: StopInputs,
): StopDecision {
  const { stop, maxTimeNs, leastRuns } = config;
  const mayLook = stop.kind === 'runs' || inputs.runs % runsOfBlock(config) === 0;
  if (mayLook && isEnough(config, inputs)) return enough;
  const atLevelOfFamily = { ...config, confidence: familyConfidence(config.confidence, inputs.family) };
  if ((stop.kind === 'decided' || stop.kind === 'precision') && isLook(inputs.runs, atLevelOfFamily)) {
    const { halfWidth, decided, futile } = inputs.analyse({ mostRuns: mostRuns(config, inputs) });
    if (stop.kind === 'precision' ? halfWidth <= stop.precision : decided) return enough;
    if (stop.kind === 'decided' && futile) return { kind: 'futile' };
  }
  if (maxTimeNs !== null && inputs.elapsedNs >= maxTimeNs) {
    if (inputs.runs >= leastRuns) return { kind: 'time-limit' };
    if (inputs.elapsedNs >= (giveUpAfterNs(config) ?? Infinity)) return { kind: 'given-up' };
  }
  return goOn;
}

function isEnough(
  { stop, stable }: Pick<ExperimentConfig, 'stop' | 'stable'>,
  { runs, elapsedNs, stable: isStable }: StopInputs,
): boolean {
  if (stop.kind === 'runs') return runs >= stop.runs;
  if (stop.kind === 'stable') return isStable || runs >= Math.floor(stop.maxRuns * (stable?.liftCaps ?? 1));
  if (stop.maxRuns !== null && runs >= stop.maxRuns) return true;
  return stop.kind === 'enough' && runs >= stop.minRuns && elapsedNs >= stop.minTimeNs;
}

/** Runs that the limits allow in all, at the pace so far; Infinity without a limit. */
function mostRuns(
  { stop, maxTimeNs }: Pick<ExperimentConfig, 'stop' | 'maxTimeNs'>,
  { runs, elapsedNs }: StopInputs,
): number {
  const byTime = maxTimeNs === null || elapsedNs === 0 ? Infinity : Math.floor((runs * maxTimeNs) / elapsedNs);
  return Math.max(runs, Math.min(byTime, mostRunsOf(stop)));
}

/** Time spent on a benchmark after which a result is no longer waited for; `null` = without end. */
export function giveUpAfterNs({ maxTimeNs }: Pick<ExperimentConfig, 'maxTimeNs'>): number | null {
  return maxTimeNs === null ? null : maxTimeNs * patience;
}

/** Runs that a rule will want as far as it is known beforehand; `null` where the measurements decide. */
export function expectedRuns(stop: StopRule): number | null {
  return stop.kind === 'runs' ? stop.runs : null;
}

/** How much of a benchmark is done by its rule's own measure, 0..1. */
export function shareDone(config: Pick<ExperimentConfig, 'stop' | 'maxTimeNs'>, inputs: StopInputs): number {
  const { stop, maxTimeNs } = config;
  const byTime = maxTimeNs === null ? 0 : inputs.elapsedNs / maxTimeNs;
  return Math.min(1, Math.max(byTime, byRule(stop, inputs)));
}

function byRule(stop: StopRule, { runs, elapsedNs }: StopInputs): number {
  if (stop.kind === 'runs') return runs / stop.runs;
  if (stop.kind === 'precision' || stop.kind === 'decided') return 0;
  if (stop.kind === 'stable') return runs / stop.maxRuns;
  return Math.min(runs / stop.minRuns, stop.minTimeNs === 0 ? 1 : elapsedNs / stop.minTimeNs);
}
