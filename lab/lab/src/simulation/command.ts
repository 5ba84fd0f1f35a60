import { mostReplicates } from '@deadheat/model';
import {
  badValue,
  checkExports,
  checkWritable,
  choice,
  type Command,
  count,
  createWorkProgress,
  defineCommand,
  exitCodes,
  flag,
  group,
  option,
  parseDuration,
  parsePenalty,
  readingOptions,
  resolveTerminalStyle,
  share,
  text,
  toImportOptions,
  withInterruption,
  writePieces,
} from '@deadheat/cli/kit';
import { parseCount } from 'deadheat/settings';
import { studyOutputOptions, writeStudy } from '../study/write-study.ts';
import { type DimensionChoice, simulateRecordings } from './run-simulation.ts';
import type { ExperimentDimension, ExperimentDuration } from './simulation-model.ts';

/** Fewest runs, and fewest iterations of a run, that have a variance. */
const least = 2;

/** `deadheat lab simulate`: coverage and width of intervals, on artificial recordings that are like one's own. */
export const simulate: Command = defineCommand({
  description:
    'Measures how often confidence intervals miss the true mean, and how wide they are. From your recordings it estimates how much runs, segments of steady performance and single measurements vary. It then draws many artificial recordings, whose true mean is known, and computes the intervals of each method. DATA is a recording, a folder of recordings, of which the newest is used, or result files of other tools.',
  usage: '[options] DATA...',
  args: { '<data...>': 'data to be like: a recording, or a result file of another tool' },
  options: {
    ...readingOptions,
    ...group('Experiments:', {
      runs: option('-r, --runs <LIST>', {
        help: 'number of runs in an artificial recording, or a list of numbers, such as 5,10,20',
        parse: () => parseRuns,
        fallback: 'as in the data, or drawn for each recording with --durations',
      }),
      iterations: option('--iterations <N>', {
        help: 'number of measured iterations in a run',
        parse: count(2),
        fallback: 'as in the data',
      }),
      dimensions: option('--dimensions <LIST>', {
        help: 'list of RUNSxITERATIONS, such as 10x100,20x3000',
        parse: parseDimensions,
        without: ['runs', 'iterations'],
        why: 'the dimensions are both numbers',
      }),
      durations: option('--durations <LIST>', {
        help: 'list of durations of the whole artificial recording, such as 1h,8h,24h, or with the warm-up of every run behind a slash: 1h/2min; the iterations fill the time (default warm-up: 2min up to 1h, 5min up to 8h, else 10min)',
        parse: parseDurations,
        without: ['dimensions', 'iterations'],
        why: 'the iterations fill the time',
      }),
      mix: flag('--mix', {
        help: 'with --durations: draw the duration of each recording too, and show one row for all of them',
        needs: ['durations'],
        without: ['runs'],
        why: 'the number of runs is drawn too',
      }),
      experiments: option('--experiments <N>', {
        help: 'number of artificial recordings of each benchmark for each of the --dimensions; 0 = only show what they would be drawn from',
        parse: count(0),
        default: 1000,
      }),
      warmupIterations: option('--warmup-iterations <N>', {
        help: 'number of iterations at the start of each run of the data that are left out, in addition to the recorded warm-up',
        parse: count(0),
        default: 0,
      }),
      rawMeans: flag('--raw-means', {
        help: 'draw the effects of runs and segments from the means of the data as they are, like the paper does, and not with the variances that remain after the noise of these means is subtracted',
      }),
      penalty: option('--penalty <PENALTY>', {
        help: 'penalty for each change point when the data are divided into segments: knee, bic, mbic, barrett or a number',
        parse: () => parsePenalty,
        default: 'knee',
      }),
    }),
    ...group('Intervals:', {
      boundaries: option('--boundaries <KIND>', {
        help: 'ends of the segments that the intervals use: detected = those that PELT finds, known = the true ones',
        parse: choice<'known' | 'detected'>(['known', 'detected']),
        default: 'detected',
      }),
      replicates: option('--replicates <N>', {
        help: 'also compute bootstrap intervals, with N replicates; the paper uses 33000',
        parse: (name) => parseCount(name, 0, mostReplicates),
        fallback: '0, no bootstrap intervals',
      }),
      confidence: option('--confidence <SHARE>', {
        help: 'confidence level of the intervals',
        parse: share({ zero: 'refused', example: '99%' }),
        fallback: '99%',
      }),
    }),
    ...group('How to run:', {
      seed: option('--seed <TEXT>', {
        help: 'seed of all random choices',
        parse: text('a text'),
        fallback: 'that of the recording',
      }),
      workers: option('--workers <N>', {
        help: 'number of threads, which does not change the results',
        parse: count(1),
        fallback: 'one for each processor',
      }),
      output: option('--output <FILE>', {
        help: 'store finished experiments in this file; after Ctrl-C, the same command continues from it',
        parse: text('a file'),
      }),
    }),
    ...studyOutputOptions,
    ...group('Output:', {
      exportIntervals: option('--export-intervals <FILE>', {
        help: 'write the ends of every interval as CSV: both as a share of the true mean',
        parse: text('a file'),
      }),
      exportRecordings: option('--export-recordings <FILE>', {
        help: 'write every measurement of the artificial recordings as CSV; one of 24h has a million rows, so lower --experiments',
        parse: text('a file'),
      }),
    }),
  },
  act: async (values, { data: paths }, terminal) => {
    const { experiments, boundaries, rawMeans, penalty, seed, workers, output } = values;
    const { exportIntervals: intervals, exportRecordings: artificial } = values;
    checkExports(values.export);
    if (output !== null) checkWritable('--output', output);
    if (intervals !== null) checkWritable('--export-intervals', intervals);
    if (artificial !== null) checkWritable('--export-recordings', artificial);
    const { stderr: stream, env: variables } = terminal;
    const style = resolveTerminalStyle(values.style, { stream, variables });
    const now = (): number => performance.now();
    const plan = {
      paths,
      reading: toImportOptions(values),
      experiments,
      confidence: values.confidence ?? 0.99,
      boundaries,
      replicates: values.replicates ?? 0,
      dimensions: toDimensions(values),
      warmup: values.warmupIterations,
      rawMeans,
      penalty,
      seed,
      workers,
      output,
    };
    return withInterruption(async (signal) => {
      const made = await simulateRecordings(plan, {
        signal,
        onWork: (work) => createWorkProgress(work, { stream, style, now }),
      });
      if (made !== null) {
        writeStudy(made.study, { recordings: made.recordings, output: values, terminal });
        writePieces(intervals, made.intervals);
        writePieces(artificial, made.artificial);
      }
      if (!signal.aborted) return exitCodes.done;
      const kept =
        output === null ? '' : `; what was finished is kept in '${output}', and the same command goes on with it`;
      stream.write(`deadheat: interrupted${kept}\n`);
      return exitCodes.interrupted;
    });
  },
  examples: `
Examples:
  deadheat lab simulate duet
      do such intervals contain the true mean as often as they should?
  deadheat lab simulate duet --dimensions 5x200,20x50 --experiments 20000
      are few long runs or many short ones better?
  deadheat lab simulate duet --durations 8h --runs 2,5,10,20,40 --figures figures
      how wide are intervals by the number of runs in the same time?
  deadheat lab simulate duet --durations 1h,8h,24h --mix --output simulated.jsonl
      experiments of several durations, as in the paper;
      after Ctrl-C the same command continues`,
});

