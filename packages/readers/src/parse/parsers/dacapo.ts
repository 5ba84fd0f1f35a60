import { readDacapoLine } from '../../grammar/dacapo-line.ts';
import type { ParsedIteration } from '../output-parser.ts';
import { textLines } from '../text-lines.ts';

/**
 * What DaCapo and ScalaBench print, on standard error, or the table that the D3S group's DaCapo writes with `-o`. DaCapo calls
 * every iteration but the last `warmup`; that is no mark here, so that the configuration's rule decides, as in ICPE'20
 * section 4. Printed times are whole ms. Source: DaCapo's `harness/Callback.java`; asynchronous-duet's `parsers_benchmark.py`.
 */
export function parseDacapo(text: string): readonly ParsedIteration[] {
  const [head = ''] = text.split(/\r?\n/, 1);
  if (head.split(',').includes('iteration_time_ns')) return fromTable(text);
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
function fromTable(text: string): readonly ParsedIteration[] {
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
