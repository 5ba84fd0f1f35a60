import { randomBytes } from 'node:crypto';
import { type StoppingOptions, studyFacets, type StudyFacet } from '@deadheat/analysis';
import { type Study, type StudyKind } from '@deadheat/lab';
import { nearestWord, quoteWord, type Swap, swapSchema } from '@deadheat/model';
import { type Language, languages, type WorkloadName, workloadNames } from '@deadheat/workloads';
import type { Command } from 'commander';
import {
  measureStudy,
  type Neighbour,
  neighbours,
  renderStudyRequest,
  studyMethods,
  studyRecordings,
  type StudyRequest,
  type StudyStep,
  studySteady,
  studyStopping,
} from '@deadheat/lab';
import {
  parseChoice,
  parseChoices,
  parseConfidence,
  parseCount,
  parseDuration,
  parseShare,
  parseText,
  UsageError,
} from 'deadheat/settings';
import { addFigureOption, addTableOutputOptions, readOutputChoices } from '../arguments/output-options.ts';
import type { OutputChoices } from '../command/output-options.ts';
import type { RawAnalyseOptions, RawOutputOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readImportOptions } from '../arguments/reading-options.ts';
import { parsePenalty, type Penalty } from '../command/reading-options.ts';
import { readLift, readRatio } from '../arguments/values/parse-lift.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { checkExports, writeStudy } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeFailures, withProgress } from '../terminal/with-progress.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawStudyOptions = Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'> &
  Pick<RawOutputOptions, 'exportJson' | 'exportCsv' | 'style'> &
  RawStudyRunOptions &
  RawStoppingOptions &
  RawSteadyOptions & {
    readonly power?: number;
    readonly sampleRuns?: number;
    readonly by?: readonly StudyFacet[];
    readonly figures?: string;
  };

type Kind = Exclude<Study['kind'], 'simulation' | 'warmup'>;

const kinds: readonly Kind[] = ['accuracy', 'overlap', 'mds', 'asymmetry', 'ratio', 'steady', 'stopping'];
const defaultPower = 0.8;

