import { z } from 'zod';
import { phaseSchema } from './vocabulary.ts';

/** Whole nanoseconds; beyond 2^53 (a machine up for 104 days) to the nearest float64. */
const nanosecondsSchema = z.number().nonnegative().refine(Number.isInteger, 'whole nanoseconds expected');

/**
 * One timed execution inside a run: the record line of the workload protocol. Times are integer nanoseconds of
 * CLOCK_MONOTONIC. Unknown keys are further metrics and are kept.
 */
export const iterationSchema = z.looseObject({
  /** Index of the iteration in its run, from 0. */
  i: z.int().nonnegative(),
  /** Start, ns. */
  s: nanosecondsSchema,
  /** End, ns; never before the start. */
  e: nanosecondsSchema,
  /** Invocations that the iteration held; 1 when absent. */
  n: z.int().positive().optional(),
  /** `warmup` for an iteration that is not to be judged. */
  p: phaseSchema.optional(),
  /** Wall time, ns, where `s` and `e` are too large for a float64 to hold every ns; else it is `e` - `s`. */
  w: z.number().nonnegative().optional(),
  /** CPU time (user + system of the process tree), ns. */
  c: z.number().nonnegative().optional(),
  /** Time for which it was runnable and had to wait for a CPU, ns. */
  q: z.number().nonnegative().optional(),
  /** Times of single invocations, all or drawn from all of them, ns: what stability is judged by. */
  d: z.array(z.number().nonnegative()).min(1).optional(),
  /** Involuntary context switches. */
  v: z.int().nonnegative().optional(),
});
export type Iteration = z.infer<typeof iterationSchema>;
