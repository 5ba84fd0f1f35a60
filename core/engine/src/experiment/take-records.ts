import { basename } from 'node:path';
import { describeUnmatched, listBenchmarks, type NamedBenchmark } from '@deadheat/analysis';
import {
  methodFacts,
  workloadFacts,
  sides,
  type Benchmark,
  type Failure,
  type Method,
  type Side,
} from '@deadheat/model';
import {
  javaAdapters,
  ParserError,
  LineArrivals,
  outputRecords,
  parseText,
  recordLines,
  readResults,
  writtenResults,
} from '@deadheat/readers';
import {
  RecordError,
  type RecordedBenchmark,
  type RecordedSides,
  type TrialRecords,
  isSameName,
  type RecordedName,
} from '@deadheat/recording';
import type { SeenOutput } from './watch-output.ts';

/** The records of one run, or the failures in reading them. */
export interface TakenRecords {
  /** Files inside the recording; `null` = there is none that can be used. */
  readonly records: Readonly<Record<Side, string | null>>;
  readonly recorded: RecordedSides | null;
  readonly failures: readonly Failure[];
}

export const noRecords: TakenRecords['records'] = { A: null, B: null };

const notQuoted = 'the text itself is shown only where the experiment runs without a fleet';

/** Reads what both sides of a finished run recorded, and judges whether the run can count. */
export async function takeRecords(
  files: TrialRecords,
  {
    trial,
    benchmark,
    method,
    seen,
    classify,
    strict,
    needsInvocations = false,
    quotesOutput,
  }: {
    readonly trial: number;
    readonly benchmark: Benchmark;
    readonly method: Method;
    /** The output that a parser is to read; `null` = the benchmark has none. */
    readonly seen: Readonly<Record<Side, SeenOutput>> | null;
    /** Classifies iterations as warm-up from outside; `null` = the programs or the settings decide. */
    readonly classify: Classifier | null;
    /** `true` = a benchmark that one side lacks makes the run a failed one. */
    readonly strict: boolean;
    /** `true` = the criteria of stability compare distributions of invocation times; default `false`. */
    readonly needsInvocations?: boolean;
    /** `true` = failures may quote the output of the programs; `false` where their reader may not see that. */
    readonly quotesOutput: boolean;
  },
): Promise<TakenRecords> {
  const records: Record<Side, string | null> = { A: null, B: null };
  const recorded: Record<Side, readonly RecordedBenchmark[]> = { A: [], B: [] };
  const failures: Failure[] = [];
  for (const side of sides) {
    try {
      if (benchmark.lines !== null) {
        const { name, lines } = benchmark;
        const record = await recordLines(files.printed(trial, side), { benchmark: name, lines });
        await files.writeRecord(record, { trial, side });
      }
      if (seen !== null) await recordOutput(files, { trial, side, benchmark, method, seen: seen[side] });
      const { record, benchmarks } = await files.take(trial, side);
      if (benchmarks.every(({ iterations }) => iterations.length === 0)) failures.push(nothing(side, benchmark));
      else if (needsInvocations && !benchmarks.every(hasInvocations)) failures.push(oneValue(side, benchmark));
      records[side] = record;
      recorded[side] = benchmarks;
    } catch (error) {
      if (error instanceof ParserError) {
        const why = quotesOutput ? `${error.code}): ${error.message}` : `${error.code}; ${notQuoted})`;
        const message = `what ${side} printed or wrote cannot be used (${why}: ${benchmark.commands[side].commandLine}`;
        failures.push({ side, code: 'BAD_OUTPUT', message });
        continue;
      }
      if (!(error instanceof RecordError)) throw error;
      const where =
        error.line === null ? '' : ` in line ${error.line}${error.column === null ? '' : `, column ${error.column}`}`;
      const why = quotesOutput ? error.message : `${error.code}${where} (${notQuoted})`;
      const message = `${side} recorded something that cannot be used: ${why}`;
      failures.push({ side, code: 'BAD_RECORD', message });
    }
  }
  if (failures.length === 0) failures.push(...unmatched(recorded, { strict }));
  if (failures.length > 0) return { records: noRecords, recorded: null, failures };
  if (classify === null) return { records, recorded, failures };
  const warmup = classify.warmupOf(recorded);
  for (const side of sides) {
    const record = records[side];
    if (record !== null) recorded[side] = await files.mark(record, warmup[side]);
    const isWarm = recorded[side].every(({ iterations: { length } }, index) => (warmup[side][index] ?? 0) < length);
    if (!isWarm)
      failures.push(
        neverWarm(side, { benchmark, method, iterations: recorded[side], most: classify.iterationsAtMost }),
      );
  }
  return failures.length > 0 ? { records, recorded: null, failures } : { records, recorded, failures };
}

/** Why the benchmarks of the sides cannot be compared: none is on both, or with `strict` one is not. */
function unmatched({ A, B }: RecordedSides, { strict }: { readonly strict: boolean }): readonly Failure[] {
  const onlyA = A.filter((one) => !B.some((other) => isSameName(one, other)));
  const onlyB = B.filter((one) => !A.some((other) => isSameName(one, other)));
  if (onlyA.length === A.length) {
    const message =
      `A and B have no benchmark in common: ${describeUnmatched({ A: A.map(toNamed), B: B.map(toNamed) })}. ` +
      'Benchmarks are matched by name and parameters, so give both sides the same';
    return [{ side: 'B', code: 'NOTHING_IN_COMMON', message }];
  }
  if (!strict) return [];
  return sides.flatMap((side): Failure[] => {
    const missing = (side === 'A' ? onlyB : onlyA).map(toNamed);
    if (missing.length === 0) return [];
    const message =
      `${side} lacks ${listBenchmarks(missing)}, which the other side holds, and strict was asked for; let both sides hold the ` +
      'same benchmarks, with the same names and parameters';
    return [{ side, code: 'BENCHMARKS_DIFFER', message }];
  });
}

