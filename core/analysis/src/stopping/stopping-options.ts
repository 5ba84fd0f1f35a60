import type { Warning } from '@deadheat/model';
import { largest } from '@deadheat/stats';

/** Criterion of stable measurements (FSE'20, section 4.2.3). */
export type StabilityCriterion = 'cv' | 'rciw' | 'kld';

export const stabilityCriteria: readonly StabilityCriterion[] = ['cv', 'rciw', 'kld'];

/** The configuration of Algorithm 1; the names are the paper's. */
export interface ReconfigurationConfig {
  /** Fewest warm-up iterations of a fork before it may be called stable; >= 0. */
  readonly wiMin: number;
  /** Most warm-up iterations of a fork; >= wiMin. 0: no warm-up. */
  readonly wiMax: number;
  /** Measured iterations of every fork; >= 1. */
  readonly mi: number;
  /** Fewest forks before the result may be called stable; >= 1. */
  readonly fMin: number;
  /** Most forks; >= fMin. */
  readonly fMax: number;
  /** Warm-up forks: run as the others, before them, and thrown away; >= 0. */
  readonly wf: number;
  /** Time of a warm-up iteration, ns; above 0. */
  readonly wtNs: number;
  /** Time of a measured iteration, ns; above 0. */
  readonly mtNs: number;
}

/** Where a value stops to count as a change (cv, rciw), or starts to count as stable (kld). */
type StabilityThresholds = Readonly<Record<StabilityCriterion, number>>;

/** Everything that decides where warm-up and forks end. */
export interface StoppingOptions {
  /** At least one, each at most once. */
  readonly criteria: readonly StabilityCriterion[];
  /** With several criteria: stable when `all` (default) say so, or `any`. */
  readonly combine?: 'all' | 'any';
  /** All resampling is drawn from it: the same iterations and seed give the same decisions on every machine. */
  readonly seed: string;
  /** Differences from `paperConfig`. */
  readonly config?: Partial<ReconfigurationConfig>;
  /**
   * `paper` (default): the text of FSE'20. `jmh-reconfigure`: what the authors' extension of JMH does; docs/methods/procedures/stopping.md
   * says where the two differ.
   */
  readonly like?: 'paper' | 'jmh-reconfigure';
  /** Differences from `paperThresholds`. */
  readonly thresholds?: Partial<StabilityThresholds>;
  /** Stability values that are compared at the end of warm-up, s_W; >= 2, default 5. */
  readonly window?: number;
  /** Invocations drawn from an iteration that has more; >= 2, default 1000; Infinity: none are drawn, and all count. */
  readonly sampleSize?: number;
  /** Level of the interval of `rciw`, default 0.99. */
  readonly confidence?: number;
  /** Bootstrap replicates of `rciw`, default 1000; at least 200, so that the ends of a 99 % interval are not the extremes. */
  readonly replicates?: number;
  /** Points at which `kld` compares densities, default 1000. */
  readonly strips?: number;
  /** Factor by which wiMax and fMax are allowed while nothing is stable; >= 1, default 1: the caps hold. */
  readonly liftCaps?: number;
}

/** Options with nothing left open. */
export type ResolvedStoppingOptions = Required<Omit<StoppingOptions, 'config' | 'thresholds'>> & {
  readonly config: ReconfigurationConfig;
  readonly thresholds: StabilityThresholds;
};

/** FSE'20, section 5.3.2: the configuration of dynamic reconfiguration. */
export const paperConfig: ReconfigurationConfig = {
  wiMin: 5,
  wiMax: 50,
  mi: 10,
  fMin: 2,
  fMax: 5,
  wf: 0,
  wtNs: 1e9,
  mtNs: 1e9,
};

/** FSE'20, section 5.3.2: 0.01 of variability, 0.03 of relative interval width, 0.99 of probability. */
const paperThresholds: StabilityThresholds = { cv: 0.01, rciw: 0.03, kld: 0.99 };

