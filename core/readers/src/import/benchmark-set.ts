import type { Method, Params, Side } from '@deadheat/model';
import { checkRuns } from './import-error.ts';
import { oneSided, type ImportedBenchmark } from './imported-file.ts';
import { IterationList } from './iteration-list.ts';

/** The facts that distinguish one benchmark of a file from another. */
export interface BenchmarkKey {
  readonly name: string;
  readonly params?: Params;
  readonly side?: Side | null;
  readonly method?: Method | null;
  /** Same as in `ImportedBenchmark`. */
  readonly mode?: string | null;
  readonly conditions?: Params;
}

interface Collected {
  readonly key: BenchmarkKey;
  readonly runs: Map<string, IterationList>;
}

/** Collects iterations that come in any order into benchmarks and their runs, both in the order of first appearance. */
export class BenchmarkSet {
  readonly #path: string;
  readonly #mostRuns: number | undefined;
  #runs = 0;
  readonly #benchmarks = new Map<string, Collected>();

  /**
   * @param path Names the file in errors.
   * @param limits.mostRuns For tests.
   */
  constructor(path: string, limits: { readonly mostRuns?: number } = {}) {
    this.#path = path;
    this.#mostRuns = limits.mostRuns;
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
    const { runs } = this.#collected(key);
    let iterations = runs.get(label);
    if (iterations === undefined) {
      checkRuns(++this.#runs, this.#path, this.#mostRuns);
      iterations = new IterationList();
      runs.set(label, iterations);
    }
    return iterations;
  }

  /** Adds a whole run, in place of one of the same label. */
  add(key: BenchmarkKey, label: string, iterations: IterationList): void {
    this.#collected(key).runs.set(label, iterations);
  }

  /** Everything that was collected; runs without iterations are left out. */
  benchmarks(): readonly ImportedBenchmark[] {
    return Array.from(this.#benchmarks.values(), ({ key, runs }) => {
      const { name, params = {}, side = null, method = null, mode = null, conditions = {} } = key;
      const all = Array.from(runs, ([label, iterations]) => ({ label, iterations }));
      const own = all.filter(({ iterations }) => iterations.length > 0);
      return oneSided({ name, params, side, method, mode, conditions, runs: own });
    });
  }

  #collected(key: BenchmarkKey): Collected {
    const id = BenchmarkSet.idOf(key);
    let benchmark = this.#benchmarks.get(id);
    if (benchmark === undefined) {
      benchmark = { key, runs: new Map() };
      this.#benchmarks.set(id, benchmark);
    }
    return benchmark;
  }
}

function sorted(params: Params): readonly (readonly [string, string])[] {
  return Object.entries(params).toSorted(([left], [right]) => (left < right ? -1 : 1));
}
