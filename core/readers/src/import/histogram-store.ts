import type { InvocationCounts } from '@deadheat/model';

const mostBytes = 96 * 2 ** 20;
/** What two typed arrays take beside their numbers. */
const bytesOfArrays = 400;
/** JMH keeps three digits of a time. */
const finest = 0.001;
/** Above it nothing is left of a distribution. */
const coarsest = 1;

/**
 * The histograms of the iterations of very many runs, in a bounded amount of memory: 5 bytes a time as a rule. Where they would take more than 96 MiB, times
 * of an iteration that are within 0.1 %, 0.2 %, 0.4 % ... of each other become one, their mean; number and mean of the invocations stay what they are.
 */
export class HistogramStore {
  readonly #mostBytes: number;
  readonly #byRun = new Map<number, InvocationCounts[]>();
  #bytes = 0;
  #precision: number | null = 0;

  /** `mostBytes` for tests. */
  constructor(limits: { readonly mostBytes: number } = { mostBytes }) {
    this.#mostBytes = limits.mostBytes;
  }

  /** Relative distance within which times of an iteration count as one; 0 = all are told apart; `null` = there were too many to keep any. */
  get precision(): number | null {
    return this.#precision;
  }

  /** Those of a run's iterations, in their order; `undefined` = none are kept. */
  of(run: number): readonly InvocationCounts[] | undefined {
    return this.#byRun.get(run);
  }

  /**
   * Keeps the histogram of the next iteration of a run.
   *
   * @param pairs time and count in turn, in any order
   * @param nsPerUnit of the times
   */
  keep(run: number, pairs: readonly number[], nsPerUnit: number): void {
    if (this.#precision === null) return;
    const own = this.#byRun.get(run) ?? [];
    if (own.length === 0) this.#byRun.set(run, own);
    const values = new Float64Array(pairs.length / 2);
    const counts = new Float64Array(pairs.length / 2);
    for (let at = 0; at < values.length; at++) {
      values[at] = (pairs[2 * at] ?? 0) * nsPerUnit;
      counts[at] = pairs[2 * at + 1] ?? 0;
    }
    own.push(this.#packed({ values, counts }));
    while (this.#bytes > this.#mostBytes) this.#coarsen();
  }

  /** Keeps none, of those to come either. */
  drop(): void {
    this.#byRun.clear();
    this.#bytes = 0;
    this.#precision = null;
  }

  #coarsen(): void {
    const precision = this.#precision === 0 ? finest : 2 * (this.#precision ?? coarsest);
    if (precision > coarsest) {
      this.drop();
      return;
    }
    this.#precision = precision;
    this.#bytes = 0;
    for (const own of this.#byRun.values()) {
      for (const [index, one] of own.entries()) own[index] = this.#packed(one);
    }
  }

  /** The histogram in the order of its times, in as few and as small numbers as its precision allows. */
  #packed({ values, counts }: InvocationCounts): InvocationCounts {
    const within = 1 + (this.#precision ?? 0);
    const times = new Float64Array(values.length);
    const held = new Float64Array(values.length);
    let last = -1;
    let first = Number.NaN;
    let largest = 0;
    for (const place of inOrder(values)) {
      const [time, count] = [values[place] ?? 0, counts[place] ?? 0];
      if (last >= 0 && time <= first * within) {
        const all = (held[last] ?? 0) + count;
        times[last] = (times[last] ?? 0) + ((time - (times[last] ?? 0)) * count) / all;
        held[last] = all;
      } else {
        last += 1;
        first = time;
        times[last] = time;
        held[last] = count;
      }
      largest = Math.max(largest, held[last] ?? 0);
    }
    const Counts =
      largest < 2 ** 8 ? Uint8Array : largest < 2 ** 16 ? Uint16Array : largest < 2 ** 32 ? Uint32Array : Float64Array;
    // Floats of 32 bits hold seven digits.
    const packed = {
      values: Float32Array.from(times.subarray(0, last + 1)),
      counts: Counts.from(held.subarray(0, last + 1)),
    };
    this.#bytes += packed.values.byteLength + packed.counts.byteLength + bytesOfArrays;
    return packed;
  }
}

/** The places of numbers by their sizes; most histograms are in that order. */
function inOrder(values: ArrayLike<number>): Uint32Array {
  const places = Uint32Array.from({ length: values.length }, (_, place) => place);
  function difference(one: number, other: number): number {
    return (values[one] ?? 0) - (values[other] ?? 0);
  }
  for (let place = 1; place < values.length; place++) {
    if (difference(place, place - 1) < 0) return places.sort(difference);
  }
  return places;
}
