import { z } from 'zod';

/**
 * The closed list of warnings. A warning is data: it travels with the result into every output and its message
 * ends with what to do.
 */
const warningCodeSchema = z.enum([
  // what the machine cannot do
  'SINGLE_CORE',
  'NO_SHARED_MEMORY',
  'NO_NATIVE_CALLS',
  // what disturbs it
  'SMT_SIBLINGS',
  'CPU_QUOTA',
  'CPU_THROTTLED',
  'LOAD',
  'STEAL',
  'GOVERNOR',
  'CLOCK_RESOLUTION',
  // what the measurements look like
  'RUN_FAR_OFF',
  'SLOW_NOW_AND_THEN',
  'TYPICAL_AND_TOTAL_DIFFER',
  'RUNS_CORRELATED',
  'FEW_RUNS',
  'TIME_LIMIT',
  'RUNS_CUT',
  'PRECISION_NOT_REACHED',
  'NOT_DECIDED',
  'VERY_SHORT',
  'FAILED_RUNS_IGNORED',
  'STRAY_PROCESSES',
  'SIDES_WAIT',
  'SIDES_SHARE_CACHES',
  'SAME_FILE_WRITTEN',
  'THREADS_CONFINED',
  'LOW_OVERLAP',
  'WARMUP_NOT_STABLE',
  'RUNS_NOT_STABLE',
  'TREND',
  'ONE_RUN',
  'FEW_MEASUREMENTS',
  'ALL_EQUAL',
  'CHANGE_AT_EDGE',
  'WARM_UP_INCLUDED',
  'METRIC_UNAVAILABLE',
  'METRICS_DISAGREE',
  'COARSE_CPU_TIME',
  'INTERRUPTED',
  'STDERR_LARGE',
  'OPERATION_TIMES_PRINTED',
  'ARTIFACT_FAILED',
  'BENCHMARKS_DIFFER',
  'INVOCATIONS_DIFFER',
  // what a file of another tool cannot support
  'NO_RUN_VARIANCE',
  'SUMMARY_ONLY',
  'SORTED_SAMPLES',
  'NO_TIMESTAMPS',
  'BLOCK_ORDER',
  'REAL_TIME_FAR_OFF',
  'RATE_INVERTED',
  'COARSE_CLOCK',
  // what the comparisons say together
  'CONTROL_FIRED',
  'WAIVER_EXPIRED',
  'FAMILY_NEEDS_RUNS',
  // what a recording's journal cannot show
  'JOURNAL_TORN',
  // how files were brought together
  'BENCHMARKS_UNMATCHED',
  'NAMES_DIFFER',
  'FILES_IGNORED',
  'MACHINES_DIFFER',
  'MISSING_PARTS',
  // what several machines say together
  'FEW_HOSTS',
  'NOT_CONFIRMED',
]);

/** A warning about a result. */
export const warningSchema = z.object({
  /** Stable name of the kind of warning. */
  code: warningCodeSchema,
  /** The finding, and what to do about it. */
  message: z.string(),
});
export type Warning = z.infer<typeof warningSchema>;
