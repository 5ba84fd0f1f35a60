/* The library. Generated from core/deadheat/src/index.ts by npm run generate. */

/** Which part of an experiment is made here. */
export interface PartOptions extends Part {
  /** Id of the whole experiment; `null` = made from the configuration with its seed. */
  experiment: string | null;
  /** The name of this machine in the recording; `null` = the experiment's name for it, or from its host name and its boot. */
  host: string | null;
}

/** The comparison of A and B for one benchmark, one combination of its parameters and one method. Times are ns, differences are fractions. */
export interface Comparison {
  /** Name of the benchmark. */
  benchmark: string;
  /** Values of its parameters by their names. */
  params: Params;
  /** The method by which the sides were executed against each other. */
  method: Method;
  /** Why pilot runs chose this method; `null` where the user chose it. */
  methodReason: string | null;
  /** The metric that decides. */
  metric: Metric;
  /** Why this metric decides. */
  metricReason: string;
  /** The quantity that decides; the total time is not known where the mean of a resource is 0. */
  judge: JudgedQuantity;
  /** The ratio B / A of that quantity with the interval that the verdict is from. */
  interval: Interval;
  /**
   * Where the runs were looked at while they came in, so that an interval that holds at every interim analysis decides: the interval of a
   * number of runs that was fixed before; else `null`.
   */
  fixedInterval: Interval | null;
  /** Ratio B / A of the mean times of the runs, and so of the total times of equally many; `null` where the mean of a resource is 0. */
  total: Interval | null;
  /** Ratio B / A of typical runs, where the total time decides; else `null`, as it is `interval`. */
  typical: Interval | null;
  /** Where the mean decides in the place of ranks because slow runs are lopsided, the ratio by ranks; else `null`. */
  rankInterval: Interval | null;
  /** Interim analyses, where the stop rule has any (`decided` and `precision`); else `null`. */
  interim: {
    /** Number of interim analyses. */
    analyses: number;
    /** The rule's question is answered: a safe verdict, or the precision. */
    reached: boolean;
  } | null;
  /** The same comparison in other metrics. */
  otherMetrics: OtherMetric[];
  /** Difference of the means, B - A, in ns; for duets of the paired times. Where a resource decides, in bytes (`rss`) or a number. */
  difference: {
    /** Estimated difference. */
    estimateNs: number;
    /** Lower end of its interval. */
    lowNs: number;
    /** Upper end of its interval. */
    highNs: number;
  };
  /** Answer of the comparison: B is slower, B is faster, a dead heat, or undecided. */
  verdict: Verdict;
  /** Why nothing is claimed though the interval that decides has a verdict: the other quantity says something else; else `null`. */
  opposition: {
    /** The verdict of the interval that decides. */
    found: 'slower' | 'faster' | 'dead-heat';
    /** Answer of the other quantity about B. */
    other: 'slower' | 'faster';
    /** It says so by its estimate, or may, by an end of its interval. */
    by: 'estimate' | 'interval';
    /** That estimate or end: a ratio B / A. */
    ratio: number;
  } | null;
  /** Largest relative difference that does not matter: 0.01 = 1 %. A dead heat lies within it, or where it is 0 within 2 %. */
  margin: number;
  /**
   * One-sided p values against the hypotheses that B takes at most 1 + margin times as long as A, and at least that part of
   * it: by the test whose interval decides; of interim analyses at any moment. A family of benchmarks is corrected with them.
   */
  pValues: {
    /** Against the hypothesis that B is not slower by more than the margin. */
    slower: number;
    /** Against the hypothesis that B is not faster by more than the margin. */
    faster: number;
    /**
     * The least that so many runs can show by ranks, whatever the distribution of their ratios; 0 by other tests. A family takes it in the place of a
     * smaller one.
     */
    least: number;
    /** Those for a gate: with a fixed number of runs and no quantity named, twice the smaller one of both quantities. */
    gate: {
      /** The one of `slower`. */
      slower: number;
      /** The one of `faster`. */
      faster: number;
    };
  };
  /**
   * Ratios B / A that the quantity which decides excludes, each end by itself at the confidence of the interval: below `low`, or above `high`. They hold
   * what the other quantity estimates, too, unless the deciding one was named. A gate passes by them.
   */
  bounds: {
    /** Lower end. */
    low: number;
    /** Upper end; the largest double where nothing is excluded. */
    high: number;
  };
  /** Planned and reached half-width of the interval, relative; `null` = it was not planned. */
  planned: {
    /** Planned half-width of the interval, relative: 0.005 = 0.5 %. */
    halfWidth: number;
    /** Half-width that was reached, relative. */
    achieved: number;
  } | null;
  /** Smallest true slowdown that would have been called `slower` with a probability of 80 %; 0.009 = 0.9 %. */
  minimalDetectableSlowdown: number;
  /** Interval width with the pairs shuffled / width with the true pairs; `null` for methods without pairs. */
  pairingGain: number | null;
  /**
   * The ratio B / A of quantiles of the times that are judged, with a band that holds all of them at once at the level of `interval`; `null` with fewer than
   * 20 runs, for resources, over hosts, after interim analyses, and where runs hold one side.
   */
  shift:
    | {
        /** Share of the times of a side that are smaller. */
        quantile: number;
        /** Ratio of that quantile of B's times to that of A's. */
        estimate: number;
        /** Lower end of the band. */
        low: number;
        /** Upper end of the band. */
        high: number;
      }[]
    | null;
  /** Forecast of what more runs would give; `null` where the verdict is certain. */
  outlook: Outlook | null;
  /** Measured runs that carry the result. */
  runs: number;
  /** Pairs of iterations of A and B in these runs. */
  pairs: number;
  /**
   * Units that the interval is over, and that the bootstrap resampled: runs, blocks of two runs that traded cores, hosts, layouts, or where a file of
   * another tool holds a single run its iterations.
   */
  resampled: {
    /** The kind of unit. */
    unit: 'run' | 'host' | 'layout' | 'traded-block' | 'iteration';
    /** Number of units. */
    count: number;
  };
  /**
   * Autocorrelation at lag 1 of the log ratios of what is resampled, in the order of the runs: an interval counts on
   * independent ones. `null` with fewer than ten, and for samples of sides that were not measured together.
   */
  neighbourCorrelation: number | null;
  /** Mean number of iterations of a side in a run. */
  iterationsPerRun: number;
  /** Iterations that were recorded and not analysed. */
  discarded: {
    /** Iterations of warm-up. */
    warmup: number;
    /** Outliers. */
    outliers: number;
    /** Iterations without a partner on the other side. */
    unpaired: number;
  };
  /** `null` where the number of warm-up iterations was fixed. */
  stability: Stability | null;
  /** Summaries of both sides. */
  sides: Sides<SideSummary>;
  /** Cost of the measurement. */
  time: {
    /** Wall time spent, ns. */
    wallNs: number;
    /** Wall time multiplied by the number of cores that were kept busy, ns. */
    machineNs: number;
  };
  /** Warnings about this comparison. */
  warnings: Warning[];
  /**
   * Use of the metric that decides, an execution: ns, bytes for `rss`, else a number, as the ratio is made of them. Absent where `sides` has that
   * metric, in files of other tools.
   */
  decided?: Sides<Centre> | undefined;
  /** Quantities in other units than time; absent = none were measured. */
  quantities?: Quantity[] | undefined;
  /** Resources that were compared, as mean of the runs, an execution: bytes for `rss`, else a number. Absent = none. */
  resources?:
    | {
        /** The resource. */
        metric: ResourceMetric;
        /** Mean of side A. */
        A: number;
        /** Mean of side B. */
        B: number;
      }[]
    | undefined;
  /** The margin where it was given as a time, ns: `margin` is it as a share of A's typical time. Absent = it was given as a share. */
  marginNs?: number | undefined;
  /** The name of the benchmark beside which A was measured against itself; absent = this is no control. */
  controlOf?: string | undefined;
  /** Absent where all runs are of one machine. */
  hosts?: HostEffects | undefined;
  /** Absent where there is one build a side. */
  layouts?: HostEffects | undefined;
  /** Absent where nothing was to be confirmed. */
  confirmation?: Confirmation | undefined;
  /** Only where segments were asked for (`analyse --segments`). */
  segments?: ComparisonSegments | undefined;
}

