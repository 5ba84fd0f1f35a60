import type { Adapter } from '../adapter.ts';
import { malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf } from '../imported-file.ts';
import { hasKeys, type ImportSource } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import { entriesLeftOut } from '../limits.ts';
import { deviationOfMargin } from '../margin.ts';
import { readLines } from '../text/read-lines.ts';

const advice = 'Write it with console.table(bench.table()), or JSON.stringify(bench.table()).';
/** Columns from version 3 on, and those of version 2; times in ns. */
const names = ['Task name', 'Task Name'];
const means = ['Latency avg (ns)', 'Latency average (ns)', 'Average Time (ns)'];
const margins = ['Margin'];
const counts = ['Samples'];

type Cells = ReadonlyMap<string, string>;

function cell(cells: Cells, columns: readonly string[]): string | null {
  const column = columns.find((name) => cells.has(name));
  return column === undefined ? null : (cells.get(column) ?? null);
}

/** `63768 ± 4.02%`, or `63768` with a column for `±4.02%`; `null` for what is none, as `N/A` of a failed task. */
function toBenchmark(cells: Cells): ImportedBenchmark | null {
  const name = cell(cells, names);
  const [, mean, own] = /^([\d,.]+)(?:\s*±\s*([\d.]+)%)?$/.exec(cell(cells, means) ?? '') ?? [];
  const margin = own ?? /^±\s*([\d.]+)%$/.exec(cell(cells, margins) ?? '')?.[1];
  const meanNs = Number((mean ?? '').replaceAll(',', ''));
  const samples = Number((cell(cells, counts) ?? '').replaceAll(',', ''));
  if (name === null || mean === undefined || !Number.isFinite(meanNs)) return null;
  const known = Number.isSafeInteger(samples) && samples > 0 ? samples : null;
  const isMargin = margin !== undefined && Number.isFinite(Number(margin));
  return oneSided({
    name,
    summary: summaryOf({
      meanNs,
      samples: known,
      standardDeviationNs:
        known === null || !isMargin ? null : deviationOfMargin(margin, { mean: meanNs, samples: known }),
    }),
  });
}

/** The fields of a row that `console.table` printed, or of a table in Markdown; `null` for its borders and any other line. */
function fieldsOf(text: string): readonly string[] | null {
  const border = text.includes('│') ? '│' : '|';
  const fields = text.split(border).map((field) => field.trim());
  if (fields.length < 4) return null;
  return fields.slice(1, -1).map((field) => /^'(.*)'$/.exec(field)?.[1] ?? field);
}

/** A cell of JSON as it would be printed. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isHeader(fields: readonly string[]): boolean {
  return names.some((name) => fields.includes(name)) && means.some((name) => fields.includes(name));
}

/** tinybench's `bench.table()`, printed or as JSON: means with their margins of error. Source: its `bench.ts`. */
export const tinybenchTable: Adapter = {
  id: 'tinybench-table',
  describe: "tinybench's table(), printed or as JSON",
  reads: 'means; the standard deviation follows from the margin of error',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: false,
  detect: (head) =>
    (head.first === '[' && names.some((name) => hasKeys(head, name)) && means.some((name) => hasKeys(head, name))) ||
    head.lines.some((text) => text.length < 2000 && isHeader(fieldsOf(text) ?? [])),
  read: async (source) => {
    const found = (await rowsOf(source)).map(toBenchmark);
    const benchmarks = found.filter((one) => one !== null);
    return { benchmarks, limits: entriesLeftOut(found.length - benchmarks.length, 'they have no mean') };
  },
};

async function rowsOf(source: ImportSource): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  let columns: readonly string[] | null = null;
  for (const { number, text } of await readLines(source)) {
    if (columns === null && /^\s*\[/.test(text)) {
      const root = await readJson(source, { advice });
      return root.items().map((row) => new Map(row.entries().map(([key, { value }]) => [key, textOf(value)])));
    }
    const fields = fieldsOf(text);
    if (fields === null) continue;
    if (isHeader(fields)) columns = fields;
    else if (columns !== null && !fields.every((field) => /^:?-*:?$/.test(field))) {
      if (fields.length !== columns.length) {
        const what = `${fields.length} fields in a table of ${columns.length} columns`;
        throw malformedText({ path: source.path, line: number, column: 1 }, { what, advice });
      }
      const names = columns;
      rows.push(new Map(fields.map((field, index) => [names[index] ?? '', field])));
    }
  }
  return rows;
}
