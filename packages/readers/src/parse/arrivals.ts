/** How much of a file was there at a moment. */
export interface Arrival {
  readonly bytes: number;
  /** ns of CLOCK_MONOTONIC. */
  readonly ns: number;
}

/** An iteration that took longer than this cannot end in the same moment as the one before. ns. */
const togetherNs = 50e6;
/** Whoever looks may have been kept from it now and then; a program that holds lines back does so nearly always. */
const mostTogether = 0.2;

/** When the lines of a text were seen. */
export class LineArrivals {
  readonly #ends: readonly number[];
  readonly #arrivals: readonly Arrival[];

  /** `arrivals` in the order of time. */
  constructor(bytes: Uint8Array, arrivals: readonly Arrival[]) {
    const ends: number[] = [];
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) ends.push(feed + 1);
    ends.push(bytes.length);
    this.#ends = ends;
    this.#arrivals = arrivals;
  }

  /** When the end of a line, from 1, was first seen, ns; `null` = it was not. */
  of(line: number): number | null {
    const end = this.#ends[line - 1];
    if (end === undefined) return null;
    let low = 0;
    let high = this.#arrivals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#arrivals[middle]?.bytes ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return this.#arrivals[low]?.ns ?? null;
  }
}

const lineFeed = 0x0a;

/**
 * Ends of iterations by the arrival of their lines: none before the one before has ended, as late as they were seen.
 *
 * @returns `null` when lines were held back by the program, so that their arrival tells nothing
 */
export function endsByArrival(
  iterations: readonly { readonly seenNs: number; readonly durationNs: number }[],
): readonly number[] | null {
  const together = iterations.filter(
    ({ seenNs, durationNs }, index) => iterations[index - 1]?.seenNs === seenNs && durationNs > togetherNs,
  );
  if (together.length > mostTogether * iterations.length) return null;
  const ends: number[] = [];
  let nextStartNs = Number.POSITIVE_INFINITY;
  for (let index = iterations.length - 1; index >= 0; index--) {
    const { seenNs, durationNs } = iterations[index] ?? { seenNs: 0, durationNs: 0 };
    const end = Math.min(seenNs, nextStartNs);
    nextStartNs = end - durationNs;
    if (nextStartNs < 0) return null;
    ends.unshift(end);
  }
  return ends;
}
