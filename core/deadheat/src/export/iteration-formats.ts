import {
  furtherMetrics,
  iterationColumns,
  iterationRows,
  metricColumnNames,
  writeIterationsParquet,
  type IterationRow,
} from '@deadheat/recording';
import { methodFacts, type Trial, withoutSuite, type ExperimentConfig, type Machine } from '@deadheat/model';
import { csvRows } from '@deadheat/report';
import type { ExportFormat, ExportSource } from './export-format.ts';
import { duetCsvColumns } from '@deadheat/readers';
import { nameWithParams } from './report-formats.ts';

/** The further metrics of a recording and its iterations, row by row. */
interface CountedRows {
  readonly metrics: readonly string[];
  readonly rows: Iterable<IterationRow>;
}

/** Iterations of the runs that count, those of warm-up runs only with `warmupRuns`; of pilot runs none. */
export function countedRows(
  { recording: { experiment, trials }, records }: ExportSource,
  { warmupRuns }: { readonly warmupRuns: boolean },
): CountedRows {
  const counted: readonly Trial[] = warmupRuns ? trials : trials.filter(({ phase }) => phase === 'measure');
  const metrics = furtherMetrics(counted, records);
  return { metrics, rows: iterationRows(counted, { experiment, metrics, records }) };
}

/** Loss of tandems, and of sides alone on a core, in a format that has wall times alone, or has them first; empty without. */
export function tandemLosses({ recording: { trials } }: ExportSource, remedy: string): readonly string[] {
  const hasTandem = trials.some(({ method, phase }) => methodFacts[method].ownTime === 'cpu' && phase === 'measure');
  return hasTandem ? [`on one core the wall time of a side is that of others as well: ${remedy}`] : [];
}

/** The time of a side, ns: on one core CPU time, as far as it was measured. */
export function timeOfSide({ method, durationNs, cpuNs }: IterationRow): number {
  return methodFacts[method].ownTime === 'cpu' ? (cpuNs ?? durationNs) : durationNs;
}

/** Every iteration a row, with the columns of `iterations.parquet`; what is not known is empty. */
export const csv: ExportFormat = {
  id: 'csv',
  describe: 'a CSV table with one row for each iteration',
  needsFile: false,
  ofReport: null,
  make: async (source) => ({
    content: { kind: 'text', pieces: pieces(countedRows(source, { warmupRuns: true })) },
    losses: [
      'CSV holds the iterations only: settings, ratio, interval and verdict are left out',
      ...tandemLosses(source, 'compare cpu_ns, not duration_ns'),
    ],
  }),
};

function* pieces({ metrics, rows }: CountedRows): Generator<string> {
  yield csvRows([[...iterationColumns.map(({ name }) => name), ...metricColumnNames(metrics)]]);
  for (const row of rows) {
    yield csvRows([
      [...iterationColumns.map(({ field }) => row[field]), ...metrics.map((metric) => row.metrics[metric] ?? null)],
    ]);
  }
}

/** `iterations.parquet`, made anew from journal and records. */
export const parquet: ExportFormat = {
  id: 'parquet',
  describe: 'Parquet, one row for each iteration; needs --file',
  needsFile: true,
  ofReport: null,
  make: async (source) => {
    const { recording, records } = source;
    const { experiment, trials } = recording;
    return {
      content: { kind: 'file', write: (path) => writeIterationsParquet(path, { experiment, trials, records }) },
      losses: [
        'Parquet holds iterations only: settings, ratio, interval and verdict are left out',
        ...tandemLosses(source, 'compare cpu_ns, not duration_ns'),
      ],
    };
  },
};

/**
 * The table of the thesis' tool, one row an iteration: its base columns, then its artifacts, which are facts of the
 * machine here, then which side was started first. None of the former is empty: the tool groups by them. Source: Drozdík 2023, section 3.3; `duet/constants.py`.
 */
export const duetCsv: ExportFormat = {
  id: 'duet-csv',
  describe: "the CSV table of duetbench, Drozdík's tool",
  needsFile: false,
  ofReport: null,
  make: async (source) => {
    const { startedAt, machine, config } = source.recording.experiment;
    const rows = countedRows(source, { warmupRuns: false });
    return {
      content: {
        kind: 'text',
        pieces: duetPieces(rows, { artifact: artifacts(startedAt, machine), suites: suitesOf(config) }),
      },
      losses: [
        'duet CSV has no column for cores, invocations, CPU time and marks of warm-up: these data are left out, and so are complete warm-up runs',
        ...tandemLosses(source, 'iteration_time_ns is CPU time there, and duetbench knows neither type: tandem, alone'),
      ],
    };
  },
};

interface Names {
  readonly artifact: ReadonlyMap<string, string>;
  /** Suites of benchmarks in containers, by the benchmarks' names. */
  readonly suites: ReadonlyMap<string, string>;
}

/** Suites by benchmark of a duetbench file, in which the name of a benchmark begins with its suite. */
function suitesOf({ benchmarks }: ExperimentConfig): Names['suites'] {
  return new Map(benchmarks.flatMap(({ name, containers }) => (containers === null ? [] : [[name, containers.suite]])));
}

function* duetPieces({ rows }: CountedRows, { artifact, suites }: Names): Generator<string> {
  yield csvRows([[...duetCsvColumns, ...artifact.keys(), 'order']]);
  const facts = [...artifact.values()];
  for (const row of rows) {
    const { benchmark, params, method, run, side, order, iteration, startNs, endNs } = row;
    const suite = suites.get(benchmark) ?? row.suite;
    const bare = suites.has(benchmark) ? withoutSuite(benchmark, suite) : benchmark;
    const name = nameWithParams(bare, JSON.parse(params) as Readonly<Record<string, string>>);
    const times = [startNs, endNs, timeOfSide(row)];
    yield csvRows([[suite, name, methodFacts[method].duetbench, run, side, iteration, ...times, ...facts, order]]);
  }
}

function artifacts(
  startedAt: string,
  { hostname, cpuModel, memoryTotalBytes, platform, kernel }: Machine,
): ReadonlyMap<string, string> {
  return new Map([
    ['date', startedAt],
    ['hostname', hostname],
    ['lscpu', cpuModel ?? 'unknown'],
    ['meminfo', `${Math.round(memoryTotalBytes / 1024)} kB`],
    ['uname', `${platform} ${hostname} ${kernel}`],
  ]);
}
