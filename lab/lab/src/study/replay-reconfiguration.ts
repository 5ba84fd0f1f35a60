import { createRandom } from '@deadheat/stats';
import {
  AnalysisError,
  at,
  DynamicReconfiguration,
  type IterationSample,
  type ReconfigurationConfig,
  type StabilityCriterion,
  type StoppingOptions,
} from '@deadheat/analysis';

type Histogram = Extract<IterationSample, { readonly counts: unknown }>;

/** What dynamic reconfiguration would have made of a recording. */
export interface Replay extends Readonly<DynamicReconfiguration['summary']> {
  /** Whether the recording held all forks that were asked for; if not, it ended before a decision to stop. */
  readonly complete: boolean;
}

/**
 * Feeds recorded iterations to `DynamicReconfiguration`, as if they were being made.
 *
 * @param sides `sides[side][fork][iteration]`: one side, or the two of a duet, which have the same forks and iterations.
 * @throws AnalysisError `NO_MEASUREMENTS` when a fork ends before it has its measured iterations; RangeError as
 *   `DynamicReconfiguration`.
 */
export function replayReconfiguration(
  sides: readonly (readonly (readonly IterationSample[])[])[],
  options: StoppingOptions,
): Replay {
  const live = new DynamicReconfiguration(options, { sides: sides.length });
  const [first = []] = sides;
  for (let f = 0; f < first.length && live.next !== 'stop'; f++) {
    live.beginFork();
    const length = Math.min(...sides.map((forks) => at(forks, f).length));
    for (let i = 0; i < length && (live.next === 'warmup' || live.next === 'measure'); i++) {
      live.observe(...sides.map((forks) => at(at(forks, f), i)));
    }
    if (live.next === 'warmup' || live.next === 'measure') {
      throw new AnalysisError(
        'NO_MEASUREMENTS',
        `run ${f + 1} has ${length} iterations, but up to ${live.iterationsAtMost} may be needed to replay it; ` +
          'record longer runs (--iterations), or allow fewer warm-up iterations',
      );
    }
  }
  return { ...live.summary, complete: live.next === 'stop' };
}

/**
 * Time that warm-up and measurement took, ns: the sum over forks of (1 + overhead) wi wt + mi mt, warm-up forks included.
 *
 * @param overhead what deciding costs, as a share of the time of a warm-up iteration, >= 0.
 * Source: FSE'20, section 5.4.2, and section 2 for warm-up forks.
 */
export function reconfiguredTimeNs(
  { forks, warmupForks }: Pick<DynamicReconfiguration['summary'], 'forks' | 'warmupForks'>,
  { config, overhead }: { readonly config: ReconfigurationConfig; readonly overhead: number },
): number {
  return [...forks.map(({ warmup }) => warmup), ...warmupForks].reduce(
    (total, warmup) => total + (1 + overhead) * warmup * config.wtNs + config.mi * config.mtNs,
    0,
  );
}

/** Iterations that were made of shorter ones. */
export interface GroupedIterations {
  readonly iterations: readonly Histogram[];
  /** Time that each takes, in the unit of the values. */
  readonly times: Float64Array;
}

/**
 * Joins short iterations to longer ones: each is the shortest run of them that takes at least `leastTime`. What is left over at the end
 * is dropped.
 *
 * @param means mean time of an invocation in each short iteration, above 0.
 * @param options.shortTime, options.leastTime how long a short iteration ran and a long one is to run, in the unit of the means: a short one
 *   held ceil(shortTime / mean) invocations, which took so many times the mean.
 * @throws RangeError for a mean that is not above 0.
 * Source: Traini et al., EMSE 28:13 (2022), as its replication package simulates JMH iterations.
 */
export function groupIterations(
  means: ArrayLike<number>,
  { shortTime, leastTime }: { readonly shortTime: number; readonly leastTime: number },
): GroupedIterations {
  const iterations: Histogram[] = [];
  const times: number[] = [];
  let values: number[] = [];
  let counts: number[] = [];
  let time = 0;
  for (let i = 0; i < means.length; i++) {
    const mean = means[i]!;
    if (!(mean > 0 && mean < Infinity)) throw new RangeError(`means[${i}] must be above 0 and finite, got ${mean}`);
    const count = Math.ceil(shortTime / mean);
    values.push(mean);
    counts.push(count);
    time += count * mean;
    // Sums of tenths of a second miss whole seconds by rounding.
    if (time < leastTime * (1 - 1e-12)) continue;
    iterations.push({ values, counts });
    times.push(time);
    values = [];
    counts = [];
    time = 0;
  }
  return { iterations, times: Float64Array.from(times) };
}

const decisions = 40;
const untimed = 10;
const invocations = 2000;

/**
 * What one decision at the end of an iteration costs here: the median over 40 iterations of a warm-up, each with 1 000 drawn invocations.
 *
 * @param now reads a monotonic clock, ns.
 * @returns ns. The only figure of this room that differs from run to run.
 * FSE'20, section 5.4.2, measures the same end to end: 0.88 % (cv), 10.92 % (rciw), 4.32 % (kld) of iterations of 1 s.
 */
export function decisionCostNs(
  criteria: readonly StabilityCriterion[],
  { now, like = 'paper' }: { readonly now: () => number; readonly like?: StoppingOptions['like'] },
): number {
  const random = createRandom('decision cost');
  const config = { wiMin: 1, wiMax: decisions + untimed };
  // A threshold that nothing reaches, so that every iteration ends in a full decision.
  const thresholds = { cv: 1e-12, rciw: 1e-12, kld: 1 - 1e-12 };
  const live = new DynamicReconfiguration({ criteria, seed: 'decision cost', like, config, thresholds });
  live.beginFork();
  const costs: number[] = [];
  for (let i = 0; i < decisions + untimed; i++) {
    const iteration = Float64Array.from({ length: invocations }, () => 1e6 * Math.exp(0.05 * random.normal()));
    const began = now();
    live.observe(iteration);
    if (i >= untimed) costs.push(now() - began);
  }
  return at(
    costs.toSorted((left, right) => left - right),
    decisions / 2,
  );
}
