import type { Command } from 'commander';
import { mostReplicates } from '@deadheat/model';
import {
  type ExperimentDimension,
  type ExperimentDuration,
  type SimulationOptions,
  type DimensionChoice,
  type SimulationPlan,
  simulateRecordings,
} from '@deadheat/lab';
import { badValue, parseChoice, parseCount, parseDuration, parseShare, parseText, UsageError } from 'deadheat/settings';
import type { OutputChoices } from '../command/output-options.ts';
import { addFigureOption, addTableOutputOptions, readOutputChoices } from '../arguments/output-options.ts';
import type { RawAnalyseOptions, RawOutputOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readImportOptions } from '../arguments/reading-options.ts';
import { parsePenalty, type Penalty } from '../command/reading-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports, checkWritable, writePieces, writeStudy } from '../terminal/output.ts';
import { createWorkProgress } from '../terminal/progress.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

type Boundaries = SimulationOptions['boundaries'];

type RawSimulateOptions = Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'> &
  Pick<RawOutputOptions, 'exportJson' | 'exportCsv' | 'style'> & {
    readonly runs?: readonly number[];
    readonly iterations?: number;
    readonly exportIntervals?: string;
    readonly exportRecordings?: string;
    readonly dimensions?: readonly ExperimentDimension[];
    readonly durations?: readonly ExperimentDuration[];
    readonly mix?: true;
    readonly rawMeans?: true;
    readonly figures?: string;
    readonly experiments?: number;
    readonly warmupIterations?: number;
    readonly penalty?: Penalty;
    readonly boundaries?: Boundaries;
    readonly replicates?: number;
    readonly confidence?: number;
    readonly seed?: string;
    readonly workers?: number;
    readonly output?: string;
  };

const allBoundaries: readonly Boundaries[] = ['known', 'detected'];
const defaults = { experiments: 1000, confidence: 0.99 };

