import { chiSquaredCdf, chiSquaredQuantile, levelRepetitions, studentTQuantile, tTestPower } from '@deadheat/stats';
import { fewestNeighbours } from '../interval/rank-location.ts';

/** Variance components of a workload, known before planning. Variances in one unit squared; of a ratio that of its logarithm. */
export interface PerformanceModel {
  /** Var(B): of measurements within a segment, >= 0. */
  readonly measurementVariance: number;
  /** Var(S): of segments within a run, >= 0. */
  readonly segmentVariance: number;
  /** Var(R): of runs, >= 0. */
  readonly runVariance: number;
  /** Shifts an iteration, >= 0; 0 = it never shifts. */
  readonly shiftRate: number;
  /** The sample that Var(R) was estimated from; absent = Var(R) is known. */
  readonly estimatedFrom?: {
    /** Variance of the means of its runs, above 0. */
    readonly runMeanVariance: number;
    /** Part of it that segments and measurements explain, >= 0. */
    readonly explained: number;
    /** Degrees of freedom of the variance, > 0. */
    readonly degrees: number;
  };
}

/** Costs of one run, ns. */
export interface PlanningCosts {
  /** Time of a run before its first measured iteration: start, hooks, warm-up; above 0. */
  readonly runNs: number;
  /** Time of one measured iteration, above 0. */
  readonly iterationNs: number;
}

/** Size of an experiment. */
interface Dimensions {
  /** Number of runs, >= 1. */
  readonly runs: number;
  /** Measured iterations in each, >= 1. */
  readonly iterations: number;
}

/** Wall time of an experiment, ns. */
export function experimentTimeNs({ runs, iterations }: Dimensions, costs: PlanningCosts): number {
  return runs * (costs.runNs + iterations * costs.iterationNs);
}

/**
 * The variance of the grand mean that an experiment of these dimensions is to have. A run of N iterations holds 1 + rate N segments
 * on average.
 *
 * Source: Antoch et al., OOPSLA'26, equation 3 with the expected number of segments of section 4.
 */
export function plannedVariance(model: PerformanceModel, { runs, iterations }: Dimensions): number {
  const { measurementVariance, segmentVariance, runVariance, shiftRate } = model;
  const segments = 1 + shiftRate * iterations;
  return (runVariance + segmentVariance / segments + measurementVariance / iterations) / runs;
}

/** Iterations a run that spend time best, at both extremes of how long runs are beside the time between shifts. */
interface OptimalIterations {
  /** Very short runs: segment effects count as run effects. */
  readonly shortRuns: number;
  /** Very long runs: segment effects count as measurement effects. */
  readonly longRuns: number;
}

function iterationsOf(
  costs: PlanningCosts,
  { within, between }: { readonly within: number; readonly between: number },
): number {
  const [only = null] = levelRepetitions([
    { cost: costs.iterationNs, variance: within },
    { cost: costs.runNs, variance: between },
  ]);
  return Math.max(1, only ?? 1);
}

/**
 * Equation 4 at both extremes: very short runs have Var(L1) = Var(B), Var(L2) = Var(R) + Var(S), very long ones Var(L1) = Var(B) +
 * Var(S), Var(L2) = Var(R).
 *
 * @returns at least 1; Infinity where runs do not vary, so that one run would do.
 * @throws RangeError as `levelRepetitions`.
 * Source: Antoch et al., OOPSLA'26, section 6.2.
 */
export function optimalIterations(model: PerformanceModel, costs: PlanningCosts): OptimalIterations {
  const { measurementVariance: b, segmentVariance: s, runVariance: r } = model;
  return {
    shortRuns: iterationsOf(costs, { within: b, between: r + s }),
    longRuns: iterationsOf(costs, { within: b + s, between: r }),
  };
}

/** Runs below this carry no result. */
const fewestRuns = 5;
/** More runs than anybody makes: what needs more cannot be had. */
const mostRuns = 1_000_000;
/** Iterations that are looked at between the two extremes, and below and above them. */
const steps = 64;

/** Goal of an experiment. */
export type PlanningGoal =
  /** The most that can be known within a time, ns. */
  | { readonly kind: 'budget'; readonly timeNs: number }
  /** An interval of at most this half-width, in the unit of the values. */
  | { readonly kind: 'half-width'; readonly halfWidth: number }
  /** A true ratio of 1 + slowdown is called slower with this probability; for models of log ratios. */
  | { readonly kind: 'detect'; readonly slowdown: number; readonly power: number };

/** Bounds of a plan. */
interface PlanningRules {
  readonly confidence: number;
  /** Most measured iterations in a run; default one million. */
  readonly mostIterations?: number;
}

/** Dimensions and what they are to bring. */
export interface PlannedDimensions extends Dimensions {
  /** Expected time, ns. */
  readonly timeNs: number;
  /** Half-width that the interval of each benchmark keeps within in four of five experiments, in the unit of the values. */
  readonly halfWidths: readonly number[];
  /** Iterations by equation 4 for each benchmark, for guidance. */
  readonly optimal: readonly OptimalIterations[];
}

