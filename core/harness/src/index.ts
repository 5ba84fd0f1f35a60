export { bench, run, keep } from './bench.ts';
export type { Benchmark, BenchOptions, Chosen, Hook, Measured, ParameterLists } from './benchmark.ts';
export type { Outcome } from './execute.ts';
export { HarnessError, type HarnessErrorCode } from './harness-error.ts';
