import type { ExperimentConfig, StopRule } from '@deadheat/model';

/** What the stop rule looks at; all of one benchmark, measured runs only. */
export interface Standing {
  readonly runs: number;
  /** Time spent on its trials, warm-up included. */
  readonly elapsedNs: number;
  /** Half-width of the ratio's interval; asked for only at a look of the `precision` rule. */
  readonly halfWidth: () => number;
}

export type StopDecision =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'enough' }
  /** `--max-time` is over and there are enough runs for a result. */
  | { readonly kind: 'time-limit' }
  /** `--max-time` is over several times and there still is no result. */
  | { readonly kind: 'hopeless' };

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
  config: Pick<ExperimentConfig, 'stop' | 'swap' | 'maxTimeNs' | 'leastRuns'>,
  standing: Standing,
): StopDecision {
  const { stop, maxTimeNs, leastRuns } = config;
  const mayLook = stop.kind === 'runs' || config.swap !== 'pair' || standing.runs % 2 === 0;
  if (mayLook && isEnough(stop, standing)) return enough;
  if (maxTimeNs !== null && standing.elapsedNs >= maxTimeNs) {
    if (standing.runs >= leastRuns) return { kind: 'time-limit' };
    if (standing.elapsedNs >= (hopelessAfterNs(config) ?? Infinity)) return { kind: 'hopeless' };
  }
  return goOn;
}

function isEnough(stop: StopRule, { runs, elapsedNs, halfWidth }: Standing): boolean {
  if (stop.kind === 'runs') return runs >= stop.runs;
  if (stop.maxRuns !== null && runs >= stop.maxRuns) return true;
  if (stop.kind === 'enough') return runs >= stop.minRuns && elapsedNs >= stop.minTimeNs;
  return isLook(runs, stop.minRuns) && halfWidth() <= stop.precision;
}

/** Time spent on a benchmark after which a result is no longer waited for; `null` = without end. */
export function hopelessAfterNs({ maxTimeNs }: Pick<ExperimentConfig, 'maxTimeNs'>): number | null {
  return maxTimeNs === null ? null : maxTimeNs * patience;
}

/** Looks are fixed beforehand: at the fewest runs, then each time half as many again, rounded up to an even number. */
function isLook(runs: number, first: number): boolean {
  let look = first + (first % 2);
  while (look < runs) look = 2 * Math.ceil(look * 0.75);
  return look === runs;
}

/** Runs that a rule will want as far as it is known beforehand; `null` where the measurements decide. */
export function expectedRuns(stop: StopRule): number | null {
  return stop.kind === 'runs' ? stop.runs : null;
}

/** How much of a benchmark is done by its rule's own measure, 0..1. */
export function shareDone(config: Pick<ExperimentConfig, 'stop' | 'maxTimeNs'>, standing: Standing): number {
  const { stop, maxTimeNs } = config;
  const byTime = maxTimeNs === null ? 0 : standing.elapsedNs / maxTimeNs;
  return Math.min(1, Math.max(byTime, byRule(stop, standing)));
}

function byRule(stop: StopRule, { runs, elapsedNs }: Standing): number {
  if (stop.kind === 'runs') return runs / stop.runs;
  if (stop.kind === 'precision') return 0;
  return Math.min(runs / stop.minRuns, stop.minTimeNs === 0 ? 1 : elapsedNs / stop.minTimeNs);
}
