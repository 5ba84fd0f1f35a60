import { z } from 'zod';
import type { AskedMethod } from './methods.ts';

/**
 * Meaning of an iteration. `command`: a whole execution of the program, timed by the runner; `harness`: what the program
 * records by the workload protocol; `lines`: what a pattern or a parser finds in what the program prints or writes.
 */
export const workloadSchema = z.enum(['command', 'harness', 'lines']);
export type Workload = z.infer<typeof workloadSchema>;

/** Properties of a kind of workload: all that the rest of deadheat asks of it. */
interface WorkloadFacts {
  /** The program times its iterations, of which an execution holds several; otherwise the runner times whole executions. */
  readonly timesItself: boolean;
  /** The program follows the workload protocol: it can wait at a barrier, and writes a record. */
  readonly protocol: boolean;
  /** Iterations are read from what the program prints or writes. */
  readonly printed: boolean;
  /** The method where the user names none, or names `auto`. */
  readonly method: AskedMethod;
  /**
   * Iterations of a run where the user does not say, warm-up included: a number, the executions that the method makes of a command, or `null`, as many as
   * the program does.
   */
  readonly iterations: number | 'executions' | null;
  /** Warm-up within a run where the user does not say. */
  readonly warmup: 'none' | 'first-half';
}

export const workloadFacts: Readonly<Record<Workload, WorkloadFacts>> = {
  command: {
    timesItself: false,
    protocol: false,
    printed: false,
    method: 'auto',
    iterations: 'executions',
    warmup: 'none',
  },
  harness: {
    timesItself: true,
    protocol: true,
    printed: false,
    method: 'auto',
    iterations: 40,
    warmup: 'first-half',
  },
  lines: {
    timesItself: true,
    protocol: false,
    printed: true,
    method: 'async-duet',
    iterations: null,
    warmup: 'first-half',
  },
};