/** `deadheat study`: the papers' evaluations, over recordings or over what it measures first. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('study')
    .description(
      'Evaluates the methods of measuring as published papers do, from recordings of A/A runs and from result files of other tools, or from artificial workloads that it measures first (--run). There are seven studies. accuracy: interval widths of the duet, the shuffled duet and the standard method. overlap: pairs of asynchronous duets, and the time that they save. mds: minimal detectable slowdowns and false alarms. asymmetry: the effect of the core, of the order, and of a second copy of the program at the same time. ratio: a difference whose size is known, beside the size that is measured. steady: which runs reach a steady state; one side is enough. stopping: how much time it saves to stop when the results are stable (dynamic reconfiguration), and how much the results change.',
    )
    .usage(`${kinds.join('|')} RECORDING...\n       deadheat study KIND --run [options]`)
    .argument('<kind>')
    .argument('[recordings...]')
    .action((typed: string, paths: readonly string[], raw: RawStudyOptions) => {
      const kind = readKind(typed);
      if (raw.power !== undefined && kind !== 'mds') {
        throw new UsageError('CONFLICT', `--power is about detectable slowdowns, not about ${kind}`, {
          hint: 'Leave it out, or ask for: deadheat study mds.',
        });
      }
      if (raw.sampleRuns !== undefined && kind !== 'accuracy') {
        throw new UsageError('CONFLICT', `--sample-runs is about widths of intervals, not about ${kind}`, {
          hint: 'Leave it out, or ask for: deadheat study accuracy.',
        });
      }
      const sample = raw.sampleRuns === undefined ? {} : { sampleRuns: raw.sampleRuns };
      const choices = readOutputChoices(raw);
      const { by = null, figures = null } = raw;
      const reading = readImportOptions(raw);
      if (kind === 'steady') {
        const steady = readSteadyChoices({ paths, raw });
        choose((terminal) =>
          showStudy(() => studySteady({ ...steady, paths, reading, by }), { choices, figures, terminal }),
        );
        return;
      }
      refuseSteadyChoices(raw, kind);
      if (kind === 'stopping') {
        if (by !== null) {
          throw new UsageError('CONFLICT', '--by is not about stopping, which keeps every recording apart', {
            hint: 'Leave it out.',
          });
        }
        const stopping = readStoppingChoices({ paths, raw });
        choose((terminal) =>
          showStudy(() => studyStopping({ ...stopping, paths, reading }), { choices, figures, terminal }),
        );
        return;
      }
      refuseStoppingChoices(raw, kind);
      const power = raw.power ?? defaultPower;
      const running = readStudyRun(kind, { paths, raw });
      if (running !== null) {
        choose((terminal) => runStudy(running, { power, ...sample, by, choices, figures, terminal }));
        return;
      }
      if (paths.length === 0) {
        throw new UsageError('MISSING_COMMAND', `study ${kind} needs recordings`, {
          hint: 'Name folders of recordings, or add --run to measure artificial workloads.',
        });
      }
      choose((terminal) =>
        showStudy(() => studyRecordings(kind, { paths, reading, seed: null, power, ...sample, by }), {
          choices,
          figures,
          terminal,
        }),
      );
    });
  addReadingOptions(command.optionsGroup('Result files of other tools:'));
  addStudyRunOptions(command);
  addStoppingOptions(command);
  addSteadyOptions(command);
  command
    .optionsGroup('Analysis and verdict:')
    .option(
      '--by <LIST>',
      `make the tables for each of these by itself, a list of ${studyFacets.join(', ')} (default: machine where there are several, and neighbour where it is recorded)`,
      parseChoices('--by', studyFacets),
    )
    .option(
      '--sample-runs <N>',
      'for accuracy: number of runs that are drawn at random of each method (default: as many as the method with the fewest has; the paper has 10)',
      parseCount('--sample-runs', leastRuns),
    )
    .option(
      '--power <SHARE>',
      'for mds: share of experiments that must detect a slowdown (default: 80%)',
      parseShare('--power', { zero: 'refused', example: '80%' }),
    );
  addTableOutputOptions(command.optionsGroup('Output:'));
  addFigureOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat --method sync-duet --output duet './bench'
  deadheat --method sequential --output alone './bench'
  deadheat study accuracy duet alone
      how much narrower are the intervals of the duet on this machine?
  deadheat study mds duet alone --export-csv mds.csv
      which slowdowns does each method detect?
  deadheat study accuracy --run
      do the same with artificial workloads, on the idle and on the busy machine
  deadheat study accuracy cloud metal --by machine,suite
      the same for each machine and suite by itself
  deadheat study steady results.json
      which forks of a JMH file, or runs of a recording, reach a steady state?
  deadheat study stopping duet
      how much time would it have saved to stop when the times were stable?
`,
  );
}

interface Showing {
  readonly choices: OutputChoices;
  readonly figures: string | null;
  readonly terminal: Terminal;
}

/** `deadheat study KIND RECORDING...`: shows a study and writes its exports. Returns the exit code. */
async function showStudy(make: () => ReturnType<typeof studyRecordings>, showing: Showing): Promise<ExitCode> {
  checkExports(showing.choices.exports);
  const { study, recordings } = await make();
  return writeStudy(study, { ...showing, recordings });
}