interface PlanningRequest {
  /** The benchmarks that share the runs, at least one: the goal is to be reached for each of them. */
  readonly models: readonly PerformanceModel[];
  /** Cost of a run with all benchmarks; an iteration is one of each. */
  readonly costs: PlanningCosts;
  readonly goal: PlanningGoal;
  readonly rules: PlanningRules;
}

/** Share of the experiments whose interval is at most as wide as planned. */
const assurance = 0.8;
/** Values that stand for all that Var(R) may be. */
const spreads = 9;

/**
 * The model with what Var(R) may be, each as probable as the others: the variance of the means of the runs that were seen is that of such runs times
 * chi squared over its degrees of freedom.
 */
function possibleModels(model: PerformanceModel): readonly PerformanceModel[] {
  const { estimatedFrom } = model;
  if (estimatedFrom === undefined) return [model];
  const { runMeanVariance, explained, degrees } = estimatedFrom;
  return Array.from({ length: spreads }, (_, k) => {
    const relative = chiSquaredQuantile((k + 0.5) / spreads, degrees) / degrees;
    return { ...model, runVariance: Math.max(0, runMeanVariance / relative - explained) };
  });
}

/**
 * How many times as large a shift has to be to be found by ranks of normal values as by t, which takes the place of ranks where these cannot reach the
 * level. Fewer than ten have few ranks; of more, one experiment in five to ten seems to have neighbours that resemble each other, with a wider
 * interval. By simulation (docs/methods/procedures/planning.md).
 */
function rankLoss(runs: number, confidence: number): number {
  if (runs >= fewestNeighbours) return 1.02 + 2.6 / Math.max(20, runs);
  const share = 0.5 ** runs / ((1 - confidence) / 2);
  return share > 1 ? 1 : 1.03 + 0.22 * share;
}

/** An experiment of a model: the standard error of its mean under everything that Var(R) may be, as ranks have it. */
interface Prospect {
  readonly runs: number;
  readonly confidence: number;
  readonly standardErrors: readonly number[];
}

function prospectOf(models: readonly PerformanceModel[], dimensions: Dimensions, confidence: number): Prospect {
  const loss = rankLoss(dimensions.runs, confidence);
  return {
    runs: dimensions.runs,
    confidence,
    standardErrors: models.map((model) => loss * Math.sqrt(plannedVariance(model, dimensions))),
  };
}

function averageOf({ standardErrors }: Prospect, probability: (standardError: number) => number): number {
  return standardErrors.reduce((sum, error) => sum + probability(error), 0) / standardErrors.length;
}

/** The probability that the interval reaches no further than this to each side. */
function probabilityOfWidth(prospect: Prospect, halfWidth: number): number {
  const degrees = prospect.runs - 1;
  const quantile = studentTQuantile((1 + prospect.confidence) / 2, degrees);
  return averageOf(prospect, (error) =>
    error === 0 ? 1 : chiSquaredCdf(degrees * (halfWidth / quantile / error) ** 2, degrees),
  );
}

/** The probability that a shift of the mean is found. */
function probabilityOfFinding(prospect: Prospect, shift: number): number {
  const { runs: n, confidence } = prospect;
  return averageOf(prospect, (error) => (error === 0 ? 1 : tTestPower({ shift: shift / error, n, confidence })));
}

/** Bisection steps: a width to one in a million. */
const halvings = 30;

function halfWidthOf(prospect: Prospect): number {
  const most = Math.max(...prospect.standardErrors);
  if (most === 0) return 0;
  let [below, above] = [0, most];
  while (probabilityOfWidth(prospect, above) < assurance) above *= 2;
  for (let step = 0; step < halvings; step++) {
    const middle = (below + above) / 2;
    if (probabilityOfWidth(prospect, middle) < assurance) below = middle;
    else above = middle;
  }
  return above;
}

/**
 * Iteration counts that are tried: evenly spread on a logarithmic scale, with both extremes of equation 4 among them; those about the first one
 * come first, so that others are soon seen to be no better.
 */
function candidates(optimal: readonly OptimalIterations[], most: number): readonly number[] {
  const extremes = optimal.flatMap(({ shortRuns, longRuns }) => [shortRuns, longRuns]);
  const high = Math.min(most, 100 * Math.max(10, ...extremes));
  const grid = Array.from({ length: steps }, (_, k) => Math.round(high ** (k / (steps - 1))));
  const likely = Math.min(most, extremes[0] ?? 1);
  const distance = (n: number): number => Math.abs(Math.log(n / likely));
  const all = [...new Set([...grid, ...extremes])].filter((n) => n >= 1 && n <= most);
  return all.toSorted((a, b) => distance(a) - distance(b));
}

