import type { BuiltInParser, Params } from '@deadheat/model';
import { parseHarness } from './harnesses.ts';
import type { ParsedIteration } from './output-parser.ts';
import { readDacapoLine, readGoResults, renaissanceOriginNs, readSpecLine, type TextLine } from '../grammar/lines.ts';
import { nsPerUnit, scoreUnit } from '../grammar/units.ts';

/**
 * Parses the output of DaCapo and ScalaBench, on standard error, or the table that the D3S group's DaCapo writes with `-o`. DaCapo calls
 * every iteration but the last `warmup`; that is no mark here, so that the configuration's rule decides, as in ICPE'20
 * section 4. Printed times are whole ms. Source: DaCapo's `harness/Callback.java`; asynchronous-duet's `parsers_benchmark.py`.
 */
function parseDacapo(text: string): readonly ParsedIteration[] {
  const [head = ''] = text.split(/\r?\n/, 1);
  if (head.split(',').includes('iteration_time_ns')) return dacapoTable(text);
  const iterations: ParsedIteration[] = [];
  for (const { number, text: line } of textLines(text)) {
    const found = readDacapoLine(line);
    if (found === null) continue;
    const { benchmark, event, ms } = found;
    if (event === 'failed') throw new TypeError(`DaCapo says that ${benchmark} failed its validation (line ${number})`);
    if (ms !== null) iterations.push({ benchmark, durationNs: ms * 1e6, line: number });
  }
  return iterations;
}

/** `start_unix` is the wall clock, ms; older tables have `total_ms`, which no other process shares. */
function dacapoTable(text: string): readonly ParsedIteration[] {
  return tableRows(text).map((cell) => {
    const startMs = Number(cell('start_unix') ?? Number.NaN);
    return {
      durationNs: Number(cell('iteration_time_ns') ?? Number.NaN),
      benchmark: cell('benchmark'),
      ...(Number.isFinite(startMs) ? { startNs: startMs * 1e6 } : {}),
    };
  });
}

/** The rows of a table with commas and without quotes, each by the names of its columns. */
function tableRows(text: string): readonly ((column: string) => string | undefined)[] {
  const [head = [], ...rows] = Array.from(textLines(text), (line) => line.text.split(','));
  return rows.map((cells) => (column) => cells[head.indexOf(column)]);
}

/** Parses the output of `go test -bench`: a line is an iteration of as many invocations as it says. Source: Go proposal 14313. */
function parseGo(text: string): readonly ParsedIteration[] {
  return Array.from(readGoResults(textLines(text)), (result) => {
    const { benchmark, params, invocations, opNs, number: line, metrics } = result;
    return { benchmark, params, invocations, durationNs: opNs * invocations, line, metrics };
  });
}

const completed = /^====== (\S+) \(.*\)(?: \[.*\])?, iteration \d+ completed \((\d+(?:\.\d+)?) ms\) ======$/;

/**
 * Parses the output of Renaissance, or its results of `--json` (formats 4 to 6) or `--csv`. Starts are on the JVM's monotonic clock
 * (format 6 and its table), or on the wall clock to 1 ms (format 5); what is printed has none. Source: its
 * `ExecutionDriver.java` and `ResultWriter.scala`.
 */
function parseRenaissance(text: string): readonly ParsedIteration[] {
  if (text.trimStart().startsWith('{')) return renaissanceJson(JSON.parse(text));
  if (/^benchmark,\S*duration_ns/.test(text)) return renaissanceTable(text);
  const iterations: ParsedIteration[] = [];
  for (const { number, text: line } of textLines(text)) {
    const [, benchmark, ms] = completed.exec(line) ?? [];
    if (benchmark !== undefined) iterations.push({ benchmark, durationNs: Number(ms) * 1e6, line: number });
  }
  return iterations;
}

function renaissanceJson(value: unknown): readonly ParsedIteration[] {
  const root = jsonRecord(value, 'the file');
  const vm = jsonRecord(jsonRecord(root['environment'], 'environment')['vm'], 'environment.vm');
  const origin = renaissanceOriginNs(vm['start_ns'], vm['start_unix_ms']);
  return Object.entries(jsonRecord(root['data'], 'data')).flatMap(([benchmark, data]) => {
    const { results, termination } = jsonRecord(data, `data.${benchmark}`);
    if (termination === 'failure') throw new TypeError(`Renaissance says that ${benchmark} failed`);
    if (!Array.isArray(results)) throw new TypeError(`data.${benchmark}.results is no list`);
    return results.map((result: unknown, index): ParsedIteration => {
      const { duration_ns: durationNs, uptime_ns: uptimeNs } = jsonRecord(result, `results[${index}]`);
      if (typeof durationNs !== 'number') throw new TypeError(`results[${index}] has no duration_ns`);
      const isTimed = origin !== null && typeof uptimeNs === 'number';
      return { benchmark, durationNs, ...(isTimed ? { startNs: origin + uptimeNs } : {}) };
    });
  });
}