/** `deadheat study KIND --run`: measures, keeps the recordings, then makes the tables of them. Returns the exit code. */
async function runStudy(
  { request, output }: StudyRunChoices,
  {
    choices,
    figures,
    terminal,
    ...plan
  }: Showing & Pick<Parameters<typeof studyRecordings>[1], 'power' | 'sampleRuns' | 'by'>,
): Promise<ExitCode> {
  const { kind, seed } = request;
  checkExports(choices.exports);
  const paths: string[] = [];
  const tell = (text: string): void => {
    if (choices.style !== 'none') terminal.stderr.write(`deadheat: ${text}\n`);
  };
  try {
    const outcome = await withProgress({ style: choices.style, terminal }, (control) =>
      measureStudy(request, {
        ...control,
        output,
        onStep: (step) => tell(describeStep(step, request)),
        onRecording: (directory) => paths.push(directory),
      }),
    );
    if (outcome.kind !== 'done') return writeFailures(outcome.kind === 'failed' ? outcome.failures : null, terminal);
    tell('making the tables');
    const { study, recordings } = await studyRecordings(kind, { paths, seed, ...plan });
    return writeStudy(study, { choices, figures, terminal, recordings });
  } finally {
    if (paths.length > 0) {
      const words = ['deadheat', 'study', kind, ...paths].map((word) => quoteWord(word));
      tell(`recorded; these tables again, or of what there is:\n  ${words.join(' ')}`);
    }
  }
}

function describeStep(step: StudyStep, { workloads, neighbours: all }: StudyRequest): string {
  switch (step.kind) {
    case 'methods-missing':
      return `by ${step.methods.join(', ')} only: ${step.obstacle.why} ${step.obstacle.advice}`;
    case 'calibrating':
      return `calibrating ${workloads.join(', ')}`;
    case 'measuring':
      return renderStudyRequest(step.request, step).trimEnd();
    case 'neighbour':
      return `neighbour ${step.neighbour}, ${step.place + 1} of ${all.length}`;
  }
}

function readKind(typed: string): Kind {
  const kind = kinds.find((one) => one === typed);
  if (kind !== undefined) return kind;
  const nearest = nearestWord(typed.toLowerCase(), kinds);
  throw new UsageError('BAD_VALUE', `there is no study '${typed}'`, {
    hint: nearest === null ? `There are ${kinds.join(', ')}.` : `Did you mean ${nearest}?`,
  });
}

/** What a study measures, and the folder that keeps its recordings; `null` = `.deadheat`. */
interface StudyRunChoices {
  readonly request: StudyRequest;
  readonly output: string | null;
}

/** Options of a study that measures for itself, as commander hands them over. */
export interface RawStudyRunOptions {
  readonly run?: true;
  readonly workload?: readonly WorkloadName[];
  readonly neighbour?: readonly Neighbour[];
  readonly language?: Language;
  readonly runs?: number;
  readonly iterations?: number;
  readonly duration?: number;
  readonly swap?: Swap;
  readonly confidence?: number;
  readonly ratio?: number;
  readonly seed?: string;
  readonly output?: string;
}

const defaults = { runs: 10, iterations: 40, durationNs: 20e6 };
/** Fewest runs that carry an interval. */
const leastRuns = 2;
/** The first half is warm-up, and two times are needed to vary. */
const leastIterations = 4;

/** Adds `--run` and what it takes. */
function addStudyRunOptions(command: Command): void {
  command
    .optionsGroup('With --run:')
    .option('--run', 'first compare artificial workloads with themselves; takes no recordings')
    .option(
      '--workload <LIST>',
      `list of workloads, from ${workloadNames.join(', ')} (default: all)`,
      parseChoices('--workload', workloadNames),
    )
    .option(
      '--neighbour <LIST>',
      'list of competing loads: none, both (bursts on both cores at the same time), one (bursts on one core) (default: none,both)',
      parseChoices('--neighbour', neighbours),
    )
    .option(
      '--language <LANGUAGE>',
      'language of the workload: js, or c, which needs a C compiler at the first use (default: js)',
      parseChoice('--language', languages),
    )
    .option('--runs <N>', `number of runs by each method (default: ${defaults.runs})`, parseCount('--runs', leastRuns))
    .option(
      '--iterations <N>',
      `number of iterations in a run; the first half is warm-up (default: ${defaults.iterations})`,
      parseCount('--iterations', leastIterations),
    )
    .option(
      '--duration <TIME>',
      'duration of an iteration; the amount of work is calibrated for it (default: 20ms)',
      parseDuration('--duration'),
    )
    .option(
      '--swap <WHEN>',
      'when sides on two cores trade them: pair, run or never (default: as usual for the method)',
      parseChoice('--swap', swapSchema.options),
    )
    .option(
      '--confidence <LEVEL>',
      'confidence level with which the recordings are kept; the tables have those of the papers (default: as usual for the method)',
      parseConfidence('--confidence'),
    )
    .option('--ratio <N>', 'for ratio: how many times as much work B does as A (default: 2)', readRatio)
    .option(
      '--seed <TEXT>',
      'seed of all random choices; also used by steady and stopping without --run',
      parseText('--seed', 'a text'),
    )
    .option(
      '--output <DIR>',
      'store the recordings in this folder (default: .deadheat)',
      parseText('--output', 'a folder'),
    );
}