/** Category of an error: the part of the caller in it. */
export type ErrorCategory = 'environment' | 'workload' | 'usage' | 'time-limit' | 'interrupted';

/** A stable name of an error, one of those that docs/command-line.md lists. */
export type ErrorCode = string;

/** A ratio B / A with the procedure of its interval. */
export interface Interval extends Estimate {
  /** Procedure of estimate and interval. */
  kind: IntervalKind;
  /** Bootstrap replicates; 0 for an interval without resampling. */
  replicates: number;
}

/** `report.json` and `--export json:FILE`. */
export interface Report {
  /** Name and version of this format. */
  schema: 'deadheat.report/1';
  /** The program that wrote the report. */
  tool: {
    /** Name of the program. */
    name: string;
    /** Version of the program. */
    version: string;
  };
  /** The experiment. */
  experiment: {
    /** Id of the experiment. */
    id: string;
    /** Name of the experiment. */
    name: string;
    /** Time at which it began, ISO 8601. */
    startedAt: string;
    /** Seed of its random choices. */
    seed: string;
    /** Method of the first benchmark. */
    method: Method;
    /** Confidence level of the first benchmark: 0.99 = 99 %. */
    confidence: number;
    /** Margin of the first benchmark: 0.01 = 1 %. */
    margin: number;
    /** Folder of the recording; of files of other tools the first. */
    recording: string;
    /** Every planned run is in. */
    complete: boolean;
    /** Result files of other tools that were judged in place of a recording. */
    files?: string[] | undefined;
    /** Project of the comparisons in a history; absent = the name. */
    project?: string | undefined;
    /** Absent where the sides are not commits or their commits are not known. */
    commits?: Commits | undefined;
    /** Which parts of it are in; absent = it was never divided. */
    parts?:
      | {
          /** Parts that the runs are divided into. */
          count: number;
          /** Numbers of those that are in, from 1. */
          taken: number[];
        }
      | undefined;
  };
  /** Where it was measured, of several machines the first; `null` = in files of other tools, which do not contain it. */
  machine: Machine | null;
  /** A comparison for each benchmark, combination of parameters and method. */
  comparisons: Comparison[];
  /** The sides of all comparisons in the shape of hyperfine's `results`, times in seconds. */
  results: HyperfineResult[];
  /** The gate: the result of all comparisons for a pipeline (`--fail-on`, `--control`). */
  gate: Gate;
  /** Warnings about the whole experiment. */
  warnings: Warning[];
  /** Every machine of an experiment over several. */
  hosts?: Host[] | undefined;
  /** Only where segments were asked for and runs have the window: which of them reach a steady state, for each benchmark and side. */
  steadyStates?:
    | {
        /** Repetitions at the end of a run that must be steady. */
        window: number;
        /** Classes of each benchmark and side. */
        benchmarks: SteadyState[];
      }
    | undefined;
  /** CRC-32 of the file before it, 8 hexadecimal digits; absent outside of recordings. */
  check?: string | undefined;
}

/** The answer about B against A. */
export type Verdict = 'slower' | 'faster' | 'dead-heat' | 'undecided';

/** The error of every function of deadheat: the message says what happened and why, `code` is stable. */
export declare class DeadheatError<Code extends ErrorCode = ErrorCode> extends Error {
  constructor(code: Code, message: string, options?: ErrorDetails);
  name: string;
  code: Code;
  category: ErrorCategory;
  /** Advice for the next step, one sentence; `null` where the message says it. */
  hint: string | null;
}

/** Finds iterations, in their order, in what a program printed or wrote: the default export of a user's parser. */
export type OutputParser = (
  text: string,
  context: ParserContext,
) => readonly ParsedIteration[] | Promise<readonly ParsedIteration[]>;

/**
 * An iteration that a parser found. It needs two of start, end and duration, or a duration alone; then `line` lets its end
 * be the time at which that line was seen. Times are ns of any clock, but of the same for both sides.
 */
export interface ParsedIteration {
  startNs?: number | undefined;
  endNs?: number | undefined;
  durationNs?: number | undefined;
  /** Line, from 1, that reported its end. */
  line?: number | undefined;
  /** Absent: the configuration's rule decides what is warm-up. */
  phase?: Phase | undefined;
  /** Invocations that it held, whole; 1 when absent. */
  invocations?: number | undefined;
  /** Name of the benchmark, in a program that holds several. */
  benchmark?: string | undefined;
  params?: Params | undefined;
  /** Further numbers, by name. */
  metrics?: Record<string, number> | undefined;
}

/** The facts that a parser gets about the text that it reads. */
export interface ParserContext {
  /** The benchmark as the configuration calls it. */
  benchmark: string;
  params: Params;
  side: Side;
  /** `stdout`, or the name of the file that the program wrote. */
  source: string;
}

/** The result of B against A with interval, level and number of runs, on one line. */
export declare function verdictSentence(comparison: Comparison): string;

/**
 * Judges a recording again, or result files of other tools; a folder of recordings stands for its newest.
 *
 * @param paths a recording, a file or a folder of results that holds both sides, or A's and B's
 * @throws DeadheatError, by the promise, for what cannot be read or carries no result
 */
export declare function analyse(
  paths: string | readonly [string] | readonly [string, string],
  options?: AnalyseOptions,
): Promise<Report>;

/** Settings of judging that replace the recorded ones; fractions, not percent. */
export interface AnalyseOptions {
  /** A share, or a time: `{ ns: 500_000 }`. */
  margin?: Margin | undefined;
  /** Also looks for segments of steady performance. */
  segments?: SegmentRequest | null | undefined;
  /** Interval's confidence level, inside (0, 1). */
  confidence?: number | undefined;
  interval?: AskedInterval | undefined;
  correction?: FamilyCorrection | undefined;
  /** The quantity that decides, and alone fails a gate; `null` = the typical run decides, and without interim analyses a gate fails by either. */
  judge?: JudgedQuantity | null | undefined;
  metric?: Metric | 'auto' | undefined;
  /** A benchmark that one side lacks is an error. */
  strict?: boolean | undefined;
  /** Format of the files, or of A's and of B's (docs/formats/imports.md); absent = known by the content. */
  format?: string | Sides<string | null> | undefined;
  /** For tables of times: which column is what. */
  columns?: ColumnMap | undefined;
  /** Unit of the times of `columns` (default: ns). */
  unit?: TimeUnit | undefined;
}

/** Options of reading result files of other tools, where the files do not hold them. */
export interface ReadingOptions {
  /** Format of the files, or of A's and of B's (docs/formats/imports.md); absent = known by the content. */
  format?: string | Sides<string | null> | undefined;
  /** For tables of times: which column is what. */
  columns?: ColumnMap | undefined;
  /** Unit of the times of `columns` (default: ns). */
  unit?: TimeUnit | undefined;
}

/** One benchmark of an experiment; what it does not say is as the experiment says. */
export interface BenchmarkDescription extends ProgramOptions, WorkloadOptions, MeasuringOptions {
  /** Excuses this benchmark from failing a pipeline until a day. */
  waiver?: Waiver | undefined;
  /** The baseline. */
  A?: string | BenchmarkSide | undefined;
  /** The candidate; without it A is compared with itself. */
  B?: string | BenchmarkSide | undefined;
}

/** A comparison of two functions of the calling program. */
export interface CompareFunctionsOptions {
  /** The baseline; what it returns is awaited where it is a promise. */
  a: () => unknown;
  /** The candidate. */
  b: () => unknown;
  /** Largest difference that does not matter: a share (default: 5%; less may be a matter of how the code was compiled). */
  margin?: Share | undefined;
  /** Time for the measurement, which ends earlier where it is decided (default: 10s for two processes, 2s for one). */
  maxTime?: Duration | undefined;
  /** Where they are executed: two processes that load the calling module again, or the calling process (default: two processes where they reach the call). */
  method?: 'two-processes' | 'one-process' | undefined;
}

/** A comparison of two commands. */
export interface CompareOptions extends ExperimentSettings, NewRunOptions {
  /** The baseline. */
  a: SideDescription;
  /** The candidate; without it A is compared with itself. */
  b?: SideDescription | undefined;
}

/** An experiment of several benchmarks: what a deadheat.yaml holds. */
export interface ExperimentDescription extends ExperimentSettings {
  /** The benchmarks by their names; `null` = one that says nothing of its own. */
  benchmarks: Record<string, BenchmarkDescription | null>;
}

