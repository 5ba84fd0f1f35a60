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
import { columnsOf, measuredIterations, type MeasuredIterations } from '../columns/measured-runs.ts';
import { at } from '../internal/at.ts';
import { blockOrder } from '../warnings/run-warnings.ts';
import { compareBenchmark } from './compare-benchmark.ts';

/** One side's runs, measured without the other. */
export interface SideRuns {
  readonly runs: readonly IterationColumns[];
  /** Whether the iterations of a run are in the order of their times. */
  readonly isSorted: boolean;
}

/** What is judged. */
export interface SidesInput {
  readonly sides: Readonly<Record<Side, SideRuns>>;
  readonly benchmark: Benchmark;
  /** As it counts for this benchmark; its method is taken to be `sequential`. */
  readonly config: ExperimentConfig;
  /** Whether all runs of A were executed before all of B; `false` when absent. */
  readonly inBlocks?: boolean;
}

interface SideUnits {
  readonly units: readonly IterationColumns[];
  readonly runs: number;
  readonly iterations: number;
  readonly warmup: number;
}

function unitsOf({ runs, isSorted }: SideRuns, rule: ExperimentConfig['warmup']): SideUnits {
  const all = runs.map((run) => ({ ...measuredIterations(run, rule), of: run.length }));
  const measured = all.filter(({ length }) => length > 0);
  const [first] = measured;
  return {
    units:
      first !== undefined && measured.length === 1 ? unitColumns(first, { isSorted }) : measured.map(measuredColumns),
    runs: measured.length,
    iterations: measured.reduce((sum, { length }) => sum + length, 0),
    warmup: all.reduce((sum, { length, of }) => sum + of - length, 0),
  };
}

function wallNsOf({ startsNs, endsNs, length }: IterationColumns): number {
  let sum = 0;
  for (let row = 0; row < length; row++) sum += endsNs[row]! - startsNs[row]!;
  return sum;
}

function noRunVariance(single: readonly Side[]): Warning {
  return {
    code: 'NO_RUN_VARIANCE',
    message:
      `${single.length === 2 ? 'both sides hold' : `side ${single.join()} holds`} a single run, so the interval is made from ` +
      'its iterations and says nothing about another run of the same program, which often differs by more; ' +
      'measure ten runs or more of each side',
  };
}

/**
 * Judges two sides that were measured one without the other, whose numbers of runs may differ: the standard method over
 * run means. A side of a single run gives its iterations as units, with the warning NO_RUN_VARIANCE; `runs` then tells
 * the runs of the side with fewer, and `resampled` the iterations.
 *
 * @throws AnalysisError `TOO_FEW_RUNS` when a side has neither two runs nor two iterations.
 */
export function compareSides({ sides: measured, benchmark, config, inBlocks = false }: SidesInput): Comparison {
  const units = { A: unitsOf(measured.A, config.warmup), B: unitsOf(measured.B, config.warmup) };
  const nothing = columnsOf([]);
  const isOrdered = sides.every((side) => !measured[side].isSorted);
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
    inBlocks: inBlocks && isOrdered,
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
    warnings: [noRunVariance(single), ...warnings.filter(({ code }) => code !== 'FEW_RUNS')],
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
 * The iterations of a single run as units of their own: one each, or of more than a thousand that number of groups of equal size
 * (to one). Groups are of iterations that followed each other, so that what lasts stays inside of a group; of sorted
 * times, whose order says nothing, every group takes from the whole range.
 */
export function unitColumns(
  iterations: MeasuredIterations,
  { isSorted }: { readonly isSorted: boolean },
): readonly IterationColumns[] {
  const { length } = iterations;
  const units = Math.min(mostUnits, length);
  const rowsOf = (unit: number): Int32Array => {
    if (isSorted) return Int32Array.from({ length: Math.ceil((length - unit) / units) }, (_, k) => unit + k * units);
    const first = Math.floor((unit * length) / units);
    return Int32Array.from({ length: Math.floor(((unit + 1) * length) / units) - first }, (_, k) => first + k);
  };
  return Array.from({ length: units }, (_, unit) => {
    const rows = rowsOf(unit);
    const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => at(values, row));
    return measuredColumns({
      length: rows.length,
      indices: pick(iterations.indices),
      startsNs: pick(iterations.startsNs),
      endsNs: pick(iterations.endsNs),
      metric: (key) => {
        const values = iterations.metric(key);
        return values === null ? null : pick(values);
      },
    });
  });
}
