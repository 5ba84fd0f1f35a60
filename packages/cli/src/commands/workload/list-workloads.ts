import { workloadNames, workloads } from '@deadheat/workloads';
import type { Terminal } from '../../terminal/terminal.ts';

/** Writes what workloads there are. */
export async function listWorkloads({ stdout }: Pick<Terminal, 'stdout'>): Promise<number> {
  const rows = workloadNames.map((name) => [name, workloads[name].uses, `a step: ${workloads[name].step}`]);
  rows.push(['load', 'cores', 'not measured: competes with what is']);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  }
  return 0;
}
