import { renaissanceOriginNs } from '../../grammar/renaissance-origin.ts';
import type { ParsedIteration } from '../output-parser.ts';
import { textLines } from '../text-lines.ts';
import { jsonRecord } from './json-record.ts';

const completed = /^====== (\S+) \(.*\)(?: \[.*\])?, iteration \d+ completed \((\d+(?:\.\d+)?) ms\) ======$/;

/**
 * What Renaissance prints, or writes with `--json` (formats 4 to 6) or `--csv`. Starts are on the JVM's monotonic clock
 * (format 6 and its table), or on the wall clock to 1 ms (format 5); what is printed has none. Source: its
 * `ExecutionDriver.java` and `ResultWriter.scala`.
 */
export function parseRenaissance(text: string): readonly ParsedIteration[] {
  if (text.trimStart().startsWith('{')) return fromJson(JSON.parse(text));
  if (/^benchmark,\S*duration_ns/.test(text)) return fromTable(text);
  const iterations: ParsedIteration[] = [];
  for (const { number, text: line } of textLines(text)) {
    const [, benchmark, ms] = completed.exec(line) ?? [];
    if (benchmark !== undefined) iterations.push({ benchmark, durationNs: Number(ms) * 1e6, line: number });
  }
  return iterations;
}

function fromJson(value: unknown): readonly ParsedIteration[] {
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

function fromTable(text: string): readonly ParsedIteration[] {
  const [head, ...rows] = [...textLines(text)].map((line) => line.text.split(','));
  return rows.map((cells) => {
    const cell = (name: string): number | null => {
      const value = cells[head?.indexOf(name) ?? -1];
      return value === undefined || value === 'NA' || value === '' ? null : Number(value);
    };
    const origin = renaissanceOriginNs(cell('vm_start_ns'), cell('vm_start_unix_ms'));
    const [durationNs, uptimeNs] = [cell('duration_ns'), cell('uptime_ns')];
    if (durationNs === null) throw new TypeError(`a row of the table has no duration_ns: ${cells.join(',')}`);
    const isTimed = origin !== null && uptimeNs !== null;
    return { benchmark: cells[0], durationNs, ...(isTimed ? { startNs: origin + uptimeNs } : {}) };
  });
}
