import type { Benchmark } from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';

/**
 * The random stream of one purpose in the analysis of one benchmark. It depends on nothing else, so a comparison comes out
 * the same whatever was analysed before it.
 */
export function analysisRandom(seed: string, benchmark: Pick<Benchmark, 'name' | 'params'>, purpose: string): Random {
  return createRandom(JSON.stringify(['analysis', seed, benchmark.name, Object.entries(benchmark.params), purpose]));
}
