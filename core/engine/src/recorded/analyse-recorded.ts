import {
  analyseRecording,
  sameFileWritten,
  sidesWaited,
  threadsConfined,
  type SegmentRequest,
  reportPoints,
} from '@deadheat/analysis';
import {
  workloadFacts,
  configOf,
  stopRuleOf,
  type Experiment,
  type Explanation,
  type Iteration,
  type Rejudgement,
  type Report,
  type Warning,
  type BenchmarkPoints,
  type ExperimentConfig,
  methodFacts,
  type Trial,
} from '@deadheat/model';
import {
  benchmarksDiffer,
  measureRecorded,
  refuseUnmatched,
  type MeasuredRecording,
  type MeasuredEntry,
  readExplanation,
  readReport,
} from '@deadheat/recording';
import { noiseWarnings, machineWarnings, type NoisyRun } from '../host/machine-warnings.ts';
import { onlyPart, runsOfPart, shareOf } from '../plan/part-of-runs.ts';

/**
 * Analyses a recording again, with other judging options where given. A folder of recordings stands for its newest.
 * `segments` asks for segments of steady performance, too; `refuses` says whether sides without a common benchmark are an error
 * rather than an empty report.
 *
 * @throws RecordError as `readRecording`; with `refuses` as `refuseUnmatched`
 */
export async function analyseRecorded(
  path: string,
  changes: Rejudgement = {},
  { segments = null, refuses = false }: { readonly segments?: SegmentRequest | null; readonly refuses?: boolean } = {},
): Promise<Report> {
  const recording = await measureRecorded(path);
  const { trials, records, experiment } = recording;
  const { config } = experiment;
  if (refuses) refuseUnmatched(trials, { config, records, strict: changes.strict ?? config.strict });
  return judgeMeasured(recording, { changes, segments });
}

/** Settings of the judgement beside those of the recording. */
export interface JudgingOptions {
  readonly changes?: Rejudgement;
  readonly segments?: SegmentRequest | null;
  /** `true` = every planned run is in; `null` or absent: computed from the runs. */
  readonly complete?: boolean | null;
  /** Beside those of the recording. */
  readonly warnings?: readonly Warning[];
}

/** Analyses a recording that was read. */
export function judgeMeasured(
  { directory, experiment, trials, measured, records, warnings: ofFiles = [] }: MeasuredRecording,
  { changes = {}, segments = null, complete = null, warnings = [] }: JudgingOptions = {},
): Report {
  const config = { ...experiment.config, ...changes };
  const counted = config.benchmarks.map(
    (_, index) =>
      trials.filter(({ benchmark, phase, status }) => benchmark === index && phase === 'measure' && status === 'ok')
        .length,
  );
  return analyseRecording({
    experiment: { ...experiment, config },
    measured: measuredHere(measured, experiment),
    directory,
    complete: complete ?? counted.every((runs, index) => runs >= wantedRuns(experiment, index)),
    warnings: [
      ...warnings,
      ...ofFiles,
      ...warningsOfChosen(experiment),
      ...warningsOfObserved(experiment, trials),
      ...noiseWarnings(toNoisyRuns(trials)),
      ...benchmarksDiffer(trials, { config, records }),
    ],
    segments,
    today: today(),
  });
}

/** The measurements without those of benchmarks that other parts of a machine execute. */
export function measuredHere(measured: readonly MeasuredEntry[], { config, parts }: Experiment): typeof measured {
  const part = onlyPart(parts);
  if (part === null) return measured;
  const { holds } = shareOf(part, config);
  return measured.filter(({ entry }) => holds(entry));
}

/** Fewest measured runs of a benchmark with which its experiment is complete. */
function wantedRuns({ config, parts, warnings }: Experiment, index: number): number {
  const own = configOf(config, config.benchmarks[index] ?? { own: {} });
  const { fixedRuns } = stopRuleOf(own.stop);
  if (fixedRuns === null) return own.leastRuns;
  // A part is complete by itself; one that was brought together with others that are missing is not.
  const part = warnings.some(({ code }) => code === 'MISSING_PARTS') ? null : onlyPart(parts);
  if (part === null) return fixedRuns;
  const { machine, holds } = shareOf(part, config);
  return holds(index) ? runsOfPart(machine, { ...own, runs: fixedRuns }).count : 0;
}

/** A recording's report, and the measurements behind it. */
export interface RecordedReport {
  readonly directory: string;
  readonly report: Report;
  readonly points: readonly BenchmarkPoints[];
  /** `null` = it was not explained. */
  readonly explanation: Explanation | null;
}

/**
 * The report of a recording: the one that its experiment left, or where it left none a new one. A folder of recordings stands
 * for its newest.
 *
 * @throws RecordError as `readRecording` and `readReport`
 */
