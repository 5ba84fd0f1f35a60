/** What grows in a run is looked at so many times in an iteration, within these bounds. */
const looksInIteration = 4;
export const shortestLookMs = 5;
const longestLookMs = 100;

/** How long to wait before the next look, ms, by the time of the last iteration, ns; 0 = there was none. */
export function lookPauseMs(iterationNs: number): number {
  return Math.min(longestLookMs, Math.max(shortestLookMs, iterationNs / 1e6 / looksInIteration));
}
