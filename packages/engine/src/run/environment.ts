import type { Benchmark, Side } from '@deadheat/model';

/** A side's environment: this process's, what the benchmark sets for it, and which side it is. */
export function sideEnvironment(
  side: Side,
  benchmark: Pick<Benchmark, 'environment'>,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !perRun.has(name)) environment[name] = value;
  }
  return { ...environment, ...benchmark.environment[side], DEADHEAT_SIDE: side };
}

/** Set anew for every run by whoever starts the program, or not at all: an outer duet's page is not this one's. */
const perRun = new Set([
  'DEADHEAT_RUN',
  'DEADHEAT_CPUS',
  'DEADHEAT_MARK',
  'DEADHEAT_PAD',
  'DEADHEAT_SIDE',
  'DEADHEAT_PAGE',
  'DEADHEAT_RECORD',
  'DEADHEAT_ITERATIONS',
  'DEADHEAT_WARMUP',
  'DEADHEAT_FILL',
  'DEADHEAT_WAIT',
  'DEADHEAT_TRADE',
  'DEADHEAT_CALIBRATION',
]);
