import type { BuiltInParser, Params } from '@deadheat/model';
import {
  cellOf,
  googleAggregates,
  longestLine,
  readGoLine,
  readTinybenchRows,
  countCalls,
  tinybenchColumns,
} from '../grammar/lines.ts';
import { nsPerUnit } from '../grammar/units.ts';
import type { ParsedIteration } from './output-parser.ts';

/** A benchmark in what a harness printed. */
interface PrintedResult {
  readonly benchmark: string;
  /** Distinguish benchmarks of one name. */
  readonly params?: Params;
  /** Time of one operation, ns. */
  readonly opNs: number;
  /** Number of operations that were timed; `null` = it is not printed. */
  readonly operations: number | null;
}

/** A harness that executes a benchmark until a time is over. */
interface Harness {
  /** Name for people. */
  readonly name: string;
  /** Parser of its output; `null` = there is none. */
  readonly parser: BuiltInParser | null;
  /** Its results in lines without colours. */
  readonly read: (lines: readonly string[]) => readonly PrintedResult[];
  /** It prints a result of the same benchmark again; of others a name that comes again is another benchmark. */
  readonly repeats?: true;
}

const number = String.raw`\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?`;
const unit = String.raw`[pnuµμm]?s(?:ec)?`;

/** Number of a text that may have commas between its thousands. */
function amountOf(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

/** Time with its unit as a text has them, ns; NaN for a unit that is none. */
function nsOf(time: string | undefined, of: string): number {
  return amountOf(time) * (nsPerUnit(of) ?? Number.NaN);
}

/** Results of a line each, by a pattern with the groups `time` and `unit`, or `rate`, and where they are printed `name` and `count`. */
function byLine(pattern: RegExp): Harness['read'] {
  return (lines) =>
    lines.flatMap((line) => {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined) return [];
      const { name = 'main', time, unit: of = '', rate, count } = groups;
      const opNs = rate === undefined ? nsOf(time, of) : 1e9 / amountOf(rate);
      return [{ benchmark: name.trim(), opNs, operations: count === undefined ? null : amountOf(count) }];
    });
}

/** True with lines that a harness alone prints; their results are read by a parser, or not at all. */
function bySign(pattern: RegExp): Harness['read'] {
  return (lines) =>
    lines.some((line) => pattern.test(line)) ? [{ benchmark: 'main', opNs: Number.NaN, operations: null }] : [];
}

function readGo(lines: readonly string[]): readonly PrintedResult[] {
  return lines.flatMap((line) => {
    const found = readGoLine(line);
    return found === null ? [] : [{ ...found, operations: found.invocations }];
  });
}

const timeitLine = byLine(
  new RegExp(`^(?<count>\\d+) loops?, best of \\d+: (?<time>${number}) (?<unit>\\wsec|sec) per loop`),
);
/** `timeit` doubles its loops (1, 2, 5, 10, ...) until they take 0.2 s; the best of its repetitions is a little faster. */
const timeitNs = { least: 0.1e9, most: 1e9 };

/** Loops that took as long as `timeit` wants were chosen by it; others by `-n`. Source: CPython `Lib/timeit.py`, `autorange`. */
function readTimeit(lines: readonly string[]): readonly PrintedResult[] {
  return timeitLine(lines).map((result) => {
    const loops = result.operations ?? 1;
    const totalNs = result.opNs * loops;
    const isChosen = loops > 1 && totalNs > timeitNs.least && totalNs < timeitNs.most;
    return { ...result, operations: isChosen ? null : loops };
  });
}

const googleLine = new RegExp(
  `^(?<name>\\S.*?)\\s+(?<time>${number}) (?<unit>${unit})\\s+(?<cpu>${number}) ${unit}\\s+(?<count>\\d+)(?:\\s|$)`,
);
/** An operation whose CPU time is a smaller share of its time waits, however busy the machine is. */
const leastCpu = 0.05;

