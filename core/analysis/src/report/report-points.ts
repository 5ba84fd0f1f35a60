import type { BenchmarkPoints, MeasuredRun, RunPoints, Side, SidePoints, TimeMetric } from '@deadheat/model';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { iterationTimes } from '../metric/iteration-times.ts';
import { selectRuns, type UsableRun } from '../pairing/select-runs.ts';
import { segmentReport, type SegmentReportInput } from './segment-report.ts';

interface ReportPointsInput extends Omit<SegmentReportInput, 'request'> {
  readonly segments: boolean;
}

function whole(run: UsableRun, all: MeasuredRun): UsableRun {
  return { ...run, iterations: all.iterations };
}

function sidePoints(
  run: UsableRun,
  all: MeasuredRun,
  { side, metric }: { side: Side; metric: TimeMetric },
): SidePoints {
  const { startsNs, endsNs, indices } = run.iterations[side];
  const { cpu, involuntarySwitches } = run.trial.sides[side];
  const everything = all.iterations[side];
  const isMeasured = new Set(everything.length === indices.length ? [] : indices);
  const warmup = everything.length === indices.length ? null : iterationTimes(whole(run, all), side, metric);
  return {
    timesNs: iterationTimes(run, side, metric) ?? new Float64Array(0),
    warmupNs: warmup?.filter((_, row) => !isMeasured.has(everything.indices[row]!)) ?? new Float64Array(0),
    startsNs,
    endsNs,
    cpu,
    involuntarySwitches,
  };
}

/**
 * Points of one benchmark, for a report that draws it: in the metric that decides, the runs and pairs that count. Segments
 * are found without their intervals, which take longer than everything else.
 *
 * @throws AnalysisError as `overlaps` for `async-duet`.
 */
export function reportPoints({ runs: all, benchmark, config, segments }: ReportPointsInput): BenchmarkPoints {
  const { method, runs } = selectRuns(all, { ...config, workload: benchmark.workload });
  const metric = runs.length === 0 ? 'time' : chooseMetric(config.metric, metricFacts(runs)).metric;
  const byTrial = new Map(all.map((run) => [run.trial, run] as const));
  const request = { intervals: false };
  return {
    benchmark: benchmark.name,
    params: benchmark.params,
    method,
    metric,
    workload: benchmark.workload,
    runs: runs.map((run): RunPoints => {
      const { trial, pairs } = run;
      const measured = byTrial.get(trial) ?? { trial, iterations: run.iterations as MeasuredRun['iterations'] };
      return {
        run: trial.run,
        order: trial.order,
        wallNs: trial.wallNs,
        noise: trial.noise,
        sides: {
          A: sidePoints(run, measured, { side: 'A', metric }),
          B: sidePoints(run, measured, { side: 'B', metric }),
        },
        pairs: { a: pairs.a, b: pairs.b },
      };
    }),
    failed: all
      .filter(({ trial }) => trial.status === 'failed' && trial.phase === 'measure')
      .map(({ trial: { run, failures } }) => ({ run, reasons: failures.map(({ message }) => message) })),
    segments: segments ? (segmentReport({ runs: all, benchmark, config, request })?.segments ?? null) : null,
  };
}
