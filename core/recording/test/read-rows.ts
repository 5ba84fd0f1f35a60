import { methodSchema, phaseSchema, sideSchema, trialSchema } from '@deadheat/model';
import { iterationGroups } from '../src/iteration-chunks.ts';
import type { IterationRow } from '../src/iteration-row.ts';

/** Reads a whole table of iterations back into the rows that it was written from. */
export async function readRows(path: string): Promise<readonly IterationRow[]> {
  const rows: IterationRow[] = [];
  for await (const { rows: length, column, metrics } of iterationGroups(path)) {
    for (let row = 0; row < length; row += 1) {
      const value = (name: string): unknown => column(name)[row];
      const number = (name: string): number => Number(value(name));
      const numberOrNull = (name: string): number | null => ((value(name) ?? null) === null ? null : number(name));
      rows.push({
        experiment: String(value('experiment')),
        suite: String(value('suite')),
        benchmark: String(value('benchmark')),
        params: String(value('params')),
        method: methodSchema.parse(value('method')),
        run: number('run'),
        side: sideSchema.parse(value('side')),
        order: trialSchema.shape.order.parse(value('order')),
        cpu: number('cpu'),
        iteration: number('iteration'),
        phase: phaseSchema.parse(value('phase')),
        startNs: number('start_ns'),
        endNs: number('end_ns'),
        durationNs: number('duration_ns'),
        invocations: number('invocations'),
        cpuNs: numberOrNull('cpu_ns'),
        runDelayNs: numberOrNull('run_delay_ns'),
        involuntarySwitches: numberOrNull('involuntary_switches'),
        metrics: Object.fromEntries(metrics.map(([name, metric]) => [metric, numberOrNull(name)])),
      });
    }
  }
  return rows;
}
