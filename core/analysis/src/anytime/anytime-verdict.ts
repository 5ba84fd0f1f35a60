import { type Outlook, type Verdict, methodFacts, stopRuleOf, type ExperimentConfig } from '@deadheat/model';
import { anytimeTCritical, fewestAnytimeValues, studentTQuantile } from '@deadheat/stats';
import { decideVerdict } from '../verdict/decide-verdict.ts';
import { anytimeReach, isBoundless, type AnytimeRatio } from './anytime-ratio.ts';

/** `decideVerdict` by an anytime interval; `undecided` where there are too few runs for an interval that excludes anything. */
export function anytimeVerdict(ratio: AnytimeRatio, margin: number): Verdict {
  return isBoundless(ratio) ? 'undecided' : decideVerdict(ratio, margin);
}

/**
 * True if a verdict answers the question, so that nothing has to be added: slower and faster do, a dead heat does when the
 * interval lies inside a margin. Without a margin a dead heat only says that no difference was found.
 */
export function isDecided(verdict: Verdict, margin: number): boolean {
  return verdict === 'slower' || verdict === 'faster' || (verdict === 'dead-heat' && margin > 0);
}

/**
 * True if more runs, up to `mostRuns` in all, would hardly decide any more. With n of N runs the final mean lies within
 * c(n) s (1/n - 1/N)^(1/2) of the present one, c(n) the critical value of the interval: the means of a growing sample, seen from
 * its end, are means of samples drawn from it without replacement, whose variance that is. The measurement is futile when no
 * final mean within that range would be decided by an interval of the final width.
 *
 * Giving up changes no verdict. How often something is given up that would have been decided is simulated
 * (docs/decisions/0004-early-verdicts.md).
 *
 * @param ratio after n runs.
 * @param options.mostRuns runs that the limits allow in all; Infinity without a limit.
 */
export function isFutile(
  ratio: AnytimeRatio,
  options: { readonly margin: number; readonly mostRuns: number },
): boolean {
  const { log, level } = ratio;
  const { margin, mostRuns } = options;
  if (isBoundless(ratio) || mostRuns === Infinity) return false;
  const final = Math.max(mostRuns, log.size);
  const critical = anytimeTCritical({ size: log.size, degrees: log.degrees, confidence: level });
  const drift = critical * log.standardDeviation * Math.sqrt(1 / log.size - 1 / final);
  const reach = anytimeReach(ratio, final);
  const edge = Math.log1p(margin);
  const distance = Math.abs(log.mean);
  const couldDiffer = distance + drift > edge + reach;
  const couldBeInside = margin > 0 && reach <= edge && distance - drift <= edge - reach;
  return !couldDiffer && !couldBeInside;
}

/** More runs than this are no advice. */
const mostAdvisedRuns = 1_000_000;

/**
 * The smallest number of runs with which the interval reaches no further than `reach` to each side, if runs scatter as they do.
 *
 * @param reach on the log scale.
 * @returns `null` for more than a million, and for a reach of nothing.
 */
