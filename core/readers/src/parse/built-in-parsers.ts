import type { BuiltInParser } from '@deadheat/model';
import type { ParsedIteration } from './output-parser.ts';
import { parseJmh } from './parsers/jmh.ts';
import { readDacapoLine, readGoLine, renaissanceOriginNs, readSpecLine } from '../grammar/lines.ts';
import { textLines, jsonRecord } from './text-lines.ts';

/**
 * What DaCapo and ScalaBench print, on standard error, or the table that the D3S group's DaCapo writes with `-o`. DaCapo calls
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
  const [head = [], ...rows] = [...textLines(text)].map((line) => line.text.split(','));
  const [time, start, name] = ['iteration_time_ns', 'start_unix', 'benchmark'].map((column) => head.indexOf(column));
  return rows.map((cells) => {
    const durationNs = Number(cells[time ?? -1] ?? Number.NaN);
    const startMs = Number(cells[start ?? -1] ?? Number.NaN);
    return {
      durationNs,
      benchmark: cells[name ?? -1],
      ...(Number.isFinite(startMs) ? { startNs: startMs * 1e6 } : {}),
    };
  });
}

/** What `go test -bench` prints: a line is an iteration of as many invocations as it says. Source: Go proposal 14313. */
function parseGo(text: string): readonly ParsedIteration[] {
  const iterations: ParsedIteration[] = [];
  for (const { number, text: line } of textLines(text)) {
    const found = readGoLine(line);
    if (found === null) continue;
    const { benchmark, invocations, opNs, metrics } = found;
    iterations.push({ benchmark, invocations, durationNs: opNs * invocations, line: number, metrics });
  }
  return iterations;
}

const completed = /^====== (\S+) \(.*\)(?: \[.*\])?, iteration \d+ completed \((\d+(?:\.\d+)?) ms\) ======$/;

/**
 * What Renaissance prints, or writes with `--json` (formats 4 to 6) or `--csv`. Starts are on the JVM's monotonic clock
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
  const [head, ...rows] = [...textLines(text)].map((line) => line.text.split(','));
  return rows.map((cells) => {
    function cell(name: string): number | null {
      const value = cells[head?.indexOf(name) ?? -1];
      return value === undefined || value === 'NA' || value === '' ? null : Number(value);
    }
    const origin = renaissanceOriginNs(cell('vm_start_ns'), cell('vm_start_unix_ms'));
    const [durationNs, uptimeNs] = [cell('duration_ns'), cell('uptime_ns')];
    if (durationNs === null) throw new TypeError(`a row of the table has no duration_ns: ${cells.join(',')}`);
    const isTimed = origin !== null && uptimeNs !== null;
    return { benchmark: cells[0], durationNs, ...(isTimed ? { startNs: origin + uptimeNs } : {}) };
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

/** The parsers that are built in; each throws an error that says what is not as its format has it. */
export const builtInParsers: Readonly<Record<BuiltInParser, (text: string) => readonly ParsedIteration[]>> = {
  renaissance: parseRenaissance,
  dacapo: parseDacapo,
  scalabench: parseDacapo,
  'spec-cpu': parseSpecCpu,
  jmh: parseJmh,
  go: parseGo,
};