function renaissanceTable(text: string): readonly ParsedIteration[] {
  return tableRows(text).map((textOf) => {
    function cell(name: string): number | null {
      const value = textOf(name) ?? '';
      return value === 'NA' || value === '' ? null : Number(value);
    }
    const origin = renaissanceOriginNs(cell('vm_start_ns'), cell('vm_start_unix_ms'));
    const [durationNs, uptimeNs] = [cell('duration_ns'), cell('uptime_ns')];
    if (durationNs === null) throw new TypeError(`a row of the table has no duration_ns: ${textOf('benchmark')}`);
    const isTimed = origin !== null && uptimeNs !== null;
    return { benchmark: textOf('benchmark'), durationNs, ...(isTimed ? { startNs: origin + uptimeNs } : {}) };
  });
}

/**
 * The log of SPEC CPU: an iteration is what lies between `Rate Start` and `Rate End`, on the wall clock. Source:
 * asynchronous-duet's `parsers_benchmark.py`.
 */
function parseSpecCpu(text: string): readonly ParsedIteration[] {
  const iterations: ParsedIteration[] = [];
  let benchmark: string | undefined;
  let startNs: number | null = null;
  for (const { number, text: line } of textLines(text)) {
    const found = readSpecLine(line);
    if (found === null) continue;
    if (found.kind === 'benchmark') {
      benchmark = found.name;
      continue;
    }
    const ns = Math.round(found.seconds * 1e9);
    if (found.kind === 'start') startNs = ns;
    else if (startNs === null) throw new TypeError(`line ${number} is an end without a start before it`);
    else {
      iterations.push({ benchmark, startNs, endNs: ns });
      startNs = null;
    }
  }
  return iterations;
}

/** The modes as `-rf json` has them, by what is printed. Source: JMH's `Mode.java`. */
const modes: readonly (readonly [printed: string, mode: string])[] = [
  ['Throughput', 'thrpt'],
  ['Average time', 'avgt'],
  ['Sampling time', 'sample'],
  ['Single shot', 'ss'],
];

