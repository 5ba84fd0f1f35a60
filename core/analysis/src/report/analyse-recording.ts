import { configOf, type Experiment, type MeasuredBenchmark, type Report, type Warning } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { judgeGate, type Gated } from '../gate/judge-gate.ts';
import { compareConfirmed } from '../compare/confirm.ts';
import { reportOf } from './report-of.ts';
import { segmentReport, type SegmentRequest } from './segment-report.ts';

/** Input of an analysis, with facts that the recording does not hold. */
interface AnalysisInput {
  readonly experiment: Experiment;
  /** In the order in which they are to be reported. A program that holds several benchmarks has one for each. */
  readonly measured: readonly MeasuredBenchmark[];
  /** Folder of the recording, as it is to be named in the report. */
  readonly directory: string;
  /** True if every planned run is in. */
  readonly complete: boolean;
  /** Today, YYYY-MM-DD, UTC: what waivers are held against. */
  readonly today: string;
  /** Warnings of the measurement; the experiment's own warnings are added. */
  readonly warnings: readonly Warning[];
  /** Also look for segments of steady performance, and what they do to the intervals; `null` or absent does not. */
  readonly segments?: SegmentRequest | null;
}

/**
 * The whole report of a recording: a comparison for every benchmark with enough runs, in the order given. A
 * benchmark with too few is left out, and a FEW_RUNS warning names it. The same recording gives the same report on every
 * machine.
 */
export function analyseRecording(input: AnalysisInput): Report {
  const { experiment, measured, segments: request = null } = input;
  const { config } = experiment;
  const confirming = (experiment.hosts ?? []).filter(({ confirms }) => confirms === true).map(({ id }) => id);
  const judged: Gated[] = [];
  const leftOut: Warning[] = [];
  for (const { benchmark, runs } of measured) {
    const own = configOf(config, benchmark);
    const found = request === null ? null : segmentReport({ runs, benchmark, config: own, request });
    try {
      const comparison = compareConfirmed({ runs, benchmark, config: own, confirming });
      judged.push({
        comparison:
          found === null
            ? comparison
            : { ...comparison, warnings: [...comparison.warnings, ...found.warnings], segments: found.segments },
        waiver: benchmark.waiver,
      });
    } catch (error) {
      if (!(error instanceof AnalysisError) || error.code !== 'TOO_FEW_RUNS') throw error;
      leftOut.push({ code: 'FEW_RUNS', message: error.message });
      for (const { code, message } of found?.warnings ?? []) {
        leftOut.push({ code, message: `${benchmark.name}, ${message}` });
      }
    }
  }
  const comparisons = judged.map(({ comparison }) => comparison);
  const gate = judgeGate({ judged, correction: config.correction, today: input.today });
  return reportOf({ ...input, comparisons, gate, warnings: [...input.warnings, ...leftOut] });
}
