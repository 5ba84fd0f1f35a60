import { type Cells, cellOf, readTinybenchRows, tinybenchColumns } from '../../grammar/lines.ts';
import type { Adapter, Reading } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import { type JsonNode, readJson } from '../json/read-json.ts';
import {
  deviationOfMargin,
  perNormal,
  unnamed,
  type ImportedBenchmark,
  oneSided,
  runOf,
  summaryOf,
} from '../imported-file.ts';
import { hasKeys, type ImportSource, readLines } from '../import-source.ts';
import { entriesLeftOut, sortedSamples } from '../limits.ts';
import { nsPer } from '../../grammar/units.ts';
import { malformedText } from '../import-error.ts';

const advice =
  'Write it with JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))), with retainSamples: true.';

/** The tasks of a file: a list of them, below `tasks` or `results`, or a single one. */
function tasksOf(root: JsonNode): readonly JsonNode[] {
  if (Array.isArray(root.value)) return root.items();
  const list = root.maybe('tasks') ?? root.maybe('results');
  return list === null ? [root] : list.items();
}

/**
 * tinybench's results, however a program wrote them down: `{name, result}` a task, or results alone. Versions before 3
 * have the latency's statistics in the result itself. Source: its `src/types.ts`; vitest's `writeResult` has the same shape.
 */
export const tinybench: Adapter = jsonAdapter({
  id: 'tinybench',
  describe: 'results of tinybench as JSON, or of writeResult of vitest 5',
  reads: 'the file is a run, a sample an iteration where samples were retained, else a median',
  cannot: ['SORTED_SAMPLES', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'SUMMARY_ONLY', 'FAILED_RUNS_IGNORED'],
  detect: (head) =>
    (hasKeys(head, 'latency', 'aad', 'critical', 'moe') || hasKeys(head, 'hz', 'rme', 'sem', 'moe')) &&
    !hasKeys(head, 'stats') &&
    !hasKeys(head, 'groups') &&
    !hasKeys(head, 'testResults'),
  advice,
  read: (root, source) => {
    const tasks = tasksOf(root).map((task, index, all) => {
      const result = task.maybe('result') ?? task;
      const name = task.maybe('name')?.text() ?? (all.length === 1 ? unnamed : `task ${index + 1}`);
      return { statistics: result.maybe('latency') ?? result, facts: { name } };
    });
    return readTasks(tasks, source);
  },
});

/** Benchmarks of those tasks that have a result. */
export function readTasks(
  tasks: readonly { readonly statistics: JsonNode; readonly facts: Parameters<typeof fromStatistics>[1] }[],
  { path }: ImportSource,
): Reading {
  const measured = tasks.filter(({ statistics }) => statistics.maybe('mean') !== null);
  const benchmarks = measured.map(({ statistics, facts }) => fromStatistics(statistics, facts));
  return {
    benchmarks,
    limits: [
      ...(benchmarks.some(({ runs }) => runs.length > 0) ? [sortedSamples(path)] : []),
      ...entriesLeftOut(tasks.length - benchmarks.length, 'they have no result'),
    ],
  };
}

/**
 * A benchmark from tinybench's statistics of latency, ms: its samples where they were retained, else mean, standard
 * deviation and count. Vitest passes them on under its own names.
 */
function fromStatistics(
  statistics: JsonNode,
  facts: { readonly name: string; readonly params?: Readonly<Record<string, string>> },
): ImportedBenchmark {
  const samples = statistics.maybe('samples')?.amounts() ?? [];
  if (samples.length > 0) {
    return oneSided({
      ...facts,
      runs: [runOf('0', samples, (ms) => ({ durationNs: ms * nsPer.ms }))],
    });
  }
  const median = statistics.maybe('median') ?? statistics.get('p50');
  const count = statistics.maybe('samplesCount') ?? statistics.maybe('sampleCount');
  return oneSided({
    ...facts,
    summary: {
      meanNs: statistics.get('mean').amount() * nsPer.ms,
      standardDeviationNs: statistics.get('sd').scaledOrNull(nsPer.ms),
      samples: count?.whole() ?? null,
      medianNs: median.scaledOrNull(nsPer.ms),
      spreadNs: spreadOf(statistics, median.numberOrNull()),
      minNs: statistics.get('min').scaledOrNull(nsPer.ms),
      maxNs: statistics.get('max').scaledOrNull(nsPer.ms),
    },
  });
}

