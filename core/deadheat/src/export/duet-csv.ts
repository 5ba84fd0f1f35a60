import { duetCsvColumns } from '@deadheat/readers';
import { methodFacts, withoutSuite, type ExperimentConfig, type Machine } from '@deadheat/model';
import { csvRows } from '@deadheat/report';
import type { ExportFormat } from './export-format.ts';
import { countedRows, timeOfSide, tandemLosses, type CountedRows } from './iteration-formats.ts';
import { nameWithParams } from './report-formats.ts';

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
        pieces: pieces(rows, { artifact: artifacts(startedAt, machine), suites: suitesOf(config) }),
      },
      losses: [
        'duet CSV has no column for cores, invocations, CPU time and marks of warm-up: these data are left out, and so are complete warm-up runs',
        ...tandemLosses(source, 'iteration_time_ns is CPU time there, and duetbench knows no type tandem'),
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

function* pieces({ rows }: CountedRows, { artifact, suites }: Names): Generator<string> {
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
