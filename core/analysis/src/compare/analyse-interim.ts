import {
  isOfMean,
  methodFacts,
  stopRuleOf,
  type InterimAnalysis,
  type Verdict,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { studentTQuantile } from '@deadheat/stats';
import type { ComparisonInput } from './usable-runs.ts';
import { type Estimate, estimateOf, judgeSetup, totals, typicalOf } from './estimate.ts';
import { claimOf } from './judging.ts';
import { chooseDeciding, metricFacts } from '../metric/choose-metric.ts';
import { widenByLayouts } from './over-hosts.ts';
import { judgedTimes } from '../metric/iteration-times.ts';
import { isHardlyOverlapping } from '../pairing/overlaps.ts';
import { selectRuns } from '../pairing/select-runs.ts';
import { marginShare } from '../verdict/margin-share.ts';
import { decideVerdict, relativeHalfWidth } from '../verdict/decide-verdict.ts';
import {
  anytimeRatioOfRuns,
  type AnytimeRatio,
  anytimeVerdict,
  isBoundless,
  isFutile,
  isHardlyFaster,
  largeDifference,
  logRatiosOfRuns,
  familyConfidence,
} from '../anytime/anytime-ratio.ts';

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
  const common = judgeSetup(runs, { method, unpaired, takesTurns: true, benchmark, config });
  const margin = marginShare(config, () => ({ metric, typicalNs: typicalOf(times.A, common) }));
  const setup = { ...common, margin };
  const { units } = setup;
  // A total time that is not known leaves the decision to the typical run.
  const quantity = config.judge === 'total' && totals(setup, times).totalLog !== null ? 'total' : 'typical';
  let estimated: Estimate | null = null;
  const estimate = (): Estimate => (estimated ??= estimateOf(setup, { metric, times }));
  const ratioAt = (confidence: number): AnytimeRatio =>
    widenByLayouts(anytimeRatioOfRuns(runs, { method, quantity, times, units, confidence }), {
      runs: setup.bothSided,
      setup: units,
      unitLogRatios: () => estimate().unitLogRatios,
    });
  const ratio = ratioAt(config.confidence);
  const { mostRuns, family } = options;
  const { only } = stopRuleOf(config.stop).interim ?? {};
  const found = anytimeVerdict(ratio, margin);
  // The same as in the final comparison; without ranks an estimate may take a bootstrap, and finds no slow runs.
  const known =
    found === 'undecided'
      ? { slow: null, slowOnce: null, other: null }
      : isOfMean(config.interval) && quantity === 'typical'
        ? { slow: null, slowOnce: null, other: totals(setup, times).totalLog }
        : estimate();
  const { verdict } = claimOf(found, known, margin);
  const isControl = benchmark.controlOf !== null;
  const ofFamily = family > 1 ? familyConfidence(config.confidence, family) : config.confidence;
  if (isBoundless(ratio) && quantity === 'typical') {
    const large = largeDifference(logRatiosOfRuns(runs, { method, times }), { confidence: ofFamily, margin });
    // The interval of so many runs has the last word: there is none that holds at every analysis yet.
    const last = large === 'undecided' ? null : estimateOf({ ...setup, confidence: ofFamily }, { metric, times });
    // Among several comparisons a gate asks the ranks, which need more runs.
    const isCounted = last !== null && (family === 1 || last.location.leastP <= (1 - ofFamily) / 2);
    if (isCounted && claimOf(decideVerdict(last.interval, margin), last, margin).verdict === large)
      return { verdict: large, decided: true, halfWidth: relativeHalfWidth(last.interval), futile: false };
  }
  const counts = verdict === 'slower' || (isControl && verdict === 'faster');
  const among = counts && family > 1 ? ratioAt(ofFamily) : ratio;
  return {
    verdict,
    decided: verdict !== 'undecided' && anytimeVerdict(among, margin) === found,
    halfWidth: relativeHalfWidth(ratio),
    futile: only === undefined ? isFutile(among, { margin, mostRuns }) : isHardlyFaster(among, { margin, mostRuns }),
  };
}

/** Below this number of runs an interval says nothing. */
const fewest = 3;

/**
 * The ratio B / A of the runs so far, to be shown while an experiment runs: the geometric mean of the runs' ratios with Student's t
 * interval. It is no verdict: it knows neither warm-up nor correlated neighbours, and who watches it stops by chance. Each run costs the
 * same, however many came before.
 */
export class RunningRatio {
  #runs = 0;
  #mean = 0;
  #squares = 0;

  /** Takes a run whose sides hold their iterations; any other is passed over. */
  add({ status, phase, method, sides }: Pick<Trial, 'status' | 'phase' | 'method' | 'sides'>): void {
    if (status !== 'ok' || phase !== 'measure') return;
    const isByCpu = methodFacts[method].ownTime === 'cpu';
    const log = Math.log(timeOf(sides.B, isByCpu) / timeOf(sides.A, isByCpu));
    if (!Number.isFinite(log)) return;
    this.#runs += 1;
    const distance = log - this.#mean;
    this.#mean += distance / this.#runs;
    this.#squares += distance * (log - this.#mean);
  }

  /** `null` with fewer than three runs. */
  ratio(confidence: number): { readonly estimate: number; readonly low: number; readonly high: number } | null {
    const runs = this.#runs;
    if (runs < fewest) return null;
    const error = Math.sqrt(this.#squares / (runs - 1) / runs);
    const reach = studentTQuantile((1 + confidence) / 2, runs - 1) * error;
    const [estimate, low, high] = [this.#mean, this.#mean - reach, this.#mean + reach].map(Math.exp);
    return { estimate: estimate ?? 1, low: low ?? 0, high: Math.min(high ?? 0, Number.MAX_VALUE) };
  }
}

/** Time of all iterations of a side that are no warm-up, ns; of a tandem its CPU time. 0 where the program holds its iterations. */
function timeOf({ iterations, userNs, systemNs }: SideResult, isByCpu: boolean): number {
  if (isByCpu && userNs !== null && systemNs !== null) return userNs + systemNs;
  return iterations.reduce((sum, { s, e, w, p }) => sum + (p === 'warmup' ? 0 : (w ?? e - s)), 0);
}
