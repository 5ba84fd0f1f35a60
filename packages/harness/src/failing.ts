import { HarnessError } from './harness-error.ts';
import type { Benchmark } from './benchmark.ts';

/** An error that a function, a hook or a setup threw, with the benchmark's name; errors of ours say enough already. */
export function withBenchmark(error: unknown, { name, paramTexts }: Benchmark): unknown {
  if (isOurs(error)) return error;
  const params = Object.entries(paramTexts).map(([key, value]) => `, ${key}=${value}`);
  const message = `benchmark '${name}'${params.join('')} failed: ${error instanceof Error ? error.message : String(error)}`;
  return new HarnessError('BENCHMARK_FAILED', message, { cause: error });
}

/** What to print about an error: ours need no stack, those of a benchmark do. */
export function explain(error: unknown): string {
  if (!isOurs(error)) return `deadheat: ${stackOf(error)}\n`;
  const { message, cause } = error;
  const stack = error instanceof HarnessError && error.code === 'BENCHMARK_FAILED' ? `\n${stackOf(cause)}` : '';
  return `deadheat: ${message}${stack}\n`;
}

/** Errors of `@deadheat/sync` are known by their name: the package may be absent. */
function isOurs(error: unknown): error is Error {
  return error instanceof HarnessError || (error instanceof Error && error.name === 'SyncError');
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
