/**
 * Start of Renaissance's JVM on a clock that all programs of a machine share, ns: the monotonic one (`start_ns`, format 6), or
 * the wall clock to 1 ms (format 5); `null` = not told. Source: its `ResultWriter.scala`.
 */
export const renaissanceOriginNs = (startNs: unknown, startUnixMs: unknown): number | null => {
  if (typeof startNs === 'number') return startNs;
  return typeof startUnixMs === 'number' ? startUnixMs * 1e6 : null;
};