/** By the median absolute deviation, of versions without it by the upper quartile, ns. */
function spreadOf(statistics: JsonNode, medianMs: number | null): number | null {
  const absolute = statistics.maybe('mad')?.numberOrNull() ?? null;
  if (absolute !== null) return perNormal.absolute * absolute * nsPer.ms;
  const quartile = statistics.maybe('p75')?.numberOrNull() ?? null;
  return quartile === null || medianMs === null ? null : perNormal.quartile * (quartile - medianMs) * nsPer.ms;
}

const { names, means, medians, counts } = tinybenchColumns;
const tableAdvice = 'Write it with console.table(bench.table()), or JSON.stringify(bench.table()).';
const margins = ['Margin'];

/** `63768 ± 4.02%`, or `63768` with a column for `±4.02%`; `null` for what is none, as `N/A` of a failed task. */
function toBenchmark(cells: Cells): ImportedBenchmark | null {
  const name = cellOf(cells, names);
  const [, mean, own] = /^([\d,.]+)(?:\s*±\s*([\d.]+)%)?$/.exec(cellOf(cells, means) ?? '') ?? [];
  const margin = own ?? /^±\s*([\d.]+)%$/.exec(cellOf(cells, margins) ?? '')?.[1];
  const meanNs = Number((mean ?? '').replaceAll(',', ''));
  const samples = Number((cellOf(cells, counts) ?? '').replaceAll(',', ''));
  if (name === null || mean === undefined || !Number.isFinite(meanNs)) return null;
  const known = Number.isSafeInteger(samples) && samples > 0 ? samples : null;
  const [, median, absolute] = /^([\d,.]+)(?:\s*±\s*([\d,.]+))?$/.exec(cellOf(cells, medians) ?? '') ?? [];

  function numberOf(text: string | undefined): number | null {
    return text === undefined ? null : Number(text.replaceAll(',', ''));
  }

  const absoluteNs = numberOf(absolute);
  const isMargin = margin !== undefined && Number.isFinite(Number(margin));
  return oneSided({
    name,
    summary: summaryOf({
      meanNs,
      samples: known,
      standardDeviationNs:
        known === null || !isMargin ? null : deviationOfMargin(margin, { mean: meanNs, samples: known }),
      medianNs: numberOf(median),
      spreadNs: absoluteNs === null ? null : perNormal.absolute * absoluteNs,
    }),
  });
}

/** A cell of JSON as it would be printed. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** tinybench's `bench.table()`, printed or as JSON: means with their margins of error. Source: its `bench.ts`. */
export const tinybenchTable: Adapter = {
  id: 'tinybench-table',
  describe: "tinybench's table(), printed or as JSON",
  reads: 'medians with their deviations, and means, whose standard deviation follows from the margin of error',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'FAILED_RUNS_IGNORED'],
  detect: (head) =>
    (head.first === '[' && names.some((name) => hasKeys(head, name)) && means.some((name) => hasKeys(head, name))) ||
    !readTinybenchRows(head.lines).next().done,
  read: async (source) => {
    const found = (await rowsOf(source)).map(toBenchmark);
    const benchmarks = found.filter((one) => one !== null);
    return { benchmarks, limits: entriesLeftOut(found.length - benchmarks.length, 'they have no mean') };
  },
};

async function rowsOf(source: ImportSource): Promise<readonly Cells[]> {
  const lines = Array.from(await readLines(source), ({ text }) => text);
  const rows = Array.from(readTinybenchRows(lines), ({ line, cells }) => {
    if (cells !== null) return cells;
    const what = 'a row with other fields than the columns of the table';
    throw malformedText({ path: source.path, line, column: 1 }, { what, advice: tableAdvice });
  });
  if (rows.length > 0 || !/^\s*\[/.test(lines.find((text) => text.trim() !== '') ?? '')) return rows;
  const root = await readJson(source, { advice: tableAdvice });
  return root.items().map((row) => new Map(row.entries().map(([key, { value }]) => [key, textOf(value)])));
}
