import {
  methodFacts,
  sharesCore,
  sides,
  stopRuleOf,
  workloadFacts,
  type Benchmark,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Side,
  type SideResult,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { median, welchTTest } from '@deadheat/stats';
import type { Ends } from '../interval/location.ts';
import { isOneProgram } from '../metric/one-program.ts';
import { decideVerdict } from '../verdict/decide-verdict.ts';
import { refuseVerdict, type Judging } from './judging.ts';

/** With fewer runs of a kind their spread says nothing. */
const fewestRuns = 3;

/** The CPU time that the sides of a tandem use, beside that of each side by itself on the same cores. */
export interface CacheSharing {
  /** Factor on the CPU time of a side, ratio of medians. */
  readonly inflation: Readonly<Record<Side, number>>;
  /** Log of the factor that sharing puts on the ratio B / A, by Welch's t interval of the difference of mean log ratios. */
  readonly bias: { readonly low: number; readonly high: number };
}

/** True for a tandem whose ratio may be another one than that of the sides alone, so that runs of each side alone are made beside it. */
export function needsRunsAlone(
  benchmark: Pick<Benchmark, 'commands' | 'workload' | 'chosen'>,
  { method }: Pick<ExperimentConfig, 'method'>,
): boolean {
  const isCommand = !workloadFacts[benchmark.workload].timesItself;
  return isCommand && benchmark.chosen === null && sharesCore(method) && !isOneProgram(benchmark);
}

/** CPU time of an execution, ns; not a number where it was not measured. */
function cpuNs({ iterations }: SideResult): number {
  return iterations.reduce((sum, { c = Number.NaN }) => sum + c, 0) / iterations.length;
}

interface Times {
  readonly A: readonly number[];
  readonly B: readonly number[];
}

function timesOf(trials: readonly Trial[]): Times {
  const pairs = trials
    .filter(({ status }) => status === 'ok')
    .map((trial) => ({ A: cpuNs(trial.sides.A), B: cpuNs(trial.sides.B) }))
    .filter(({ A, B }) => A > 0 && B > 0);
  return { A: pairs.map(({ A }) => A), B: pairs.map(({ B }) => B) };
}

function logRatios({ A, B }: Times): Float64Array {
  return Float64Array.from(A, (a, run) => Math.log((B[run] ?? Number.NaN) / a));
}

/**
 * The effect of sharing a core in the runs of a benchmark.
 *
 * @returns `not-measured` with fewer than three runs of either kind; `null` where nothing is shared, or both sides are one program.
 */
export function cacheSharing(
  runs: readonly MeasuredRun[],
  {
    benchmark,
    method,
    confidence,
  }: { readonly benchmark: Benchmark; readonly method: Method; readonly confidence: number },
): CacheSharing | 'not-measured' | null {
  if (!sharesCore(method) || isOneProgram(benchmark)) return null;
  const trials = runs.map(({ trial }) => trial);
  const shared = timesOf(trials.filter(({ phase, method }) => phase === 'measure' && sharesCore(method)));
  const alone = timesOf(
    trials.filter(({ phase, method, counting }) => phase === 'pilot' && counting !== true && isOnOneCore(method)),
  );
  if (Math.min(shared.A.length, alone.A.length) < fewestRuns) return 'not-measured';
  const [A, B] = sides.map((side) => median(shared[side]) / median(alone[side])) as [number, number];
  const { low, high } = welchTTest(logRatios(shared), logRatios(alone), { level: confidence }).interval;
  return { inflation: { A, B }, bias: { low, high } };
}

function isOnOneCore(method: Method): boolean {
  return methodFacts[method].cpus === 'one-shared';
}

/**
 * Claims no verdict on the CPU times of a tandem that the verdict of each side by itself may differ from: where sharing the core inflates the
 * sides differently, or where some bias that the runs alone do not exclude would change the verdict.
 *
 * @param sharing `not-measured` = there are too few runs alone; `null` = both sides are one program.
 */
export function unlessCachesDecide(
  judge: Judging,
  { sharing, config }: { readonly sharing: CacheSharing | 'not-measured' | null; readonly config: ExperimentConfig },
): Judging {
  if (sharing === null) return judge;
  return (...measured) => {
    const judged = judge(...measured);
    if (judged.metric !== 'cpu') return judged;
    const warning = sharesCaches(sharing);
    const warned = { ...judged, verdictWarnings: [...judged.verdictWarnings, warning] };
    if (sharing === 'not-measured') return warned;
    const { low, high } = sharing.bias;
    const differs = low > 0 || high < 0;
    const isOpen = judged.verdict === 'undecided';
    if (isOpen && !differs) return { ...judged, bounds: () => ratioAlone(judged.bounds(), sharing.bias) };
    const alone = ratioAlone(judged.decides, sharing.bias);
    if (!differs && decideVerdict(alone, config.margin) === judged.verdict) return judged;
    const asksVerdict = stopRuleOf(config.stop).interim?.asksVerdict === true;
    const { interim } = judged;
    return {
      ...refuseVerdict(judged),
      interim: interim === null ? null : { ...interim, reached: interim.reached && !asksVerdict },
      verdictWarnings: isOpen ? warned.verdictWarnings : [warning],
    };
  };
}

/** The ratio of each program by itself: that of a tandem, as far as no bias is excluded. */
function ratioAlone({ low, high }: Ends, bias: Ends): Ends {
  return { low: low / Math.exp(bias.high), high: Math.min(high / Math.exp(bias.low), Number.MAX_VALUE) };
}

/** SIDES_SHARE_CACHES: the ratio in a tandem of different programs may be another one than that of each program by itself. */
function sharesCaches(sharing: CacheSharing | 'not-measured'): Warning {
  const code = 'SIDES_SHARE_CACHES';
  const advice = 'measure with --method alone, which runs each side by itself on the core';
  if (sharing === 'not-measured') {
    const message =
      'the sides are different programs, which lose unequal time when they share the caches of a core, and too few runs show each side alone ' +
      `to say how much; ${advice}`;
    return { code, message };
  }
  const { inflation, bias } = sharing;
  const [low, high] = [-bias.high, -bias.low].map((log) => Math.exp(log).toFixed(3));
  const message =
    `on a core that both share A takes ${inflation.A.toFixed(2)} and B ${inflation.B.toFixed(2)} times the CPU time that each takes alone on it, so ` +
    `the ratio of the sides alone is ${low} to ${high} times that of the tandem, and no verdict is claimed; ${advice}`;
  return { code, message };
}
