import { statSync } from 'node:fs';
import { sideTrial } from '@deadheat/analysis';
import {
  methodFacts,
  benchmarkDefaults,
  configOf,
  defaultSettings,
  experimentDefaults,
  unknownMachine,
  type Benchmark,
  type Command,
  type Experiment,
  type ExperimentConfig,
  type IterationColumns,
  type MeasuredBenchmark,
  type MeasuredRun,
  type Method,
  type Rejudgement,
  type Side,
  type Warning,
} from '@deadheat/model';
import { BenchmarkSet } from './import/benchmark-set.ts';
import { ImportError } from './import/import-error.ts';
import { importPath } from './import/import-folder.ts';
import type { ImportOptions } from './import/import-file.ts';
import { IterationList } from './import/iteration-list.ts';
import { matchBetween, type MatchedBenchmark } from './import/match-benchmarks.ts';
import { oneSided, type ImportedBenchmark, type ImportedFile, type ImportedRun } from './import/imported-file.ts';

/** Files of another tool as runs of benchmarks, of one side or two. */
export interface MeasuredFile {
  readonly path: string;
  /** Ids of the adapters that read it, with commas. */
  readonly format: string;
  /** Name of the machine where the files give it. */
  readonly hostname: string | null;
  /** The experiment that the files stand for. */
  readonly experiment: Experiment;
  readonly benchmarks: readonly (MeasuredBenchmark & { readonly config: ExperimentConfig })[];
  /** Warnings about the limits of the files. */
  readonly limits: readonly Warning[];
}

/**
 * Reads whatever result files can be read, without a comparison: a benchmark whose file holds one side has no iterations of B, unless
 * a second file holds those.
 *
 * @param paths a file or a folder of files; of two the first is side A, the second side B
 * @throws ImportError as `importPath` and, of two, `matchBetween`; `NOTHING_TO_IMPORT` where the files hold means alone
 */
export async function readMeasuredFile(
  paths: string | readonly [string, string],
  options: ImportOptions = {},
): Promise<MeasuredFile> {
  const [pathA, pathB = null] = typeof paths === 'string' ? [paths] : paths;
  const A = await importPath(pathA, options);
  const B = pathB === null ? null : await importPath(pathB, options);
  const path = pathB === null ? pathA : `${pathA} and ${pathB}`;
  const between = B === null ? null : matchBetween({ A, B }, { strict: false });
  const matched = between === null ? sidesWithin(A) : between.matched.filter(isTimed);
  if (matched.length === 0) {
    throw new ImportError('NOTHING_TO_IMPORT', `${path}: means and no single times. Let the tool keep its samples.`, {
      path,
    });
  }
  const tool = { name: 'deadheat', version: '' };
  const experiment = experimentOf({ A, B: B ?? A }, { matched, changes: {}, tool });
  const { config } = experiment;
  const benchmarks = matched.map((one, index) => {
    const benchmark = config.benchmarks[index] ?? toBenchmark(one, {});
    const isPaired = arePaired(one);
    const runs = isPaired ? pairRuns(one.sides, one.method) : sequentialRuns(one.sides);
    return { benchmark, runs, config: { ...configOf(config, benchmark), method: one.method, unpaired: !isPaired } };
  });
  const limits = [...A.limits, ...(B?.limits ?? []), ...(between?.warnings ?? [])];
  return { path, format: A.format, hostname: A.hostname, experiment, benchmarks, limits };
}

function isTimed({ sides: { A, B } }: MatchedBenchmark): boolean {
  return A.summary === null && B.summary === null;
}

/** The benchmarks of a file with the sides that they have; what has means alone is left out. */
function sidesWithin({ path, benchmarks }: ImportedFile): readonly MatchedBenchmark[] {
  const timed = benchmarks.filter(({ summary }) => summary === null);
  function keyOf({ name, params, method }: ImportedBenchmark): string {
    return BenchmarkSet.idOf({ name, params, method });
  }
  const partners = new Map(timed.filter(({ side }) => side === 'B').map((one) => [keyOf(one), one]));
  const first = timed.filter(({ side }) => side !== 'B');
  const paired = first.map((A) => ({ own: A, A, B: A.side === null ? undefined : partners.get(keyOf(A)) }));
  const known = new Set(paired.map(({ B }) => B));
  const alone = [...partners.values()].filter((B) => !known.has(B)).map((B) => ({ own: B, A: undefined, B }));
  return [...paired, ...alone].map(({ own: { name, params, conditions }, A, B }) => {
    const none = oneSided({ name, params });
    return {
      name,
      params: { ...params, ...conditions },
      method: A === undefined || B === undefined ? 'sequential' : (A.method ?? 'sequential'),
      inBlocks: false,
      names: { A: path, B: path },
      sides: { A: A ?? none, B: B ?? none },
    };
  });
}