/** An event of a running experiment. No event is emitted while a run is timed. */
export type ExperimentEvent =
  | {
      /** The experiment begins. */
      kind: 'experiment-started';
      /** Folder of its recording. */
      directory: string;
      /** The experiment; `experiment.json` in its folder holds all of it. */
      experiment: {
        /** Id of the experiment. */
        id: string;
        /** Time at which it began, ISO 8601. */
        startedAt: string;
      };
      /** Runs that were recorded before, of an experiment that is continued. */
      resumedTrials: number;
    }
  | {
      /** A run is over. */
      kind: 'trial-finished';
      /** The run. */
      trial: {
        /** Number of the run of this benchmark and phase, from 0. */
        run: number;
        /** Index into `config.benchmarks`. */
        benchmark: number;
        /** Whole time of the trial with hooks, ns. */
        wallNs: number;
        /** The method by which the sides were executed. */
        method: Method;
        /** Kind of run: pilot, warm-up or measured. */
        phase: RunPhase;
        /** Number of the run in the recording, from 0, in the order in which runs began. */
        trial: number;
        /** `ok` where both sides came to their end. */
        status: 'failed' | 'ok';
        /** The failures of its sides; empty where it is `ok`. */
        failures: Failure[];
      };
      /** Progress of its benchmark. */
      progress: Progress;
    }
  | {
      /** A warning was raised. */
      kind: 'warning';
      /** The warning. */
      warning: Warning;
    }
  | {
      /** The experiment is over. */
      kind: 'experiment-finished';
      /** Folder of its recording. */
      directory: string;
      /** Its report. */
      report: Report;
    };

/** Options of an experiment that is described elsewhere. */
export interface ExperimentOptions extends NewRunOptions, ReadOptions {
  /** Runs one part of the runs here, for `deadheat ci merge`; without a seed its `experiment` is needed. */
  part?: PartOptions | undefined;
  /** Place where the runs are executed: this machine, or the workers of a fleet; docs/fleet.md (default: `here`). */
  on?: 'here' | FleetRequest | undefined;
}

/** Every option of an experiment: the keys of docs/configuration.md in camel case. */
export interface ExperimentSettings extends ProgramOptions, WorkloadOptions, MeasuringOptions, ExperimentOnlyOptions {
  /** Time limits of one iteration, of one run and of the whole experiment. */
  timeouts?:
    | {
        /** Time limit of one iteration: 10s, or none. */
        iteration?: Duration | 'none' | undefined;
        /** Time limit of one run: 5m, or none. */
        run?: Duration | 'none' | undefined;
        /** Longest time of the whole experiment: 2h, or none. */
        experiment?: Duration | 'none' | undefined;
      }
    | undefined;
}

/** The result of a comparison of two functions. */
export interface FunctionComparison {
  /** Answer of the comparison: B is slower, B is faster, a dead heat, or undecided. */
  verdict: Verdict;
  /** The ratio of times B / A with its interval of 95 %; in one process it holds at every interim analysis together. */
  interval: CostDifference;
  /** The times that were compared: CPU time, or wall time where a function waits. */
  metric: 'cpu' | 'time';
  /**
   * Where the functions were executed: in two processes that loaded the calling module again and were paired as commands are, or in the calling
   * process, in blocks of a drawn order and its reverse.
   */
  method: 'two-processes' | 'one-process';
  /** Blocks, or pairs of processes, that were measured. */
  blocks: number;
  /** The ratio, its interval, both times and how they were measured, in a sentence. */
  sentence: string;
}

/** Where the recording of a new experiment goes. */
export interface NewRunOptions extends RunOptions {
  /** Folder of the recording (default: a new one in `.deadheat` of the current folder). */
  output?: string | null | undefined;
}

/** Options that change an experiment that is described elsewhere. */
export interface ReadOptions {
  /** Settings that override those of the experiment, of its benchmarks and of their sides. */
  settings?: ExperimentSettings | undefined;
  /** Names of the only benchmarks that are run; `*` stands for any text. */
  filter?: readonly string[] | undefined;
  /** `PATH`, where programs are sought, and what reaches databases, such as `PGPASSWORD` (default: those of this process). */
  variables?: Record<string, string | undefined> | undefined;
}

/** Options of running any experiment. */
export interface RunOptions {
  /** Ends the experiment in order; what was recorded stays, and `resume` goes on with it. */
  signal?: AbortSignal | undefined;
  /** Is called with every event; never while a run is timed. */
  onProgress?: ((event: ExperimentEvent) => void) | undefined;
  /** Is called with a sentence about each event beside the runs, such as a worker of a fleet that joins or leaves. */
  onNotice?: ((text: string) => void) | undefined;
  /** `PATH`, where programs are sought, and what reaches databases, such as `PGPASSWORD` (default: those of this process). */
  variables?: Record<string, string | undefined> | undefined;
}

/** One side: its command line, or its command line with what is its own. */
export type SideDescription = string | SideOptions;

/**
 * A report as a text.
 *
 * @param of a report, or the folder of a recording
 * @param options `format` is `html` for a recording and `markdown` for a report unless it is said
 * @throws DeadheatError, by the promise, for a recording that cannot be read; RangeError for a report alone in a format that needs a
 * recording
 */
export declare function report(of: string | Report, options?: ReportOptions): Promise<string>;

/**
 * `html`: one file with pictures; `csv`, `go` and `duet-csv`: every iteration; these four need a recording. `markdown`, `asciidoc`, `org`: tables of
 * everything; `summary`: Markdown for a pull request, the worst first; `json`: the report as data. The others are those of
 * `deadheat export`.
 */
export type ReportFormat =
  | 'go'
  | 'html'
  | 'json'
  | 'sides-csv'
  | 'markdown'
  | 'asciidoc'
  | 'org'
  | 'summary'
  | 'hyperfine'
  | 'bmf'
  | 'github-action-benchmark'
  | 'junit'
  | 'csv'
  | 'duet-csv';

/** Options of writing a report. */
export interface ReportOptions {
  /** Format of the text. */
  format?: ReportFormat | undefined;
  /** For `html`: whether segments of steady performance are drawn (default: where they are worth it). */
  segments?: 'auto' | boolean | undefined;
}

/** A fleet, and which of its workers execute an experiment. */
export interface FleetRequest {
  /** Database of the fleet: `postgres://user@host/name`. */
  url: string;
  /** Number of workers; `null` = all that run. */
  hosts: number | null;
  /** Labels that a worker must have. */
  labels: Record<string, string>;
  /** `null` = images where the file has nothing else, and HEAD otherwise. */
  code: CodeRequest | null;
  /** Number of other hosts that must confirm a slower benchmark; `null` = none. */
  confirm: number | null;
  /** Ids of the only workers that may be used; absent or empty = all. */
  workers?: readonly string[] | undefined;
  /** The runs of experiments with a higher priority are taken first; absent = 0. */
  priority?: number | undefined;
}

/** Plan that `deadheat run --dry-run` shows. */
export interface Plan {
  /** Name and version of this format. */
  schema: 'deadheat.plan/1';
  /** Name of the experiment. */
  name: string;
  /** Seed of all random choices. */
  seed: string;
  /** True if neither file nor command line has a seed: the experiment itself will draw another. */
  seedIsDrawn: boolean;
  /** Order of the runs of several benchmarks. */
  schedule: Schedule;
  /** Cores of the sides of a duet. */
  cpus: [number, number];
  /** Time limit of the experiment, ns; `null` = none. */
  experimentTimeoutNs: number | null;
  /** Shell commands, by name, whose output is stored with the results. */
  artifacts: Record<string, string>;
  /** Each benchmark, combination of parameters and method. */
  entries: readonly PlanEntry[];
  /** The first rounds, in order; a round is one run of each entry that needs more. */
  rounds: readonly (readonly PlannedRun[])[];
  /** Expected time of the experiment. */
  expected: {
    /** `null` = unknown. */
    leastNs: number | null;
    /** `null` = unknown or without a limit. */
    mostNs: number | null;
  };
  /** Warnings about this machine. */
  warnings: readonly Warning[];
}

/**
 * Compares two functions. Two processes load the calling module again and measure one of them each, at the same time; where they cannot, as in a test,
 * both are measured in this process, in blocks of a drawn order and its reverse, until it is decided or the time is used up.
 * Compares two commands on this machine and judges whether B is slower than A.
 *
 * @throws DeadheatError, by the promise
 * @returns the report, whose `comparison` holds the verdict
 * @throws DeadheatError, by the promise; `BAD_CONFIG` names every option that cannot be carried out
 */
