import { readSpecLine } from '../../grammar/spec-line.ts';
import type { ParsedIteration } from '../output-parser.ts';
import { textLines } from '../text-lines.ts';

/**
 * The log of SPEC CPU: an iteration is what lies between `Rate Start` and `Rate End`, on the wall clock. Source:
 * asynchronous-duet's `parsers_benchmark.py`.
 */
export function parseSpecCpu(text: string): readonly ParsedIteration[] {
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
