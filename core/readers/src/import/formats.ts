import { readSpecLine } from '../grammar/lines.ts';
import type { Adapter, PackagedFormat } from './adapter.ts';
import { benchmarkIps, criterion, goBench } from './adapters/rust-go-ruby.ts';
import { benchmarkJs, benchmarkJsText, mitata, tachometer, vitest } from './adapters/javascript.ts';
import { catch2, nanobench } from './adapters/c-plus-plus.ts';
import { csv, jsonLines } from './adapters/tables.ts';
import { dacapo, renaissance, renaissanceCsv } from './adapters/java.ts';
import { googleBenchmark, googleBenchmarkCsv } from './adapters/google-benchmark.ts';
import { hyperfine, hyperfineCsv } from './adapters/hyperfine.ts';
import { jmh, jmhCsv } from './adapters/jmh.ts';
import { multitime, shellTime } from './adapters/shell-time.ts';
import { parquet } from './adapters/parquet.ts';
import { perfStat, perfStatJson } from './adapters/perf-stat.ts';
import { pyperf, pytestBenchmark } from './adapters/python.ts';
import { tinybench, tinybenchTable } from './adapters/tinybench.ts';
import { hasColumns, hasKeys } from './import-source.ts';

const lab = '@deadheat/lab';

const krun: PackagedFormat = {
  id: 'krun',
  describe: 'krun JSON, unpacked',
  package: lab,
  detect: (head) =>
    head.first === '{' &&
    ['wallclock_times', 'pexec_flags', 'core_cycle_counts', 'aperf_counts', 'mperf_counts'].some((key) =>
      hasKeys(head, key),
    ),
};

const warmupStatsCsv: PackagedFormat = {
  id: 'warmup-stats-csv',
  describe: 'CSV of warmup_stats',
  package: lab,
  detect: (head) => hasColumns(head, 'process_exec_idx', 'bench_name'),
};

const steadyState: PackagedFormat = {
  id: 'steady-state',
  describe: 'JSON of steady-state series (Traini et al.), plain or gzip',
  package: lab,
  detect: (head) => head.first === '{' && hasKeys(head, 'series') && /"series"\s*:\s*\[\s*\[/.test(head.text),
};

const paCsv: PackagedFormat = {
  id: 'pa-csv',
  describe: 'CSV of bencher and pa',
  package: lab,
  detect: ({ lines }) =>
    lines[0]?.trim() === 'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value',
};

/** The columns that every table of duetbench begins with, in their order. Source: duetbench, `duet/constants.py`. */
export const duetCsvColumns: readonly string[] = [
  'suite',
  'benchmark',
  'type',
  'runid',
  'pair',
  'iteration',
  'iteration_start_ns',
  'iteration_end_ns',
  'iteration_time_ns',
];

const duetCsv: PackagedFormat = {
  id: 'duet-csv',
  describe: 'CSV of duetbench (asynchronous duets)',
  package: lab,
  detect: (head) => hasColumns(head, ...duetCsvColumns),
};

const dacapoCsv: PackagedFormat = {
  id: 'dacapo-csv',
  describe: "CSV of the D3S group's DaCapo",
  package: lab,
  detect: (head) =>
    hasColumns(head, 'iteration_time_ns', 'start_unix') || hasColumns(head, 'iteration_time_ns', 'total_ms'),
};

const specCpu: PackagedFormat = {
  id: 'spec-cpu',
  describe: 'log of SPEC CPU',
  package: lab,
  detect: ({ lines }) => lines.some((text) => (readSpecLine(text)?.kind ?? 'benchmark') !== 'benchmark'),
};

/** Every format that can be read, in the order in which they are tried. */
export const formats: readonly (Adapter | PackagedFormat)[] = [
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