export declare function compare(options: CompareFunctionsOptions): Promise<FunctionComparison>;
/**
 * Compares two functions. Two processes load the calling module again and measure one of them each, at the same time; where they cannot, as in a test,
 * both are measured in this process, in blocks of a drawn order and its reverse, until it is decided or the time is used up.
 * Compares two commands on this machine and judges whether B is slower than A.
 *
 * @throws DeadheatError, by the promise
 * @returns the report, whose `comparison` holds the verdict
 * @throws DeadheatError, by the promise; `BAD_CONFIG` names every option that cannot be carried out
 */
export declare function compare(options: CompareOptions): RunningExperiment<ComparisonReport>;

/** Plan of an experiment: its runs in order and, after runs of it in `.deadheat`, their expected duration. */
export declare function plan(experiment: string | ExperimentDescription | null, options?: ReadOptions): Promise<Plan>;

/**
 * Goes on with an experiment that was interrupted, as it was planned.
 *
 * @param recording its folder
 * @throws DeadheatError, by the promise
 */
export declare function resume(recording: string, options?: RunOptions): RunningExperiment<Report>;

/**
 * Runs the experiment of a file, or of an object that holds what a file would.
 *
 * @param experiment path of a deadheat.yaml or of a file of duetbench, or the experiment itself
 * @throws DeadheatError, by the promise
 */
export declare function run(
  experiment: string | ExperimentDescription,
  options?: ExperimentOptions,
): RunningExperiment<Report>;

/** The report of a comparison of two commands. */
export interface ComparisonReport extends Report {
  /** The comparison, with a matrix the first of `comparisons`; no property of the report as JSON. */
  comparison: Comparison;
}

/** An experiment at its end. */
export interface FinishedExperiment {
  /** Folder of its recording. */
  directory: string;
  /** Report of the runs that were recorded. */
  report: Report;
  /** Outcome: done, failed, interrupted, or ended by its time limit. */
  outcome: Outcome;
}

/**
 * An experiment that runs. As a promise it resolves to the report; `for await (const event of experiment)` reads its events and ends with
 * it. A reader that begins after more than 1000 events reads the newest 1000 and all that follow.
 */
export interface RunningExperiment<Result = Report> extends Promise<Result>, AsyncIterable<ExperimentEvent, any, any> {
  /** Resolves at the end of the experiment, also of one that failed or was interrupted; rejects where nothing could be executed. */
  settled: Promise<FinishedExperiment>;
}

/** A duration above zero: a number of seconds, or a text with its unit. */
export type Duration = Time | number;

/** An amount of memory: a number of bytes, or a text with a binary unit such as `512m` or `2g`. */
export type Memory =
  | number
  | `${number}m`
  | `${number}t`
  | `${number}tb`
  | `${number}mb`
  | `${number}k`
  | `${number}kb`
  | `${number}g`
  | `${number}gb`;

/** A share or a confidence level: a fraction such as 0.01, or a text in percent such as `1%`. */
export type Share = number | `${number}%`;

interface Part {
  /** 1 … count. */
  index: number;
  count: number;
}

interface Params {
  [name: string]: string;
}

type Method = 'sequential' | 'tandem' | 'alone' | 'async-tandem' | 'sync-duet' | 'async-duet';

type Metric = ResourceMetric | TimeMetric;

type JudgedQuantity = 'typical' | 'total';

interface OtherMetric {
  /** The metric. */
  metric: Metric;
  /** Its ratio B / A by the procedure that decides the comparison. */
  interval: Interval;
  /** Its interval of a number of runs that was fixed before, where the comparison has one. */
  fixedInterval: Interval | null;
  /** By `interval`. */
  verdict: Verdict;
  /** Of work that counting runs brought; absent = the judged runs did. */
  counting?:
    | {
        /** Counting runs, of both sides. */
        runs: number;
        /** True if each side had the same count in all of them. */
        repeats: boolean;
        /** Unit of a count of bytes; absent = it is a number. */
        unit?: 'bytes' | undefined;
      }
    | undefined;
}

interface Outlook {
  /** Further runs that are expected to lead to a verdict. */
  moreRuns: number;
  /** Time that they are expected to take, ns. */
  moreTimeNs: number;
  /** Where the interval is over hosts: the further machines that the runs are to be made on. */
  moreHosts?: number | undefined;
  /** Where it is over layouts: the further builds of each side. */
  moreLayouts?: number | undefined;
}

interface Stability {
  /** The criteria, each once. */
  criteria: StabilityCriterion[];
  /** With several criteria: stable when `all` say so, or `any`. */
  combine: 'any' | 'all';
  /** The text of the paper, or the authors' extension of JMH. */
  like: 'paper' | 'jmh-reconfigure';
  /** Factor by which `mostWarmup`, and `maxRuns` of the stop rule `stable`, are raised while nothing is stable; >= 1. */
  liftCaps: number;
  /** Runs that made all of their measured iterations. */
  runs: (Warmup & {
    /** Number of the run, from 0. */
    run: number;
    /** The last results of the criteria. */
    checks: StabilityCheck[];
    /** Sides that are followed by themselves: the same of each, the larger stands above. `null`: both stop together. */
    apart: Sides<Warmup> | null;
  })[];
  /** Stability of the runs together, where the stop rule asks for it; else `null`. */
  overRuns: {
    /** Number of runs. */
    runs: number;
    /** They met the criteria. */
    stable: boolean;
    /** The last results of the criteria. */
    checks: StabilityCheck[];
  } | null;
}

interface SideSummary {
  /** Command line of the side. */
  command: string;
  /** Name of the side; the command line where none was given. */
  name: string;
  /**
   * The metric of `mean` to `times`: `time` is wall time; `cpu` is CPU time, for runs of `tandem`, in which wall time
   * is that of both sides together.
   */
  metric: TimeMetric;
  /** Median wall time in the pilot runs, where the side had a core of its own; `null` where there were none. */
  alone: number | null;
  /** Mean time, seconds. */
  mean: number;
  /** Standard deviation of the times, seconds; `null` with fewer than two. */
  stddev: number | null;
  /** Median time, seconds. */
  median: number;
  /** Shortest time, seconds. */
  min: number;
  /** Longest time, seconds. */
  max: number;
  /** Mean user time; `null` where the machine does not report it, and for programs that hold their iterations. */
  user: number | null;
  /** Mean system time, seconds; `null` as `user`. */
  system: number | null;
  /** Coefficient of variation of the times; `null` with fewer than two. */
  cv: number | null;
  /** Every measured time, in the order of the runs; of more than `mostTimes` a random sample of this size, in the same order. */
  times: number[];
  /** Exit codes: of a command one for each of `times`, of a program that holds its iterations one a run. */
  exitCodes: (number | null)[];
  /** Largest peak memory of all runs, bytes; `null` where it is not known. */
  maxRssBytes: number | null;
}

interface Warning {
  /** Stable name of the kind of warning. */
  code: string;
  /** The finding, and what to do about it. */
  message: string;
}

interface Centre {
  /** Median of the means of the runs. */
  typical: number;
  /** Mean of all executions. */
  mean: number;
}

interface Quantity {
  /** Name in the tool: `allocs/op`, `gc.alloc.rate.norm`. */
  name: string;
  /** `null` where the tool gives none. */
  unit: string | null;
  /** Values of side A. */
  A: QuantityOfSide;
  /** Values of side B. */
  B: QuantityOfSide;
  /**
   * Ratio of the means B / A with its t interval, 0 and the largest double where a side has a single value; `null` unless both means
   * are above 0.
   */
  ratio: Estimate | null;
  /** `more` or `less` of it in B; `same`: equal, or within the margin and 1 %. Not corrected for the number of quantities. */
  verdict: 'undecided' | 'more' | 'less' | 'same';
  /** `true` where each side has one value in all of its runs, two or more; else absent. */
  isConstant?: true | undefined;
}

type ResourceMetric = Counter | 'allocations' | 'rss' | 'faults' | 'switches';

