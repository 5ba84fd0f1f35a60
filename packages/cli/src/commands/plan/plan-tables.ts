import type { StudyTable } from '@deadheat/analysis';
import type { Side } from '@deadheat/model';
import { formatStretch } from '@deadheat/report';
import type { PlannedProgram } from './planned-program.ts';

/** The planned dimensions of every program and what they are to bring. */
export function planTables(planned: readonly PlannedProgram[], of: Side | 'ratio'): readonly StudyTable[] {
  const count = (value: number): string => (Number.isFinite(value) ? `${value}` : 'any');
  return [
    {
      title: `Planned runs and iterations, and how far intervals of ${of === 'ratio' ? 'B / A' : `the mean time of ${of}`} are to reach to each side`,
      source: "Antoch et al., OOPSLA'26, equations 3 and 4, sections 6.2 and 7",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'runs', unit: 'count' },
        { name: 'iterations', unit: 'count' },
        { name: 'warm-up', unit: 'count' },
        { name: 'interval', unit: 'share' },
        { name: 'level', unit: 'share' },
        { name: 'time', unit: 'text' },
        { name: 'equation 4, short runs', unit: 'text' },
        { name: 'long runs', unit: 'text' },
      ],
      rows: planned.flatMap(({ program, dimensions, warmup, confidence, lanes }) =>
        program.benchmarks.map(({ benchmark }, k) => [
          benchmark,
          dimensions.runs,
          dimensions.iterations,
          warmup,
          Math.expm1(dimensions.halfWidths[k] ?? 0),
          confidence,
          formatStretch(dimensions.timeNs / lanes),
          count(dimensions.optimal[k]?.shortRuns ?? 0),
          count(dimensions.optimal[k]?.longRuns ?? 0),
        ]),
      ),
      notes: [
        "intervals by Student's t from equation 3; equation 4 is the number of measured iterations a run at either extreme",
        ...(planned.some(({ program }) => program.benchmarks.length > 1)
          ? ['time is that of the program with all its benchmarks']
          : []),
        ...[...new Set(planned.map(({ lanes }) => lanes))]
          .filter((lanes) => lanes > 1)
          .map((lanes) => `time is that of ${lanes} tandems at once`),
      ],
    },
  ];
}
