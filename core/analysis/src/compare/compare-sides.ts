import {
  sides,
  type Benchmark,
  type Comparison,
  type ExperimentConfig,
  type IterationColumns,
  type MeasuredRun,
  type Side,
  type SideResult,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { shuffle, type Random } from '@deadheat/stats';
import { analysisRandom } from '../analysis-random.ts';
import { columnsOf, measuredIterations, rowsOf, type MeasuredIterations } from '../columns/measured-runs.ts';
import { blockOrder } from '../warnings/run-warnings.ts';
import { deviationOf } from '../interval/single-run.ts';
import { compareBenchmark } from './compare-benchmark.ts';
import { at } from '../internal/lists.ts';

/** One side's runs, measured without the other. */
export interface SideRuns {
  readonly runs: readonly IterationColumns[];
  /** True if the iterations of a run are in the order of their times. */
  readonly isSorted: boolean;
  /** Standard deviation between runs of a program, on the log scale, that is taken where there is one of them; 1 % when absent. */
  readonly deviationOfRuns?: number | null;
}

interface SidesInput {
  readonly sides: Readonly<Record<Side, SideRuns>>;
  readonly benchmark: Benchmark;
  /** Configuration of this benchmark; its method is taken to be `sequential`. */
  readonly config: ExperimentConfig;
  /** True if all runs of A were executed before all of B; `false` when absent. */
  readonly inBlocks?: boolean;
}

interface SideUnits {
  readonly units: readonly IterationColumns[];
  readonly runs: number;
  readonly iterations: number;
  readonly warmup: number;
  /** True if the iterations of the runs are sorted by time, as given or as detected. */
  readonly isSorted: boolean;
}

function unitsOf(
  { runs, isSorted }: SideRuns,
  { warmup: rule, random }: { readonly warmup: ExperimentConfig['warmup']; readonly random: Random },
): SideUnits {
  const all = runs.map((run) => measuredIterations(run, rule));
  const measured = all.filter(({ length }) => length > 0);
  const [first, second] = measured;
  const single = second === undefined ? first : undefined;
  const hasNoOrder = isSorted || (single !== undefined && isInOrderOfTime(single));
  return {
    units:
      single === undefined
        ? measured.map(measuredColumns)
        : unitColumns(single, { random: hasNoOrder ? random : null }),
    isSorted: hasNoOrder,
    runs: measured.length,
    iterations: measured.reduce((sum, { length }) => sum + length, 0),
    warmup: all.reduce((sum, { length }, r) => sum + at(runs, r).length - length, 0),
  };
}

/** Fewer values may be in order because a machine got slower or faster while they were measured. */
const fewestInOrder = 20;

/** True if the iterations were sorted by their times, or made from a histogram: their order is not that of time. */
function isInOrderOfTime({ startsNs, endsNs, length }: MeasuredIterations): boolean {
  if (length < fewestInOrder) return false;
  let rises = false;
  let falls = false;
  for (let row = 1; row < length; row++) {
    const change = at(endsNs, row) - at(startsNs, row) - (at(endsNs, row - 1) - at(startsNs, row - 1));
    rises ||= change > 0;
    falls ||= change < 0;
    if (rises && falls) return false;
  }
  return rises || falls;
}

function wallNsOf({ startsNs, endsNs, length }: IterationColumns): number {
  let sum = 0;
  for (let row = 0; row < length; row++) sum += endsNs[row]! - startsNs[row]!;
  return sum;
}

function noRunVariance(single: readonly Side[], deviation: number): Warning {
  return {
    code: 'NO_RUN_VARIANCE',
    message:
      `${single.length === 2 ? 'both sides hold' : `side ${single.join()} holds`} a single run, so the interval is made from ` +
      `its iterations: it reaches from what their medians to what their fastest say, and takes runs of a program to differ by ${Math.round(deviation * 100)} % ` +
      '(standard deviation) or more; measure ten runs or more of each side',
  };
}

/**
 * Judges two sides of files that were measured one without the other, whose numbers of runs may differ: the standard method over
 * run means. A side of a single run gives its iterations as units, with the warning NO_RUN_VARIANCE; `runs` then gives
 * the runs of the side with fewer, and `resampled` the iterations.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` when a side has neither two runs nor two iterations.
 */
export function compareSides({ sides: measured, benchmark, config, inBlocks = false }: SidesInput): Comparison {
  const { warmup, seed } = config;
  const unitsOfSide = (side: Side): SideUnits =>
    unitsOf(measured[side], { warmup, random: analysisRandom(seed, benchmark, `iterations of ${side}`) });
  const units = { A: unitsOfSide('A'), B: unitsOfSide('B') };
  const splitRun = {
    A: deviationOf(units.A.runs === 1, measured.A.deviationOfRuns),
    B: deviationOf(units.B.runs === 1, measured.B.deviationOfRuns),
  };
  const nothing = columnsOf([]);
  const isOrdered = sides.every((side) => !units[side].isSorted);
  const runs = Array.from({ length: Math.max(units.A.units.length, units.B.units.length) }, (_, run): MeasuredRun => {
    const iterations = { A: units.A.units[run] ?? nothing, B: units.B.units[run] ?? nothing };
    const wallNs = wallNsOf(iterations.A) + wallNsOf(iterations.B);
    return { trial: sideTrial({ run, method: 'sequential', wallNs }), iterations };
  });
  const comparison = compareBenchmark({
    runs,
    benchmark,
    config: { ...config, method: 'sequential', swap: 'never', warmup: { kind: 'none' } },
    keepOneSided: true,
    origin: 'files',
    inBlocks: inBlocks && isOrdered,
    splitRun,
  });
  const warnings = [...comparison.warnings, ...(inBlocks && !isOrdered ? [blockOrder(null)] : [])];
  const discarded = { ...comparison.discarded, warmup: Math.max(units.A.warmup, units.B.warmup) };
  const single = sides.filter((side) => units[side].runs === 1);
  if (single.length === 0) return { ...comparison, discarded, warnings };
  const count = units.A.runs + units.B.runs;
  return {
    ...comparison,
    discarded,
    outlook: null,
    runs: Math.min(units.A.runs, units.B.runs),
    iterationsPerRun: (units.A.iterations + units.B.iterations) / count,
    resampled: { unit: 'iteration', count: comparison.resampled.count },
    warnings: [
      noRunVariance(single, Math.max(splitRun.A ?? 0, splitRun.B ?? 0)),
      ...warnings.filter(({ code }) => code !== 'FEW_RUNS'),
    ],
  };
}

const nothingKnown: SideResult = {
  cpu: 0,
  padBytes: 0,
  exitCode: null,
  signal: null,
  userNs: null,
  systemNs: null,
  maxRssBytes: null,
  voluntarySwitches: null,
  involuntarySwitches: null,
  iterations: [],
  record: null,
};

/** A run of which only its iterations are known, as in a file of another tool; `wallNs` is the time of those. */
export function sideTrial(facts: Pick<Trial, 'run' | 'method' | 'wallNs'>): Trial {
  return {
    ...facts,
    trial: facts.run,
    benchmark: 0,
    phase: 'measure',
    order: 'AB',
    status: 'ok',
    failures: [],
    sides: { A: nothingKnown, B: nothingKnown },
    noise: { stealNs: null, throttledNs: null, contextSwitches: null },
  };
}

/** More units would cost time and bring nothing. */
const mostUnits = 1000;

/** Iterations that are all measured, as columns. */
function measuredColumns(iterations: MeasuredIterations): IterationColumns {
  return {
    length: iterations.length,
    indices: iterations.indices,
    startsNs: iterations.startsNs,
    endsNs: iterations.endsNs,
    metric: (key) => iterations.metric(key),
    hasPhases: false,
    isWarmup: () => false,
  };
}

/**
 * The iterations of a single run as units of their own: one each, or a thousand groups of equal size (to one). Groups are of
 * consecutive iterations, so that what lasts stays inside of a group.
 *
 * @param options.random of iterations in no order of time, deals them out to the groups by chance; `null` for others.
 */
export function unitColumns(
  iterations: MeasuredIterations,
  { random }: { readonly random: Random | null },
): readonly IterationColumns[] {
  const { length } = iterations;
  const units = Math.min(mostUnits, length);
  const inTime = Int32Array.from({ length }, (_, row) => row);
  const order = random === null ? inTime : Int32Array.from(shuffle(inTime, random));
  return Array.from({ length: units }, (_, unit) => {
    const rows = order.subarray(Math.floor((unit * length) / units), Math.floor(((unit + 1) * length) / units));
    return measuredColumns(rowsOf(iterations, rows));
  });
}