interface HostEffects {
  /** Each machine. */
  each: {
    /** Id of the machine, as in `hosts` of the report, or number of the layout from 1. */
    id: string;
    /** Usable runs. */
    runs: number;
    /** On this machine alone, by a t interval over its runs; 0 and the largest double with fewer than two. */
    ratio: Pick<Interval, 'estimate' | 'low' | 'high'>;
    /** Mean of the runs' mean times, in the metric that decides. */
    meanNs: {
      /** Mean time of side A. */
      A: number;
      /** Mean time of side B. */
      B: number;
    };
  }[];
  /** Standard deviation between hosts of the log ratio, without what runs add to it: 0.004 = 0.4 %. */
  between: number;
  /** The same within hosts, of what is resampled; `null` where no host has two. */
  within: number | null;
  /** Standard deviation of the logarithms of the hosts' mean times of A: how much faster some machines are than others. */
  timesBetween: number;
  /** `hosts`, `layouts`: the interval of the ratio speaks for machines or builds like these; `runs`: for these machines alone. */
  pooledOver: 'runs' | 'layouts' | 'hosts';
}

interface Confirmation {
  /** Their ids. */
  hosts: string[];
  /** Usable runs of these machines. */
  runs: number;
  /** `null` with too few runs. */
  ratio: Estimate | null;
  /** Their verdict; `null` with too few runs. */
  verdict: Verdict | null;
}

interface ComparisonSegments {
  /** Repetitions at the end of a run that must be steady. */
  window: number;
  /** Segments of each side. */
  sides: Sides<SeriesSegments>;
  /** Segments of the ratio B / A. */
  ratio: SeriesSegments;
}

interface Estimate {
  /** Estimated ratio B / A. */
  estimate: number;
  /** Lower end of the interval; 0 where there is too little for an interval. */
  low: number;
  /** Upper end of the interval; the largest double where there is too little for an interval. */
  high: number;
  /** Confidence level of the interval: 0.99 = 99 %. */
  level: number;
}

type IntervalKind =
  | 'percentile'
  | 'bca'
  | 't'
  | 'signed-rank'
  | 'side-and-core'
  | 'rank-sum'
  | 'cosine-t'
  | 'placement-t'
  | 'run-medians'
  | 'expanded-percentile'
  | 'anytime-t';

interface Commits {
  /** The baseline. */
  A: CommitRef | null;
  /** The candidate. */
  B: CommitRef | null;
}

interface Machine {
  /** Name of the machine. */
  hostname: string;
  /** Operating system and architecture. */
  platform: string;
  /** Release of the kernel. */
  kernel: string;
  /** Version of Node. */
  node: string;
  /** Model of the CPU. */
  cpuModel: string | null;
  /** CPUs of the machine that are online. */
  onlineCpus: number;
  /** CPUs that this process may use (affinity and cpuset). */
  usableCpus: number[];
  /** CPUs that share a core with a CPU of the experiment, by that CPU; a CPU alone on its core lists itself. */
  smtSiblings: Record<string, number[]>;
  /** Simultaneous multithreading is on. */
  smtActive: boolean | null;
  /** Frequency governor of the CPUs. */
  governor: string | null;
  /** Frequencies above the nominal one are allowed. */
  turbo: boolean | null;
  /** Address space layout randomisation: 0 off, 1 stack and libraries, 2 also the heap. */
  aslr: number | null;
  /** Clock source of the kernel. */
  clockSource: string | null;
  /** Kind of virtualization, where it is known. */
  virtualization: string | null;
  /** Memory of the machine, bytes. */
  memoryTotalBytes: number;
  /** Memory that was available when the experiment began, bytes. */
  memoryAvailableBytes: number | null;
  /** CPU quota of the control group, in CPUs (1.5 = one and a half); `null` = none. */
  cpuQuota: number | null;
  /** Version of control groups. */
  cgroupVersion: 'none' | 'v1' | 'hybrid' | 'v2';
  /** Load average over one minute when the experiment began. */
  load1: number;
}

interface HyperfineResult extends Omit<SideSummary, 'name' | 'metric' | 'alone' | 'cv' | 'exitCodes' | 'maxRssBytes'> {
  /** Exit codes, as of the side. */
  exit_codes: (number | null)[];
  /** Values of the parameters by their names. */
  parameters?: Params | undefined;
}

interface Gate {
  /** Result for the pipeline: every benchmark excludes a difference beyond its bound, one differs, neither is known of one, or no result is given. */
  outcome: 'passed' | 'failed' | 'not-measured' | 'abstained';
  /** The difference of B that the gate is against. */
  against: GatedDifference;
  /** The correction for the number of benchmarks. */
  correction: FamilyCorrection;
  /** Largest adjusted p value that counts as slower: half of 1 - confidence. */
  level: number;
  /** Each comparison that counts. */
  benchmarks: (Gated & {
    /** Still slower after the correction. */
    slower: boolean;
    /** Still faster after the correction. */
    faster: boolean;
    /** Largest difference that counts as none: the margin, or 2 % where that is 0. */
    bound: number;
    /**
     * The slowdown and the speedup, relative, above which B's is excluded, each one-sided at the confidence of its interval; the
     * largest double where nothing is excluded.
     */
    excluded: {
      /** The slowdown: 0.013 = B may be 1.3 % slower. */
      slower: number;
      /** The speedup: 0.013 = A may take 1.3 % longer than B. */
      faster: number;
    };
    /** Result of this benchmark: it passes, fails, is excused, was not measured well enough for either, or so and let pass all the same. */
    outcome: 'passed' | 'failed' | 'not-measured' | 'waived' | 'let-pass';
    /** The waiver that is in force today; `null` = none. */
    waiver: Waiver | null;
    /** There where the difference may be one of layout alone (LAYOUT_SUSPECTED). */
    layoutSuspected?: true | undefined;
  })[];
  /** The A/A comparisons beside the others; `null` = none was asked for. */
  control: {
    /** A differs from itself in at least one of them. */
    fired: boolean;
    /** Largest adjusted p value that counts as a difference: 1 - confidence. */
    level: number;
    /** Each comparison of A with itself. */
    benchmarks: (Gated & {
      /** A differs from itself here after the correction. */
      differs: boolean;
    })[];
  } | null;
  /**
   * There where the gate abstained: A differs from itself, so that nothing that was measured beside it can be trusted, or no
   * benchmark was judged.
   */
  reason?: 'control-fired' | 'nothing-judged' | undefined;
}

interface Host {
  /** Id of the host within the experiment; trials refer to it. */
  id: string;
  /** Its properties. */
  machine: Machine;
  /** Labels that its worker was started with, such as instance type and region. */
  labels: Params;
  /** Its runs only confirm what those of the other hosts found slower. */
  confirms?: true | undefined;
}

interface SteadyState {
  /** Benchmark, parameters and side. */
  name: string;
  /** Those that were classified. */
  runs: number;
  /** Repetitions of a run, the mean, rounded. */
  repetitions: number;
  /** Repetition from which on runs were steady, the mean of those that were, rounded; `null` when none was. */
  steadyFrom: number | null;
  /** Shares of the runs by class, from 0 to 1. */
  shares: {
    /** Runs that are steady from their beginning. */
    flat: number;
    /** Runs whose steady state is their fastest part. */
    'warm-up': number;
    /** Runs whose steady state is slower than an earlier part. */
    slowdown: number;
    /** Runs without a steady state. */
    'no-steady-state': number;
  };
  /** Class of all runs together. */
  class: RunClass | 'good-inconsistent' | 'bad-inconsistent';
}

interface ErrorDetails {
  /** Advice for the next step, one sentence; absent or `null` where the message says it. */
  hint?: string | null | undefined;
  cause?: unknown;
}

type Phase = 'warmup' | 'measure';

type Side = 'A' | 'B';

type Margin =
  | number
  | {
      ns: number;
    };

interface SegmentRequest {
  /** Repetitions at the end of a run that must be steady for it to have a class; default 500. */
  window?: number | undefined;
  /** Cost of one change point; default: at the knee of penalty against number of change points. */
  penalty?: PenaltyName | number | 'knee' | undefined;
  /** `false`: neither intervals nor the check for a trend, which take longest; default `true`. */
  intervals?: boolean | undefined;
}

type AskedInterval = 'rank' | 'expanded' | 'percentile' | 'bca' | 't';

type FamilyCorrection = 'holm' | 'benjamini-hochberg' | 'none';

type ColumnMap = {
  run?: string | undefined;
  start?: string | undefined;
  benchmark?: string | undefined;
  time: string;
  side?: string | undefined;
  invocations?: string | undefined;
};

