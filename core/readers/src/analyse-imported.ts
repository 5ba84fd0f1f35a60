import {
  AnalysisError,
  compareBenchmark,
  compareQuantity,
  compareSides,
  compareSummaries,
  judgeGate,
  quantityValues,
  reportOf,
  segmentReport,
  type SegmentRequest,
} from '@deadheat/analysis';
import {
  methodFacts,
  configOf,
  type Benchmark,
  type Comparison,
  type ComparisonSegments,
  type Experiment,
  type ExperimentConfig,
  type Quantity,
  type Rejudgement,
  type Report,
  type Side,
  type Warning,
} from '@deadheat/model';
import { mean, median, standardDeviation } from '@deadheat/stats';
import { importPath } from './import/import-folder.ts';
import { matchBetween, matchWithin, type MatchedBenchmark } from './import/match-benchmarks.ts';
import type { ImportOptions } from './import/import-file.ts';
import { summaryOf, type ImportedBenchmark, type ImportedFile, type ImportedQuantity } from './import/imported-file.ts';
import { arePaired, columnsOf, experimentOf, pairRuns, sequentialRuns, toBenchmark } from './measured-files.ts';

/** The files to analyse, and the settings. */
export interface ImportedAnalysis {
  /** A file, or a folder of files, a side; one that holds both sides may stand alone. */
  readonly paths: readonly [string] | readonly [string, string];
  /** The settings for reading each of them. */
  readonly reading: Readonly<Record<Side, ImportOptions>>;
  readonly changes?: Rejudgement;
  /** Asks for segments of steady performance, too; `null` or absent does not. */
  readonly segments?: SegmentRequest | null;
  /** Name and version of the tool, for the report. */
  readonly tool: Experiment['tool'];
}

/** Codes of warnings that comparisons carry themselves, so that they are not repeated for the files. */
const codesOfComparisons: ReadonlySet<Warning['code']> = new Set(['NO_RUN_VARIANCE', 'SUMMARY_ONLY']);

/**
 * Judges result files of other tools. Benchmarks are matched by name and parameters; sides of two files count as measured
 * one after the other (`sequential`), sides of one file as it says. Of a program whose warm-up is among its iterations
 * the first half of a run is left out.
 *
 * @throws ImportError for a file that cannot be read or compared; AnalysisError when no benchmark carries a result.
 */
export async function analyseImported({
  paths,
  reading,
  changes = {},
  segments = null,
  tool,
}: ImportedAnalysis): Promise<Report> {
  const [pathA, pathB] = paths;
  const A = await importPath(pathA, reading.A);
  const B = pathB === undefined ? null : await importPath(pathB, reading.B);
  const matching = { strict: changes.strict ?? false };
  const { matched, warnings } = B === null ? matchWithin(A, matching) : matchBetween({ A, B }, matching);
  const files = { A, B: B ?? A };
  const experiment = experimentOf(files, { matched, changes, tool });

  const comparisons: Comparison[] = [];
  const leftOut: AnalysisError[] = [];
  for (const [index, one] of matched.entries()) {
    try {
      const benchmark = experiment.config.benchmarks[index] ?? toBenchmark(one, changes);
      const facts = { benchmark, files, config: configOf(experiment.config, benchmark) };
      const quantities = quantitiesOf(one, facts.config);
      const comparison = { ...compare(one, facts), ...(quantities.length > 0 ? { quantities } : {}) };
      const found = segments === null ? null : findSegments(one, { ...facts, request: segments });
      const warnings = [...comparison.warnings, ...(found?.warnings ?? [])];
      comparisons.push({ ...comparison, warnings, ...(found?.segments ? { segments: found.segments } : {}) });
    } catch (error) {
      if (!(error instanceof AnalysisError)) throw error;
      leftOut.push(error);
    }
  }
  const [first] = leftOut;
  if (comparisons.length === 0 && first !== undefined) throw first;
  return reportOf({
    experiment,
    comparisons,
    gate: judgeGate({
      judged: comparisons.map((comparison) => ({ comparison, waiver: null })),
      correction: experiment.config.correction,
      today: new Date().toISOString().slice(0, 10),
    }),
    directory: pathA,
    files: paths,
    complete: true,
    warnings: [...warnings, ...limitsOf(files, comparisons), ...leftOut.map(toWarning)],
  });
}

interface JudgingFacts {
  readonly benchmark: Benchmark;
  readonly files: Readonly<Record<Side, ImportedFile>>;
  readonly config: ExperimentConfig;
}

function compare(matched: MatchedBenchmark, facts: JudgingFacts): Comparison {
  const { sides, method, inBlocks } = matched;
  const { benchmark, files, config } = facts;
  if (sides.A.summary !== null || sides.B.summary !== null) {
    return compareSummaries({ sides: { A: toSummary(sides.A), B: toSummary(sides.B) }, benchmark, config, inBlocks });
  }
  if (arePaired(matched)) {
    return compareBenchmark({
      runs: pairRuns(sides, method),
      benchmark,
      config: { ...config, method, unpaired: false },
      origin: 'files',
    });
  }
  function side(name: Side): Parameters<typeof compareSides>[0]['sides'][Side] {
    return {
      runs: sides[name].runs.map(columnsOf),
      isSorted: isSorted(files[name]),
      deviationOfRuns: sides[name].deviationOfRuns,
    };
  }
  return compareSides({ sides: { A: side('A'), B: side('B') }, benchmark, config, inBlocks });
}

/** Columns of iterations that are invocations and times, and not quantities of their own. */
const columnsOfTime: ReadonlySet<string> = new Set(['n', 'c', 'q', 'v']);

