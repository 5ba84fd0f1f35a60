import { readGoLine } from '../../grammar/go-line.ts';
import type { ParsedIteration } from '../output-parser.ts';
import { textLines } from '../text-lines.ts';

/** What `go test -bench` prints: a line is an iteration of as many invocations as it says. Source: Go proposal 14313. */
export function parseGo(text: string): readonly ParsedIteration[] {
  const iterations: ParsedIteration[] = [];
  for (const { number, text: line } of textLines(text)) {
    const found = readGoLine(line);
    if (found === null) continue;
    const { benchmark, invocations, opNs, metrics } = found;
    iterations.push({ benchmark, invocations, durationNs: opNs * invocations, line: number, metrics });
  }
  return iterations;
}
