import type { Explanation } from '../explain.ts';

/** An explanation as JSON, `deadheat.explain/1`: times in seconds of CPU time a run. */
export function renderJson(explanation: Explanation): string {
  const { tree: _tree, table, functions, ...facts } = explanation;
  const rows = functions.map(({ fn, ...cost }) => {
    const aligned = fn === null ? null : (table[fn] ?? null);
    return { kind: aligned?.kind ?? 'others', A: aligned?.A ?? null, B: aligned?.B ?? null, ...renamed(cost) };
  });
  return `${JSON.stringify({ schema: 'deadheat.explain/1', ...facts, functions: rows }, null, 2)}\n`;
}

/** The times under names with their unit. */
function renamed({
  self,
  total,
  ...rest
}: Omit<Explanation['functions'][number], 'fn'>): Readonly<Record<string, unknown>> {
  return { selfSeconds: self, totalSeconds: total, ...rest };
}
