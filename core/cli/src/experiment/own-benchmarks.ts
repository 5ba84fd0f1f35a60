import { isDeepStrictEqual } from 'node:util';
import { sharesCore, turnParsers, type Failure, type Method } from '@deadheat/model';
import type { TypedLayer } from 'deadheat/settings';

/*
 * Programs with benchmarks of their own: how they are measured in place of whole processes.
 */

/** A way to measure them. */
export interface OwnReading {
  /** Options as if they had been typed. */
  readonly layer: TypedLayer;
  /** Gives the command line that is executed in place of one. */
  readonly rewrite: (commandLine: string) => string;
  readonly notice: string;
}

/** The programs before they are measured once more. */
export interface OwnSubject {
  /** The failures of a first run; `null` = nothing was executed. */
  readonly failures: readonly Failure[] | null;
  readonly commandLines: readonly string[];
  readonly typed: TypedLayer;
  /** Variables that the commands inherit. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Time of the comparison, ns; `null` = no limit. */
  readonly maxTimeNs: number | null;
}

/** Amount of work of a short process for each benchmark. */
interface Amount {
  /** Time, s. */
  readonly seconds: number;
  /** Times of an operation that fill it, each about as long as `turnSeconds`; fewer where an operation is longer. */
  readonly times: number;
  /** Operations that fill a time; `null` = how long one takes is not known. */
  readonly operations: number | null;
  /** True if the sides share a core. */
  readonly inTurns: boolean;
  /** True if the sides have the same command. */
  readonly isSame: boolean;
}

/** A harness whose time budget can be set from outside; the options of the command itself come before it. */
interface Budget {
  /** Time that it takes for a benchmark where nobody says, s. */
  readonly usual: number;
  /** Shortest time that says something, s. */
  readonly least: number;
  /** Time of a process for each benchmark, in budgets. */
  readonly cost: number;
  /** The variable that it reads, and its further value. */
  readonly variable?: (amount: Amount) => readonly [name: string, value: string];
  /** Matches a command line that takes the options. */
  readonly command?: RegExp;
  readonly options?: (amount: Amount) => string;
  /** Puts the options into a command line; absent = they are put at its end. */
  readonly put?: (line: string, options: string) => string;
  /** True if words for a shell may follow them. */
  readonly isInFront?: true;
  /** Matches a command that sets the budget itself. */
  readonly said: RegExp;
}

type Parser = NonNullable<Failure['parser']>;

/** Methods by which they are measured. */
const [onOneCore, apart] = ['async-tandem', 'sequential'] as const satisfies readonly Method[];

/** Shorter than a turn of the scheduler (3 ms), so that most times hold no turn of the other side, s. */
const turnSeconds = 0.0002;
/** Most times of longer operations hold turns of the other side. */
const longestInTurnsNs = 1.5e6;
/** A harness takes this many times as long for a time: it tries numbers of operations, and collects garbage before. */
const harnessShare = 5;
/** Times of a process from which a quartile is taken, at least. */
const fewestTimes = 8;

