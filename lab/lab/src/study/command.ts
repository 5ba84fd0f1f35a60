import { randomBytes } from 'node:crypto';
import { studyFacets } from '@deadheat/analysis';
import {
  checkExports,
  choice,
  choices,
  type Command,
  count,
  defineCommand,
  type ExitCode,
  type Family,
  flag,
  group,
  option,
  parseConfidence,
  parseDuration,
  parsePenalty,
  readingOptions,
  share,
  writeFailures,
  type Terminal,
  text,
  toImportOptions,
  UsageError,
  type ValueParser,
  type ValuesOf,
  withProgress,
} from '@deadheat/cli/kit';
import { quoteWord, swapSchema } from '@deadheat/model';
import { languages, workloadNames } from '@deadheat/workloads';
import { measureStudy, type StudyStep } from './measure.ts';
import { neighbours, renderStudyRequest, studyMethods, type StudyRequest } from './request.ts';
import { studySteady } from './steady.ts';
import { studyStopping } from './stopping.ts';
import { studyRecordings } from './study-recordings.ts';
import type { StudyKind } from './study.ts';
import { usualMetrics } from './vertical-profile.ts';
import { type StudyOutput, studyOutputOptions, writeStudy } from './write-study.ts';

/** Fewest runs that carry an interval. */
const leastRuns = 2;
/** The first half is warm-up, and two times are needed to vary. */
const leastIterations = 4;
const usualDurationNs = 20e6;
const needsRun = ['run'];

const byOptions = group('Analysis and verdict:', {
  by: option('--by <LIST>', {
    help: `make the tables for each of these by itself, a list of ${studyFacets.join(', ')}`,
    parse: choices(studyFacets),
    fallback: 'machine where there are several, and neighbour where it is recorded',
  }),
});

/** The options of studies that can measure for themselves. */
const measuredOptions = {
  ...readingOptions,
  ...group('With --run:', {
    run: flag('--run', {
      help: 'first compare artificial workloads with themselves; takes no recordings',
      without: ['recordings'],
      why: 'leave out --run to make tables of recordings',
    }),
    workload: option('--workload <LIST>', {
      help: `list of workloads, from ${workloadNames.join(', ')}`,
      parse: choices(workloadNames),
      fallback: 'all',
      needs: needsRun,
    }),
    neighbour: option('--neighbour <LIST>', {
      help: 'list of competing loads: none, both (bursts on both cores at the same time), one (bursts on one core)',
      parse: choices(neighbours),
      fallback: 'none,both',
      needs: needsRun,
    }),
    language: option('--language <LANGUAGE>', {
      help: 'language of the workload: js, or c, which needs a C compiler at the first use',
      parse: choice(languages),
      default: 'js',
      needs: needsRun,
    }),
    runs: option('--runs <N>', {
      help: 'number of runs by each method',
      parse: count(leastRuns),
      default: 10,
      needs: needsRun,
    }),
    iterations: option('--iterations <N>', {
      help: 'number of iterations in a run; the first half is warm-up',
      parse: count(leastIterations),
      default: 40,
      needs: needsRun,
    }),
    duration: option('--duration <TIME>', {
      help: 'duration of an iteration; the amount of work is calibrated for it',
      parse: parseDuration,
      fallback: '20ms',
      needs: needsRun,
    }),
    swap: option('--swap <WHEN>', {
      help: 'when sides on two cores trade them: pair, run or never',
      parse: choice(swapSchema.options),
      fallback: 'as usual for the method',
      needs: needsRun,
    }),
    confidence: option('--confidence <LEVEL>', {
      help: 'confidence level with which the recordings are kept; the tables have those of the papers',
      parse: parseConfidence,
      fallback: 'as usual for the method',
      needs: needsRun,
    }),
    seed: option('--seed <TEXT>', { help: 'seed of all random choices', parse: text('a text'), needs: needsRun }),
    output: option('--output <DIR>', {
      help: 'store the recordings in this folder',
      parse: text('a folder'),
      fallback: '.deadheat',
      needs: needsRun,
    }),
  }),
  ...byOptions,
  ...studyOutputOptions,
};

