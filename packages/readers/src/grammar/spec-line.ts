/** What a line of SPEC CPU's log tells. */
export type SpecLine =
  { readonly kind: 'benchmark'; readonly name: string } | { readonly kind: 'start' | 'end'; readonly seconds: number };

const edge = /\b(?:Rate|Speed) (Start|End): .*\((\d{1,12}(?:\.\d+)?)\)/;
const running = /\bRunning\s+(?:\(#\d+\)\s+)?(\d{3}\.\w+)/;
/** Lines of the log are far shorter. */
const longest = 1000;

/**
 * `Rate Start: 2022-06-01 14:04:52 (1654092292.28303)`, its end, or the name of what runs; `null` for any other line. Seconds of
 * the wall clock. Source: asynchronous-duet's `parsers_benchmark.py`.
 */
export const readSpecLine = (text: string): SpecLine | null => {
  if (text.length > longest) return null;
  const name = running.exec(text)?.[1];
  if (name !== undefined) return { kind: 'benchmark', name };
  const [, which, seconds] = edge.exec(text) ?? [];
  return which === undefined ? null : { kind: which === 'Start' ? 'start' : 'end', seconds: Number(seconds) };
};
