import { sideTrial } from '@deadheat/analysis';
import type { MeasuredRun, Method, Side } from '@deadheat/model';
import type { ImportedBenchmark } from './import/imported-file.ts';

/** The runs of a file that holds both sides of a duet: those of one label are one run; one without the other counts nothing. */
export function pairRuns({ A, B }: Readonly<Record<Side, ImportedBenchmark>>, method: Method): readonly MeasuredRun[] {
  const partners = new Map(B.runs.map(({ label, iterations }) => [label, iterations]));
  return A.runs.flatMap(({ label, iterations: a }, run) => {
    const b = partners.get(label);
    if (b === undefined) return [];
    const originNs = Math.min(a.firstStartNs ?? 0, b.firstStartNs ?? 0);
    for (const side of [a, b]) if (side.hasTimestamps) side.beginClockAt(originNs);
    const wallNs = Math.max(a.endsNs.at(-1) ?? 0, b.endsNs.at(-1) ?? 0);
    return [{ trial: sideTrial({ run, method, wallNs }), iterations: { A: a, B: b } }];
  });
}