/** Documented in docs/parsers.md. */
const budgets: Partial<Readonly<Record<Parser, Budget>>> = {
  go: {
    usual: 1,
    least: 0.01,
    cost: 2,
    variable: ({ seconds, times, inTurns }) => [
      'GOFLAGS',
      `-vet=off -run=^$ ${inTurns ? `-benchtime=${turnSeconds * 1e6}us -count=${times}` : `-benchtime=${seconds}s`}`,
    ],
    said: /benchtime/,
  },
  'google-benchmark': {
    usual: 0.5,
    least: 0.01,
    cost: 2,
    variable: ({ seconds }) => ['BENCHMARK_MIN_TIME', `${seconds}`],
    said: /benchmark_min_time/i,
  },
  'pytest-benchmark': {
    usual: 1,
    least: 0.01,
    cost: 2,
    // Long names hold paths of files, in which two commands may differ.
    variable: ({ seconds, isSame }) => [
      'PYTEST_ADDOPTS',
      `${isSame ? '--benchmark-name=long ' : ''}--benchmark-max-time=${seconds}`,
    ],
    said: /benchmark-max-time/,
  },
  timeit: {
    usual: 2,
    least: 0.01,
    cost: 2,
    command: /^\S*python[\d.]* -m timeit(?= )/,
    options: ({ times, operations }) => `-n ${operations ?? 1} -r ${harnessShare * times} -vvv`,
    put: (line, options) => line.replace(/ -m timeit/, `$& ${options}`),
    isInFront: true,
    said: / -(?:n|r|p|-number|-repeat|-process)\b/,
  },
  criterion: {
    usual: 5,
    least: 0.05,
    cost: 3,
    command: /^cargo (?:\S+ )*?bench(?: |$)/,
    options: ({ seconds }) =>
      `--noplot --sample-size 10 --nresamples 1001 --warm-up-time ${seconds} --measurement-time ${seconds}`,
    put: (line, options) => `${line}${/ -- /.test(line) ? '' : ' --'} ${options}`,
    said: /-time|--sample-size|--profile-time/,
  },
  catch2: {
    usual: 0.1,
    least: 0.01,
    cost: 4,
    command: /^\S+(?: |$)/,
    options: ({ seconds }) =>
      `--benchmark-samples 20 --benchmark-resamples 1000 --benchmark-warmup-time ${Math.round(1000 * seconds)}`,
    said: /--benchmark-/,
  },
  jmh: {
    usual: 10,
    least: 0.1,
    cost: 8,
    command: /^java\b.* (?:org\.openjdk\.jmh\.Main|-jar \S*(?:benchmarks?|jmh)\S*\.jar)(?: |$)/,
    options: ({ seconds }) => {
      const ms = Math.round(1000 * seconds);
      return `-f 1 -wi 3 -w ${ms}ms -i ${Math.round(ms / 5)} -r 5ms`;
    },
    said: / -(?:f|i|r|w|wi|bm|foe|prof)\b/,
  },
};

/** Runs of a side for which a budget is shortened: more and shorter processes see what differs from process to process. */
const wantedRuns = 20;

/** Benchmarks of a program that has not been executed yet. */
const guessedBenchmarks = 5;

/** The budget with which as many runs as wanted fit into the time; 0.1, 0.05, 0.02, ... s. `null` = the usual one does. */
function shorterBudget(budget: Budget, { benchmarks, maxTimeNs }: { benchmarks: number; maxTimeNs: number | null }) {
  if (maxTimeNs === null) return null;
  const fitting = maxTimeNs / 1e9 / (2 * wantedRuns * benchmarks * budget.cost);
  const power = 10 ** Math.floor(Math.log10(fitting));
  const round = [5, 2, 1].find((step) => step * power <= fitting) ?? 1;
  const seconds = Math.max(budget.least, Number((round * power).toPrecision(1)));
  return seconds < budget.usual ? seconds : null;
}

/** Short times of sides that compute in one thread are measured on one core, where both meet the same machine; others one after the other. */
function methodInShort(parser: Parser, { failures, typed }: OwnSubject): Method {
  const isTyped = isDeepStrictEqual(typed.methods, [apart]);
  const isUnfit = (failures ?? []).some(
    ({ isParallel = false, operationNs = 0 }) => isParallel || operationNs > longestInTurnsNs,
  );
  return isTyped || isUnfit || !turnParsers.includes(parser) ? apart : onOneCore;
}

/** Runs of an `async-tandem`, at least, as far as the time of the comparison holds them. */
const wantedTandems = 40;

function byParser(
  parser: Parser,
  { typed, method = apart }: { readonly typed: TypedLayer; readonly method?: Method },
): OwnReading {
  const saysRuns = (['runs', 'min-runs', 'max-runs', 'until', 'precision'] as const).some(
    (key) => typed[key] !== undefined,
  );
  return {
    layer: { parser, methods: [method], ...(saysRuns || !sharesCore(method) ? {} : { 'min-runs': wantedTandems }) },
    rewrite: (line) => line,
    notice:
      'the commands repeat operations until a time is over: compared are the times of operations that they print (the same as ' +
      `--parser ${parser} --method ${method})`,
  };
}