/** Values of {@link measuredOptions}, and of the options that a kind has alone. */
type MeasuredValues = ValuesOf<typeof measuredOptions> & {
  readonly power?: number;
  readonly sampleRuns?: number | null;
  readonly ratio?: number | null;
};

const recordings = { '[recordings...]': 'folders of recordings, or files of times of other tools' } as const;
const replayed = { '<recordings...>': 'recordings: their folders, or files of times of other tools' } as const;

/** The usage of a study that can measure for itself. */
function usageOf(kind: StudyKind): string {
  return `[options] RECORDING...\n       deadheat lab study ${kind} --run [options]`;
}

export const accuracy: Command = defineCommand({
  description: 'Compares the widths of the intervals of the duet, the shuffled duet and the standard method.',
  usage: usageOf('accuracy'),
  args: recordings,
  options: {
    ...measuredOptions,
    sampleRuns: option('--sample-runs <N>', {
      help: 'number of runs that are drawn at random of each method; the paper has 10',
      parse: count(leastRuns),
      fallback: 'as many as the method with the fewest has',
    }),
  },
  act: (values, args, terminal) => evaluate('accuracy', { values, paths: args.recordings, terminal }),
  examples: `
Examples:
  deadheat --method sync-duet --output duet './bench'
  deadheat --method sequential --output alone './bench'
  deadheat lab study accuracy duet alone
      how much narrower are the intervals of the duet on this machine?
  deadheat lab study accuracy --run
      do the same with artificial workloads, on the idle and on the busy machine
  deadheat lab study accuracy cloud metal --by machine,suite
      the same for each machine and suite by itself`,
});

export const overlap: Command = defineCommand({
  description: 'Finds the pairs of asynchronous duets that overlap, and the time that asynchronous duets save.',
  usage: usageOf('overlap'),
  args: recordings,
  options: measuredOptions,
  act: (values, args, terminal) => evaluate('overlap', { values, paths: args.recordings, terminal }),
});

export const mds: Command = defineCommand({
  description: 'Finds the minimal detectable slowdown of each method, and its share of false alarms.',
  usage: usageOf('mds'),
  args: recordings,
  options: {
    ...measuredOptions,
    power: option('--power <SHARE>', {
      help: 'share of experiments that must detect a slowdown (default: 80%)',
      parse: share({ zero: 'refused', example: '80%' }),
    }),
  },
  act: ({ power, ...values }, args, terminal) =>
    evaluate('mds', {
      values: { ...values, ...(power === null ? {} : { power }) },
      paths: args.recordings,
      terminal,
    }),
  examples: `
Examples:
  deadheat lab study mds duet alone --export csv:mds.csv
      which slowdowns does each method detect?`,
});

export const asymmetry: Command = defineCommand({
  description:
    'Estimates the effect of the core, of the order, and of a second copy of the program at the same time, on times.',
  usage: usageOf('asymmetry'),
  args: recordings,
  options: measuredOptions,
  act: (values, args, terminal) => evaluate('asymmetry', { values, paths: args.recordings, terminal }),
});

export const ratio: Command = defineCommand({
  description: 'Compares a difference whose size is known with the size that each method measures.',
  usage: usageOf('ratio'),
  args: recordings,
  options: {
    ...measuredOptions,
    ratio: option('--ratio <N>', {
      help: 'how many times as much work B does as A',
      parse: factor('above 0', '1.5'),
      fallback: '2',
      group: 'With --run:',
      needs: needsRun,
    }),
  },
  act: (values, args, terminal) => evaluate('ratio', { values, paths: args.recordings, terminal }),
});