type TimeUnit = 'ns' | 'us' | 'ms' | 's';

interface ProgramOptions {
  /** What is executed and timed; {NAME} stands for a parameter of the matrix, and the word side between braces for A or B. */
  command?: string | undefined;
  /** Folder in which the command and its hooks are executed; with an image, a folder of the container (default: the folder of the file, or the current folder). */
  cwd?: string | undefined;
  /** Give each side a copy of this folder, and execute its command and its hooks there; the copies are removed at the end (default: none). */
  scratch?: string | undefined;
  /** File that the program writes and the parser reads, instead of what it prints; * stands for any text (default: what it prints). */
  results?: string | undefined;
  /** Variables in the environment of the command and its hooks; those of inner levels are added (default: none). */
  environment?: Record<string, Text> | undefined;
  /** Shell that starts the command: default (/bin/sh, only for commands with shell syntax), none, or the command line of a shell (default: default). */
  shell?: string | undefined;
  /** Image of the container in which the command is executed; it must already be on this machine (default: none). */
  image?: string | undefined;
  /** Limits of a container: cpus and memory (default: none). */
  limits?:
    | {
        /** Most CPU time in each second, in CPUs: 0.5. */
        cpus?: number | undefined;
        /** Most memory: 2g. */
        memory?: Memory | undefined;
      }
    | undefined;
  /** Network of a container, by the engine's name (default: none). */
  network?: string | undefined;
  /** True if programs may write to the files of their image, and not only to /tmp (default: false). */
  writable?: boolean | undefined;
  /** Files and folders of a container that are copied out after every run (default: none). */
  keep?: readonly string[] | undefined;
  /** Shell command to execute once, before everything else of a benchmark (default: none). */
  build?: string | undefined;
  /** Shell command to execute once for each side, before its first run (default: none). */
  setup?: string | undefined;
  /** Shell command to execute before every run of its side (default: none). */
  prepare?: string | undefined;
  /** Shell command to execute after every run of its side (default: none). */
  conclude?: string | undefined;
  /** Shell command to execute once for each side, after its last run (default: none). */
  cleanup?: string | undefined;
}

interface WorkloadOptions {
  /** Command = the program is timed as a whole; harness = it measures the times of its own iterations; lines = it prints or writes its times (default: command; lines with a parser). */
  workload?: Workload | undefined;
  /** How iterations are found in what the program prints: a regular expression with the groups start and end, one of them and duration, or time alone; and the unit of its groups (default: none). */
  lines?:
    | {
        /** Regular expression with the groups start, end, duration or time. */
        pattern: string;
        /** Unit of all groups. */
        unit: TimeUnit;
      }
    | undefined;
  /** How iterations are found in the output of the program: renaissance, dacapo, scalabench, spec-cpu, jmh, go, cargo-bench, criterion, google-benchmark, catch2, pytest-benchmark, timeit, pyperf, mitata, tinybench or benchmark-js, or a module such as ./parser.js (default: none). */
  parser?: string | undefined;
  /** File that both commands read as standard input; typed beside commands, - is what deadheat itself reads there (default: /dev/null). */
  input?: string | undefined;
  /** Parameters and their values: one comparison for each combination; {NAME} stands for a value in commands, names, hooks, folders and variables, as it is written: 1.10 stays 1.10 (default: none). */
  matrix?: Record<string, readonly Text[]> | undefined;
  /** Versions of the programs in place of A and B: each is compared with the first one, and its name is the parameter version (default: A and B). */
  versions?: readonly Text[] | Record<string, string | ProgramOptions | null> | undefined;
  /** How the two commands are run: tandem, alone, async-tandem, sync-duet, async-duet, sequential, or auto, which chooses from a few pilot runs; several of them, or a map of them with settings of their own (default: auto; sync-duet with swap, fill and the like). */
  methods?:
    | readonly AskedMethod[]
    | {
        /** Settings that differ for sequential. */
        sequential?: MeasuringOptions | null | undefined;
        /** Settings that differ for tandem. */
        tandem?: MeasuringOptions | null | undefined;
        /** Settings that differ for alone. */
        alone?: MeasuringOptions | null | undefined;
        /** Settings that differ for async-tandem. */
        asyncTandem?: MeasuringOptions | null | undefined;
        /** Settings that differ for sync-duet. */
        syncDuet?: MeasuringOptions | null | undefined;
        /** Settings that differ for async-duet. */
        asyncDuet?: MeasuringOptions | null | undefined;
        /** Settings that differ for auto. */
        auto?: MeasuringOptions | null | undefined;
      }
    | undefined;
}