/** The quantities besides time that both sides measured, each by its name and unit. */
function quantitiesOf({ sides }: MatchedBenchmark, config: ExperimentConfig): Quantity[] {
  const [A, B] = [valuesOf(sides.A, config), valuesOf(sides.B, config)];
  return [...A].flatMap(([key, { name, unit, values }]) => {
    const other = B.get(key);
    return other === undefined ? [] : [compareQuantity({ name, unit, values: { A: values, B: other.values } }, config)];
  });
}

function valuesOf(
  { runs, quantities = [] }: ImportedBenchmark,
  { warmup }: ExperimentConfig,
): ReadonlyMap<string, ImportedQuantity> {
  const lists = runs.map(({ iterations }) => iterations);
  const keys = [...new Set(lists.flatMap(({ metrics }) => metrics))].filter((key) => !columnsOfTime.has(key));
  const columns = keys.map((key) => ({ name: key, unit: null, values: quantityValues(lists, { key, warmup }) }));
  return new Map(
    [...columns, ...quantities]
      .filter(({ values }) => values.length > 0)
      .map((one) => [JSON.stringify([one.name, one.unit]), one] as const),
  );
}

function isSorted({ limits }: ImportedFile): boolean {
  return limits.some(({ code }) => code === 'SORTED_SAMPLES');
}

/** Segments of a benchmark; of what has no order of times a warning that there are none. */
function findSegments(
  { sides, method, name }: MatchedBenchmark,
  { benchmark, files, config, request }: JudgingFacts & { readonly request: SegmentRequest },
): { readonly segments: ComparisonSegments | null; readonly warnings: readonly Warning[] } {
  function none(code: Warning['code'], why: string): { segments: null; warnings: readonly Warning[] } {
    const message = `no segments of ${name} were searched for: ${why}. Measure with deadheat for that`;
    return { segments: null, warnings: [{ code, message }] };
  }
  if (sides.A.summary !== null || sides.B.summary !== null) return none('SUMMARY_ONLY', 'there are no single times');
  if (isSorted(files.A) || isSorted(files.B)) return none('SORTED_SAMPLES', 'the order of the times is lost');
  if (methodFacts[method].pairs !== 'none') {
    const found = segmentReport({ runs: pairRuns(sides, method), benchmark, config, request, origin: 'files' });
    return found ?? none('FEW_RUNS', 'no run has times of both sides');
  }
  const runs = sequentialRuns(sides);
  const input = {
    runs,
    benchmark,
    config: { ...config, method },
    request,
    keepOneSided: true,
    origin: 'files',
  } as const;
  const found = segmentReport(input);
  return found ?? none('FEW_RUNS', 'no run has times after its warm-up');
}

function limitsOf(files: Readonly<Record<Side, ImportedFile>>, comparisons: readonly Comparison[]): Warning[] {
  const { A, B } = files;
  const given = new Set(comparisons.flatMap(({ warnings }) => warnings.map(({ code }) => code)));
  const isSequential = comparisons.every(({ method }) => methodFacts[method].pairs === 'none');
  const limits = bothLimits(files).filter(
    // Without a duet nothing was to be paired by time.
    ({ code }) => !(codesOfComparisons.has(code) && given.has(code)) && !(code === 'NO_TIMESTAMPS' && isSequential),
  );
  if (A.hostname === null || B.hostname === null || A.hostname === B.hostname) return limits;
  const message =
    `A was measured on ${A.hostname} and B on ${B.hostname}: the difference of the machines is in the result. ` +
    'Measure both on one machine.';
  return [...limits, { code: 'MACHINES_DIFFER', message }];
}

/** The limits of both files; limits of both are given once. */
function bothLimits({ A, B }: Readonly<Record<Side, ImportedFile>>): readonly Warning[] {
  if (A === B) return A.limits;
  function same(one: Warning, other: Warning): boolean {
    return one.code === other.code && one.message.replace(A.path, '') === other.message.replace(B.path, '');
  }
  return [
    ...A.limits.map((one) =>
      B.limits.some((other) => same(one, other))
        ? { ...one, message: one.message.replace(A.path, () => `${A.path} (like ${B.path})`) }
        : one,
    ),
    ...B.limits.filter((other) => !A.limits.some((one) => same(one, other))),
  ];
}

function toWarning({ code, message }: AnalysisError): Warning {
  return { code: code === 'TOO_FEW_RUNS' ? 'FEW_RUNS' : 'SUMMARY_ONLY', message };
}

/** Mean and scatter of all measured times of a benchmark, where the other side has no more than that. */
function toSummary({
  summary,
  runs,
  deviationOfRuns,
}: ImportedBenchmark): Parameters<typeof compareSummaries>[0]['sides']['A'] {
  if (summary !== null) return { ...summary, deviationOfRuns };
  const times = runs.flatMap(({ iterations }) => {
    const invocations = iterations.metric('n');
    return Array.from(iterations.durationsNs, (ns, row) => ns / (invocations?.[row] ?? 1)).filter(
      (_, row) => !iterations.isWarmup(row),
    );
  });
  if (times.length === 0) return summaryOf({ meanNs: 0, samples: 0 });
  return {
    meanNs: mean(times),
    standardDeviationNs: times.length > 1 ? standardDeviation(times) : null,
    samples: times.length,
    medianNs: median(times),
    minNs: times.reduce((least, time) => Math.min(least, time)),
    maxNs: times.reduce((most, time) => Math.max(most, time)),
    deviationOfRuns,
  };
}
