import { chooseTimeUnit, countOf, formatTime, type TimeUnit } from '@deadheat/report';
import { stepsPerUnit, workloads, type Language, type LoneRun, type WorkloadOrder } from '@deadheat/workloads';

/** The iterations of a workload that ran alone: what it did, a row an iteration, the extremes and the median. */
export function workloadTable(
  { iterations, result }: LoneRun,
  { workload, language, amount }: WorkloadOrder & { readonly language: Language },
): string {
  const walls = iterations.map(({ startNs, endNs }) => (endNs - startNs) / 1e9);
  const cpus = iterations.map(({ cpuNs }) => (cpuNs === null ? null : cpuNs / 1e9));
  const unit = chooseTimeUnit(medianOf(walls));
  const rows = walls.map((wall, index) => [String(index + 1), formatTime(wall, unit), formatOr(cpus[index], unit)]);
  const known = cpus.filter((cpu) => cpu !== null);
  const overall = (name: string, of: (values: readonly number[]) => number): string[] => [
    name,
    formatTime(of(walls), unit),
    known.length === 0 ? 'unknown' : formatTime(of(known), unit),
  ];
  const table = [
    ['iteration', 'time', 'CPU time'],
    ...rows,
    overall('min', (values) => Math.min(...values)),
    overall('median', medianOf),
    overall('max', (values) => Math.max(...values)),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
  const steps = countOf(amount * stepsPerUnit, 'step');
  return [
    `${workload} (${language}): --amount ${amount} = ${steps} an iteration`,
    `a step: ${workloads[workload].step}; result ${result}`,
    '',
    ...lines,
    '',
  ].join('\n');
}

function formatOr(seconds: number | null | undefined, unit: TimeUnit): string {
  return seconds === null || seconds === undefined ? 'unknown' : formatTime(seconds, unit);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
