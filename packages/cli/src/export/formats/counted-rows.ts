import { furtherMetrics, iterationRows, type IterationRow } from '@deadheat/engine';
import type { Trial } from '@deadheat/model';
import type { ExportSource } from './export-format.ts';

/** The further metrics of a recording and its iterations, row by row. */
export interface CountedRows {
  readonly metrics: readonly string[];
  readonly rows: Iterable<IterationRow>;
}

/** Iterations of the runs that count, those of warm-up runs only with `warmupRuns`; of pilot runs none. */
export function countedRows(
  { recording: { experiment, trials }, records }: ExportSource,
  { warmupRuns }: { readonly warmupRuns: boolean },
): CountedRows {
  const counted: readonly Trial[] = warmupRuns ? trials : trials.filter(({ phase }) => phase === 'measure');
  const metrics = furtherMetrics(counted, records);
  return { metrics, rows: iterationRows(counted, { experiment, metrics, records }) };
}

/** What is lost of tandems in a format that has wall times alone, or has them first; nothing without tandems. */
export function tandemLosses({ recording: { trials } }: ExportSource, told: string): readonly string[] {
  const hasTandem = trials.some(({ method, phase }) => method === 'tandem' && phase === 'measure');
  return hasTandem ? [`the wall time of a side in a tandem is that of both sides: ${told}`] : [];
}

/** The time of a side, ns: of a tandem CPU time, as far as it was measured. */
export function timeOfSide({ method, durationNs, cpuNs }: IterationRow): number {
  return method === 'tandem' ? (cpuNs ?? durationNs) : durationNs;
}