/** The same in shorter processes; `null` where the harness takes no budget from outside, or the command sets it. */
function inShort(parser: Parser, subject: OwnSubject): OwnReading | null {
  const { commandLines, typed, variables, maxTimeNs, failures } = subject;
  const budget = budgets[parser];
  if (budget === undefined || commandLines.some((line) => budget.said.test(line))) return null;
  const benchmarks = Math.max(1, ...(failures?.map((failure) => failure.benchmarks ?? 1) ?? [guessedBenchmarks]));
  const seconds = shorterBudget(budget, { benchmarks, maxTimeNs });
  if (seconds === null) return null;
  const method = methodInShort(parser, subject);
  const slowest = Math.max(0, ...(failures ?? []).map(({ operationNs = 0 }) => operationNs / 1e9));
  const amount: Amount = {
    seconds,
    times: Math.max(fewestTimes, Math.round(seconds / Math.max(harnessShare * turnSeconds, slowest))),
    operations: slowest === 0 ? null : Math.max(1, Math.round(turnSeconds / slowest)),
    inTurns: sharesCore(method),
    isSame: new Set(commandLines).size === 1,
  };
  const whole = byParser(parser, { typed, method });
  const [name, value] = budget.variable?.(amount) ?? [];
  if (name !== undefined) {
    const given = typed.environment?.[name];
    if (given !== undefined || budget.said.test(variables[name] ?? '')) return null;
    const environment = { ...typed.environment, [name]: [variables[name], value].join(' ').trim() };
    return {
      ...whole,
      layer: { ...whole.layer, environment },
      notice: `${whole.notice}, in short processes: --environment '${name}=${value}'`,
    };
  }
  const { command, options, put = (line: string, more: string) => `${line} ${more}`, isInFront = false } = budget;
  if (command === undefined || options === undefined) return null;
  if (!commandLines.every((line) => command.test(line) && (isInFront || !/[|;&<>()`$]/.test(line)))) return null;
  const added = options(amount);
  return {
    ...whole,
    rewrite: (line) => put(line, added),
    notice: `${whole.notice}, in short processes: ${added}`,
  };
}

const asHarness: OwnReading = {
  layer: { workload: 'harness' },
  rewrite: (line) => line,
  notice: 'the commands have benchmarks of their own: they are measured as with --harness',
};

/**
 * The ways in which programs are measured that refused to be measured as a whole, or were refused, best first; none = they were measured,
 * or cannot be. JMH is known by its command, because a first run takes minutes.
 */
export function ownReadings(subject: OwnSubject): readonly OwnReading[] {
  const { failures, commandLines, typed } = subject;
  const { workload, parser: said, methods, 'whole-process': whole } = typed;
  if (workload !== undefined || said !== undefined || whole === true) return [];
  if (failures?.some(({ message }) => message.includes('add --harness')) === true) return [asHarness];
  const isFree =
    methods === undefined ||
    (Array.isArray(methods) && methods.every((method) => /^(auto|async-tandem|sequential)$/.test(String(method))));
  if (!isFree) return [];
  if (failures === null) {
    const short = commandLines.every((line) => budgets.jmh?.command?.test(line)) ? inShort('jmh', subject) : null;
    return short === null ? [] : [short];
  }
  const parser = failures.find((failure) => failure.parser !== undefined)?.parser;
  if (parser === undefined) return [];
  const isHooked = parser === 'tinybench' || parser === 'mitata';
  const short = inShort(parser, subject);
  return [
    ...(isHooked && methods === undefined ? [asHarness] : []),
    ...(short === null ? [] : [short]),
    byParser(parser, { typed }),
  ];
}
