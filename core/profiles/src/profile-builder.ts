/** A piece of code that a program was seen in. */
export interface ProfiledCode {
  /** The kind of code, such as `interpreter`, `baseline`, `C1 level 3`, `native`. */
  readonly kind: string;
  /** The function that it was compiled from; `null` = it is not the work of the just-in-time compiler. */
  readonly method: string | null;
  /** `true` = the compiler that optimizes most made it. */
  readonly isLastTier: boolean;
  /** `true` = the same function was compiled again later in the run, and this code then no longer ran. */
  readonly isReplaced: boolean;
}

/** Where a program was, over one run: a sample is an equal share of the time that it ran. */
export interface ExecutionProfile {
  /** Time of each sample, ns of CLOCK_MONOTONIC, ascending. */
  readonly timesNs: Float64Array;
  /** Place in `code` of each sample. */
  readonly places: Int32Array;
  readonly code: readonly ProfiledCode[];
  /** When each piece of code of the just-in-time compiler was ready, as far as it was seen, ns of CLOCK_MONOTONIC, ascending. */
  readonly compiledNs: Float64Array;
  /** Every kind that there can be, in the order of a chart: the least compiled first. */
  readonly kinds: readonly string[];
  /** The profile's clock may be off that of the iterations by so much either way, ns. */
  readonly clockErrorNs: number;
}

/** Code as a reader meets it, before it is known whether it will be replaced. */
export interface MetCode extends Omit<ProfiledCode, 'isReplaced'> {
  /** When it was made, in the time of the samples; -Infinity = before all. */
  readonly madeNs: number;
}

/** Share of the time since the last compilation, at whose end earlier code must still run to count as in use; that of figure 10. */
const lastPart = 1 / 8;

const firstCapacity = 4096;

/** Collects samples in columns: 12 bytes each. */
export class ProfileBuilder {
  #length = 0;
  #times = new Float64Array(firstCapacity);
  #places = new Int32Array(firstCapacity);
  readonly #code: MetCode[] = [];

  get length(): number {
    return this.#length;
  }

  /** Adds code and gives its place; code of one method in the order in which it was made. */
  addCode(code: MetCode): number {
    return this.#code.push(code) - 1;
  }

  addSample(timeNs: number, place: number): void {
    if (this.#length === this.#times.length) {
      const times = new Float64Array(2 * this.#length);
      const places = new Int32Array(2 * this.#length);
      times.set(this.#times);
      places.set(this.#places);
      this.#times = times;
      this.#places = places;
    }
    this.#times[this.#length] = timeNs;
    this.#places[this.#length] = place;
    this.#length++;
  }

  /** @param clock what turns the times that were added into ns of CLOCK_MONOTONIC. */
  build(
    kinds: readonly string[],
    { offsetNs, errorNs }: { readonly offsetNs: number; readonly errorNs: number },
  ): ExecutionProfile {
    const times = this.#times.slice(0, this.#length);
    const places = this.#places.slice(0, this.#length);
    const replaced = this.#replaced();
    return {
      timesNs: times.map((time) => time + offsetNs),
      places,
      code: this.#code.map(({ kind, method, isLastTier }, place) => ({
        kind,
        method,
        isLastTier,
        isReplaced: replaced.has(place),
      })),
      compiledNs: Float64Array.from(
        this.#code.flatMap(({ method, madeNs }) => (method !== null && madeNs > -Infinity ? [madeNs + offsetNs] : [])),
      ).sort(),
      kinds,
      clockErrorNs: errorNs,
    };
  }

  /**
   * Code of a method that was compiled again. What goes on running after the last compilation is not replaced by it: V8 keeps code that
   * it entered in the middle of a loop beside what it makes of the whole function.
   */
  #replaced(): ReadonlySet<number> {
    const seen = new Map<number, number>();
    for (const [i, place] of this.#places.subarray(0, this.#length).entries()) seen.set(place, this.#times[i] ?? 0);
    const last = new Map<string, { readonly place: number; readonly madeNs: number; readonly seenNs: number }>();
    for (const [place, { method, madeNs }] of this.#code.entries()) {
      if (method === null) continue;
      const seenNs = Math.max(seen.get(place) ?? -Infinity, last.get(method)?.seenNs ?? -Infinity);
      last.set(method, { place, madeNs, seenNs });
    }
    const replaced = new Set<number>();
    for (const [place, { method }] of this.#code.entries()) {
      const final = method === null ? undefined : last.get(method);
      if (final === undefined || final.place === place) continue;
      const { madeNs, seenNs } = final;
      const inUseFromNs = seenNs - lastPart * (seenNs - madeNs);
      if (seenNs <= madeNs || (seen.get(place) ?? -Infinity) < inUseFromNs) replaced.add(place);
    }
    return replaced;
  }
}
