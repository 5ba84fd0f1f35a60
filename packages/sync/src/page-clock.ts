/** Low 31 bits: what a word of the page holds without its sign. */
const mask = 0x7fff_ffff;

/** Now, as the page tells the start of an execution: milliseconds of CLOCK_MONOTONIC, low 31 bits. */
export function pageClockMs(): number {
  return Number((process.hrtime.bigint() / 1_000_000n) & BigInt(mask));
}

/** Milliseconds since a reading of {@link pageClockMs}, right also when the clock has wrapped once in between. */
export function sincePageClockMs(startedMs: number): number {
  return (pageClockMs() - startedMs) & mask;
}