/**
 * What a study is to measure; `null` without `--run`.
 *
 * @throws UsageError for `--run` beside recordings or for a study without it, and for its options without `--run`
 */
export function readStudyRun(
  kind: StudyKind,
  { paths, raw }: { readonly paths: readonly string[]; readonly raw: RawStudyRunOptions },
): StudyRunChoices | null {
  const { run, output = null, workload = workloadNames, neighbour = ['none', 'both'], language = 'js' } = raw;
  const { runs = defaults.runs, iterations = defaults.iterations, duration = defaults.durationNs, seed } = raw;
  if (run === undefined) {
    refuseStray(raw);
    return null;
  }
  const [first] = paths;
  if (first !== undefined) {
    throw new UsageError('CONFLICT', `--run measures for itself and takes no recordings, such as ${first}`, {
      hint: 'Leave out --run to make tables of recordings.',
    });
  }
  if (raw.ratio !== undefined && kind !== 'ratio') {
    throw new UsageError('CONFLICT', `--ratio is about known differences, not about ${kind}`, {
      hint: 'Leave it out, or ask for: deadheat study ratio.',
    });
  }
  const request: StudyRequest = {
    kind,
    methods: studyMethods[kind],
    neighbours: neighbour,
    workloads: workload,
    language,
    runs,
    iterations,
    durationNs: duration,
    ...(raw.swap === undefined ? {} : { swap: raw.swap }),
    ...(raw.confidence === undefined ? {} : { confidence: raw.confidence }),
    ...(raw.ratio === undefined ? {} : { ratio: raw.ratio }),
    seed: seed ?? randomBytes(4).toString('hex'),
  };
  return { request, output };
}

/** Refuses what only `--run` takes. @throws UsageError that names the first such option */
function refuseStray(raw: RawStudyRunOptions): void {
  const { workload, neighbour, language, runs, iterations, duration, swap, confidence, ratio, seed, output } = raw;
  const measuring = {
    workload,
    neighbour,
    language,
    runs,
    iterations,
    duration,
    swap,
    confidence,
    ratio,
    seed,
    output,
  };
  const stray = Object.entries(measuring).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new UsageError('CONFLICT', `--${stray[0]} is about measuring, and recordings are measured already`, {
    hint: 'Add --run and leave out the recordings, or leave out the option.',
  });
}

type Reading = Required<StoppingOptions>['like'];

/** What only `stopping` takes, as commander hands it over. */
interface RawStoppingOptions {
  readonly like?: Reading;
  readonly liftCaps?: number;
}

/** How the study of stopping replays. */
interface StoppingChoices {
  readonly like: Reading;
  readonly liftCaps: number;
  /** `null` = that of the first recording. */
  readonly seed: string | null;
}

const readings: readonly Reading[] = ['paper', 'jmh-reconfigure'];

/** Adds what only the study of stopping takes. */
function addStoppingOptions(command: Command): void {
  command
    .optionsGroup('Stopping:')
    .option(
      '--like <READING>',
      "for stopping: paper = compute the criteria as the paper prints them (default), jmh-reconfigure = as the authors' program does",
      parseChoice('--like', readings),
    )
    .option(
      '--lift-caps <N>',
      'for stopping: multiply the limits of warm-up and of runs by N as long as no criterion is met (default: 1)',
      readLift,
    );
}