export async function reportRecorded(
  path: string,
  { segments }: Pick<PointsOptions, 'segments'>,
): Promise<RecordedReport> {
  const { directory, experiment, measured } = await measureRecorded(path);
  const report = (await readReport(directory)) ?? (await analyseRecorded(directory));
  return {
    directory,
    // The folder may have been moved since.
    report: { ...report, experiment: { ...report.experiment, recording: directory } },
    points: pointsOf(measured, { config: experiment.config, segments }),
    explanation: await readExplanation(directory),
  };
}

/** Segments are searched for without being asked up to this number of iterations of a side, which takes about a second. */
const mostIterations = 20_000;
/** Shorter runs have no segments to speak of. */
const fewestInRun = 20;

interface PointsOptions {
  readonly config: ExperimentConfig;
  /** `true` = segments of steady performance are searched for; `auto`: unless there are too many iterations for it. */
  readonly segments: boolean | 'auto';
}

/** The measurements, as a report draws them. */
export function pointsOf(
  measured: readonly MeasuredEntry[],
  { config, segments }: PointsOptions,
): readonly BenchmarkPoints[] {
  const wanted =
    segments === 'auto' ? measured.reduce((sum, { runs }) => sum + iterationsOf(runs), 0) <= mostIterations : segments;
  return measured.map(({ benchmark, runs }) =>
    reportPoints({ runs, benchmark, config: configOf(config, benchmark), segments: wanted && isLong(runs) }),
  );
}

function isLong(runs: MeasuredEntry['runs']): boolean {
  return runs.length > 0 && iterationsOf(runs) / runs.length >= fewestInRun;
}

function iterationsOf(runs: MeasuredEntry['runs']): number {
  return runs.reduce((sum, { iterations }) => sum + iterations.A.length, 0);
}

/** Warnings about disturbances of the duets that pilot runs chose: before these it was not known that there would be any. */
export function warningsOfChosen({ config, machine, hosts, parts, warnings }: Experiment): readonly Warning[] {
  const isElsewhere = hosts !== undefined && parts === undefined;
  const hasDuet = config.benchmarks.some(
    ({ chosen }) => chosen !== null && methodFacts[chosen.method].cpus === 'one-each',
  );
  if (isElsewhere || !hasDuet) return [];
  const known = new Set(warnings.map(({ code }) => code));
  return machineWarnings(machine, { cpus: config.cpus, hasDuet }).filter(({ code }) => !known.has(code));
}

/** Warnings about sides that disturb each other, or need more than they are given. */
export function warningsOfObserved({ config }: Experiment, trials: readonly Trial[]): readonly Warning[] {
  return config.benchmarks.flatMap((benchmark, index) => {
    const { name, chosen, workload } = benchmark;
    const { method } = configOf(config, benchmark);
    const own = trials.filter((trial) => trial.benchmark === index && trial.status === 'ok');
    return [
      ...(chosen?.sidesWait === undefined ? [] : [sidesWaited(name, chosen.sidesWait)]),
      ...sameFileWritten(name, { trials: own, method }),
      // A harness has helping threads, such as a garbage collector.
      ...(workloadFacts[workload].timesItself ? [] : threadsConfined(name, { trials: own, method })),
    ];
  });
}

/** The runs that are judged, as far as their noise goes; none of the pilot runs. */
export function* toNoisyRuns(trials: readonly Trial[]): Generator<NoisyRun> {
  for (const trial of trials) if (trial.phase !== 'pilot') yield toNoisyRun(trial);
}

/**
 * A run as far as its noise goes: over the time from the first start to the last end, of sides that take turns each by itself, without hooks. Of a program that
 * timed itself the time of the whole trial stands in.
 */
function toNoisyRun({ method, sides: results, noise, wallNs }: Trial): NoisyRun {
  const { A: one, B: other } = results;
  const cpus =
    one.cpus === undefined && other.cpus === undefined
      ? 1 + Number(one.cpu !== other.cpu)
      : new Set([...(one.cpus ?? [one.cpu]), ...(other.cpus ?? [other.cpu])]).size;
  const common = { cpus, isOnOneCore: methodFacts[method].cpus === 'one-shared', noise };
  const [A, B] = [one.iterations, other.iterations];
  if (A.length + B.length === 0) return { ...common, wallNs };
  return { ...common, wallNs: methodFacts[method].together ? spanNs(A, B) : spanNs(A) + spanNs(B) };
}

/** Time from the first start to the last end, ns. */
function spanNs(...lists: readonly (readonly Iteration[])[]): number {
  let [first, last] = [Infinity, -Infinity];
  for (const iterations of lists) {
    for (const { s, e } of iterations) {
      first = Math.min(first, s);
      last = Math.max(last, e);
    }
  }
  return Math.max(0, last - first);
}

/** The day now, YYYY-MM-DD, UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