const iteration = /^(# Warmup Iteration|Iteration) +\d+: (.*)$/;
const score = /^(?:n = \d+, mean = )?(\S+)(?: ±\(99\.9%\) \S+)? (\S+\/\S+?)(?:[,;].*)?$/;

/**
 * Parses the output of JMH, or its results of `-rf json`. A score becomes the time of one operation, and an iteration as many of them
 * as fill the time that JMH gives it. Iterations of the file are the measured ones. Source: `TextReportFormat.java`,
 * `JSONResultFormat.java`.
 */
function parseJmh(text: string): readonly ParsedIteration[] {
  // A line that the virtual machine logs begins with a bracket as well: `[0.9s][info][jfr,startup]`.
  return /^\s*\[(?![^\]\n]*\]\[)/.test(text) ? fromJson(JSON.parse(text)) : fromLines(text);
}

function fromLines(text: string): readonly ParsedIteration[] {
  const iterations: ParsedIteration[] = [];
  const lengthNs = { warmup: 0, measure: 0 };
  let benchmark: string | undefined;
  let params: Params = {};
  let mode: Params = {};
  let threads: Params = {};
  for (const { number, text: line } of textLines(text)) {
    const [, key, value = ''] =
      /^# (Warmup|Measurement|Threads|Benchmark mode|Benchmark|Parameters): (.*)$/.exec(line) ?? [];
    if (key === 'Warmup') lengthNs.warmup = lengthOf(value);
    if (key === 'Measurement') lengthNs.measure = lengthOf(value);
    if (key === 'Parameters') params = paramsOf(value);
    if (key === 'Threads') threads = threadsOf(Number.parseInt(value, 10));
    if (key === 'Benchmark mode') {
      const found = modes.find(([printed]) => value.startsWith(printed));
      mode = found === undefined ? {} : { mode: found[1] };
    }
    if (key === 'Benchmark') {
      benchmark = value;
      params = {};
    }
    const [, kind, found = ''] = iteration.exec(line) ?? [];
    if (kind === undefined) continue;
    const [, amount = '', unit = ''] = score.exec(found.trim()) ?? [];
    const phase = kind === 'Iteration' ? 'measure' : 'warmup';
    const opNs = operationNs(Number(amount), unit);
    if (opNs === null) {
      throw new TypeError(
        `line ${number} has the score '${found.slice(0, 40)}', which is no time; run JMH with -Duser.language=en and a ` +
          'unit in which scores are not tiny, such as -tu ns',
      );
    }
    iterations.push({
      benchmark,
      params: { ...mode, ...threads, ...params },
      phase,
      line: number,
      ...filled(opNs, lengthNs[phase]),
    });
  }
  return iterations;
}

/** Time of an iteration in `5 iterations, 10 s each`; 0 = it is one operation. */
function lengthOf(text: string): number {
  const [, amount, unit = ''] = /, ([\d.]+) (\w+) each/.exec(text) ?? [];
  return amount === undefined ? 0 : Number(amount) * (nsPerUnit(unit) ?? 0);
}

/** Several threads are a parameter. */
function threadsOf(threads: number): Params {
  return threads > 1 ? { threads: String(threads) } : {};
}

/** `(size = 10, kind = a)`. */
function paramsOf(text: string): Params {
  const pairs = text.replaceAll(/^\(|\)$/g, '').split(/, (?=[\w.]+ = )/);
  return Object.fromEntries(
    pairs.map((pair) => [pair.split(' = ', 1)[0] ?? '', pair.split(' = ').slice(1).join(' = ')]),
  );
}

/** Time of one operation, ns; `null` = the score is none. */
function operationNs(amount: number, unit: string): number | null {
  const { isRate, nsPerUnit: ns } = scoreUnit(unit) ?? { isRate: false, nsPerUnit: Number.NaN };
  const opNs = isRate ? ns / amount : amount * ns;
  return opNs > 0 && Number.isFinite(opNs) ? opNs : null;
}

function filled(opNs: number, lengthNs: number): { readonly durationNs: number; readonly invocations: number } {
  const invocations = Math.max(1, Math.round(lengthNs / opNs));
  return { durationNs: opNs * invocations, invocations };
}

function fromJson(value: unknown): readonly ParsedIteration[] {
  if (!Array.isArray(value)) throw new TypeError('the file is no list');
  return value.flatMap((entry: unknown, index) => {
    const result = jsonRecord(entry, `entry ${index}`);
    const { benchmark, params, mode, threads, measurementTime } = result;
    const { rawData, scoreUnit: ofScore } = jsonRecord(result['primaryMetric'], `entry ${index}: primaryMetric`);
    if (!Array.isArray(rawData)) {
      throw new TypeError(`entry ${index} has no rawData; JMH leaves it out in sample mode: use -bm avgt`);
    }
    const lengthNs = mode === 'ss' ? 0 : lengthOf(`, ${String(measurementTime)} each`);
    return (rawData as readonly unknown[][]).flat().map((amount): ParsedIteration => {
      const opNs = operationNs(Number(amount), String(ofScore));
      if (opNs === null) throw new TypeError(`entry ${index} has the score ${String(amount)} ${String(ofScore)}`);
      const own = params as Params | undefined;
      const named = { ...(typeof mode === 'string' ? { mode } : {}), ...threadsOf(Number(threads)), ...own };
      return { benchmark: String(benchmark), params: named, phase: 'measure', ...filled(opNs, lengthNs) };
    });
  });
}

/** The lines of a text, with LF or CRLF at their ends. */
function* textLines(text: string): Generator<TextLine> {
  let number = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    number += 1;
    yield { number, text: text.slice(start, text[end - 1] === '\r' ? end - 1 : end) };
    start = end + 1;
  }
}

/**
 * A JSON value as an object; `what` names it in the error.
 *
 * @throws TypeError for anything else
 */
function jsonRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new TypeError(`${what} is no object`);
}

/** The parsers that are built in; each throws an error that says what is not as its format has it. */
export const builtInParsers: Readonly<Record<BuiltInParser, (text: string) => readonly ParsedIteration[]>> = {
  renaissance: parseRenaissance,
  dacapo: parseDacapo,
  scalabench: parseDacapo,
  'spec-cpu': parseSpecCpu,
  jmh: parseJmh,
  go: parseGo,
  'cargo-bench': parseHarness('cargo-bench'),
  criterion: parseHarness('criterion'),
  'google-benchmark': parseHarness('google-benchmark'),
  catch2: parseHarness('catch2'),
  'pytest-benchmark': parseHarness('pytest-benchmark'),
  timeit: parseHarness('timeit'),
  pyperf: parseHarness('pyperf'),
  mitata: parseHarness('mitata'),
  tinybench: parseHarness('tinybench'),
  'benchmark-js': parseHarness('benchmark-js'),
};

/**
 * Classes of `clients/java/adapters` with which a harness takes part in a duet itself, where deadheat reads what it prints. Harnesses in Java write each
 * line at once.
 */
export const javaAdapters: Readonly<Partial<Record<BuiltInParser, string>>> = {
  jmh: 'DuetJmh',
  renaissance: 'DuetRenaissance',
  dacapo: 'DuetDaCapo',
  scalabench: 'DuetScalaBench',
};
