/**
 * Now, in nanoseconds of CLOCK_MONOTONIC, the time base of every record. A float64 holds it exactly for 104 days
 * after the machine's start, to 2 ns for 208 days, and so on.
 */
export function monotonicNowNs(): number {
  return Number(process.hrtime.bigint());
}
