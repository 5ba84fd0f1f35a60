import type { Adapter } from './adapter.ts';
import { criterion } from './adapters/criterion.ts';
import { csv } from './adapters/csv.ts';
import { dacapo } from './adapters/dacapo.ts';
import { dacapoCsv } from './adapters/dacapo-csv.ts';
import { duetCsv } from './adapters/duet-csv.ts';
import { goBench } from './adapters/go-bench.ts';
import { googleBenchmark } from './adapters/google-benchmark.ts';
import { hyperfine } from './adapters/hyperfine.ts';
import { jmh } from './adapters/jmh.ts';
import { jmhCsv } from './adapters/jmh-csv.ts';
import { jsonLines } from './adapters/json-lines.ts';
import { krun } from './adapters/krun.ts';
import { mitata } from './adapters/mitata.ts';
import { paCsv } from './adapters/pa-csv.ts';
import { pyperf } from './adapters/pyperf.ts';
import { renaissance } from './adapters/renaissance.ts';
import { renaissanceCsv } from './adapters/renaissance-csv.ts';
import { specCpu } from './adapters/spec-cpu.ts';
import { tachometer } from './adapters/tachometer.ts';
import { tinybench } from './adapters/tinybench.ts';
import { vitest } from './adapters/vitest.ts';
import { warmupStatsCsv } from './adapters/warmup-stats-csv.ts';

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
