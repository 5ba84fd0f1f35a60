/** Name of the scripts by which a profiled program writes the time: `deadheat-clock:<place>:<ns of CLOCK_MONOTONIC>`. */
export const clockScript = 'deadheat-clock';
/** Number of these scripts that it runs. */
export const clockScripts = 8;

/** The offset of a log's clock, which starts anywhere, from CLOCK_MONOTONIC. */
export interface ClockOffset {
  /** To be added to a time of the log, ns. */
  readonly offsetNs: number;
  /** Largest error of the offset in either direction, ns. */
  readonly errorNs: number;
}

/**
 * Narrows down the offset of a log's clock. Every event was logged after the moment that its own name holds and before the moment that
 * the next one's holds; the offset lies where all of these agree.
 */
export class ClockBounds {
  #lowNs = -Infinity;
  #highNs = Infinity;
  #lastLogNs: number | null = null;

  /** @param logNs time in the log, cut to `resolutionNs`; @param readNs CLOCK_MONOTONIC, read before the event was logged. */
  add(logNs: number, readNs: number, resolutionNs: number): void {
    this.#lowNs = Math.max(this.#lowNs, readNs - logNs - resolutionNs);
    if (this.#lastLogNs !== null) this.#highNs = Math.min(this.#highNs, readNs - this.#lastLogNs);
    this.#lastLogNs = logNs;
  }

  /** `null` with fewer than two events, or where they contradict each other. */
  get offset(): ClockOffset | null {
    if (!Number.isFinite(this.#highNs) || this.#lowNs > this.#highNs) return null;
    return { offsetNs: (this.#lowNs + this.#highNs) / 2, errorNs: (this.#highNs - this.#lowNs) / 2 };
  }
}

/** The offset of the wall clock from CLOCK_MONOTONIC, in numbers that are exact: times of it are counted from `originNs`. */
interface WallClock extends ClockOffset {
  /** A moment shortly before the reading, ns of the Unix epoch. */
  readonly originNs: bigint;
}

/** A reading of both clocks at the beginning of a millisecond. */
interface WallReading {
  readonly wallMs: number;
  /** CLOCK_MONOTONIC of the last look before it began, and of the first one after. */
  readonly beforeNs: bigint;
  readonly afterNs: bigint;
}

/** Waits, busily, for the next millisecond of the wall clock. */
export function readWallClock(): WallReading {
  const start = Date.now();
  let beforeNs = process.hrtime.bigint();
  for (;;) {
    const wallMs = Date.now();
    const afterNs = process.hrtime.bigint();
    if (wallMs !== start) return { wallMs, beforeNs, afterNs };
    beforeNs = afterNs;
  }
}

/**
 * The offset of the wall clock between two readings. Where the two disagree, since the wall clock was set or slewed meanwhile, the
 * error covers both.
 */
export function wallClockBetween(first: WallReading, last: WallReading): WallClock {
  const originNs = BigInt(first.wallMs) * 1_000_000n;
  const bounds = [first, last].flatMap(({ wallMs, beforeNs, afterNs }) => {
    const wallNs = BigInt(wallMs) * 1_000_000n - originNs;
    return [Number(beforeNs - wallNs), Number(afterNs - wallNs)];
  });
  const low = Math.min(...bounds);
  const high = Math.max(...bounds);
  return { originNs, offsetNs: (low + high) / 2, errorNs: (high - low) / 2 };
}