export const steady: Command = defineCommand({
  description: 'Finds the runs that reach a steady state. Runs of one side are enough.',
  args: replayed,
  options: {
    ...readingOptions,
    ...group('Steady states:', {
      steadyWindow: option('--steady-window <N>', {
        help: 'number of iterations at the end of a run that must be steady',
        parse: count(1),
        fallback: '500',
      }),
      penalty: option('--penalty <PENALTY>', {
        help: 'penalty for each change point: knee, bic, mbic, barrett or a number',
        parse: () => parsePenalty,
        fallback: 'knee',
      }),
      metrics: option('--metrics <LIST>', {
        help: 'list of metrics of iterations that are set beside changes of performance',
        parse: () => (typed) => typed.split(',').filter((name) => name !== ''),
        fallback: usualMetrics.join(','),
      }),
      seed: option('--seed <TEXT>', {
        help: 'seed of all random choices',
        parse: text('a text'),
        fallback: 'that of the first recording',
      }),
    }),
    ...byOptions,
    ...studyOutputOptions,
  },
  act: (values, { recordings: paths }, terminal) => {
    const { steadyWindow, penalty, metrics, seed, by } = values;
    return showSteady(
      {
        paths,
        seed,
        by,
        reading: toImportOptions(values),
        ...(steadyWindow === null ? {} : { window: steadyWindow }),
        ...(penalty === null ? {} : { penalty }),
        ...(metrics === null ? {} : { metrics }),
      },
      { output: values, terminal },
    );
  },
  examples: `
Examples:
  deadheat lab study steady results.json
      which forks of a JMH file, or runs of a recording, reach a steady state?`,
});

export const stopping: Command = defineCommand({
  description:
    'Finds how much time it saves to stop when the results are stable (dynamic reconfiguration), and how much the results change.',
  args: replayed,
  options: {
    ...readingOptions,
    ...group('Stopping:', {
      like: option('--like <READING>', {
        help: "paper = compute the criteria as the paper prints them, jmh-reconfigure = as the authors' program does",
        parse: choice<'paper' | 'jmh-reconfigure'>(['paper', 'jmh-reconfigure']),
        default: 'paper',
      }),
      liftCaps: option('--lift-caps <N>', {
        help: 'multiply the limits of warm-up and of runs by N as long as no criterion is met',
        parse: factor('of at least 1', '2'),
        default: 1,
      }),
      seed: option('--seed <TEXT>', {
        help: 'seed of all random choices',
        parse: text('a text'),
        fallback: 'that of the first recording',
      }),
    }),
    ...studyOutputOptions,
  },
  act: (values, { recordings: paths }, terminal) => {
    const { like, liftCaps, seed } = values;
    return show(() => studyStopping({ like, liftCaps, seed, paths, reading: toImportOptions(values) }), {
      output: values,
      terminal,
    });
  },
  examples: `
Examples:
  deadheat lab study stopping duet
      how much time would it have saved to stop when the times were stable?`,
});

/** `deadheat lab study`: the papers' evaluations, over recordings or over new measurements. */
export const study: Family = {
  description:
    'Evaluates the methods of measuring as published papers do, from recordings of A/A runs and from result files of other tools, or from artificial workloads that it measures first (--run).',
  subcommands: [
    { name: 'accuracy', summary: 'widths of the intervals of each method', load: async () => accuracy },
    { name: 'overlap', summary: 'pairs of asynchronous duets, and the time that they save', load: async () => overlap },
    { name: 'mds', summary: 'minimal detectable slowdowns and false alarms', load: async () => mds },
    {
      name: 'asymmetry',
      summary: 'effect of the core, of the order and of a second copy of the program',
      load: async () => asymmetry,
    },
    { name: 'ratio', summary: 'a known difference, beside the one that is measured', load: async () => ratio },
    { name: 'steady', summary: 'runs that reach a steady state', load: async () => steady },
    { name: 'stopping', summary: 'time saved by stopping when the results are stable', load: async () => stopping },
  ],
};

interface Showing {
  readonly output: StudyOutput;
  readonly terminal: Terminal;
}

/** Shows the classes of runs of one side. Returns the exit code. */
export function showSteady(request: Parameters<typeof studySteady>[0], showing: Showing): Promise<ExitCode> {
  return show(() => studySteady(request), showing);
}

