import { z } from 'zod';

/*
 * The tools: for each its arguments, and the command line that they stand for. A text of a caller is the value of an option, glued to it, or stands behind
 * `--`, so that none of them can be an option.
 */

/** A call of the command. */
export interface Call {
  readonly args: readonly string[];
  /** Exit codes that are answers; any other is an error. */
  readonly answers: readonly number[];
  /** The answer, from what the command printed. */
  readonly read: (stdout: string) => unknown;
}

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly shape: z.ZodRawShape;
  /** True if it only reads. */
  readonly readsOnly: boolean;
  readonly toCall: (given: Readonly<Record<string, unknown>>) => Call;
}

/** Longest time that a caller can ask for: a day. */
const mostSeconds = 86_400;
/** Time after which a call ends, where the caller does not say. */
export const usualSeconds = 1800;

const timeLimit = {
  timeLimitSeconds: z
    .number()
    .positive()
    .max(mostSeconds)
    .optional()
    .describe(`the call is interrupted after this time, and what it recorded stays (default: ${usualSeconds})`),
};
const commandLine = z.string().min(1).max(32_768);
const word = z.string().min(1).max(256);
const loop = word.regex(/^[A-Za-z0-9][\w-]*$/).optional();

function tool<Shape extends z.ZodRawShape>(spec: {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly readsOnly?: boolean;
  readonly toCall: (given: z.infer<z.ZodObject<Shape>>) => Call;
}): Tool {
  const shape = { ...spec.shape, ...timeLimit };
  return { readsOnly: false, ...spec, shape, toCall: (given) => spec.toCall(given as z.infer<z.ZodObject<Shape>>) };
}

/** `--margin=1%` for each option that is given. */
function options(given: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}

const compare = tool({
  name: 'compare',
  description:
    'Compares two commands on this machine: is B slower or faster than A, by how much, and how sure is that? Both run at the same time or in turns until the verdict is certain. Use it instead of timing either command.',
  shape: {
    a: commandLine.describe('command line of the baseline'),
    b: commandLine.describe('command line of the candidate'),
    margin: word.optional().describe('largest difference that does not matter, such as 1%'),
    confidence: word.optional().describe('confidence level, such as 99%'),
    maxTime: word.optional().describe('most time for the comparison, such as 60s'),
    sameOutput: z.boolean().optional().describe('refuse to compare commands that print something different'),
  },
  toCall: ({ a, b, margin, confidence, maxTime, sameOutput }) => ({
    args: [
      '--until=decided',
      '--export=json:-',
      '--no-summary',
      '--style=basic',
      ...options({ margin, confidence, 'max-time': maxTime }),
      ...(sameOutput === true ? ['--same-output'] : []),
      '--',
      a,
      b,
    ],
    answers: [0],
    read: (stdout) => summaryOf(JSON.parse(stdout) as ReportLike),
  }),
});

/** The parts of a report that a summary holds. */
interface ReportLike {
  readonly experiment: { readonly recording: string };
  readonly comparisons: readonly {
    readonly benchmark: string;
    readonly verdict: string;
    readonly interval: object;
    readonly margin: number;
    readonly method: string;
    readonly metric: string;
    readonly runs: number;
    readonly outlook: object | null;
    readonly warnings: readonly object[];
  }[];
  readonly warnings: readonly object[];
}

/** A report without times, of which there are thousands: they are in the recording. */
function summaryOf({ experiment, comparisons, warnings }: ReportLike): object {
  return {
    recording: experiment.recording,
    comparisons: comparisons.map((one) => ({
      benchmark: one.benchmark,
      verdict: one.verdict,
      ratio: one.interval,
      margin: one.margin,
      method: one.method,
      metric: one.metric,
      runs: one.runs,
      outlook: one.outlook,
      warnings: one.warnings,
    })),
    warnings,
  };
}

const parsed = (stdout: string): unknown => JSON.parse(stdout);

