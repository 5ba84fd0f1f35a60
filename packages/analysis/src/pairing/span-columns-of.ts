import type { SpanColumns } from './overlapping-rows.ts';
import type { TimeSpan } from './time-span.ts';

/** Spans in columns. */
export const spanColumnsOf = (spans: readonly TimeSpan[]): SpanColumns => {
  const startsNs = new Float64Array(spans.length);
  const endsNs = new Float64Array(spans.length);
  for (const [row, { s, e }] of spans.entries()) {
    startsNs[row] = s;
    endsNs[row] = e;
  }
  return { startsNs, endsNs };
};