function whole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`);
  }
}

function between(name: string, value: number, low: number, high: number): void {
  if (!(value > low && value < high)) throw new RangeError(`${name} must lie between ${low} and ${high}, got ${value}`);
}

function checkConfig(config: ReconfigurationConfig): void {
  whole('wiMin', config.wiMin, 0);
  whole('wiMax', config.wiMax, config.wiMin);
  whole('mi', config.mi, 1);
  whole('fMin', config.fMin, 1);
  whole('fMax', config.fMax, config.fMin);
  whole('wf', config.wf, 0);
  between('wtNs', config.wtNs, 0, Infinity);
  between('mtNs', config.mtNs, 0, Infinity);
}

/**
 * Fills in FSE'20's defaults.
 *
 * @throws RangeError for an option that is out of range, no criterion, one given twice or unknown.
 */
export function resolveStoppingOptions(options: StoppingOptions): ResolvedStoppingOptions {
  const resolved: ResolvedStoppingOptions = {
    combine: 'all',
    like: 'paper',
    window: 5,
    sampleSize: 1000,
    confidence: 0.99,
    replicates: 1000,
    strips: 1000,
    liftCaps: 1,
    ...options,
    config: { ...paperConfig, ...options.config },
    thresholds: { ...paperThresholds, ...options.thresholds },
  };
  const { criteria, combine, like, liftCaps } = resolved;
  const known = criteria.every((name) => stabilityCriteria.includes(name));
  if (criteria.length === 0 || !known || new Set(criteria).size < criteria.length) {
    throw new RangeError(
      `criteria must name some of ${stabilityCriteria.join(', ')}, each once, got ${criteria.join(', ') || 'none'}`,
    );
  }
  if (!['all', 'any'].includes(combine)) throw new RangeError(`combine must be all or any, got ${combine}`);
  if (!['paper', 'jmh-reconfigure'].includes(like)) {
    throw new RangeError(`like must be paper or jmh-reconfigure, got ${like}`);
  }
  checkConfig(resolved.config);
  whole('window', resolved.window, 2);
  if (resolved.sampleSize !== Infinity) whole('sampleSize', resolved.sampleSize, 2);
  whole('replicates', resolved.replicates, 200);
  whole('strips', resolved.strips, 2);
  between('confidence', resolved.confidence, 0, 1);
  for (const name of stabilityCriteria) between(`thresholds.${name}`, resolved.thresholds[name], 0, 1);
  if (!(liftCaps >= 1 && liftCaps < Infinity)) throw new RangeError(`liftCaps must be at least 1, got ${liftCaps}`);
  return resolved;
}

/** Check of one criterion on one side at a checkpoint. */
export interface StabilityCheck {
  readonly criterion: StabilityCriterion;
  /** Place of the side among those that were given to `observe`, from 0. */
  readonly side: number;
  readonly stable: boolean;
  /**
   * Value compared with the threshold: of cv and rciw the largest difference of stability values (small is stable), of kld the mean
   * probability (large is stable). `null` = there were not enough values yet.
   */
  readonly value: number | null;
  readonly threshold: number;
}

/**
 * Distance of a value over the distance allowed: 1 = just at the threshold, 2 = twice too far. A probability p is 1 - p away from
 * certainty. `null` where there was no value.
 */
export function timesTooFar({ criterion, value, threshold }: StabilityCheck): number | null {
  if (value === null) return null;
  return criterion === 'kld' ? (1 - value) / (1 - threshold) : value / threshold;
}

/** A fork that was measured. */
export interface ReconfiguredFork {
  /** Warm-up iterations that it made. */
  readonly warmup: number;
  /** True if warm-up was stable when it ended; `null` without warm-up. */
  readonly stable: boolean | null;
  /** The last checks of its warm-up. */
  readonly checks: readonly StabilityCheck[];
}

/** Outcome. */
export interface ReconfigurationSummary {
  /** Complete forks, warm-up forks left out. */
  readonly forks: readonly ReconfiguredFork[];
  /** Warm-up iterations of each complete warm-up fork. */
  readonly warmupForks: readonly number[];
  /** True if the result was stable after the last fork. */
  readonly stable: boolean;
  /** The last checks over forks. */
  readonly checks: readonly StabilityCheck[];
  /** Criteria not reached, with their distance, and other reasons why the result is doubtful. */
  readonly warnings: readonly Warning[];
}

/** Forks that cannot show what forks differ by. */
const fewForks = 2;

const words: Readonly<Record<StabilityCriterion, string>> = {
  cv: 'the coefficient of variation',
  rciw: 'the relative interval width',
  kld: 'the probability of no change',
};

/** Distance of a criterion from stable, in its own figures. */
function shortfall(check: StabilityCheck): string {
  const { criterion, value, threshold } = check;
  const name = `${words[criterion]} (${criterion})`;
  const far = timesTooFar(check);
  if (value === null || far === null) return `${name} had too few values to be judged`;
  const what =
    criterion === 'kld'
      ? `${name} was ${value.toPrecision(3)}, not above ${threshold}`
      : `${name} still moved by ${value.toPrecision(2)}, more than ${threshold}`;
  return `${what} (${far < 100 ? far.toPrecision(2) : Math.round(far)} times too far)`;
}

/** The check that was furthest off, for every criterion that was not stable. */
function worstOf(checks: readonly StabilityCheck[]): readonly StabilityCheck[] {
  const worst = new Map<StabilityCriterion, StabilityCheck>();
  for (const check of checks.filter(({ stable }) => !stable)) {
    const former = worst.get(check.criterion);
    const isWorse = former === undefined || (timesTooFar(check) ?? Infinity) > (timesTooFar(former) ?? Infinity);
    if (isWorse) worst.set(check.criterion, check);
  }
  return [...worst.values()];
}

function sentence(checks: readonly StabilityCheck[]): string {
  return worstOf(checks).map(shortfall).join('; ');
}

function lift({ liftCaps }: ResolvedStoppingOptions): string {
  const times = Math.ceil(2 * liftCaps);
  return `--lift-caps ${times}, in a file lift-caps: ${times}`;
}

function warmupWarning(forks: readonly ReconfiguredFork[], options: ResolvedStoppingOptions): Warning[] {
  const unstable = forks.filter(({ stable }) => stable === false);
  if (unstable.length === 0) return [];
  const cap = largest(unstable.map(({ warmup }) => warmup));
  return [
    {
      code: 'WARMUP_NOT_STABLE',
      message:
        `${unstable.length} of ${forks.length} runs were not stable after ${cap} warm-up iterations, the most allowed: ` +
        `${sentence(unstable.flatMap(({ checks }) => checks))}; what they measured may hold warm-up. ` +
        `Allow more (${lift(options)}), or make an iteration longer`,
    },
  ];
}

function forksWarning(
  { forks, checks, stable }: Pick<ReconfigurationSummary, 'forks' | 'checks' | 'stable'>,
  options: ResolvedStoppingOptions,
): Warning[] {
  if (stable || checks.length === 0) return [];
  return [
    {
      code: 'RUNS_NOT_STABLE',
      message:
        `the result was not stable after ${forks.length} runs, the most allowed: ${sentence(checks)}. ` +
        `Allow more (${lift(options)}), or judge by the interval, which says how much runs differ`,
    },
  ];
}

/** Warnings on criteria not reached when the caps ended it, and on reasons why "stable" means little. */
export function stoppingWarnings(
  outcome: Omit<ReconfigurationSummary, 'warnings'>,
  state: { readonly options: ResolvedStoppingOptions; readonly isDone: boolean; readonly isConstant: boolean },
): Warning[] {
  const { options, isDone, isConstant } = state;
  const warnings = [...warmupWarning(outcome.forks, options), ...(isDone ? forksWarning(outcome, options) : [])];
  if (isDone && outcome.forks.length <= fewForks && Math.floor(options.config.fMax * options.liftCaps) <= fewForks) {
    warnings.push({
      code: 'FEW_RUNS',
      message:
        `only ${outcome.forks.length === 1 ? '1 run was' : `${outcome.forks.length} runs were`} allowed: stability over runs ` +
        'compares at most two values, and what runs differ by stays unknown; allow 5 runs or more (--max-runs 5)',
    });
  }
  if (isConstant) {
    warnings.push({
      code: 'ALL_EQUAL',
      message:
        'all measurements are equal, so every criterion calls them stable at once: the clock may be too coarse for them; ' +
        'put more work into one iteration',
    });
  }
  return warnings;
}
