/** A set of run numbers that are mostly taken in ascending order: it needs memory only for those beyond the first gap. */
export class RunNumbers {
  #firstOpen: number;
  readonly #beyond = new Set<number>();

  /** @param first the numbers start here: all that are smaller count as taken */
  constructor(first = 0, taken: Iterable<number> = []) {
    this.#firstOpen = first;
    for (const run of taken) this.add(run);
  }

  /** The smallest number that is not in the set. */
  get firstOpen(): number {
    return this.#firstOpen;
  }

  has(run: number): boolean {
    return run < this.#firstOpen || this.#beyond.has(run);
  }

  add(run: number): void {
    if (this.has(run)) return;
    this.#beyond.add(run);
    while (this.#beyond.delete(this.#firstOpen)) this.#firstOpen++;
  }
}
