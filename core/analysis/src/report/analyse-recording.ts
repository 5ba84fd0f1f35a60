import {
  configOf,
  type Experiment,
  type MeasuredBenchmark,
  type Report,
  type Warning,
  sides,
  type Comparison,
  type HyperfineResult,
  type Side,
  type BenchmarkPoints,
  type MeasuredRun,
  type RunPoints,
  type SidePoints,
  type TimeMetric,
} from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { compareBenchmark } from '../compare/compare-benchmark.ts';
import type { ComparisonInput } from '../compare/usable-runs.ts';
import { noEvidence } from '../compare/judging.ts';
import { judgeGate, type Gated, type GateResult, type Unmeasured } from '../gate/judge-gate.ts';
import { chooseMetric, metricFacts } from '../metric/choose-metric.ts';
import { iterationTimes, withIterations } from '../metric/iteration-times.ts';
import { selectRuns, type UsableRun } from '../pairing/select-runs.ts';
import { steadyStatesOf } from '../steady-state/steady-states.ts';
import { segmentReport, type SegmentRequest, type SegmentReportInput } from './segment-report.ts';

/** Verdict of other machines on the same benchmark. */
interface Confirmation {
  /** Their ids. */
  readonly hosts: readonly string[];
  /** `null` where they brought too few runs for a comparison. */
  readonly comparison: Comparison | null;
}

function notConfirmed({ hosts, comparison }: Confirmation): Warning {
  const found =
    comparison === null
      ? 'brought too few runs to say so too'
      : `found it ${comparison.verdict === 'dead-heat' ? 'a dead heat' : comparison.verdict}`;
  const count = hosts.length === 1 ? '1 other host' : `${hosts.length} other hosts`;
  return {
    code: 'NOT_CONFIRMED',
    message:
      `the first hosts found B slower, and ${count} (${hosts.join(', ')}) ${found}; look at what differs between them, or ` +
      'repeat it with more hosts',
  };
}

/**
 * A comparison that was made again on other machines because it came out `slower`: that stays only where they say so too,
 * by the same rule and level; else it is `undecided`. Any other verdict needs no confirmation and stays as it is.
 */
export function confirm(comparison: Comparison, confirmation: Confirmation): Comparison {
  if (comparison.verdict !== 'slower') return comparison;
  const { hosts, comparison: other } = confirmation;
  const confirmed: Comparison['confirmation'] =
    other === null
      ? { hosts: [...hosts], runs: 0, ratio: null, verdict: null }
      : { hosts: [...hosts], runs: other.runs, ratio: ratioOf(other), verdict: other.verdict };
  if (other?.verdict === 'slower') return { ...comparison, confirmation: confirmed };
  return {
    ...comparison,
    verdict: 'undecided',
    pValues: { ...comparison.pValues, gate: { ...comparison.pValues.gate, slower: 1 } },
    outlook: null,
    confirmation: confirmed,
    warnings: [...comparison.warnings, notConfirmed(confirmation)],
  };
}

function ratioOf({ interval: { estimate, low, high, level } }: Comparison) {
  return { estimate, low, high, level };
}

/** A benchmark, and the ids of the machines whose runs only confirm. */
interface ConfirmedInput extends ComparisonInput {
  readonly confirming: readonly string[];
}

/**
 * Judges one benchmark by the runs of the machines that measured it first, and where those that confirm brought runs by
 * theirs too.
 *
 * @throws AnalysisError as `compareBenchmark`, of the first machines' runs
 */
export function compareConfirmed({ confirming, ...input }: ConfirmedInput): Comparison {
  const isConfirming = ({ trial: { host } }: ComparisonInput['runs'][number]): boolean =>
    host !== undefined && confirming.includes(host);
  const others = input.runs.filter(isConfirming);
  if (others.length === 0) return compareBenchmark(input);
  const comparison = compareBenchmark({ ...input, runs: input.runs.filter((run) => !isConfirming(run)) });
  return confirm(comparison, {
    hosts: [...new Set(others.map(({ trial: { host } }) => host ?? ''))].toSorted(),
    comparison: compareOthers({ ...input, runs: others }),
  });
}

function compareOthers(input: ComparisonInput): Comparison | null {
  try {
    return compareBenchmark(input);
  } catch (error) {
    if (error instanceof AnalysisError && error.code === 'TOO_FEW_RUNS') return null;
    throw error;
  }
}

/** With fewer runs than every limit of time leaves, an experiment that ended before its plan has no verdict. */
const leastOfIncomplete = 5;

