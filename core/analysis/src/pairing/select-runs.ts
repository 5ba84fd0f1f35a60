import {
  workloadFacts,
  methodFacts,
  sides,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Side,
  type Trial,
  type WarmupRule,
  type Workload,
} from '@deadheat/model';
import {
  firstValue,
  isShort,
  LazySides,
  measuredIterations,
  type MeasuredIterations,
} from '../columns/measured-runs.ts';
import { overlappingRows, type PairedRows } from './overlaps.ts';

/** A run that counts: finished without failure, with measured iterations on both sides and, in a duet, with pairs. */
export interface UsableRun {
  readonly trial: Trial;
  /** The iterations that are judged: warm-up left out. */
  readonly iterations: Readonly<Record<Side, MeasuredIterations>>;
  /** Rows of `iterations`; empty for `sequential`. */
  readonly pairs: PairedRows;
  /** CPU time of a side's process, ns, where it is that of a single execution of a command; else `null`. */
  readonly processCpuNs: Readonly<Record<Side, number | null>>;
}

/** The runs of one benchmark, sorted into what counts and what does not. */
export interface Selection {
  readonly method: Method;
  /** In the order of their run numbers. */
  readonly runs: readonly UsableRun[];
  /** Warm-up iterations left out; an iteration of both sides counts once. */
  readonly warmup: number;
  /** Measured iterations of one side without a partner, in runs that did not fail; 0 for `sequential`. */
  readonly unpaired: number;
  /** Measured runs that failed. */
  readonly failed: number;
  /** The measured iterations of every run that did not fail, also of those without a pair. */
  readonly measured: readonly PairedIterations[];
}

/** The measured iterations of both sides of a run and their pairs. */
export interface PairedIterations extends Readonly<Record<Side, MeasuredIterations>> {
  readonly pairs: PairedRows;
}

export interface SelectionOptions extends Pick<ExperimentConfig, 'method' | 'minimumOverlapRate' | 'warmup'> {
  readonly workload: Workload;
  /** True if a run of `sequential` counts for the side that has iterations when the other has none; `false` when absent. */
  readonly keepOneSided?: boolean;
}

/** Shared by the runs of a selection: who goes through runs asks for the iterations of each several times. */
interface Selecting extends SelectionOptions {
  last?: Pick<UsableRun, 'iterations'> & { readonly of: SelectedRun };
}

/** A run that counts, which keeps no iterations of its own where they are few. */
class SelectedRun implements UsableRun, PairedIterations {
  readonly pairs: PairedRows;
  readonly #run: MeasuredRun;
  readonly #selecting: Selecting;
  readonly #kept: UsableRun['iterations'] | null;

  constructor(run: MeasuredRun, selecting: Selecting, all: MeasuredRun['iterations']) {
    this.#run = run;
    this.#selecting = selecting;
    const iterations = measuredOf(all, selecting.warmup);
    this.#kept = isShort(all) ? null : { A: iterations.A, B: iterations.B };
    selecting.last = { of: this, iterations };
    this.pairs = pairIterations(iterations, selecting);
  }

  get trial(): Trial {
    return this.#run.trial;
  }

