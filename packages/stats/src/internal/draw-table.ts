/** Values laid out for drawing by ten random bits: each group as often as it fits into 1024 places, zeros behind. */
export interface DrawTable {
  readonly values: Float64Array;
  /** For each group its number of places before the zeros, or 0 where a table does not pay. */
  readonly limits: Int32Array;
  /** Where each group's table begins. */
  readonly bases: Int32Array;
}

const PLACES = 1024;
// More memory than this is not worth the speed.
const MOST = 4_000_000;

/** Tables pay for groups of 64 to 1024 values of which 1024 places waste at most one in eight. O(values). */
export const drawTable = (values: Float64Array, starts: Int32Array): DrawTable => {
  const groups = starts.length - 1;
  const limits = new Int32Array(groups);
  const bases = new Int32Array(groups);
  let size = 0;
  for (let g = 0; g < groups; g++) {
    const n = starts[g + 1]! - starts[g]!;
    const limit = n < 64 || n > PLACES ? 0 : PLACES - (PLACES % n);
    if (limit < (PLACES * 7) / 8 || size + PLACES > MOST) continue;
    limits[g] = limit;
    bases[g] = size;
    size += PLACES;
  }
  const table = new Float64Array(size);
  for (let g = 0; g < groups; g++) {
    const part = values.subarray(starts[g], starts[g + 1]);
    for (let at = 0; at < limits[g]!; at += part.length) table.set(part, bases[g]! + at);
  }
  return { values: table, limits, bases };
};