/** Shows a study and writes its exports. Returns the exit code. */
async function show(make: () => ReturnType<typeof studyRecordings>, showing: Showing): Promise<ExitCode> {
  checkExports(showing.output.export);
  const { study: made, recordings: read } = await make();
  return writeStudy(made, { ...showing, recordings: read });
}

/** Makes the tables of recordings, or with `--run` measures first. Returns the exit code. */
async function evaluate(
  kind: StudyKind,
  {
    values,
    paths,
    terminal,
  }: { readonly values: MeasuredValues; readonly paths: readonly string[]; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { power = 0.8, sampleRuns = null, by } = values;
  const plan = { power, by, ...(sampleRuns === null ? {} : { sampleRuns }) };
  if (values.run) return measureAndShow(toRequest(kind, values), { values, plan, terminal });
  if (paths.length === 0) {
    throw new UsageError('MISSING_COMMAND', `lab study ${kind} needs recordings`, {
      hint: 'Name folders of recordings, or add --run to measure artificial workloads.',
    });
  }
  return show(() => studyRecordings(kind, { paths, reading: toImportOptions(values), seed: null, ...plan }), {
    output: values,
    terminal,
  });
}

/** The experiments of a study with `--run`. */
export function toRequest(kind: StudyKind, values: MeasuredValues): StudyRequest {
  const { workload, neighbour, language, runs, iterations, duration, swap, confidence, seed } = values;
  const { ratio: known = null } = values;
  return {
    kind,
    methods: studyMethods[kind],
    neighbours: neighbour ?? ['none', 'both'],
    workloads: workload ?? workloadNames,
    language,
    runs,
    iterations,
    durationNs: duration ?? usualDurationNs,
    ...(swap === null ? {} : { swap }),
    ...(confidence === null ? {} : { confidence }),
    ...(known === null ? {} : { ratio: known }),
    seed: seed ?? randomBytes(4).toString('hex'),
  };
}

/** Measures, keeps the recordings, then makes the tables of them. Returns the exit code. */
async function measureAndShow(
  request: StudyRequest,
  {
    values,
    plan,
    terminal,
  }: {
    readonly values: MeasuredValues;
    readonly plan: Pick<Parameters<typeof studyRecordings>[1], 'power' | 'sampleRuns' | 'by'>;
    readonly terminal: Terminal;
  },
): Promise<ExitCode> {
  const { kind, seed } = request;
  const { style, output } = values;
  checkExports(values.export);
  const paths: string[] = [];
  const notify = (line: string): void => {
    if (style !== 'none') terminal.stderr.write(`deadheat: ${line}\n`);
  };
  try {
    const outcome = await withProgress({ style, terminal }, (control) =>
      measureStudy(request, {
        ...control,
        output,
        onStep: (step) => notify(describeStep(step, request)),
        onRecording: (directory) => paths.push(directory),
      }),
    );
    if (outcome.kind !== 'done') return writeFailures(outcome.kind === 'failed' ? outcome.failures : null, terminal);
    notify('making the tables');
    const { study: made, recordings: read } = await studyRecordings(kind, { paths, seed, ...plan });
    return writeStudy(made, { output: values, terminal, recordings: read });
  } finally {
    if (paths.length > 0) {
      const words = ['deadheat', 'lab', 'study', kind, ...paths].map((word) => quoteWord(word));
      notify(`recorded; these tables again, or of what there is:\n  ${words.join(' ')}`);
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

/** Parser of a factor, such as 1.5. */
function factor(allowed: 'of at least 1' | 'above 0', example: string): ValueParser<number> {
  return (name) => (typed) => {
    const value = Number(typed);
    if (/^\d+(\.\d+)?$/.test(typed) && (allowed === 'above 0' ? value > 0 : value >= 1)) return value;
    throw new UsageError('BAD_VALUE', `${name} must be a number ${allowed}, got '${typed}'`, {
      hint: `For example: ${name} ${example}.`,
    });
  };
}
