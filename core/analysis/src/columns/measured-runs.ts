import type { Iteration, IterationColumns, MeasuredRun, Side, Trial, WarmupRule } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { at } from '../internal/lists.ts';

/**
 * Runs whose iterations stand in the journal itself, as those of commands do. A failed run has none.
 *
 * @throws AnalysisError as `columnsOf`.
 */
export function measuredRuns(trials: readonly Trial[]): MeasuredRun[] {
  return trials.map((trial) => {
    const { A, B } = trial.sides;
    if (trial.status === 'failed') return { trial, iterations: { A: columnsOf([]), B: columnsOf([]) } };
    const iterations = { A: columnsOf(A.iterations), B: columnsOf(B.iterations) };
    return isShort(iterations) ? new ShortRun(trial) : { trial, iterations };
  });
}

/** True for a run of which columns are made anew whenever they are asked for. */
export function isShort({ A, B }: Readonly<Record<Side, { readonly length: number }>>): boolean {
  return A.length <= shortColumn && B.length <= shortColumn;
}

/** A run of few iterations, of which very many may be in memory. */
class ShortRun implements MeasuredRun {
  readonly trial: Trial;

  constructor(trial: Trial) {
    this.trial = trial;
  }

  get iterations(): MeasuredRun['iterations'] {
    return new LazySides((side) => new JournalColumns(this.trial.sides[side].iterations));
  }
}

/** Both sides of a run, each of which is made when it is asked for. */
export class LazySides<Own> implements Readonly<Record<Side, Own>> {
  readonly #make: (side: Side) => Own;
  readonly #made: { A?: Own; B?: Own } = {};

  constructor(make: (side: Side) => Own) {
    this.#make = make;
  }

