/** The end of an iteration of DaCapo or ScalaBench. */
interface DacapoLine {
  readonly benchmark: string;
  /**
   * `warmup`: DaCapo's word for every iteration but the last; `passed` ends a run, `failed` loses it.
   */
  readonly event: 'warmup' | 'passed' | 'failed';
  /** The first of a run that has several. */
  readonly isFirst: boolean;
  /** Whole milliseconds; `null` where the line has none. */
  readonly ms: number | null;
}

const dacapoLine = /^===== (?:DaCapo|ScalaBench) .*?(\S+) (completed warmup|PASSED|FAILED)\b(.*)=====\s*$/;
const time = / in (\d{1,12}) msec /;
/** Lines of harnesses and of logs are far shorter; a pattern is not tried on what else a program prints. */
export const longestLine = 1000;
const events = { 'completed warmup': 'warmup', PASSED: 'passed', FAILED: 'failed' } as const;

/**
 * `===== DaCapo 9.12 avrora completed warmup 1 in 1234 msec =====` and its kin; `null` for any other line. Source: DaCapo's
 * `harness/Callback.java`.
 */
export function readDacapoLine(text: string): DacapoLine | null {
  const [, benchmark, event, rest = ''] = text.length > longestLine ? [] : (dacapoLine.exec(text) ?? []);
  if (benchmark === undefined) return null;
  const ms = time.exec(rest)?.[1];
  return {
    benchmark,
    event: events[event as keyof typeof events],
    isFirst: rest.startsWith(' 1 '),
    ms: ms === undefined ? null : Number(ms),
  };
}

/** A result of `go test -bench`. */
export interface GoLine {
  /** Without `Benchmark`, with sub-benchmarks and the number of CPUs. */
  readonly benchmark: string;
  readonly invocations: number;
  /** Time of one invocation, ns; NaN where the line has no number before its unit. */
  readonly opNs: number;
  /** Further numbers, by their unit. */
  readonly metrics: Readonly<Record<string, number>>;
}

const goLine = /^Benchmark(\S+)\s+(\d+)\s+(\S.*)$/;
const nsPer: ReadonlyMap<string | undefined, number> = new Map([
  ['ns/op', 1],
  ['sec/op', 1e9],
]);

/**
 * `BenchmarkName-2   1000   1042 ns/op   16 B/op`; `null` for any other line, and one without a time. Source: Go proposal
 * 14313, golang/perf `benchfmt/reader.go`.
 */
export function readGoLine(text: string): GoLine | null {
  const [, benchmark, count, rest = ''] = goLine.exec(text) ?? [];
  if (benchmark === undefined) return null;
  const fields = rest.trim().split(/\s+/);
  const at = fields.findIndex((field) => nsPer.has(field));
  if (at < 1) return null;
  // Numbers and units alternate, perhaps after a word that is neither.
  const numbers = fields.slice((at - 1) % 2);
  let opNs: number | null = null;
  const metrics: Record<string, number> = {};
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [amount, unit = ''] = [Number(numbers[index]), numbers[index + 1]];
    const unitNs = nsPer.get(unit);
    if (unitNs !== undefined && opNs === null) opNs = amount * unitNs;
    else if (unit.length > 1 && Number.isFinite(amount)) metrics[unit] = amount;
  }
  return { benchmark, invocations: Number(count), opNs: opNs ?? Number.NaN, metrics };
}

/** Gives those that have the same key as one before the further parameter `call`, 2 and so on. */
export function countCalls(): (key: unknown) => { readonly call?: string } {
  const calls = new Map<string, number>();
  return (key) => {
    const text = JSON.stringify(key);
    const call = (calls.get(text) ?? 0) + 1;
    calls.set(text, call);
    return call === 1 ? {} : { call: String(call) };
  };
}

/** A line of a text, without its end. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** A result of a text of `go test -bench`. */
interface GoResult extends GoLine, TextLine {
  /** The package, where the text names it. */
  readonly params: Readonly<Record<string, string>>;
  /** Test programs of the package that ended before. */
  readonly run: number;
}

/**
 * The results of a text of `go test -bench`: `ok` or `FAIL` ends a test program. The time stands on a later line than the name where the benchmark
 * prints something.
 */
export function* readGoResults(lines: Iterable<TextLine>): Generator<GoResult> {
  const ended = new Map<string, number>();
  let [pkg, name] = ['', ''];
  for (const { number, text } of lines) {
    const found = readGoLine(/^\s*\d+\s/.test(text) ? `${name} ${text}` : text);
    const run = ended.get(pkg) ?? 0;
    name = found === null ? (/^Benchmark\S+/.exec(text)?.[0] ?? name) : '';
    if (found !== null) yield { ...found, number, text, params: pkg === '' ? {} : { pkg }, run };
    else if (/^(ok|FAIL)\s/.test(text)) ended.set(pkg, run + 1);
    else pkg = (/^pkg:(?:\s+(.*))?$/.exec(text)?.[1] ?? pkg).trim();
  }
}