interface MeasuringOptions {
  /** A set of values for several settings, each of which another setting can override: quick, rigorous or none (default: none). */
  preset?: 'none' | 'quick' | 'rigorous' | undefined;
  /** Use the settings of a published procedure, each of which another setting can override: icpe20 (sync-duet), thesis (async-duet), or none (default: none). */
  like?: Paper | 'none' | undefined;
  /** Perform exactly N runs; a run executes both commands once. */
  runs?: number | undefined;
  /** Perform at least N runs (default: 20, and 5 s; 5 with until; 2 with stable). */
  minRuns?: number | undefined;
  /** Perform at most N runs (default: no limit; 5 with stable). */
  maxRuns?: number | undefined;
  /** Stop when the confidence interval is at most this wide on each side of the estimate: 0.5%. The interval is one that stays valid although it is computed many times while the experiment runs. */
  precision?: Share | undefined;
  /** Decided = stop as soon as the verdict is certain at the confidence level, or as soon as max-time and max-runs leave too little for a verdict. The error rate holds although the data are analysed many times. faster = the same, and also as soon as B is hardly going to be called faster within the limits. */
  until?: 'faster' | 'decided' | undefined;
  /** Start no new run of a benchmark after this time, except that there are always at least 5 runs; none = no limit (default: 60s; none with runs, and with stable when it is the only stop rule). */
  maxTime?: Duration | 'none' | undefined;
  /** Perform N runs before the measured runs; their times are not used for the verdict (default: 0). */
  warmup?: number | undefined;
  /** Do not use the first iterations of each run for the verdict: a number, those that begin within a time such as 5min, first-half or none (default: none for plain commands, first-half for programs that time themselves). */
  warmupIterations?: Duration | 'none' | 'first-half' | undefined;
  /** Number of iterations of each side in a run, including warm-up; program = the program decides (default: 1 for plain commands, but 10 in async-duet; 40 with a harness, which max-time does not make fewer; program with lines). */
  iterations?: number | 'program' | undefined;
  /** Length of a run, including warm-up: a number of iterations, a time from the start of the first one, or both, of which the one that is reached first ends the run: 100, 10min, '100 or 10min' (default: as iterations says). */
  length?:
    | Duration
    | `${number} or ${number}`
    | `${number} or ${number}ns`
    | `${number} or ${number}us`
    | `${number} or ${number}ms`
    | `${number} or ${number}s`
    | `${number} or ${number}min`
    | `${number} or ${number}\u00B5s`
    | `${number} or ${number}m`
    | `${number} or ${number}h`
    | undefined;
  /** End the warm-up of each run when the times are stable, and perform no more runs when the results are stable; for a harness, or a program whose output a built-in parser reads (default: never). */
  stable?:
    | 'never'
    | {
        /** The stability criteria: cv, rciw, kld. */
        criteria: readonly StabilityCriterion[];
        /** Whether all criteria must be met, or any one of them is enough. */
        combine?: 'any' | 'all' | undefined;
        /** Compute the criteria as the paper prints them, or as the authors' program does. */
        like?: 'paper' | 'jmh-reconfigure' | undefined;
        /** The largest change of cv and of rciw, and the smallest probability of kld, that count as stable. */
        thresholds?:
          | {
              /** Largest change of the coefficient of variation. */
              cv?: number | undefined;
              /** Largest change of the relative width of the confidence interval. */
              rciw?: number | undefined;
              /** Smallest probability that two distributions are equal. */
              kld?: number | undefined;
            }
          | undefined;
        /** At least this many warm-up iterations of a run. */
        minWarmup?: number | undefined;
        /** At most this many warm-up iterations of a run. */
        maxWarmup?: number | undefined;
        /** Measured iterations of a run. */
        measured?: number | undefined;
        /** Factor by which max-warmup and max-runs are multiplied as long as no criterion is met. */
        liftCaps?: number | undefined;
      }
    | undefined;
  /** Confidence level of the interval: 99% or 0.99 (default: 99%; 95% for async-duet and sequential). */
  confidence?: Share | undefined;
  /** Largest difference that does not matter to you: 1%, 0.01, or a time such as 0.5ms. B is slower or faster where it differs by more, and a dead heat is within it; with 0 every difference matters, and a dead heat is within 2% (default: 0). */
  margin?: Duration | `${number}%` | undefined;
  /** Quantity that decides: typical (the ratio of typical runs) or total (the ratio of total times, in which rare slow runs count in full). A gate fails by the one that is named, and without a name by either (with until by the typical run) (default: typical). */
  judge?: JudgedQuantity | undefined;
  /** What is compared: time (wall time), cpu (user + system time), undelayed (wall time without the time spent waiting for a CPU), or auto, which uses cpu when both sides keep one core busy and undelayed when they wait for other things; or a resource: rss (peak memory), faults (page faults), switches (context switches), or counted by the processor: instructions, cycles, branch-misses, cache-misses (default: auto). */
  metric?: Metric | 'auto' | undefined;
  /** Resources that are compared beside the metric that decides, with commas between them: rss, faults, switches, cycles, branch-misses, cache-misses; allocations (calls of malloc; of Node and Java bytes of their heap) and instructions, which are counted in runs of their own, by valgrind or the runtime, where the processor does not (default: none). */
  also?: readonly ResourceMetric[] | 'none' | undefined;
  /** Kind of confidence interval: rank (for a typical run), or for the mean: expanded, percentile, bca or t (default: rank). */
  interval?: AskedInterval | undefined;
  /** Number of bootstrap replicates (default: 10000; 9999 for async-duet and sequential). */
  replicates?: number | undefined;
  /** When the two sides of a duet trade cores: pair = after every pair, run = at random in each run, or never (default: pair). */
  swap?: Swap | undefined;
  /** Analyse sequential runs as two independent samples (RMIT) instead of as pairs (default: false). */
  unpaired?: boolean | undefined;
  /** With --harness: the two sides also trade cores within a run, after every N iterations; or never (default: never). */
  tradeEvery?: number | 'never' | undefined;
  /** With --harness: the side that finishes an iteration first keeps working, unmeasured, until the other side has finished. It selects the method sync-duet (default: false). */
  fill?: boolean | undefined;
  /** Smallest overlap rate at which two iterations of an async-duet are analysed as a pair (default: 0.4). */
  minimumOverlapRate?: number | undefined;
  /** Accept an exit status other than 0; a program that a signal ends still fails (default: false). */
  ignoreFailure?: boolean | undefined;
  /** Compare whole processes also of a benchmark harness that fills a time, whatever an operation costs (go test -bench, criterion, timeit and others) (default: false: they are compared by the times of operations that they print). */
  wholeProcess?: boolean | undefined;
  /** Compare what both commands print and their exit statuses before any time is judged, and refuse sides that differ; in runs of their own, 3 before the first that is judged and one after every 5 (default: false). */
  sameOutput?: boolean | undefined;
  /** With --same-output, which it implies: files that both sides have to write alike, with commas between them; side in a name stands for A or B (default: none). */
  sameFiles?: readonly string[] | undefined;
  /** With --same-output, which it implies: shell command that takes out what may differ, such as sed 's/took [0-9.]* s//'; it gets an output as its standard input. */
  normaliseOutput?: string | undefined;
  /** The half-width of the interval that the experiment was planned for; the report shows it beside the half-width that was reached (default: none). */
  plannedWidth?: Share | undefined;
  /** Time limits of one iteration and of one run, and, at the top level of the file, of the experiment (default: none). */
  timeouts?:
    | {
        /** Time limit of one iteration: 10s, or none. */
        iteration?: Duration | 'none' | undefined;
        /** Time limit of one run: 5m, or none. */
        run?: Duration | 'none' | undefined;
      }
    | undefined;
}

interface Waiver {
  /** Why the benchmark may be slower for a while. */
  reason: string;
  /** Last day on which it counts, YYYY-MM-DD, UTC. */
  expires: string;
}

interface BenchmarkSide extends ProgramOptions {
  /** Name of the side in reports (default: its command line). */
  name?: Text | undefined;
}

type RunPhase = Phase | 'pilot';

interface Failure {
  /** The side that failed. */
  side: Side;
  /** Stable name of the kind of failure. */
  code:
    | 'BENCHMARKS_DIFFER'
    | 'EXIT_STATUS'
    | 'SIGNAL'
    | 'TIMEOUT'
    | 'NOT_STARTED'
    | 'STRAY_PROCESS'
    | 'PEER_LOST'
    | 'HOOK_FAILED'
    | 'LAUNCHER_LOST'
    | 'NO_RECORD'
    | 'BAD_RECORD'
    | 'BAD_OUTPUT'
    | 'TIME_BUDGETED'
    | 'OUTPUTS_DIFFER'
    | 'TIME_LIMIT_TOO_SHORT'
    | 'NOTHING_IN_COMMON';
  /** One sentence: what happened, and the end of what the program wrote to stderr when it wrote anything. */
  message: string;
  /** For `TIME_BUDGETED`: the parser that reads the times of operations; absent = there is none. */
  parser?: BuiltInParser | undefined;
  /** For `TIME_BUDGETED`: number of benchmarks of a process; absent = it is not known. */
  benchmarks?: number | undefined;
  /** For `TIME_BUDGETED`: the longest time of an operation that was printed, ns; absent = it is not known. */
  operationNs?: number | undefined;
  /** For `TIME_BUDGETED`: true if several threads of the program computed at once. */
  isParallel?: boolean | undefined;
}

interface Progress {
  /** Index into `config.benchmarks`. */
  benchmark: number;
  /** Runs that are done. */
  runs: number;
  /** Runs that the stop rule asks for as far as is known; `null` = not known yet. */
  expectedRuns: number | null;
  /** Time since its first run began, ns. */
  elapsedNs: number;
  /** Share done by the stop rule's own measure, 0..1. */
  share: number;
  /** Its stop rule needs no more runs. */
  done: boolean;
}

interface ExperimentOnlyOptions {
  /** Name in reports. */
  name?: Text | undefined;
  /** Seed of all random choices; the same seed gives the same choices (default: a new seed, which is shown). */
  seed?: Text | undefined;
  /** Randomized-interleaving = the runs of all benchmarks and methods in rounds of random order; sequential = one benchmark and method after another (default: randomized-interleaving). */
  schedule?: Schedule | undefined;
  /** The machines among which the runs of each benchmark are divided, a number or their names: deadheat ci matrix and --part make parts for each of them (default: one for each part). */
  machines?: number | readonly string[] | undefined;
  /** The cores to use, such as 0,1,2: those of tandems and of the method alone; in a duet first A's core, then B's (default: deadheat chooses). */
  cpus?: readonly number[] | undefined;
  /** Number of tandems that run at the same time, each on a core of its own; all = one for every core (default: number of cores where all are quiet, else minus one, at least 1). */
  lanes?: number | 'all' | undefined;
  /** The program that runs containers: podman or docker (default: the one that is installed, podman before docker). */
  engine?: ContainerEngineName | undefined;
  /** A map of names to shell commands; the output of each command is stored with the results (default: none). */
  artifacts?: Record<string, string> | undefined;
  /** How the rate of false alarms is controlled when there are several benchmarks: holm, benjamini-hochberg or none (default: holm). */
  correction?: FamilyCorrection | undefined;
  /** Also compare A with itself, beside each comparison; if that comparison shows a difference, no verdict is given (exit code 5) (default: false). */
  control?: boolean | undefined;
  /** Exit with code 4 when one side lacks a benchmark that the other side has (default: false). */
  strict?: boolean | undefined;
  /** Show the output of the programs on the terminal (default: false). */
  showOutput?: boolean | undefined;
}

interface CostDifference {
  estimate: number;
  low: number;
  high: number;
}

interface SideOptions extends BenchmarkSide {
  /** Command line of the program that is executed and timed. */
  command: string;
}

interface CodeRequest {
  /** `here` = every worker has them; else a revision of the repository around the file. */
  what: string;
  /** URL of the repository; `null` = that of the remote `origin`. */
  repository: string | null;
}

