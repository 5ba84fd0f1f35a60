import type { Warning } from '../warning.ts';

/** Fewest runs that carry a result. */
export const leastRuns = 5;

/** Progress of a benchmark; measured runs only. */
interface StopProgress {
  readonly runs: number;
  /** Time spent on its trials, warm-up included, ns. */
  readonly elapsedNs: number;
  /** The rule `stable` of the settings calls the runs stable, or allows no more of them. */
  readonly isStable: boolean;
  /** `liftCaps` of the rule `stable` of the settings; 1 without it. */
  readonly liftCaps: number;
}

/** Result of an interim analysis, by an interval that holds at every interim analysis. */
export interface InterimAnalysis {
  /** Half-width of the ratio's interval, relative to the estimate. */
  readonly halfWidth: number;
  /** The verdict is safe. */
  readonly decided: boolean;
  /** More runs within the limits would hardly make it safe. */
  readonly futile: boolean;
}

/** Decision of a rule by interim analyses. */
export interface InterimRule {
  /** Fewest runs of the first interim analysis. */
  readonly from: number;
  /** True once a benchmark has what was asked for. */
  readonly isReached: (found: Pick<InterimAnalysis, 'halfWidth' | 'decided'>) => boolean;
  /** A verdict is asked for: the benchmark ends when that is out of reach, and a comparison without one has the warning NOT_DECIDED. */
  readonly asksVerdict: boolean;
  /** The only verdict that is waited for; absent = any. */
  readonly only?: 'faster';
}

/** A benchmark that was ended by its time limit. */
interface EndedByTime {
  readonly benchmark: string;
  readonly runs: number;
  /** Half-width of the interval that decides, relative to the estimate. */
  readonly halfWidth: number;
  readonly nsPerRun: number;
}

/** A stop rule in force: all that the rest of deadheat asks of it. */
export interface StopProcedure {
  /** Fewest measured runs that it asks for. */
  readonly minRuns: number;
  /** Most measured runs that it allows; Infinity without a limit. */
  readonly mostRuns: number;
  /** The number of runs where it is fixed beforehand, so that they can be divided into parts; `null` where it is not. */
  readonly fixedRuns: number | null;
  /** The rule ends without a time limit, which it then has only where the user sets one, and may end with `minRuns`. */
  readonly endsByItself: boolean;
  /** `null` = a benchmark is judged once, by the interval of a fixed number of runs. */
  readonly interim: InterimRule | null;
  /** Fewest and most runs over which stability is asked (FSE'20, section 4.2.3); `null` = it is not asked over runs. */
  readonly stableRuns: { readonly least: number; readonly most: number } | null;
  /** Settings of the user that ask for this rule, by their keys, without the limits of runs. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** True once a benchmark has enough runs, whatever they measured. */
  readonly isEnough: (progress: StopProgress) => boolean;
  /** Share done by the rule's own measure, from 0; 0 where the measurements decide. */
  readonly shareDone: (progress: Pick<StopProgress, 'runs' | 'elapsedNs'>) => number;
  /** Least and most time, ns, where `timeOf` is the time of a number of runs; Infinity without a limit. */
  readonly expectedTimeNs: (
    pace: Pick<StopProgress, 'liftCaps'> & { readonly timeOf: (runs: number) => number },
  ) => readonly [least: number, most: number];
  /** End of the rule, for a plan: `until 5 s have passed`; `null` = for nothing but the number of runs. */
  readonly until: (format: {
    /** A time in ns. */
    readonly stretch: (ns: number) => string;
    /** A share of 1. */
    readonly share: (share: number) => string;
  }) => string | null;
  /** Warning about what a benchmark that its time limit ended lacks, and what more time would bring; `null` = nothing to say. */
  readonly limitWarning: (ended: EndedByTime) => Warning | null;
}

/** The limits of runs, by the keys of the user's settings. */
export interface RunLimits {
  readonly 'min-runs'?: number | undefined;
  readonly 'max-runs'?: number | undefined;
}

/**
 * A kind of stop rule, beside the schema of its place in a configuration.
 *
 * @typeParam Rule the rule as a configuration has it.
 * @typeParam Said settings of the user that it reads.
 */
export interface StopRuleKind<Rule, Said> {
  /** Keys of the settings by which it is asked for; an inner layer of settings that has one of another kind replaces them. */
  readonly keys: readonly (keyof Said & string)[];
  /** The rule reads the limits of runs (`RunLimits`). */
  readonly takesLimits: boolean;
  /** The rule that settings ask for; `null` where they ask for another one. */
  readonly ask: (said: Said) => Rule | null;
  /** The rule in force. */
  readonly of: (rule: Rule) => StopProcedure;
}

/** Limits of runs as a rule has them, where `fewest` is what counts unless the user says otherwise. */
export function runLimits(
  said: RunLimits,
  fewest: number,
): { readonly minRuns: number; readonly maxRuns: number | null } {
  const maxRuns = said['max-runs'] ?? null;
  return { minRuns: said['min-runs'] ?? Math.min(fewest, maxRuns ?? fewest), maxRuns };
}

type Procedure = Pick<
  StopProcedure,
  'minRuns' | 'mostRuns' | 'fixedRuns' | 'endsByItself' | 'interim' | 'stableRuns' | 'limitWarning'
>;

/** Properties that most rules have in common; each replaces what it does otherwise. */
export function procedureOf({
  minRuns,
  maxRuns,
}: {
  readonly minRuns: number;
  readonly maxRuns: number | null;
}): Procedure {
  return {
    minRuns,
    mostRuns: maxRuns ?? Infinity,
    fixedRuns: null,
    endsByItself: false,
    interim: null,
    stableRuns: null,
    limitWarning: (ended) => missingRuns(ended, minRuns),
  };
}

/** The half-width of an interval shrinks with the square root of the number of runs. */
function missingRuns({ benchmark, runs, nsPerRun }: EndedByTime, wanted: number): Warning | null {
  if (runs >= wanted) return null;
  const narrower = 1 - Math.sqrt(runs / wanted);
  return {
    code: 'TIME_LIMIT',
    message:
      `${benchmark}: --max-time ended it after ${runs} of ${wanted} runs. All ${wanted} would make the interval about ` +
      `${percent(narrower)} narrower; they take about ${seconds(nsPerRun * wanted)} (--max-time).`,
  };
}

/** A share to two digits. */
export function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}

/** A time in whole seconds, as `--max-time` takes it. */
export function seconds(ns: number): string {
  return `${Math.ceil(ns / 1e9)}s`;
}
