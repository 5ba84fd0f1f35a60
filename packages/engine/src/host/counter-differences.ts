import { CounterFile } from './counter-file.ts';
import { counterValue, type CounterKey } from './counter-value.ts';

/** Some counters of one kernel file, and how far they have moved since a mark. */
export class CounterDifferences {
  readonly #file: CounterFile | null;
  readonly #keys: readonly CounterKey[];
  readonly #marked: Float64Array;
  readonly #now: Float64Array;

  constructor(file: CounterFile | null, keys: readonly CounterKey[]) {
    this.#file = file;
    this.#keys = keys;
    this.#marked = new Float64Array(keys.length).fill(-1);
    this.#now = new Float64Array(keys.length).fill(-1);
    this.mark();
  }

  /** Remembers the counters as they are now. */
  mark(): void {
    this.#readInto(this.#marked);
  }

  /** Reads the counters for {@link since}. */
  read(): void {
    this.#readInto(this.#now);
  }

  /**
   * How far counter number `index` had moved from the mark to the last {@link read}; `null` when it was missing at
   * either. Never negative: a counter that was set back counts as unmoved.
   */
  since(index: number): number | null {
    const marked = this.#marked[index] ?? -1;
    const now = this.#now[index] ?? -1;
    return marked < 0 || now < 0 ? null : Math.max(0, now - marked);
  }

  close(): void {
    this.#file?.close();
  }

  #readInto(values: Float64Array): void {
    const file = this.#file;
    const readable = file !== null && file.read();
    for (let i = 0; i < this.#keys.length; i += 1) {
      const key = this.#keys[i];
      values[i] = readable && key !== undefined ? counterValue(file, key) : -1;
    }
  }
}