  get iterations(): UsableRun['iterations'] {
    if (this.#kept !== null) return this.#kept;
    const selecting = this.#selecting;
    if (selecting.last?.of !== this) {
      selecting.last = { of: this, iterations: measuredOf(this.#run.iterations, selecting.warmup) };
    }
    return selecting.last.iterations;
  }

  get A(): MeasuredIterations {
    return this.iterations.A;
  }

  get B(): MeasuredIterations {
    return this.iterations.B;
  }

  get processCpuNs(): UsableRun['processCpuNs'] {
    return processCpuOf(this.#run, this.#selecting.workload);
  }
}

function measuredOf(iterations: MeasuredRun['iterations'], rule: WarmupRule): UsableRun['iterations'] {
  return new LazySides((side) => measuredIterations(iterations[side], rule));
}

/** A run that counts whatever pairs it has. */
export function unpairedRun(
  run: MeasuredRun,
  { warmup, workload }: Pick<SelectionOptions, 'warmup' | 'workload'>,
): UsableRun {
  const { A, B } = measuredOf(run.iterations, warmup);
  return { trial: run.trial, iterations: { A, B }, pairs: noPairs, processCpuNs: processCpuOf(run, workload) };
}

function longerSide({ A, B }: Readonly<Record<Side, { readonly length: number }>>): number {
  return Math.max(A.length, B.length);
}

function distinct(rows: Int32Array): number {
  let count = 0;
  for (let k = 0; k < rows.length; k++) if (k === 0 || rows[k] !== rows[k - 1]) count++;
  return count;
}

function unpairedRows({ A, B }: UsableRun['iterations'], pairs: PairedRows): number {
  return A.length - distinct(pairs.a) + (B.length - distinct(pairs.b));
}

function processCpuNs({ trial, iterations }: MeasuredRun, side: Side): number | null {
  const { userNs, systemNs } = trial.sides[side];
  return iterations[side].length === 1 && userNs !== null && systemNs !== null ? userNs + systemNs : null;
}

/** CPU time of a side's process (`UsableRun.processCpuNs`). */
export function processCpuOf(run: MeasuredRun, workload: Workload): UsableRun['processCpuNs'] {
  return workloadFacts[workload].timesItself
    ? { A: null, B: null }
    : { A: processCpuNs(run, 'A'), B: processCpuNs(run, 'B') };
}

/**
 * Sorts the runs of one benchmark. Runs of another method than the benchmark's are ignored, unless there is no run of
 * that method: then the method of the first run that did not fail counts, as where a machine could not offer a duet.
 *
 * @throws AnalysisError as `overlaps`.
 */
export function selectRuns(all: readonly MeasuredRun[], options: SelectionOptions): Selection {
  const { keepOneSided = false } = options;
  const isSound = ({ trial }: MeasuredRun): boolean => trial.status === 'ok' && trial.phase === 'measure';
  const first = all.find((run) => run.trial.method === options.method && isSound(run)) ?? all.find(isSound);
  const { method } = first?.trial ?? options;
  const hasPairs = methodFacts[method].pairs !== 'none';

  const selecting: Selecting = { ...options, method };
  const runs: SelectedRun[] = [];
  const measured: SelectedRun[] = [];
  let warmup = 0;
  let unpaired = 0;
  let failed = 0;
  for (const run of all) {
    const { trial, iterations: recorded } = run;
    if (trial.method !== method || trial.phase === 'pilot') continue;
    if (trial.phase === 'warmup') {
      warmup += longerSide(recorded);
      continue;
    }
    if (trial.status === 'failed') {
      failed++;
      continue;
    }
    const selected = new SelectedRun(run, selecting, recorded);
    const { pairs, iterations } = selected;
    warmup += longerSide(recorded) - longerSide(iterations);
    if (hasPairs) unpaired += unpairedRows(iterations, pairs);
    measured.push(selected);
    const hasSides = [iterations.A, iterations.B].filter(({ length }) => length > 0).length;
    const usable = hasPairs ? pairs.length > 0 : hasSides >= (keepOneSided ? 1 : 2);
    if (!usable) continue;
    runs.push(selected);
  }
  runs.sort((left, right) => left.trial.run - right.trial.run);
  return { method, runs, warmup, unpaired, failed, measured };
}

const knownLengths = new WeakMap<object, Readonly<Record<Side, Uint32Array>>>();

/** Number of iterations of each side in each of the runs; not to be changed. */
export function lengthsOf(runs: readonly Pick<UsableRun, 'iterations'>[]): Readonly<Record<Side, Uint32Array>> {
  const known = knownLengths.get(runs);
  if (known !== undefined) return known;
  const lengths = { A: new Uint32Array(runs.length), B: new Uint32Array(runs.length) };
  for (const [r, { iterations }] of runs.entries())
    for (const side of sides) lengths[side][r] = iterations[side].length;
  knownLengths.set(runs, lengths);
  return lengths;
}

/** Runs behind the side that has fewer of them; a run counts for the sides that it has iterations of. */
export function fewerRuns(runs: readonly Pick<UsableRun, 'iterations'>[]): number {
  return Math.min(
    ...sides.map((side) => lengthsOf(runs)[side].reduce((count, length) => count + Math.sign(length), 0)),
  );
}

const noPairs: PairedRows = { length: 0, a: new Int32Array(0), b: new Int32Array(0) };

/** The pair of a command's run, which all such runs share. */
const onePair: PairedRows = { length: 1, a: new Int32Array(1), b: new Int32Array(1) };

function pairByIndex(A: MeasuredIterations, B: MeasuredIterations): PairedRows {
  if (A.length === 1 && B.length === 1 && firstValue(A, 'i') === firstValue(B, 'i')) return onePair;
  const [a, b] = [A.indices, B.indices];
  const most = Math.min(a.length, b.length);
  const found = { a: new Int32Array(most), b: new Int32Array(most) };
  let length = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    const distance = a[i]! - b[k]!;
    if (distance === 0) {
      found.a[length] = i;
      found.b[length++] = k;
    }
    if (distance <= 0) i++;
    if (distance >= 0) k++;
  }
  return length === most
    ? { length, ...found }
    : { length, a: found.a.subarray(0, length), b: found.b.subarray(0, length) };
}

/**
 * The pairs of one run: by iteration index where the sides started together, by overlap where each went on by itself, none
 * where they never ran at the same time. An index that only one side has is in no pair. O(rows).
 *
 * @throws AnalysisError as `overlaps`.
 */
export function pairIterations(
  { A, B }: Readonly<Record<Side, MeasuredIterations>>,
  options: { readonly method: Method; readonly minimumOverlapRate: number },
): PairedRows {
  switch (methodFacts[options.method].pairs) {
    case 'none':
      return noPairs;
    case 'overlapping':
      return overlappingRows(A, B, options.minimumOverlapRate);
    case 'same-index':
      return pairByIndex(A, B);
  }
}