/**
 * Start of Renaissance's JVM on a clock that all programs of a machine share, ns: the monotonic one (`start_ns`, format 6), or
 * the wall clock to 1 ms (format 5); `null` = unknown. Source: its `ResultWriter.scala`.
 */
export function renaissanceOriginNs(startNs: unknown, startUnixMs: unknown): number | null {
  if (typeof startNs === 'number') return startNs;
  return typeof startUnixMs === 'number' ? startUnixMs * 1e6 : null;
}

/** A line of SPEC CPU's log. */
type SpecLine =
  { readonly kind: 'benchmark'; readonly name: string } | { readonly kind: 'start' | 'end'; readonly seconds: number };

const edge = /\b(?:Rate|Speed) (Start|End): .*\((\d{1,12}(?:\.\d+)?)\)/;
const running = /\bRunning\s+(?:\(#\d+\)\s+)?(\d{3}\.\w+)/;

/**
 * `Rate Start: 2022-06-01 14:04:52 (1654092292.28303)`, its end, or the name of what runs; `null` for any other line. Seconds of
 * the wall clock. Source: asynchronous-duet's `parsers_benchmark.py`.
 */
export function readSpecLine(text: string): SpecLine | null {
  if (text.length > longestLine) return null;
  const name = running.exec(text)?.[1];
  if (name !== undefined) return { kind: 'benchmark', name };
  const [, which, seconds] = edge.exec(text) ?? [];
  return which === undefined ? null : { kind: which === 'Start' ? 'start' : 'end', seconds: Number(seconds) };
}

/** A row of a table, by its columns. */
export type Cells = ReadonlyMap<string, string>;

/** Columns of tinybench's table from version 3 on, and those of version 2; times in ns. */
export const tinybenchColumns = {
  names: ['Task name', 'Task Name'],
  means: ['Latency avg (ns)', 'Latency average (ns)', 'Average Time (ns)'],
  medians: ['Latency med (ns)', 'Latency median (ns)'],
  counts: ['Samples'],
} as const;

export function cellOf(cells: Cells, columns: readonly string[]): string | null {
  const column = columns.find((name) => cells.has(name));
  return column === undefined ? null : (cells.get(column) ?? null);
}

/**
 * The fields of a row that `console.table` printed, or of a table in Markdown; `null` for its borders and any other line. A name in quotes may
 * hold borders.
 */
function fieldsOf(text: string, columns: readonly string[]): readonly string[] | null {
  const isMarkdown = !text.includes('│');
  const fields = text.split(isMarkdown ? /(?<!\\)\|/ : '│').slice(1, -1);
  if (fields.length < 2) return null;
  const at = columns.findIndex((column) => tinybenchColumns.names.some((name) => name === column));
  const names = fields.slice(at, at + fields.length - columns.length + 1).join('│');
  if (fields.length > columns.length && at >= 0 && quoted.test(names.trim()))
    fields.splice(at, fields.length - columns.length + 1, names);
  return fields.map((field) => quoted.exec(field.trim())?.[2] ?? field.trim().replaceAll('\\|', '|'));
}
const quoted = /^(['"`])(.*)\1$/;

/** The rows of tinybench's tables with their lines, from 1, each by the columns of the head above it; `null` = it has other columns. */
export function* readTinybenchRows(
  lines: readonly string[],
): Generator<{ readonly line: number; readonly cells: Cells | null }> {
  let columns: readonly string[] = [];
  for (const [index, text] of lines.entries()) {
    const fields = text.length > 2 * longestLine ? null : fieldsOf(text, columns);
    if (/^\s*└/.test(text)) columns = [];
    if (fields === null) continue;
    if (isTinybenchHead(fields)) columns = fields;
    else if (columns.length > 0 && !fields.every((field) => /^:?-*:?$/.test(field))) {
      const cells = new Map(columns.map((column, k) => [column, fields[k] ?? '']));
      yield { line: index + 1, cells: fields.length === columns.length ? cells : null };
    }
  }
}

/** True for the head of tinybench's table. */
function isTinybenchHead(fields: readonly string[]): boolean {
  return (
    tinybenchColumns.names.some((name) => fields.includes(name)) &&
    tinybenchColumns.means.some((name) => fields.includes(name))
  );
}

/** A statistic of the repetitions of a benchmark. */
export interface GoogleAggregate {
  /** Of the benchmark. */
  readonly name: string;
  readonly statistic: string;
}

/**
 * The statistic that each row of Google Benchmark's tables, as its name and its number of iterations, is of the repetitions of a benchmark; `null` for a row of one: those
 * of a mean and of a standard deviation have the number of repetitions there. A benchmark may be called `BM_mean` as well.
 */
export function googleAggregates(
  rows: readonly (readonly [name: string, count: number | string])[],
): readonly (GoogleAggregate | null)[] {
  const known = new Set(rows.map((row) => row.join(' ')));
  return rows.map(([row, count]) => {
    const [, name, statistic = ''] = /^(.*)_(mean|median|stddev|cv)$/.exec(row) ?? [];
    const isOne = name !== undefined && ['mean', 'stddev'].every((of) => known.has(`${name}_${of} ${count}`));
    return isOne ? { name, statistic } : null;
  });
}