/** A comparison of an experiment that ended before its plan: too few runs to claim something of. */
function withoutVerdict(comparison: Comparison): Comparison {
  const { runs } = comparison;
  if (runs >= leastOfIncomplete) return comparison;
  return {
    ...comparison,
    verdict: 'undecided',
    opposition: null,
    ...noEvidence,
    outlook: null,
    warnings: [
      ...comparison.warnings,
      {
        code: 'FEW_RUNS',
        message: `the experiment ended before its plan, after ${runs} ${runs === 1 ? 'run' : 'runs'}: a verdict needs ${leastOfIncomplete}; deadheat --resume makes the others`,
      },
    ],
  };
}

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
  const unmeasured: Unmeasured[] = [];
  for (const { benchmark, runs } of measured) {
    const own = configOf(config, benchmark);
    const found = request === null ? null : segmentReport({ runs, benchmark, config: own, request });
    try {
      const compared = compareConfirmed({ runs, benchmark, config: own, confirming });
      const comparison = input.complete ? compared : withoutVerdict(compared);
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
      unmeasured.push({ benchmark, config: own });
      for (const { code, message } of found?.warnings ?? []) {
        leftOut.push({ code, message: `${benchmark.name}, ${message}` });
      }
    }
  }
  const comparisons = judged.map(({ comparison }) => comparison);
  const gate = judgeGate({ judged, unmeasured, correction: config.correction, today: input.today });
  return reportOf({ ...input, comparisons, gate, warnings: [...input.warnings, ...leftOut] });
}

/** Parts of a report. */
interface ReportParts {
  readonly experiment: Experiment;
  readonly comparisons: readonly Comparison[];
  readonly gate: GateResult;
  /** Folder of the recording, as it is to be named in the report. */
  readonly directory: string;
  /** Result files of other tools, where there is no recording. */
  readonly files?: readonly string[];
  /** True if every planned run is in. */
  readonly complete: boolean;
  /** Beside the experiment's own. */
  readonly warnings: readonly Warning[];
}

function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/** The report of an experiment and its result. */
export function reportOf(parts: ReportParts): Report {
  const { experiment, comparisons, files } = parts;
  const { hosts, parts: divided } = experiment;
  const { config } = experiment;
  const window = comparisons.find(({ segments }) => segments !== undefined)?.segments?.window;
  const benchmarks = steadyStatesOf(comparisons);
  return {
    schema: 'deadheat.report/1',
    tool: experiment.tool,
    experiment: {
      id: experiment.id,
      name: config.name,
      startedAt: experiment.startedAt,
      seed: config.seed,
      method: config.pilotRuns === 0 ? config.method : (comparisons[0]?.method ?? config.method),
      confidence: config.confidence,
      margin: config.marginNs == null ? config.margin : (comparisons[0]?.margin ?? 0),
      recording: parts.directory,
      ...(files === undefined ? {} : { files: [...files] }),
      ...(experiment.project === undefined ? {} : { project: experiment.project }),
      ...(experiment.commits === undefined ? {} : { commits: experiment.commits }),
      complete: parts.complete,
      ...(divided === undefined ? {} : { parts: { count: divided.count, taken: [...divided.taken] } }),
    },
    machine: files === undefined ? experiment.machine : null,
    ...(hosts === undefined || hosts.length < 2 ? {} : { hosts: [...hosts] }),
    comparisons: [...comparisons],
    results: comparisons.flatMap((comparison) => sides.map((side) => hyperfineResult(comparison, side))),
    gate: parts.gate.gate,
    ...(window === undefined || benchmarks.length === 0 ? {} : { steadyStates: { window, benchmarks } }),
    warnings: withoutRepeats([...experiment.warnings, ...parts.warnings, ...parts.gate.warnings]),
  };
}

/** One side of a comparison in the shape of hyperfine's `results`; `command` is the name, as hyperfine's own export has it. */
function hyperfineResult(comparison: Comparison, side: Side): HyperfineResult {
  const { name, mean, stddev, median, user, system, min, max, times, exitCodes } = comparison.sides[side];
  const result = { command: name, mean, stddev, median, user, system, min, max, times, exit_codes: exitCodes };
  return Object.keys(comparison.params).length === 0 ? result : { ...result, parameters: comparison.params };
}

interface ReportPointsInput extends Omit<SegmentReportInput, 'request'> {
  readonly segments: boolean;
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
  const warmup = everything.length === indices.length ? null : iterationTimes(withIterations(run, all), side, metric);
  return {
    timesNs: iterationTimes(run, side, metric) ?? new Float64Array(0),
    warmupNs: warmup?.filter((_, row) => !isMeasured.has(everything.indices[row]!)) ?? new Float64Array(0),
    startsNs,
    endsNs,
    cpu,
    involuntarySwitches,
  };
}

/** A report draws every run of no more than this, unless it has segments; else some of them, since a picture of more looks the same, and takes gigabytes. */
const mostDrawn = 50_000;
const drawnOfMore = 10_000;

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
  const each = segments || runs.length <= mostDrawn ? 1 : Math.ceil(runs.length / drawnOfMore);
  return {
    benchmark: benchmark.name,
    params: benchmark.params,
    method,
    metric,
    workload: benchmark.workload,
    each,
    runs: runs
      .filter((_, index) => index % each === 0)
      .map((run): RunPoints => {
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