/**
 * What the study of stopping was asked for.
 *
 * @throws UsageError without data, for `--run`, and for options that only `--run` takes
 */
function readStoppingChoices({
  paths,
  raw,
}: {
  readonly paths: readonly string[];
  readonly raw: RawStoppingOptions & RawStudyRunOptions;
}): StoppingChoices {
  const { like = 'paper', liftCaps = 1 } = raw;
  const seed = seedOfReplay('stopping', { paths, raw });
  return { like, liftCaps, seed };
}

/**
 * The seed of a study that is never measured for; `null` = that of the first recording.
 *
 * @throws UsageError without data, for `--run`, and for options that only `--run` takes
 */
function seedOfReplay(
  kind: 'steady' | 'stopping',
  { paths, raw: { seed, ...rest } }: { readonly paths: readonly string[]; readonly raw: RawStudyRunOptions },
): string | null {
  if (rest.run !== undefined) {
    throw new UsageError('CONFLICT', `there is no --run for the study ${kind}`, { hint: 'Give it recordings.' });
  }
  refuseStray(rest);
  if (paths.length === 0) {
    throw new UsageError('MISSING_COMMAND', `study ${kind} needs recordings`, {
      hint: 'Name folders of recordings, or files of times of other tools.',
    });
  }
  return seed ?? null;
}

/** What only `steady` takes, as commander hands it over. */
interface RawSteadyOptions {
  readonly steadyWindow?: number;
  readonly penalty?: Penalty;
}

/** Adds what only the study of steady states takes. */
function addSteadyOptions(command: Command): void {
  command
    .optionsGroup('Steady states:')
    .option(
      '--steady-window <N>',
      'for steady: number of iterations at the end of a run that must be steady (default: 500)',
      parseCount('--steady-window', 1),
    )
    .option(
      '--penalty <PENALTY>',
      'for steady: penalty for each change point: knee, bic, mbic, barrett or a number (default: knee)',
      parsePenalty,
    );
}

/**
 * How runs are classified.
 *
 * @throws UsageError without data, for `--run`, and for options that other studies take
 */
function readSteadyChoices({
  paths,
  raw,
}: {
  readonly paths: readonly string[];
  readonly raw: RawSteadyOptions & RawStoppingOptions & RawStudyRunOptions;
}): Pick<Parameters<typeof studySteady>[0], 'seed' | 'window' | 'penalty'> {
  refuseStoppingChoices(raw, 'steady');
  const { steadyWindow, penalty } = raw;
  return {
    seed: seedOfReplay('steady', { paths, raw }),
    ...(steadyWindow === undefined ? {} : { window: steadyWindow }),
    ...(penalty === undefined ? {} : { penalty }),
  };
}

/** Refuses what only `steady` takes. @throws UsageError that names the option */
function refuseSteadyChoices({ steadyWindow, penalty }: RawSteadyOptions, kind: Kind): void {
  const flag = steadyWindow !== undefined ? '--steady-window' : penalty !== undefined ? '--penalty' : null;
  if (flag === null) return;
  throw new UsageError('CONFLICT', `${flag} is about steady states, not about ${kind}`, {
    hint: 'Leave it out, or ask for: deadheat study steady.',
  });
}

/** Refuses what only `stopping` takes. @throws UsageError that names the option */
function refuseStoppingChoices({ like, liftCaps }: RawStoppingOptions, kind: StudyKind | 'steady'): void {
  const flag = like !== undefined ? '--like' : liftCaps !== undefined ? '--lift-caps' : null;
  if (flag === null) return;
  throw new UsageError('CONFLICT', `${flag} is about stopping early, not about ${kind}`, {
    hint: 'Leave it out, or ask for: deadheat study stopping.',
  });
}