/** CPU time, by which it counts its operations as well, but of benchmarks that ask for real or own time, and of operations that wait. */
function readGoogle(lines: readonly string[]): readonly PrintedResult[] {
  const rows = lines.flatMap((line) => {
    const { name: benchmark = '', time, cpu, unit: of = '', count } = googleLine.exec(line)?.groups ?? {};
    if (time === undefined) return [];
    const waits = amountOf(cpu) < leastCpu * amountOf(time) || /\/(?:real|manual)_time/.test(benchmark);
    return [{ benchmark, opNs: nsOf(waits ? time : cpu, of), operations: amountOf(count) }];
  });
  const aggregates = googleAggregates(rows.map(({ benchmark, operations }) => [benchmark, operations]));
  return rows.filter((_, index) => aggregates[index] === null);
}

const criterionLine = new RegExp(`^(?<name>.*?)\\s+time:\\s+\\[${number} ${unit} (?<time>${number}) (?<unit>${unit}) `);

/** A name that is too long for the column stands on the line before. Source: criterion.rs, `src/report.rs`. */
function readCriterion(lines: readonly string[]): readonly PrintedResult[] {
  return lines.flatMap((line, index) => {
    const { name = '', time, unit: of = '' } = criterionLine.exec(line)?.groups ?? {};
    if (time === undefined) return [];
    const benchmark = name.trim() === '' ? (lines[index - 1]?.trim() ?? '') : name.trim();
    return [{ benchmark, opNs: nsOf(time, of), operations: null }];
  });
}

const catch2Head = /^(?<name>\S.*?)\s+(?<samples>\d+)\s+(?<count>\d+)\s+[\d.]+ \w+\s*$/;
const catch2Mean = new RegExp(`^\\s{20,}(?<time>${number}) (?<unit>${unit})\\s`);
/**
 * The mean stands below the name, samples and iterations of a sample; a name that is too long for its column begins on lines before. Test case
 * and sections stand between two rules. Source: Catch2, `catch_reporter_console.cpp`.
 */
function readCatch2(lines: readonly string[]): readonly PrintedResult[] {
  if (!lines.some((line) => /samples\s+iterations\s+est/.test(line))) return [];
  let params: Params = {};
  let block: string[] = [];
  let isBelowRule = false;
  return lines.flatMap((line, index) => {
    const { name = '', samples, count } = catch2Head.exec(line)?.groups ?? {};
    const { time, unit: of = '' } = catch2Mean.exec(lines[index + 1] ?? '')?.groups ?? {};
    if (samples !== undefined && time !== undefined) {
      const benchmark = [...block.splice(0), name].join(' ');
      return [{ benchmark, params, opNs: nsOf(time, of), operations: Number(samples) * Number(count) }];
    }
    const isRule = /^-{20,}$/.test(line);
    if (isRule && isBelowRule && block.length > 0) {
      const [test = '', ...sections] = block;
      params = { test, ...(sections.length === 0 ? {} : { section: sections.join(' / ') }) };
    }
    if (isRule || line.trim() === '') [block, isBelowRule] = [[], isRule];
    else if (/^\s{0,19}\S/.test(line)) block.push(line.trim());
    return [];
  });
}

/**
 * Columns behind the name are counted from the right: a name may hold blanks. A group has a table, in the order of the times; benchmarks of one
 * name in it are of several files. Source: pytest-benchmark, `table.py`.
 */