function toNamed({ benchmark, params }: RecordedName): NamedBenchmark {
  return { name: benchmark, params };
}

/** Says what of a run is warm-up. */
export interface Classifier {
  /** Number of warm-up iterations, the first ones, of each benchmark that the sides recorded. */
  readonly warmupOf: (recorded: RecordedSides) => Readonly<Record<Side, readonly number[]>>;
  /** Most iterations that it may want of a side that is no faster than the other. */
  readonly iterationsAtMost: number;
}

function neverWarm(
  side: Side,
  facts: {
    readonly benchmark: Benchmark;
    readonly method: Method;
    readonly iterations: readonly RecordedBenchmark[];
    readonly most: number;
  },
): Failure {
  const made = Math.max(...facts.iterations.map(({ iterations }) => iterations.length));
  const whose = methodFacts[facts.method].together ? 'the warm-up of both sides' : 'its warm-up';
  return {
    side,
    code: 'NO_RECORD',
    message:
      `${side} ended after ${made} iterations, before ${whose} was over, so that nothing was measured; have it make ` +
      `${facts.most} or more, or lower max-warmup of stable: ${facts.benchmark.commands[side].commandLine}`,
  };
}

function nothing(side: Side, { workload, parser, commands }: Benchmark): Failure {
  const why = workloadFacts[workload].printed
    ? parser === null
      ? 'no line that it printed is matched by the pattern; try the pattern on its output'
      : 'its parser found none; what goes to standard error is not read unless the command ends in 2>&1'
    : 'it wrote nothing to the file that DEADHEAT_RECORD names; a program takes part through @deadheat/harness, a ' +
      'client (clients/), or as docs/formats/protocol.md says';
  return {
    side,
    code: 'NO_RECORD',
    message: `${side} recorded no iteration: ${why}: ${commands[side].commandLine}`,
  };
}

/** Whether any iteration holds times of several invocations: a cold one may have had time for a single invocation. */
function hasInvocations({ iterations }: RecordedBenchmark): boolean {
  const rows = Array.from({ length: iterations.length }, (_, row) => row);
  return rows.length === 0 || rows.some((row) => (iterations.invocationTimes(row)?.length ?? 0) > 1);
}

function oneValue(side: Side, { commands }: Benchmark): Failure {
  return {
    side,
    code: 'BAD_RECORD',
    message:
      `${side} recorded one time for each iteration: kld compares how the times of invocations are distributed, and one value has no ` +
      'distribution. Have the program record times of invocations (d in docs/formats/protocol.md), as @deadheat/harness does, or use ' +
      `cv or rciw: ${commands[side].commandLine}`,
  };
}

interface OutputSource {
  readonly trial: number;
  readonly side: Side;
  readonly benchmark: Benchmark;
  readonly method: Method;
  readonly seen: SeenOutput;
}

/**
 * Writes the iterations that a parser finds in the output or results of a side as a record, and keeps the parsed text.
 *
 * @throws ParserError when no iterations can be taken from it, or `NO_TIMES` where an asynchronous duet lacks the times that show which
 *   iterations ran together; RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
 */
async function recordOutput(files: TrialRecords, source: OutputSource): Promise<void> {
  const { trial, side, benchmark, method, seen } = source;
  const { parser, name, params } = benchmark;
  if (parser === null) throw new RangeError(`${name} has no parser`);
  const { results } = seen;
  const path = results === null ? files.printed(trial, side) : writtenResults(results.pattern, results.before);
  const whole = readResults(path);
  const bytes = seen.until === null ? whole : whole.subarray(0, seen.until);
  if (results !== null) await files.keepResults(bytes, { trial, side });
  const context = { benchmark: name, params, side, source: results === null ? 'stdout' : basename(path) };
  const iterations = await parseText(parser, { text: bytes.toString('utf8'), context });
  const arrivals = results === null && seen.arrivals.length > 0 ? new LineArrivals(bytes, seen.arrivals) : null;
  const records = outputRecords(iterations, { name, arrivals });
  if (methodFacts[method].pairs === 'overlapping' && records.some(({ clock }) => clock === 'none'))
    throw noTimes(source);
  await files.writeRecord(
    records.flatMap(({ lines }) => lines),
    { trial, side },
  );
}

function noTimes({ seen, benchmark: { parser } }: OutputSource): ParserError {
  const adapter = parser?.kind === 'built-in' ? javaAdapters[parser.name] : undefined;
  const heaps =
    adapter === undefined
      ? 'it held its lines back, so that they show how long iterations took and not when they ran; have it flush each line ' +
        '(stdbuf -oL), write results with times, or be'
      : 'lines of several iterations came together, as those of short iterations do on busy cores, so that they show how long iterations ' +
        `took and not when they ran; make its iterations longer (some 500 ms), let it take part with ${adapter} (clients/java/adapters), or be`;
  const why =
    seen.results === null
      ? heaps
      : 'its results say how long iterations took and not when they ran; have them hold times, read what it prints, or be';
  return new ParserError('NO_TIMES', `${why} measured with methods: [sequential]`);
}