/** `deadheat simulate`: whether intervals hold what they say, on artificial recordings that are like one's own. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('simulate')
    .description(
      'Measures how often confidence intervals miss the true mean, and how wide they are. From your recordings it estimates how much runs, segments of steady performance and single measurements vary. It then draws many artificial recordings, whose true mean is known, and computes the intervals of each method. DATA is a recording, a folder of recordings, of which the newest is used, or result files of other tools.',
    )
    .usage('[options] DATA...')
    .argument('[data...]')
    .action((paths: readonly string[], raw: RawSimulateOptions) => {
      if (paths.length === 0) {
        throw new UsageError('MISSING_COMMAND', 'simulate needs data to be like', {
          hint: 'Name a recording, or a result file of another tool.',
        });
      }
      const { experiments = defaults.experiments, confidence = defaults.confidence, boundaries = 'detected' } = raw;
      const {
        warmupIterations: warmup = 0,
        replicates = 0,
        seed = null,
        workers = null,
        output = null,
        penalty = 'knee',
      } = raw;
      const choices = readOutputChoices(raw);
      const dimensions = readDimensions(raw);
      const plan = {
        paths,
        reading: readImportOptions(raw),
        experiments,
        confidence,
        boundaries,
        replicates,
        dimensions,
        warmup,
        rawMeans: raw.rawMeans ?? false,
        penalty,
        seed,
        workers,
        output,
      };
      choose((terminal) => simulate(plan, { choices, raw, terminal }));
    });
  addReadingOptions(command.optionsGroup('Result files of other tools:'));
  command
    .optionsGroup('Experiments:')
    .option(
      '-r, --runs <LIST>',
      'number of runs in an artificial recording, or a list of numbers, such as 5,10,20 (default: as in the data, or drawn for each recording with --durations)',
      parseRuns,
    )
    .option(
      '--iterations <N>',
      'number of measured iterations in a run (default: as in the data)',
      parseCount('--iterations', 2),
    )
    .option(
      '--dimensions <LIST>',
      'list of RUNSxITERATIONS, such as 10x100,20x3000, instead of --runs and --iterations',
      parseDimensions('--dimensions'),
    )
    .option(
      '--durations <LIST>',
      'list of durations of the whole artificial recording, such as 1h,8h,24h, or with the warm-up of every run behind a slash: 1h/2min; the iterations fill the time (default warm-up: 2min up to 1h, 5min up to 8h, else 10min)',
      parseDurations('--durations'),
    )
    .option('--mix', 'with --durations: draw the duration of each recording too, and show one row for all of them')
    .option(
      '--experiments <N>',
      `number of artificial recordings of each benchmark for each of the --dimensions; 0 = only show what they would be drawn from (default: ${defaults.experiments})`,
      parseCount('--experiments', 0),
    )
    .option(
      '--warmup-iterations <N>',
      'number of iterations at the start of each run of the data that are left out, in addition to the recorded warm-up (default: 0)',
      parseCount('--warmup-iterations', 0),
    );
  command.option(
    '--raw-means',
    'draw the effects of runs and segments from the means of the data as they are, like the paper does, and not with the variances that remain after the noise of these means is subtracted',
  );
  command.option(
    '--penalty <PENALTY>',
    'penalty for each change point when the data are divided into segments: knee, bic, mbic, barrett or a number (default: knee)',
    parsePenalty,
  );
  command
    .optionsGroup('Intervals:')
    .option(
      '--boundaries <KIND>',
      'ends of the segments that the intervals use: detected = those that PELT finds (default), known = the true ones',
      parseChoice('--boundaries', allBoundaries),
    )
    .option(
      '--replicates <N>',
      'also compute bootstrap intervals, with N replicates; the paper uses 33000 (default: 0, no bootstrap intervals)',
      parseCount('--replicates', 0, mostReplicates),
    )
    .option(
      '--confidence <SHARE>',
      'confidence level of the intervals (default: 99%)',
      parseShare('--confidence', { zero: 'refused', example: '99%' }),
    );
  command
    .optionsGroup('How to run:')
    .option(
      '--seed <TEXT>',
      'seed of all random choices (default: that of the recording)',
      parseText('--seed', 'a text'),
    )
    .option(
      '--workers <N>',
      'number of threads, which does not change the results (default: one for each processor)',
      parseCount('--workers', 1),
    )
    .option(
      '--output <FILE>',
      'store finished experiments in this file; after Ctrl-C, the same command continues from it',
      parseText('--output', 'a file'),
    );
  addTableOutputOptions(command.optionsGroup('Output:'));
  addFigureOption(command);
  command
    .option(
      '--export-intervals <FILE>',
      'write the ends of every interval as CSV: both as a share of the true mean',
      parseText('--export-intervals', 'a file'),
    )
    .option(
      '--export-recordings <FILE>',
      'write every measurement of the artificial recordings as CSV; one of 24h has a million rows, so lower --experiments',
      parseText('--export-recordings', 'a file'),
    );
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat simulate duet
      do such intervals contain the true mean as often as they should?
  deadheat simulate duet --dimensions 5x200,20x50 --experiments 20000
      are few long runs or many short ones better?
  deadheat simulate duet --durations 8h --runs 2,5,10,20,40 --figures figures
      how wide are intervals by the number of runs in the same time?
  deadheat simulate duet --durations 1h,8h,24h --mix --output simulated.jsonl
      experiments of several durations, as in the paper;
      after Ctrl-C the same command continues
`,
  );
}

/** `deadheat simulate DATA...`. Returns the exit code. */
async function simulate(
  plan: SimulationPlan,
  {
    choices,
    raw,
    terminal,
  }: { readonly choices: OutputChoices; readonly raw: RawSimulateOptions; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { output } = plan;
  const { figures = null, exportIntervals: intervals = null, exportRecordings: artificial = null } = raw;
  checkExports(choices.exports);
  if (output !== null) checkWritable('--output', output);
  if (intervals !== null) checkWritable('--export-intervals', intervals);
  if (artificial !== null) checkWritable('--export-recordings', artificial);
  const { stderr: stream, env: variables } = terminal;
  const style = resolveTerminalStyle(choices.style, { stream, variables });
  const now = (): number => performance.now();
  return withInterruption(async (signal) => {
    const made = await simulateRecordings(plan, {
      signal,
      onWork: (work) => createWorkProgress(work, { stream, style, now }),
    });
    if (made !== null) {
      writeStudy(made.study, { recordings: made.recordings, figures, choices, terminal });
      writePieces(intervals, made.intervals);
      writePieces(artificial, made.artificial);
    }
    if (!signal.aborted) return exitCodes.done;
    const kept =
      output === null ? '' : `; what was finished is kept in '${output}', and the same command goes on with it`;
    stream.write(`deadheat: interrupted${kept}\n`);
    return exitCodes.interrupted;
  });
}

function readDimensions({ dimensions, durations, mix, runs, iterations }: RawSimulateOptions): DimensionChoice {
  if (mix !== undefined && durations === undefined) {
    throw new UsageError('CONFLICT', '--mix is about --durations, which is not given', { hint: 'Leave it out.' });
  }
  if (durations !== undefined) {
    const others = { dimensions, iterations, ...(mix === true ? { runs } : {}) };
    const other = Object.entries(others).find(([, value]) => value !== undefined);
    if (other === undefined) {
      if (mix === true) return [{ mix: durations }];
      return runs === undefined
        ? durations
        : durations.flatMap((one) => runs.map((count) => ({ ...one, runs: count })));
    }
    throw new UsageError('CONFLICT', `--durations says what --${other[0]} would say`, {
      hint: 'Leave one of them out.',
    });
  }
  if (dimensions === undefined) {
    return { ...(runs === undefined ? {} : { runs }), ...(iterations === undefined ? {} : { iterations }) };
  }
  const both = runs === undefined ? (iterations === undefined ? null : '--iterations') : '--runs';
  if (both === null) return dimensions;
  throw new UsageError('CONFLICT', `--dimensions says what ${both} would say`, { hint: 'Leave one of them out.' });
}

const least = 2;

/** Reads numbers of runs, such as `5,10,20`. */
function parseRuns(value: string): readonly number[] {
  return [...new Set(value.split(',').map(parseCount('--runs', least)))];
}

/** Reads a list of runs x iterations, such as `10x100,20x3000`; both at least 2. */
export function parseDimensions(flag: string): (value: string) => readonly ExperimentDimension[] {
  const allowed = `a list of runs x iterations, both at least ${least}, such as 10x100,20x3000`;
  return (value) => {
    let offset = 0;
    return value.split(',').map((part) => {
      const [, runs, iterations] = /^(\d{1,9})x(\d{1,9})$/.exec(part) ?? [];
      const dimension = { runs: Number(runs), iterations: Number(iterations) };
      if (!(dimension.runs >= least && dimension.iterations >= least)) throw badValue(flag, value, { allowed, offset });
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
export function parseDurations(flag: string): (value: string) => readonly ExperimentDuration[] {
  const parse = parseDuration(flag);
  return (value) =>
    value.split(',').map((part) => {
      const [total = '', warmup, ...rest] = part.split('/');
      if (rest.length > 0) throw badValue(flag, value, { allowed: 'a list of durations such as 1h,8h/5min' });
      const totalNs = parse(total);
      const warmupNs = warmup === undefined ? usualWarmup(totalNs) : parse(warmup);
      if (warmupNs * 2 < totalNs) return { totalNs, warmupNs };
      throw badValue(flag, value, { allowed: 'durations that hold the warm-up of two runs' });
    });
}
