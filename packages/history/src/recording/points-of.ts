import {
  comparisonSchema,
  reportSchema,
  type Commits,
  type Comparison,
  type Experiment,
  type HistoryPoint,
  type Report,
  type Side,
} from '@deadheat/model';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The part of a zod schema that reading needs. */
export interface Checker<Value> {
  readonly safeParse: (
    value: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

type FiledComparison = Pick<
  Comparison,
  | 'benchmark'
  | 'params'
  | 'method'
  | 'metric'
  | 'ratio'
  | 'verdict'
  | 'margin'
  | 'minimalDetectableSlowdown'
  | 'runs'
  | 'controlOf'
  | 'sequential'
  | 'decidedBy'
> & { readonly sides: Readonly<Record<Side, { readonly mean: number }>> };

/** The part of a report that a history needs. */
export interface FiledReport {
  readonly experiment: Pick<Report['experiment'], 'complete'>;
  readonly comparisons: readonly FiledComparison[];
}

const filedComparison = comparisonSchema.pick({
  benchmark: true,
  params: true,
  method: true,
  metric: true,
  ratio: true,
  verdict: true,
  margin: true,
  minimalDetectableSlowdown: true,
  runs: true,
  controlOf: true,
});

/**
 * Schema of the part of a report that a history needs; the other fields may be those of an earlier version of the tool.
 */
export const filedReportSchema: Checker<FiledReport> = reportSchema.pick({ schema: true }).extend({
  experiment: reportSchema.shape.experiment.pick({ complete: true }),
  comparisons: filedComparison
    .extend({
      // absent in reports that knew one interval only
      sequential: comparisonSchema.shape.sequential.default(null),
      decidedBy: comparisonSchema.shape.decidedBy.default('fixed'),
      sides: comparisonSchema.shape.sides.extend({
        A: comparisonSchema.shape.sides.shape.A.pick({ mean: true }),
        B: comparisonSchema.shape.sides.shape.B.pick({ mean: true }),
      }),
    })
    .array(),
});

/** The points that a report adds to a history. A control gives no point, because its B is A. */
export function pointsOf(
  report: FiledReport,
  {
    experiment,
    commits,
    project,
  }: { readonly experiment: Experiment; readonly commits: Commits; readonly project: string },
): readonly HistoryPoint[] {
  return report.comparisons
    .filter(({ controlOf }) => controlOf === undefined)
    .map((comparison) => ({
      project,
      benchmark: comparison.benchmark,
      params: comparison.params,
      method: comparison.method,
      experiment: experiment.id,
      startedAt: experiment.startedAt,
      commits,
      hostname: experiment.machine.hostname,
      metric: comparison.metric,
      ratio: decidingRatio(comparison),
      verdict: comparison.verdict,
      margin: comparison.margin,
      minimalDetectableSlowdown: comparison.minimalDetectableSlowdown,
      runs: comparison.runs,
      meanNs: { A: comparison.sides.A.mean * 1e9, B: comparison.sides.B.mean * 1e9 },
    }));
}

function decidingRatio({ decidedBy, ratio, sequential }: FiledComparison): HistoryPoint['ratio'] {
  const { estimate, low, high, confidence } = decidedBy === 'sequential' && sequential !== null ? sequential : ratio;
  return { estimate, low, high, confidence };
}