function readPytest(lines: readonly string[]): readonly PrintedResult[] {
  let columns: readonly string[] = [];
  let ns = Number.NaN;
  let params: Params = {};
  let callOf = countCalls();
  return lines.flatMap((line) => {
    // The name of a group as Python writes a text.
    const [title, , group] = /^-+ benchmark(?: (['"])(.*)\1)?: \d+ tests -+$/.exec(line) ?? [];
    if (title !== undefined) {
      params = group === undefined ? {} : { group };
      callOf = countCalls();
    }
    const [, of, rest = ''] = /^Name \(time in (\w+)\)\s+(.*)$/.exec(line) ?? [];
    if (of !== undefined) {
      ns = nsPerUnit(of) ?? Number.NaN;
      columns = rest.trim().split(/\s{2,}/);
      return [];
    }
    const words = line
      .replaceAll(/ \((?:[\d.,]+|>[\d.,]+|inf)\)/g, '')
      .trim()
      .split(/\s+/);
    const cells = words.slice(-columns.length);
    if (columns.length === 0 || words.length <= columns.length) return [];
    if (!cells.every((cell) => /^(?:[\d.,;]+|inf|nan)$/.test(cell))) return [];
    function cell(...names: readonly string[]): number {
      return amountOf(cells[columns.findIndex((column) => names.includes(column))] ?? 'none');
    }
    const [median, mean] = [cell('Median'), cell('Mean')];
    const operations = cell('Rounds') * cell('Iterations');
    const opNs = (Number.isFinite(median) ? median : Number.isFinite(mean) ? mean : cell('Min')) * ns;
    const benchmark = words.slice(0, -columns.length).join(' ');
    return [
      {
        benchmark,
        params: { ...params, ...callOf(benchmark) },
        opNs,
        operations: Number.isFinite(operations) ? operations : null,
      },
    ];
  });
}

function readTinybench(lines: readonly string[]): readonly PrintedResult[] {
  return [...readTinybenchRows(lines)].flatMap(({ cells }) => {
    if (cells === null) return [];
    const [, mean] = /^([\d,.]+)/.exec(cellOf(cells, tinybenchColumns.means) ?? '') ?? [];
    const benchmark = cellOf(cells, tinybenchColumns.names);
    if (mean === undefined || benchmark === null) return [];
    return [{ benchmark, opNs: amountOf(mean), operations: amountOf(cellOf(cells, tinybenchColumns.counts) ?? '') }];
  });
}

const mitataLine = byLine(new RegExp(`^(?<name>\\S.*?)\\s+(?<time>${number}) (?<unit>${unit})/iter(?:\\s|$)`));

/** A group has its name above the rule over its benchmarks. Source: mitata, `main.mjs`. */
function readMitata(lines: readonly string[]): readonly PrintedResult[] {
  let params: Params = {};
  return lines.flatMap((line, index) => {
    if (/^-{20,} /.test(line)) {
      const [, group] = /^• (.*\S)/.exec(lines[index - 1] ?? '') ?? [];
      params = group === undefined ? {} : { group };
    }
    return mitataLine([line]).map((result) => ({ ...result, params }));
  });
}

const harnesses: readonly Harness[] = [
  { name: 'go test -bench', parser: 'go', read: readGo },
  { name: 'JMH', parser: 'jmh', read: bySign(/^# Measurement: \d+ iterations, [\d.]+ \w+ each/) },
  {
    name: 'cargo bench',
    parser: 'cargo-bench',
    read: byLine(new RegExp(`^test (?<name>.+?)\\s+\\.\\.\\. bench:\\s+(?<time>${number}) (?<unit>ns)/iter`)),
  },
  { name: 'criterion', parser: 'criterion', read: readCriterion },
  { name: 'Google Benchmark', parser: 'google-benchmark', read: readGoogle, repeats: true },
  { name: 'Catch2', parser: 'catch2', read: readCatch2 },
  { name: 'pytest-benchmark', parser: 'pytest-benchmark', read: readPytest, repeats: true },
  { name: 'timeit', parser: 'timeit', read: readTimeit },
  {
    name: 'pyperf',
    parser: 'pyperf',
    read: byLine(new RegExp(`^(?:(?<name>.+): )?Mean \\+- std dev: (?<time>${number}) (?<unit>${unit}) \\+- `)),
  },
  { name: 'mitata', parser: 'mitata', read: readMitata },
  { name: 'tinybench', parser: 'tinybench', read: readTinybench },
  {
    name: 'Benchmark.js',
    parser: 'benchmark-js',
    read: byLine(
      new RegExp(`^(?<name>\\S.*?) x (?<rate>${number}) ops/sec ±[\\d.]+% \\((?<count>\\d+) runs? sampled\\)`),
    ),
  },
  { name: 'vitest bench', parser: null, read: bySign(/\bname\s+hz\s+min\s+max\s+mean\s+p75/) },
  { name: 'divan', parser: null, read: bySign(/\bfastest\s+│ slowest\s+│ median\s+│ mean\s+│ samples/) },
  { name: 'BenchmarkDotNet', parser: null, read: bySign(/^\|\s*Method\s*\|.*\bMean\s*\|.*\bError\s*\|/) },
];

/** Lines without colours, and without what one that is redrawn held before; a long one is empty. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r*\n/).map((line) => {
    if (line.length > longestLine) return '';
    // oxlint-disable-next-line no-control-regex
    return line.slice(line.lastIndexOf('\r') + 1).replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, '');
  });
}

/** A harness whose processes take a time that was given, whatever an operation costs. */
export interface SeenHarness {
  /** Name for people. */
  readonly name: string;
  /** Parser of its output; `null` = there is none. */
  readonly parser: BuiltInParser | null;
  /** Number of results that a process printed, at least 1. */
  readonly results: number;
  /** Longest time of an operation among them, ns; `null` = none is known. */
  readonly slowestNs: number | null;
}

/**
 * Recognises by the output of both sides a harness that executes a benchmark until a time is over. Where both sides executed all benchmarks
 * equally often, once or a round number of hundreds of times, the work was fixed (`-benchtime=100x`, or an operation longer than the
 * budget): few operations of similar costs are as many by chance.
 *
 * @returns `null` = none was recognised
 */
export function recogniseHarness(texts: readonly string[]): SeenHarness | 'fixed-work' | null {
  const printed = texts.map(linesOf);
  for (const { name, parser, read } of harnesses) {
    const results = printed.map(read);
    if (results.every((own) => own.length === 0)) continue;
    const counts = results.map((own) =>
      JSON.stringify(own.map(({ benchmark, operations }) => [benchmark, operations])),
    );
    const isRound = results.flat().every(({ operations }) => /^(?:1|[1-9]00+)$/.test(String(operations)));
    if (isRound && new Set(counts).size === 1) return 'fixed-work';
    const known = results.flat().flatMap(({ opNs }) => (opNs > 0 && Number.isFinite(opNs) ? [opNs] : []));
    const slowestNs = known.length === 0 ? null : Math.max(...known);
    return { name, parser, results: Math.max(...results.map((own) => own.length)), slowestNs };
  }
  return null;
}

const operationTime = new RegExp(
  `\\b${number} ?(?:${unit}|ops?|iterations?)\\s?/\\s?(?:op|operation|iter|iteration|loop|call|run|s|sec|second)\\b`,
  'i',
);

/** The line of an output that looks like the time or the rate of an operation, as `12 ns/op` or `500 ops/sec`; `null` = none does. */
export function findOperationTime(text: string): string | null {
  return linesOf(text).find((line) => operationTime.test(line)) ?? null;
}

/** An iteration is as many operations as fill this time: with whole nanoseconds of one its time would be lost. */
const filledNs = 1e8;

/**
 * Parses the text of a harness: a result is an iteration. A name that comes again has the parameter `call`, 2 and so on.
 *
 * @returns iterations without times of day
 */
export function parseHarness(parser: BuiltInParser): (text: string) => readonly ParsedIteration[] {
  const harness = harnesses.find((one) => one.parser === parser);
  return (text) => {
    const callOf = harness?.repeats === true ? () => ({}) : countCalls();
    return (harness?.read(linesOf(text)) ?? []).flatMap(({ benchmark, params = {}, opNs }) => {
      const own = { ...params, ...callOf([benchmark, params]) };
      if (!(opNs > 0 && Number.isFinite(opNs))) return [];
      const invocations = Math.max(1, Math.round(filledNs / opNs));
      return [{ benchmark, params: own, invocations, durationNs: opNs * invocations }];
    });
  };
}