function isReached(prospect: Prospect, goal: PlanningGoal): boolean {
  switch (goal.kind) {
    case 'budget':
      return true;
    case 'half-width':
      return probabilityOfWidth(prospect, goal.halfWidth) >= assurance;
    case 'detect':
      return probabilityOfFinding(prospect, Math.log1p(goal.slowdown)) >= goal.power;
  }
}

/** Smallest number of runs with this number of iterations that reach the goal within a time, ns; null when none do. */
function runsFor(
  iterations: number,
  request: PlanningRequest & {
    readonly possible: readonly (readonly PerformanceModel[])[];
    readonly mostTimeNs: number;
  },
): number | null {
  const { goal, costs, possible, rules, mostTimeNs } = request;
  const most = Math.min(mostRuns, Math.floor(mostTimeNs / experimentTimeNs({ runs: 1, iterations }, costs)));
  if (most < fewestRuns) return null;
  if (goal.kind === 'budget') return most;
  const enough = (runs: number): boolean =>
    possible.every((models) => isReached(prospectOf(models, { runs, iterations }, rules.confidence), goal));
  if (!enough(most)) return null;
  let [below, above] = [fewestRuns - 1, fewestRuns];
  while (above < most && !enough(above)) {
    below = above;
    above = Math.min(most, 2 * above);
  }
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (enough(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/**
 * Numbers of runs and of iterations a run: within a time the narrowest interval, for a wanted interval or a wanted power the least
 * time. At least five runs.
 *
 * What Var(R) may be beside its estimate is part of the probability (`estimatedFrom`): that of finding a slowdown, and that of four in five
 * with which an interval is no wider than planned.
 *
 * With several benchmarks a budget makes the widest of their intervals as narrow as it can be.
 *
 * @returns null where no dimensions reach the goal: a budget below five runs of one iteration, or more than a million runs.
 * @throws RangeError for no model, a level outside (0, 1), costs that are not above 0, variances below 0.
 * Source: Antoch et al., OOPSLA'26, sections 6.2 and 7 ("Decide on Experiment Dimensions"): equation 4 for guidance, equation 3 with
 * the analytical interval for the width; the search between and around its two extremes is ours.
 */
export function planDimensions(request: PlanningRequest): PlannedDimensions | null {
  const { models, costs, goal, rules } = request;
  const { confidence, mostIterations = 1_000_000 } = rules;
  if (models.length === 0) throw new RangeError('models must hold at least one');
  const ofOne = { ...costs, iterationNs: costs.iterationNs / models.length };
  const optimal = models.map((model) => optimalIterations(model, ofOne));
  const possible = models.map(possibleModels);
  const widest = ({ halfWidths }: PlannedDimensions): number => Math.max(...halfWidths);
  let best: PlannedDimensions | null = null;
  for (const iterations of candidates(optimal, mostIterations)) {
    const mostTimeNs = goal.kind === 'budget' ? goal.timeNs : (best?.timeNs ?? Infinity);
    const runs = runsFor(iterations, { ...request, possible, mostTimeNs });
    if (runs === null) continue;
    const dimensions = { runs, iterations };
    const planned = {
      ...dimensions,
      timeNs: experimentTimeNs(dimensions, costs),
      halfWidths: possible.map((own) => halfWidthOf(prospectOf(own, dimensions, confidence))),
      optimal,
    };
    const better =
      best === null || (goal.kind === 'budget' ? widest(planned) < widest(best) : planned.timeNs < best.timeNs);
    if (better) best = planned;
  }
  return best;
}

function checkRate(rate: number): void {
  if (!(rate > 0 && rate < 1)) throw new RangeError(`rate must be inside (0, 1), shifts an iteration, got ${rate}`);
}

/**
 * Number of iterations that a run needs to hold at least one shift of steady performance with a probability.
 *
 * @param rate shifts an iteration, inside (0, 1); the paper's median workload has 2.2e-4.
 * @param probability inside (0, 1); one half is the paper's.
 * @throws RangeError for arguments out of range.
 * Source: Antoch et al., OOPSLA'26, section 7, "Estimate Segment Variability": ln 2 / rate for one half; shifts that come at independent
 * moments with a constant rate.
 */
export function iterationsToSeeShift(rate: number, probability = 0.5): number {
  checkRate(rate);
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`probability must be inside (0, 1), got ${probability}`);
  }
  return Math.ceil(-Math.log1p(-probability) / rate);
}

/**
 * The probability that runs hold at least one shift among them.
 *
 * @param dimensions number of runs and of measured iterations in each, both >= 0.
 * @throws RangeError for a rate out of range.
 * Source: as `iterationsToSeeShift`; five runs of ln 2 / rate iterations: 1 - 2^-5, above 96 %.
 */
export function probabilityToSeeShift(
  rate: number,
  dimensions: { readonly runs: number; readonly iterations: number },
): number {
  checkRate(rate);
  return -Math.expm1(-rate * dimensions.runs * dimensions.iterations);
}