interface TypedDimensions {
  readonly runs: readonly number[] | null;
  readonly iterations: number | null;
  readonly dimensions: readonly ExperimentDimension[] | null;
  readonly durations: readonly ExperimentDuration[] | null;
  readonly mix: boolean;
}

function toDimensions({ runs, iterations, dimensions, durations, mix }: TypedDimensions): DimensionChoice {
  if (durations !== null) {
    if (mix) return [{ mix: durations }];
    return runs === null ? durations : durations.flatMap((one) => runs.map((number) => ({ ...one, runs: number })));
  }
  if (dimensions !== null) return dimensions;
  return { ...(runs === null ? {} : { runs }), ...(iterations === null ? {} : { iterations }) };
}

/** Reads numbers of runs, such as `5,10,20`. */
function parseRuns(value: string): readonly number[] {
  return [...new Set(value.split(',').map(count(least)('--runs')))];
}

/** Reads a list of runs x iterations, such as `10x100,20x3000`; both at least 2. */
export function parseDimensions(name: string): (value: string) => readonly ExperimentDimension[] {
  const allowed = `a list of runs x iterations, both at least ${least}, such as 10x100,20x3000`;
  return (value) => {
    let offset = 0;
    return value.split(',').map((part) => {
      const [, runs, iterations] = /^(\d{1,9})x(\d{1,9})$/.exec(part) ?? [];
      const dimension = { runs: Number(runs), iterations: Number(iterations) };
      if (!(dimension.runs >= least && dimension.iterations >= least)) throw badValue(name, value, { allowed, offset });
      offset += part.length + 1;
      return dimension;
    });
  };
}

const hourNs = 3600e9;
const minuteNs = 60e9;

/** Warm-up of the paper's experiments of 1, 8 and 24 h. */
function usualWarmup(totalNs: number): number {
  if (totalNs <= hourNs) return 2 * minuteNs;
  return totalNs <= 8 * hourNs ? 5 * minuteNs : 10 * minuteNs;
}

/** Reads a list of durations, each maybe with its warm-up, such as `1h,8h/5min`. */
export function parseDurations(name: string): (value: string) => readonly ExperimentDuration[] {
  const parse = parseDuration(name);
  return (value) =>
    value.split(',').map((part) => {
      const [total = '', warmup, ...rest] = part.split('/');
      if (rest.length > 0) throw badValue(name, value, { allowed: 'a list of durations such as 1h,8h/5min' });
      const totalNs = parse(total);
      const warmupNs = warmup === undefined ? usualWarmup(totalNs) : parse(warmup);
      if (warmupNs * 2 < totalNs) return { totalNs, warmupNs };
      throw badValue(name, value, { allowed: 'durations that hold the warm-up of two runs' });
    });
}