  get A(): Own {
    return (this.#made.A ??= this.#make('A'));
  }

  get B(): Own {
    return (this.#made.B ??= this.#make('B'));
  }
}

function checkIndices(indices: Float64Array): void {
  for (let row = 1; row < indices.length; row++) {
    if (at(indices, row) > at(indices, row - 1)) continue;
    throw new AnalysisError(
      'ITERATIONS_OUT_OF_ORDER',
      `iteration ${at(indices, row)} comes after iteration ${at(indices, row - 1)}; expected indices that grow, ` +
        'so the journal was changed: restore trials.jsonl from a copy, or measure again',
    );
  }
}

/** Columns of at most so many iterations are made anew whenever they are asked for: kept, they take several times what they hold. */
const shortColumn = 8;

/** Iterations that stand in a journal line, as columns that are made when they are first asked for. */
class JournalColumns implements IterationColumns {
  readonly #iterations: readonly Iteration[];
  /** `null` = no iteration has it. */
  #kept: Map<string, Float64Array | null> | null = null;

  constructor(iterations: readonly Iteration[]) {
    this.#iterations = iterations;
  }

  get length(): number {
    return this.#iterations.length;
  }

  get indices(): Float64Array {
    return this.#column('i');
  }

  get startsNs(): Float64Array {
    return this.#column('s');
  }

  get endsNs(): Float64Array {
    return this.#column('e');
  }

  get hasPhases(): boolean {
    return this.#iterations.some(({ p }) => p !== undefined);
  }

  isWarmup(row: number): boolean {
    return this.#iterations[row]?.p === 'warmup';
  }

  metric(key: string): Float64Array | null {
    const kept = this.#kept?.get(key);
    if (kept !== undefined) return kept;
    const values = new Float64Array(this.length).fill(Number.NaN);
    let found: Float64Array | null = null;
    for (const [row, { [key]: value }] of this.#iterations.entries()) {
      if (typeof value === 'number') (found ??= values)[row] = value;
    }
    if (this.length > shortColumn) (this.#kept ??= new Map()).set(key, found);
    return found;
  }

  /** Not a number where the row has none. */
  valueAt(row: number, key: string): number {
    const value = this.#iterations[row]?.[key];
    return typeof value === 'number' ? value : Number.NaN;
  }

  #column(key: 'i' | 's' | 'e'): Float64Array {
    return this.metric(key) ?? new Float64Array(0);
  }
}

/**
 * Iterations that stand in a journal line, in columns.
 *
 * @throws AnalysisError `ITERATIONS_OUT_OF_ORDER` when their indices do not grow.
 */
export function columnsOf(iterations: readonly Iteration[]): IterationColumns {
  const columns = new JournalColumns(iterations);
  if (iterations.length > 1) checkIndices(columns.indices);
  return columns;
}

/** The iterations of one side of a run that are judged: warm-up left out. Columns as in `IterationColumns`. */
export type MeasuredIterations = Pick<IterationColumns, 'length' | 'indices' | 'startsNs' | 'endsNs' | 'metric'>;

/** A number of the first iteration, without an array for it; not a number where it has none. */
export function firstValue(iterations: MeasuredIterations, key: string): number {
  if (iterations instanceof JournalColumns) return iterations.valueAt(0, key);
  const { indices, startsNs, endsNs } = iterations;
  const known: Readonly<Record<string, Float64Array>> = { i: indices, s: startsNs, e: endsNs };
  return (known[key] ?? iterations.metric(key))?.[0] ?? Number.NaN;
}

function rowsFrom(columns: IterationColumns, first: number): MeasuredIterations {
  if (first === 0) return columns;
  // Views are made when they are asked for: one that is kept would keep the columns of every run.
  return {
    length: columns.length - first,
    get indices() {
      return columns.indices.subarray(first);
    },
    get startsNs() {
      return columns.startsNs.subarray(first);
    },
    get endsNs() {
      return columns.endsNs.subarray(first);
    },
    metric: (key) => columns.metric(key)?.subarray(first) ?? null,
  };
}

/** Some of the iterations, in the order of the rows. */
export function rowsOf(columns: MeasuredIterations, rows: Int32Array): MeasuredIterations {
  const pick = (values: Float64Array): Float64Array => {
    const picked = new Float64Array(rows.length);
    for (let k = 0; k < rows.length; k++) picked[k] = values[rows[k]!]!;
    return picked;
  };
  return {
    length: rows.length,
    indices: pick(columns.indices),
    startsNs: pick(columns.startsNs),
    endsNs: pick(columns.endsNs),
    metric: (key) => {
      const values = columns.metric(key);
      return values === null ? null : pick(values);
    },
  };
}

/**
 * Leaves out the warm-up of one side of a run: the marked rows, or where no row carries a mark what the rule says by position.
 * Warm-up at the beginning costs no copy.
 */
export function measuredIterations(columns: IterationColumns, rule: WarmupRule): MeasuredIterations {
  const { length } = columns;
  if (!columns.hasPhases) return rowsFrom(columns, warmupBy(rule, columns));
  const rows = new Int32Array(length);
  let kept = 0;
  for (let row = 0; row < length; row++) if (!columns.isWarmup(row)) rows[kept++] = row;
  const isTail = kept === 0 || rows[0] === length - kept;
  return isTail ? rowsFrom(columns, length - kept) : rowsOf(columns, rows.subarray(0, kept));
}

/**
 * Number of a run's first iterations that are warm-up by a rule. Sources: of the half ICPE'20, section 4; of times the thesis, section
 * 5.1.2, and OOPSLA'26, section 7.
 */
export function warmupBy(rule: WarmupRule, columns: Pick<IterationColumns, 'length' | 'startsNs'>): number {
  const { length } = columns;
  switch (rule.kind) {
    case 'none':
      return 0;
    case 'fixed':
      return Math.min(rule.iterations, length);
    case 'first-half':
      return Math.floor(length / 2);
    case 'time': {
      const { startsNs } = columns;
      return firstFrom(startsNs, (startsNs[0] ?? 0) + rule.timeNs);
    }
  }
}

/** Place of the first of ascending values that is at least `limit`; their number where all are below. */
function firstFrom(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
