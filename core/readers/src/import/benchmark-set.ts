import type { Method, Params, Side } from '@deadheat/model';
import type { ImportedBenchmark, ImportedRun } from './imported-file.ts';
import { tooManyRuns } from './import-error.ts';
import { IterationList } from './iteration-list.ts';

/** What distinguishes one benchmark of a file from another. */
export interface BenchmarkKey {
  readonly name: string;
  readonly params?: Params;
  readonly side?: Side | null;
  readonly method?: Method | null;
  /** As those of `ImportedBenchmark`. */
  readonly mode?: string | null;
  readonly conditions?: Params;
}

interface Collected {
  readonly key: BenchmarkKey;
  readonly runs: Map<string, IterationList>;
}

interface LastRun {
  readonly benchmark: Collected;
  readonly label: string;
  readonly iterations: IterationList;
}

/** What is kept. */
interface SetLimits {
  /** Bytes that the numbers of all runs may take, if they can be merged. */
  readonly mostBytes: number;
  /** How many iterations are added until the bytes are counted again. */
  readonly rowsUntilCount: number;
  /** Each run takes some hundred bytes, whatever it holds. */
  readonly mostRuns: number;
}

const defaultLimits: SetLimits = { mostBytes: 64 * 2 ** 20, rowsUntilCount: 2 ** 20, mostRuns: 2 ** 20 };

/**
 * Collects iterations that come in any order into benchmarks and their runs, both in the order of first appearance. Of more iterations than fit each two
 * neighbours of a run become one, as in a `RunStore`; those with starts do not.
 */
export class BenchmarkSet {
  readonly #path: string;
  readonly #limits: SetLimits;
  #group = 1;
  #runs = 0;
  #rows = 0;
  readonly #benchmarks = new Map<string, Collected>();
  /** What was asked for last, by side and name: to make an id for every row of a file would take longer than to read it. */
  readonly #last = { A: new Map<string, LastRun>(), B: new Map<string, LastRun>(), none: new Map<string, LastRun>() };

  /**
   * @param path Names the file in errors.
   * @param limits For tests.
   */
  constructor(path: string, limits: SetLimits = defaultLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** A text that is the same for the same benchmark, in whatever order its parameters are. */
  static idOf({ name, params = {}, side = null, method = null, conditions = {} }: BenchmarkKey): string {
    return JSON.stringify([name, sorted(params), side, method, sorted(conditions)]);
  }

  /**
   * The iterations of a run of a benchmark, made when it is new, to which one is to be added.
   *
   * @throws ImportError `TOO_LARGE` for more runs than are kept, 1 Mi
   */
  run(key: BenchmarkKey, label: string): IterationList {
    this.#rows += 1;
    if (this.#rows % this.#limits.rowsUntilCount === 0) this.#mergeIfLarge();
    const near = this.#last[key.side ?? 'none'];
    const last = near.get(key.name);
    const isSame = last !== undefined && isSameKey(last.benchmark.key, key);
    if (isSame && last.label === label) return last.iterations;
    last?.iterations.settle();
    const benchmark = isSame ? last.benchmark : this.#collected(key);
    const own = detached(label);
    let iterations = benchmark.runs.get(own);
    if (iterations === undefined) {
      if (this.#runs === this.#limits.mostRuns) throw tooManyRuns(this.#runs, this.#path);
      this.#runs += 1;
      iterations = new IterationList(this.#group);
      benchmark.runs.set(own, iterations);
    }
    near.set(benchmark.key.name, { benchmark, label: own, iterations });
    return iterations;
  }

  /** Adds a whole run, in place of one of the same label. */
  add(key: BenchmarkKey, label: string, iterations: IterationList): void {
    this.#collected(key).runs.set(label, iterations);
    for (const near of Object.values(this.#last)) near.clear();
  }

  /** Everything that was collected; runs without iterations are left out. */
  benchmarks(): readonly ImportedBenchmark[] {
    return [...this.#benchmarks.values()].map(({ key, runs }) => ({
      name: key.name,
      params: key.params ?? {},
      side: key.side ?? null,
      method: key.method ?? null,
      mode: key.mode ?? null,
      conditions: key.conditions ?? {},
      files: 1,
      timedBy: null,
      runs: [...runs]
        .map(([label, iterations]): ImportedRun => ({ label, iterations }))
        .filter(({ iterations }) => iterations.length > 0),
      summary: null,
    }));
  }

  #mergeIfLarge(): void {
    const lists = [...this.#benchmarks.values()].flatMap(({ runs }) => [...runs.values()]);
    const bytes = lists.reduce((sum, { mergeableBytes }) => sum + mergeableBytes, 0);
    if (bytes <= this.#limits.mostBytes) return;
    for (const list of lists) list.halve();
    this.#group *= 2;
  }

  #collected(key: BenchmarkKey): Collected {
    const id = BenchmarkSet.idOf(key);
    let benchmark = this.#benchmarks.get(id);
    if (benchmark === undefined) {
      const { name, params = {} } = key;
      const own = Object.fromEntries(Object.entries(params).map((pair) => pair.map(detached)));
      const { side = null, method = null, mode = null, conditions = {} } = key;
      benchmark = {
        key: { name: detached(name), params: own, side, method, mode, conditions },
        runs: new Map(),
      };
      this.#benchmarks.set(id, benchmark);
    }
    return benchmark;
  }
}

/** The same text with memory of its own: a part of a line keeps the whole piece of the file that it was cut from. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function sorted(params: Params): readonly (readonly [string, string])[] {
  return Object.entries(params).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** Whether two keys are surely of one benchmark, without making an id of them. */
function isSameKey(one: BenchmarkKey, other: BenchmarkKey): boolean {
  return (
    one.name === other.name &&
    (one.side ?? null) === (other.side ?? null) &&
    (one.method ?? null) === (other.method ?? null) &&
    isSameParams(one.params, other.params) &&
    isSameParams(one.conditions, other.conditions)
  );
}

function isSameParams(one: Params = {}, other: Params = {}): boolean {
  let count = 0;
  for (const key in one) {
    if (one[key] !== other[key]) return false;
    count += 1;
  }
  for (const _key in other) count -= 1;
  return count === 0;
}