/** Runs of sides that were measured by themselves, side by side as far as both have them. */
export function sequentialRuns({ A, B }: Readonly<Record<Side, ImportedBenchmark>>): readonly MeasuredRun[] {
  const [runsOfA, runsOfB] = [A.runs.map(columnsOf), B.runs.map(columnsOf)];
  return Array.from({ length: Math.max(runsOfA.length, runsOfB.length) }, (_, run): MeasuredRun => {
    const [a, b] = [runsOfA[run] ?? nothing, runsOfB[run] ?? nothing];
    const order = (A.runs[run] ?? B.runs[run])?.iterations.order ?? 'AB';
    return { trial: { ...sideTrial({ run, method: 'sequential', wallNs: 0 }), order }, iterations: { A: a, B: b } };
  });
}

const nothing: IterationColumns = new IterationList();

/** The iterations of a run by a clock that begins with the first. */
export function columnsOf({ iterations }: ImportedRun): IterationColumns {
  iterations.beginClockAt(iterations.firstStartNs ?? 0);
  return iterations;
}

/** The experiment that files stand for. */
export function experimentOf(
  files: Readonly<Record<Side, ImportedFile>>,
  {
    matched,
    changes,
    tool,
  }: {
    readonly matched: readonly MatchedBenchmark[];
    readonly changes: Rejudgement;
    readonly tool: Experiment['tool'];
  },
): Experiment {
  const { A, B } = files;
  const method: Method = matched[0]?.method ?? 'sequential';
  const holdsWarmup = A.holdsWarmup || B.holdsWarmup;
  return {
    schema: 'deadheat.experiment/1',
    id: 'files',
    startedAt: statSync(A.path).mtime.toISOString(),
    tool,
    config: {
      ...experimentDefaults,
      ...defaultSettings(method, 'harness'),
      ...changes,
      unpaired: true,
      warmup: holdsWarmup ? { kind: 'first-half' } : { kind: 'none' },
      iterations: null,
      swap: 'never',
      name: 'files',
      benchmarks: matched.map((one) => toBenchmark(one, changes)),
      cpus: [0, 1],
      tandemCpus: [],
      sequentialCpus: [],
      lanes: 1,
      seed: 'files',
    },
    machine: unknownMachine,
    warnings: [],
  };
}

/** A benchmark of files as one of an experiment. */
export function toBenchmark({ name, params, method, names, sides }: MatchedBenchmark, changes: Rejudgement): Benchmark {
  const { confidence, interval, replicates } = defaultSettings(method, 'harness');
  const { correction: _family, strict: _matching, ...asked } = changes;
  const isByCpu = sides.A.timedBy === 'cpu' || sides.B.timedBy === 'cpu';
  const own = isByCpu ? { metric: 'cpu' as const, ...asked } : asked;
  function command(text: string): Command {
    return { name: text, commandLine: text, argv: [text], executedBy: 'direct' };
  }
  return {
    ...benchmarkDefaults,
    name,
    params,
    workload: 'harness',
    commands: { A: command(names.A), B: command(names.B) },
    own: { method, confidence, interval, replicates, ...own },
  };
}

/**
 * True for runs that are compared as pairs: of a method that pairs iterations; else where the file says of each run which of its sides was
 * first, so that the sides took turns.
 */
export function arePaired({ sides: { A, B }, method }: Pick<MatchedBenchmark, 'sides' | 'method'>): boolean {
  if (methodFacts[method].pairs !== 'none') return true;
  const labels = new Set(B.runs.map(({ label }) => label));
  const isOrdered = [...A.runs, ...B.runs].every(({ iterations }) => iterations.order !== null);
  return (
    isOrdered && A.method !== null && A.runs.length === labels.size && A.runs.every(({ label }) => labels.has(label))
  );
}

/** The runs of a file that holds both sides of runs: those of one label are one run; one without the other counts nothing. */
export function pairRuns({ A, B }: Readonly<Record<Side, ImportedBenchmark>>, method: Method): readonly MeasuredRun[] {
  const partners = new Map(B.runs.map(({ label, iterations }) => [label, iterations]));
  return A.runs.flatMap(({ label, iterations: a }, run) => {
    const b = partners.get(label);
    if (b === undefined) return [];
    const originNs = Math.min(a.firstStartNs ?? 0, b.firstStartNs ?? 0);
    for (const side of [a, b]) if (side.hasTimestamps) side.beginClockAt(originNs);
    const wallNs = Math.max(a.endsNs.at(-1) ?? 0, b.endsNs.at(-1) ?? 0);
    const order = a.order ?? b.order ?? 'AB';
    return [{ trial: { ...sideTrial({ run, method, wallNs }), order }, iterations: { A: a, B: b } }];
  });
}