const attempt = tool({
  name: 'attempt',
  description:
    'One optimisation after the other at one error budget. step start: begin a loop in this folder of a git repository, with the command that is to become faster. step judge, after each change of the working tree: compares it with the best state so far and answers keep, revert (revertBy is the command that takes it back) or not-yet. The working tree is never changed. step status: the ledger and the budget. step end: a fresh comparison with the baseline, which is the result. Do not keep what only looks faster, and do not repeat what was rejected.',
  shape: {
    step: z.enum(['start', 'judge', 'status', 'end']),
    command: commandLine
      .optional()
      .describe('start: the command line; without it deadheat.yaml describes the benchmarks'),
    loop: loop.describe('name of the loop'),
    from: word.optional().describe('start: commit that is the baseline (default: HEAD)'),
    error: word.optional().describe('start: probability that the loop keeps anything that is not faster (default: 5%)'),
    build: commandLine.optional().describe('start: shell command that builds a version'),
    margin: word.optional().describe('start: gain that an attempt must exceed, such as 1%'),
    maxTime: word
      .optional()
      .describe('start: most time for an attempt, such as 60s; end: most time for the comparison (default: 10m)'),
    message: z.string().min(1).max(4096).optional().describe('judge: what was tried, for the ledger'),
    again: z.boolean().optional().describe('judge: measure also if the same changes were rejected before'),
  },
  toCall: ({ step, command, loop: name, from, error, build, margin, maxTime, message, again }) => {
    const named = name === undefined ? [] : [name];
    const args = {
      start: [
        'start',
        '--json',
        ...options({ from, error, build, margin, 'max-time': maxTime }),
        ...named,
        ...(command === undefined ? [] : ['--', command]),
      ],
      judge: [
        'check',
        '--json',
        '--style=basic',
        ...options({ loop: name, message }),
        ...(again === true ? ['--again'] : []),
      ],
      status: ['status', '--json', ...named],
      end: ['end', '--json', '--style=basic', ...options({ 'max-time': maxTime }), ...named],
    }[step];
    return { args: ['attempt', ...args], answers: step === 'judge' ? [0, 1, 6] : [0], read: parsed };
  },
});

/** Functions in an answer: those that are clear come first. */
const mostFunctions = 50;

const explain = tool({
  name: 'explain',
  description:
    'Which functions account for the difference of a recorded comparison: both programs run again in pairs under the sampler of their runtime (Node, Python, Java, or perf), and each function gets its own CPU time in A and in B, in seconds a run, with an interval for all functions at once. isClear: the interval excludes 0. Use it after a comparison that is slower or faster, before the next attempt. Keeps what it finds in the recording.',
  shape: {
    recording: word
      .max(4096)
      .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/)
      .optional()
      .describe('recording below this folder, as compare names it (default: the newest)'),
    benchmark: word.optional().describe('name of the benchmark (default: the slowest one)'),
    pairs: z.int().min(5).max(1000).optional().describe('pairs of runs (default: 20)'),
    maxTime: word.optional().describe('time after which no further pair begins, such as 60s'),
  },
  toCall: ({ recording, benchmark, pairs, maxTime }) => ({
    args: [
      'explain',
      '--export=json:-',
      '--style=none',
      ...options({ benchmark, pairs: pairs?.toString(), 'max-time': maxTime }),
      '--',
      ...(recording === undefined ? [] : [recording]),
    ],
    answers: [0],
    read: (stdout) => {
      // The call tree has thousands of places: it is in the recording.
      const { table: _table, tree: _tree, functions, ...rest } = JSON.parse(stdout) as ExplanationLike;
      return { ...rest, functionCount: functions.length, functions: functions.slice(0, mostFunctions) };
    },
  }),
});

/** The parts of an explanation that an answer leaves out or shortens. */
interface ExplanationLike {
  readonly functions: readonly object[];
  readonly table: unknown;
  readonly tree: unknown;
}

const history = tool({
  name: 'history',
  description:
    'What was recorded in this folder (.deadheat) before: the comparisons of all benchmarks, or of those that are named, and where their performance changed. Needs the package @deadheat/track.',
  shape: {
    benchmarks: z.array(word).max(100).optional().describe('names of benchmarks; without them all'),
    last: z
      .int()
      .positive()
      .max(1000)
      .optional()
      .describe('number of newest comparisons of each benchmark (default: 20)'),
  },
  readsOnly: true,
  toCall: ({ benchmarks = [], last = 20 }) => ({
    args: ['history', 'show', '--export=json:-', '--style=basic', `--last=${last}`, '--', ...benchmarks],
    answers: [0],
    read: parsed,
  }),
});

/** Every tool. */
export const tools: readonly Tool[] = [compare, attempt, explain, history];
