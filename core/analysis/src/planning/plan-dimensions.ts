import { levelRepetitions, minimalDetectableRatio, studentTQuantile } from '@deadheat/stats';

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
  /** Expected half-width of each benchmark's interval (Student's t, runs - 1 degrees of freedom), in the unit of the values. */
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

function halfWidthOf(model: PerformanceModel, dimensions: Dimensions, confidence: number): number {
  return studentTQuantile((1 + confidence) / 2, dimensions.runs - 1) * Math.sqrt(plannedVariance(model, dimensions));
}

/** Iteration counts that are tried: evenly spread on a logarithmic scale, with both extremes of equation 4 among them. */
function candidates(optimal: readonly OptimalIterations[], most: number): readonly number[] {
  const extremes = optimal.flatMap(({ shortRuns, longRuns }) => [shortRuns, longRuns]);
  const high = Math.min(most, 100 * Math.max(10, ...extremes));
  const grid = Array.from({ length: steps }, (_, k) => Math.round(high ** (k / (steps - 1))));
  return [...new Set([...grid, ...extremes])].filter((n) => n >= 1 && n <= most).toSorted((a, b) => a - b);
}

function isReached(dimensions: Dimensions, { models, goal, rules: { confidence } }: PlanningRequest): boolean {
  return models.every((model) => {
    switch (goal.kind) {
      case 'budget':
        return true;
      case 'half-width':
        return halfWidthOf(model, dimensions, confidence) <= goal.halfWidth;
      case 'detect': {
        const { runs: n } = dimensions;
        const standardDeviation = Math.sqrt(plannedVariance(model, dimensions) * n);
        return minimalDetectableRatio({ standardDeviation, n, confidence, power: goal.power }) <= 1 + goal.slowdown;
      }
    }
  });
}

/** Smallest number of runs with this number of iterations that reach the goal; null when none do. */
function runsFor(iterations: number, request: PlanningRequest): number | null {
  const { goal, costs } = request;
  if (goal.kind === 'budget') {
    const runs = Math.floor(goal.timeNs / (costs.runNs + iterations * costs.iterationNs));
    return runs < fewestRuns ? null : Math.min(runs, mostRuns);
  }
  let [below, enough] = [fewestRuns - 1, fewestRuns];
  while (!isReached({ runs: enough, iterations }, request)) {
    if (enough >= mostRuns) return null;
    below = enough;
    enough = Math.min(mostRuns, 2 * enough);
  }
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (isReached({ runs: middle, iterations }, request)) enough = middle;
    else below = middle;
  }
  return enough;
}

/**
 * Numbers of runs and of iterations a run: within a time the narrowest interval, for a wanted interval or a wanted power the least
 * time. At least five runs.
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
  const widest = ({ halfWidths }: PlannedDimensions): number => Math.max(...halfWidths);
  let best: PlannedDimensions | null = null;
  for (const iterations of candidates(optimal, mostIterations)) {
    const runs = runsFor(iterations, request);
    if (runs === null) continue;
    const dimensions = { runs, iterations };
    const planned = {
      ...dimensions,
      timeNs: experimentTimeNs(dimensions, costs),
      halfWidths: models.map((model) => halfWidthOf(model, dimensions, confidence)),
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
