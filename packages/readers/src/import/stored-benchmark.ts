import type { Params, Side } from '@deadheat/model';
import type { ImportedBenchmark, ImportedRun } from './imported-file.ts';
import type { IterationList } from './iteration-list.ts';
import type { RunStore } from './run-store.ts';

class StoredRun implements ImportedRun {
  readonly label: string;
  readonly #store: RunStore;
  readonly #run: number;

  constructor(label: string, store: RunStore, run: number) {
    this.label = label;
    this.#store = store;
    this.#run = run;
  }

  get iterations(): IterationList {
    return this.#store.iterationsOf(this.#run);
  }
}

/** A benchmark whose runs lie in a store: they are made anew whenever they are asked for, so that a large file stays small. */
export class StoredBenchmark implements ImportedBenchmark {
  readonly name: string;
  readonly params: Params;
  readonly side: Side | null;
  readonly method = null;
  readonly summary = null;
  readonly #store: RunStore;
  readonly #places: Iterable<readonly [label: string, run: number]>;

  constructor(
    facts: Pick<ImportedBenchmark, 'name' | 'params' | 'side'>,
    /** Runs of the store, by what the file calls them; to be gone through more than once. */
    { store, places }: { readonly store: RunStore; readonly places: Iterable<readonly [label: string, run: number]> },
  ) {
    this.name = facts.name;
    this.params = facts.params;
    this.side = facts.side;
    this.#store = store;
    this.#places = places;
  }

  get runs(): readonly ImportedRun[] {
    return Array.from(this.#places, ([label, run]) => new StoredRun(label, this.#store, run));
  }
}
