import type { Adapter } from './adapter.ts';
import { criterion } from './adapters/criterion.ts';
import { csv, jsonLines } from './adapters/tables.ts';
import { dacapo, dacapoCsv } from './adapters/dacapo.ts';
import { duetCsv } from './adapters/duet-csv.ts';
import { goBench } from './adapters/go-bench.ts';
import { googleBenchmark } from './adapters/google-benchmark.ts';
import { hyperfine } from './adapters/hyperfine.ts';
import { jmh, jmhCsv } from './adapters/jmh.ts';
import { krun, warmupStatsCsv } from './adapters/krun.ts';
import { mitata } from './adapters/mitata.ts';
import { paCsv } from './adapters/pa-csv.ts';
import { pyperf } from './adapters/pyperf.ts';
import { renaissance, renaissanceCsv } from './adapters/renaissance.ts';
import { specCpu } from './adapters/spec-cpu.ts';
import { tachometer } from './adapters/tachometer.ts';
import { tinybench } from './adapters/tinybench.ts';
import { vitest } from './adapters/vitest.ts';

/** Every format that can be read, in the order in which they are tried. */
export const adapters: readonly Adapter[] = [
  jmh,
  jmhCsv,
  hyperfine,
  googleBenchmark,
  pyperf,
  renaissance,
  renaissanceCsv,
  criterion,
  krun,
  warmupStatsCsv,
  tachometer,
  mitata,
  vitest,
  tinybench,
  paCsv,
  duetCsv,
  dacapo,
  dacapoCsv,
  specCpu,
  goBench,
  csv,
  jsonLines,
];
