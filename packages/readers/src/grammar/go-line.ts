/** A result of `go test -bench`. */
export interface GoLine {
  /** Without `Benchmark`, with sub-benchmarks and the number of CPUs. */
  readonly benchmark: string;
  readonly invocations: number;
  /** Of one invocation, ns; NaN where the line has no number before its unit. */
  readonly opNs: number;
  /** Further numbers, by their unit. */
  readonly metrics: Readonly<Record<string, number>>;
}

const line = /^Benchmark(\S+)\s+(\d+)\s+(\S.*)$/;
const nsPer: ReadonlyMap<string | undefined, number> = new Map([
  ['ns/op', 1],
  ['sec/op', 1e9],
]);

/**
 * `BenchmarkName-2   1000   1042 ns/op   16 B/op`; `null` for any other line, and one without a time. Source: Go proposal
 * 14313, golang/perf `benchfmt/reader.go`.
 */
export const readGoLine = (text: string): GoLine | null => {
  const [, benchmark, count, rest = ''] = line.exec(text) ?? [];
  if (benchmark === undefined) return null;
  const fields = rest.trim().split(/\s+/);
  const at = fields.findIndex((field) => nsPer.has(field));
  if (at < 1) return null;
  const metrics: Record<string, number> = {};
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [amount, unit = ''] = [Number(fields[index]), fields[index + 1]];
    if (index !== at - 1 && unit.length > 1 && Number.isFinite(amount)) metrics[unit] = amount;
  }
  const opNs = Number(fields[at - 1]) * (nsPer.get(fields[at]) ?? Number.NaN);
  return { benchmark, invocations: Number(count), opNs, metrics };
};