type Schedule = 'randomized-interleaving' | 'sequential';

interface PlanEntry {
  /** Number of the entry, from 1. */
  entry: number;
  /** Name of the benchmark. */
  benchmark: string;
  /** Values of its parameters by their names. */
  params: Params;
  /** The method by which the sides are executed. */
  method: Method;
  /** Number of the entry whose pilot runs choose the method; `null` = it is fixed. */
  chosenBy: number | null;
  /** The kind of its programs. */
  workload: Workload;
  /** Settings with every default filled in, as `experiment.json` of a recording has them. */
  settings: object;
  /** Both sides. */
  sides: Sides<PlannedSide>;
  /** Expected time of its runs. */
  expected: ExpectedTime;
}

interface PlannedRun {
  /** Number of its entry, from 1. */
  entry: number;
  /** Number of the run in its phase, from 0. */
  run: number;
  /** Phase of the run: pilot, warm-up or measured. */
  phase: RunPhase;
  /** The side that is started first. */
  order: 'AB' | 'BA';
  /** CPU of each side. */
  cpus: Sides<number>;
}

type Outcome =
  | {
      kind: 'done';
    }
  | {
      kind: 'failed';
      failures: readonly Failure[];
    }
  | {
      kind: 'interrupted';
    }
  | {
      kind: 'time-limit';
    };

type Time =
  | `${number}ns`
  | `${number}us`
  | `${number}ms`
  | `${number}s`
  | `${number}min`
  | `${number}\u00B5s`
  | `${number}m`
  | `${number}h`;

type TimeMetric = 'cpu' | 'time' | 'undelayed';

type StabilityCriterion = 'cv' | 'rciw' | 'kld';

interface Warmup {
  /** Warm-up iterations of a side. */
  warmup: number;
  /** Warm-up iterations after which the decision fell; those that came until the sides heard of it are warm-up too. */
  decidedAfter: number;
  /** The side, or both, were stable then; `false`: the cap was reached. */
  stable: boolean;
}

interface StabilityCheck {
  /** The side whose values were checked. */
  side: Side;
  /** The criterion. */
  criterion: StabilityCriterion;
  /** The values meet the criterion. */
  stable: boolean;
  /** The value that is compared with the threshold; `null` = there were too few values. */
  value: number | null;
  /** The threshold of the criterion. */
  threshold: number;
}

interface QuantityOfSide {
  /** Mean of the values, in the unit of the quantity. */
  mean: number;
  /** Values behind the mean: one a run, of a side with a single run its iterations. */
  samples: number;
}

type Counter = 'instructions' | 'cycles' | 'branch-misses' | 'cache-misses';

interface SeriesSegments {
  /** Unit of means and intervals: ns an invocation, or B / A. Variances are in ns^2, of a ratio those of its logarithm. */
  unit: 'ns' | 'ratio';
  /** Empty for the ratio of sides that were measured by themselves: their segments are those of the sides. */
  runs: ReportedRun[];
  /** Class of all runs that were classified; `null` where none was. */
  class: RunClass | 'good-inconsistent' | 'bad-inconsistent' | null;
  /** Var(B), Var(S), Var(R): of measurements in a segment, segments in a run, runs; `null` where it cannot be estimated. */
  components: {
    /** Var(B): of measurements in a segment. */
    measurementVariance: number | null;
    /** Var(S): of segments in a run. */
    segmentVariance: number | null;
    /** Var(R): of runs. */
    runVariance: number | null;
  } | null;
  /** Which of the intervals to use, and why in words: about segments, and about the kind. */
  chosen: {
    /** The reasons, a sentence each. */
    reasons: string[];
    /** `aware` where the interval takes segments into account. */
    segments: 'aware' | 'ignorant';
    /** The kind of interval. */
    kind: 't' | 'normal' | 'resampling';
  };
  /** Every method's; empty with one run. */
  intervals: SegmentInterval[];
}

interface CommitRef {
  /** The full hash, or another unique id. */
  id: string;
  /** Name for people: a branch, a tag, the short hash. */
  label: string;
  /** When it was committed, ISO 8601; `null` = not known. */
  committedAt: string | null;
  /** First line of its message. */
  subject?: string | undefined;
  /** Name of the person who wrote it. */
  author?: string | undefined;
}

type GatedDifference = 'slower' | 'faster' | 'changed';

interface Gated {
  /** Name of the benchmark. */
  benchmark: string;
  /** Values of its parameters by their names. */
  params: Params;
  /** The method by which it was measured. */
  method: Method;
  /** By itself, uncorrected. */
  verdict: Verdict;
  /** One-sided p value that B is not slower; of a control two-sided that A does not differ from itself. */
  p: number;
  /** The same, corrected for the family. */
  adjustedP: number;
}

type RunClass = 'flat' | 'warm-up' | 'slowdown' | 'no-steady-state';

type PenaltyName = 'bic' | 'mbic' | 'barrett';

type Text = string | number | boolean;

type Workload = 'command' | 'harness' | 'lines';

type AskedMethod = Method | 'auto';

type Paper = 'icpe20' | 'thesis';

type Swap = 'pair' | 'run' | 'never';

type BuiltInParser =
  | 'renaissance'
  | 'dacapo'
  | 'scalabench'
  | 'spec-cpu'
  | 'jmh'
  | 'go'
  | 'cargo-bench'
  | 'criterion'
  | 'google-benchmark'
  | 'catch2'
  | 'pytest-benchmark'
  | 'timeit'
  | 'pyperf'
  | 'mitata'
  | 'tinybench'
  | 'benchmark-js';

type ContainerEngineName = 'podman' | 'docker';

interface PlannedSide {
  /** Name of the side. */
  name: string;
  /** Its command line. */
  commandLine: string;
  /** The program, absolute, and its arguments. */
  argv: readonly string[];
  /** Folder of execution; `null` = the current one. */
  workingDirectory: string | null;
  /** Folder of which it gets a copy; `null` = none. */
  scratch: string | null;
  /** Variables beside those of deadheat. */
  environment: Record<string, string>;
  /** Hooks that there are. */
  hooks: Record<string, string>;
}

interface ExpectedTime {
  /** Mean wall time of a run, hooks included, in `recording`; `null` = unknown until the first run. */
  runNs: number | null;
  /** The earlier recording of the same experiment that it was measured in. */
  recording: string | null;
  /** `null` = unknown. */
  leastNs: number | null;
  /** `null` = unknown or without a limit. */
  mostNs: number | null;
}

interface ReportedRun {
  /** Number of the run, from 0. */
  run: number;
  /** All that were recorded, warm-up and outliers included; of a ratio the pairs that are judged. */
  repetitions: number;
  /** Without warm-up and outliers. */
  measurements: number;
  /** Measurements that were left out as outliers. */
  outliers: number;
  /** The penalty for one change point, and how it was chosen. */
  penalty: number;
  /** Choice of the penalty. */
  penaltyChosenBy: 'short' | 'only' | 'knee' | 'no-knee' | 'given';
  /** Stretches of steady performance, in their order. */
  segments: ReportedSegment[];
  /** `null` where the run is shorter than the window, and for a ratio. */
  class: RunClass | null;
  /** Recorded index of the first iteration of the steady state; `null` without one. */
  steadyFromIteration: number | null;
}

interface SegmentInterval {
  /** The estimate. */
  estimate: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** Confidence level of the interval: 0.99 = 99 %. */
  level: number;
  /** Standard error; of a ratio that of its logarithm. */
  standardError: number;
  /** Number of runs. */
  runs: number;
  /** Bootstrap replicates; 0 without resampling. */
  replicates: number;
  /** `aware` where the interval takes segments into account. */
  segments: 'aware' | 'ignorant';
  /** The kind of interval. */
  kind: 't' | 'normal' | 'resampling';
}

interface ReportedSegment {
  /** Recorded indices of its first and last iteration; of a ratio those of A. */
  firstIteration: number;
  /** Recorded index of its last iteration. */
  lastIteration: number;
  /** Measurements in it, without outliers. */
  measurements: number;
  /** Mean of the measurements; of a ratio the geometric mean. */
  mean: number;
  /** `null` for a single measurement; of a ratio that of its logarithms. */
  standardDeviation: number | null;
}

/** A value of each side. */
interface Sides<Value> {
  /** The baseline. */
  A: Value;
  /** The candidate; without it A is compared with itself. */
  B: Value;
}

export {};
