/**
 * Measurements in their hierarchy, one to three levels deep: `runs[r]`, `runs[r][m]` or `runs[r][s][m]` (run, segment,
 * measurement; or fork, iteration, invocation).
 */
export type NestedSample = ArrayLike<number> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>>;

/**
 * The same without nested arrays, for large data. `offsets` holds one array a level above the values, from the top: the
 * children of node i of a level are the nodes (at last: values) offsets[level][i] .. offsets[level][i + 1] - 1 of the next. Runs
 * of measurements need one array of length runs + 1, runs of segments of measurements two.
 */
export interface FlatSample {
  readonly values: Float64Array;
  readonly offsets: readonly Int32Array[];
}
