import type { Benchmark, ExperimentConfig, Hooks, Settings, StableRule } from './config.ts';
import { enoughRuns, askedStopRule } from './stop-rules/stop-rules.ts';
import { leastRuns } from './stop-rules/stop-rule.ts';
import { methodFacts, type AskedMethod, type Method } from './methods.ts';
import type { Paper } from './vocabulary.ts';
import { workloadFacts, type Workload } from './workloads.ts';

/** At this much time a slow benchmark ends with what it has, once it has the fewest runs. */
const maxTimeNs = 60e9;
/** Thesis section 5.2.3. */
const minimumOverlapRate = 0.4;

/** Most pilot runs of the method `auto`. */
const pilotRuns = 3;

/**
 * Settings by which a workload is measured and judged by a method where the user does not say. `auto` begins as `tandem`; for programs that cannot
 * wait at a barrier it is the method of their kind of workload, without pilot runs.
 */
export function defaultSettings(asked: AskedMethod, workload: Workload = 'command'): Settings {
  const { iterations, warmup, method: usual } = workloadFacts[workload];
  const isPiloted = asked === 'auto' && usual === 'auto';
  const method = asked !== 'auto' ? asked : usual === 'auto' ? 'tandem' : usual;
  const { executions, interval } = methodFacts[method];
  return {
    method,
    pilotRuns: isPiloted ? pilotRuns : 0,
    unpaired: false,
    ...interval,
    margin: 0,
    judge: null,
    metric: 'auto',
    swap: 'pair',
    stop: askedStopRule({}),
    maxTimeNs,
    leastRuns,
    warmupRuns: 0,
    warmup: { kind: warmup },
    stable: null,
    iterations: iterations === 'executions' ? executions : iterations,
    minimumOverlapRate,
    tradeEvery: null,
    fill: false,
    timeoutNs: null,
    runTimeoutNs: null,
    ignoreFailure: false,
    plannedHalfWidth: null,
  };
}

/** FSE'20, section 5.3.2, but for the criteria, which have no default. */
export const stableDefaults: Omit<StableRule, 'criteria'> = {
  combine: 'all',
  like: 'paper',
  thresholds: { cv: 0.01, rciw: 0.03, kld: 0.99 },
  leastWarmup: 5,
  mostWarmup: 50,
  measured: 10,
  liftCaps: 1,
};

/** Settings of `--quick` and `--rigorous`; everything else stays as by default. */
export const presets: Readonly<
  Record<'quick' | 'rigorous', Pick<Settings, 'confidence' | 'margin' | 'stop' | 'maxTimeNs'>>
> = {
  /** Existence of a difference that matters: over as soon as that is safe at 95 %. */
  quick: {
    confidence: 0.95,
    margin: 0.02,
    stop: { kind: 'decided', minRuns: leastRuns, maxRuns: null },
    maxTimeNs: 20e9,
  },
  /** Size of the difference, to half a percent. */
  rigorous: {
    confidence: 0.99,
    margin: 0,
    stop: { kind: 'precision', precision: 0.005, minRuns: enoughRuns, maxRuns: null },
    maxTimeNs: 600e9,
  },
};

type PaperSettings = Pick<
  Settings,
  'method' | 'metric' | 'swap' | 'unpaired' | 'interval' | 'confidence' | 'replicates' | 'minimumOverlapRate'
>;

/** Settings of `--like icpe20` and `--like thesis`: the procedure of the paper, where this tool has other defaults. */
const papers: Readonly<Record<Paper, PaperSettings>> = {
  /**
   * Section 3: wall times at a barrier, each side restricted to a core, percentile interval, no difference where it contains 1; section 4.1: 99 %, and the runs of a
   * sequential experiment are two samples; section 7.1: 10 000 replicates.
   */
  icpe20: {
    method: 'sync-duet',
    metric: 'time',
    swap: 'never',
    unpaired: true,
    interval: 'percentile',
    confidence: 0.99,
    replicates: 10_000,
    minimumOverlapRate,
  },
  /**
   * Section 4.3.2: BCa interval over run means, 95 %, 9 999 replicates, sequential runs as pairs; section 5.2.3: iterations that
   * overlap by more than 0.4 are pairs.
   */
  thesis: {
    method: 'async-duet',
    metric: 'time',
    swap: 'never',
    unpaired: false,
    interval: 'bca',
    confidence: 0.95,
    replicates: 9999,
    minimumOverlapRate,
  },
};

/** The method of a paper's procedure. */
export function methodOfPaper(paper: Paper): Method {
  return papers[paper].method;
}

/**
 * The settings of a paper's procedure for a benchmark that is measured by `method`, the paper's own or another one that was named
 * beside it. Cores belong to duets alone, and a tandem has no wall time of a side.
 */
export function paperSettings(paper: Paper, method: Method): Partial<Settings> {
  const { method: _own, swap, unpaired, metric, ...judging } = papers[paper];
  const { cpus, pairs, ownTime } = methodFacts[method];
  return {
    ...judging,
    ...(cpus === 'one-each' ? { swap } : {}),
    ...(pairs === 'none' ? { unpaired } : {}),
    ...(ownTime === 'time' ? { metric } : {}),
  };
}

/** Properties of an experiment besides its settings where the user does not say. */
export const experimentDefaults: Pick<
  ExperimentConfig,
  'schedule' | 'experimentTimeoutNs' | 'artifacts' | 'engine' | 'correction' | 'strict' | 'showOutput'
> = {
  schedule: 'randomized-interleaving',
  experimentTimeoutNs: null,
  artifacts: {},
  engine: null,
  correction: 'holm',
  strict: false,
  showOutput: false,
};

export const noHooks: Hooks = { build: null, setup: null, prepare: null, conclude: null, cleanup: null };

/** Properties of a benchmark of two commands besides name and commands where the user does not say. */
export const benchmarkDefaults: Omit<Benchmark, 'name' | 'commands'> = {
  params: {},
  hooks: { A: noHooks, B: noHooks },
  workload: 'command',
  lines: null,
  parser: null,
  results: { A: null, B: null },
  environment: { A: {}, B: {} },
  workingDirectory: { A: null, B: null },
  scratch: { A: null, B: null },
  input: null,
  containers: null,
  waiver: null,
  controlOf: null,
  chosen: null,
  own: {},
};
