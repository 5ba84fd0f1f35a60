import type { Adapter } from './adapter.ts';
import { benchmarkIps } from './adapters/benchmark-ips.ts';
import { benchmarkJs, benchmarkJsText } from './adapters/benchmark-js.ts';
import { catch2 } from './adapters/catch2.ts';
import { criterion } from './adapters/criterion.ts';
import { csv, jsonLines } from './adapters/tables.ts';
import { dacapo, dacapoCsv } from './adapters/dacapo.ts';
import { duetCsv } from './adapters/duet-csv.ts';
import { goBench } from './adapters/go-bench.ts';
import { googleBenchmark, googleBenchmarkCsv } from './adapters/google-benchmark.ts';
import { hyperfine, hyperfineCsv } from './adapters/hyperfine.ts';
import { jmh, jmhCsv } from './adapters/jmh.ts';
import { krun, warmupStatsCsv } from './adapters/krun.ts';
import { mitata } from './adapters/mitata.ts';
import { multitime, shellTime } from './adapters/shell-time.ts';
import { nanobench } from './adapters/nanobench.ts';
import { parquet } from './adapters/parquet.ts';
import { paCsv } from './adapters/pa-csv.ts';
import { perfStat, perfStatJson } from './adapters/perf-stat.ts';
import { pyperf } from './adapters/pyperf.ts';
import { pytestBenchmark } from './adapters/pytest-benchmark.ts';
import { renaissance, renaissanceCsv } from './adapters/renaissance.ts';
import { specCpu } from './adapters/spec-cpu.ts';
import { steadyState } from './adapters/steady-state.ts';
import { tachometer } from './adapters/tachometer.ts';
import { tinybench } from './adapters/tinybench.ts';
import { tinybenchTable } from './adapters/tinybench-table.ts';
import { vitest } from './adapters/vitest.ts';

/** Every format that can be read, in the order in which they are tried. */
export const adapters: readonly Adapter[] = [
  jmh,
  jmhCsv,
  hyperfine,
  hyperfineCsv,
  googleBenchmark,
  googleBenchmarkCsv,
  nanobench,
  catch2,
  pyperf,
  pytestBenchmark,
  renaissance,
  renaissanceCsv,
  criterion,
  krun,
  warmupStatsCsv,
  steadyState,
  tachometer,
  mitata,
  vitest,
  benchmarkJs,
  benchmarkJsText,
  tinybench,
  tinybenchTable,
  benchmarkIps,
  paCsv,
  duetCsv,
  dacapo,
  dacapoCsv,
  specCpu,
  perfStat,
  perfStatJson,
  multitime,
  shellTime,
  goBench,
  parquet,
  csv,
  jsonLines,
];