export function runsUntil(ratio: Pick<AnytimeRatio, 'log' | 'level'>, reach: number): number | null {
  if (!(reach > 0)) return null;
  const enough = (runs: number): boolean => anytimeReach(ratio, runs) <= reach;
  let high = fewestAnytimeValues(ratio.level);
  if (enough(high)) return high;
  let low = high;
  while (!enough(high)) {
    if (high >= mostAdvisedRuns) return null;
    low = high;
    high = Math.min(mostAdvisedRuns, high * 2);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The number of runs that would decide if the estimate stayed where it is: the reach must fall below the distance to the
 * nearer edge of the margin.
 *
 * @returns `null` for more than a million, as where the estimate lies on the edge.
 */
export function runsUntilDecided(ratio: AnytimeRatio, margin: number): number | null {
  const distance = Math.abs(Math.abs(ratio.log.mean) - Math.log1p(margin));
  return runsUntil(ratio, distance);
}

const power = 0.8;

/**
 * The smallest true slowdown of B that would by now have been called `slower` with a probability of 80 %, by the interval that
 * holds at every interim analysis; the largest double where no slowdown would.
 */
export function detectableAnytime(ratio: AnytimeRatio, margin: number): number {
  if (isBoundless(ratio)) return Number.MAX_VALUE;
  const { log, level } = ratio;
  const { size, degrees, standardDeviation } = log;
  const errors = anytimeTCritical({ size, degrees, confidence: level }) + studentTQuantile(power, degrees);
  const slowdown = (1 + margin) * Math.exp((errors * standardDeviation) / Math.sqrt(size)) - 1;
  return Math.min(slowdown, Number.MAX_VALUE);
}

/**
 * Number of further runs that would decide by the interval that holds at every interim analysis, if the estimate stays where it is.
 *
 * @param facts as of `planOutlook`.
 * @returns `null` unless the verdict is `undecided`, and where no feasible number of runs would decide.
 */
export function anytimeOutlook(
  ratio: AnytimeRatio,
  facts: {
    readonly verdict: Verdict;
    readonly margin: number;
    readonly runs: number;
    readonly timeNsPerRun: number;
    readonly step: number;
  },
): Outlook | null {
  if (facts.verdict !== 'undecided') return null;
  const needed = runsUntilDecided(ratio, facts.margin);
  if (needed === null) return null;
  const moreRuns = Math.max(1, Math.ceil((needed - facts.runs) / facts.step)) * facts.step;
  return { moreRuns, moreTimeNs: moreRuns * facts.timeNsPerRun };
}

/** Up to this many runs there is an interim analysis after every run or block of two; then after every hundredth more. */
const closeAnalyses = 200;
const growth = 1.01;

/**
 * The confidence at which one of several comparisons is to be decided so that it counts among all of them: Holm's correction
 * and Benjamini and Hochberg's count every p value up to the level over their number (Bonferroni's bound).
 *
 * @param comparisons how many there are, at least 1.
 */
export function familyConfidence(confidence: number, comparisons: number): number {
  return 1 - (1 - confidence) / Math.max(1, comparisons);
}

type Schedule = Pick<ExperimentConfig, 'stop' | 'swap' | 'method' | 'confidence'>;

/** Runs that belong together: two where the sides trade cores at every pair; a tandem has no cores to trade. */
export function runsOfBlock({ swap, method }: Pick<ExperimentConfig, 'swap' | 'method'>): 1 | 2 {
  return swap === 'pair' && methodFacts[method].cpus !== 'one-shared' ? 2 : 1;
}

/** The numbers of runs after which there is an interim analysis, in order and without end; none for rules that have none. */
function* interimAnalyses({ stop, confidence, ...rest }: Schedule): Generator<number, void> {
  const { interim } = stopRuleOf(stop);
  if (interim === null) return;
  const step = runsOfBlock(rest);
  const whole = (runs: number): number => step * Math.ceil(runs / step);
  let next = whole(Math.max(interim.from, fewestAnytimeValues(confidence)));
  while (true) {
    yield next;
    next = next < closeAnalyses ? next + step : whole(next * growth);
  }
}

/**
 * The number of interim analyses up to `runs` runs: each of them could have ended the measurement. They are fixed
 * beforehand, after whole blocks where the sides trade cores at every pair.
 */
export function countInterimAnalyses(runs: number, schedule: Schedule): number {
  let count = 0;
  for (const next of interimAnalyses(schedule)) {
    if (next > runs) break;
    count++;
  }
  return count;
}

/** True if there is an interim analysis after `runs` runs. */
export function isInterimAnalysis(runs: number, schedule: Schedule): boolean {
  for (const next of interimAnalyses(schedule)) if (next >= runs) return next === runs;
  return false;
}
