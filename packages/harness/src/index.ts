export { bench, run } from './bench.ts';
export type { Benchmark, BenchOptions, Chosen, Hook, Measured, ParameterLists } from './benchmark.ts';
export type { Outcome } from './execute.ts';
export { HarnessError, type HarnessErrorCode } from './harness-error.ts';
export { keep } from './keep.ts';
