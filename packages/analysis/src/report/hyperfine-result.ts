import type { Comparison, HyperfineResult, Side } from '@deadheat/model';

/** One side of a comparison in the shape of hyperfine's `results`; `command` is the name, as hyperfine's own export has it. */
export const hyperfineResult = (comparison: Comparison, side: Side): HyperfineResult => {
  const { name, mean, stddev, median, user, system, min, max, times, exitCodes } = comparison.sides[side];
  const result = { command: name, mean, stddev, median, user, system, min, max, times, exit_codes: exitCodes };
  return Object.keys(comparison.params).length === 0 ? result : { ...result, parameters: comparison.params };
};
