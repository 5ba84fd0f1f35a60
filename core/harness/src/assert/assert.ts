import { AssertionError } from 'node:assert';
import { median } from '@deadheat/stats';
import { functionWorker } from '../function-worker.ts';
import { formatTime } from '../table-printer.ts';
import { isPromise } from '../work.ts';
import {
  measureTogether,
  ratioOf,
  type Clock,
  type Contestant,
  type MeasuredTogether,
  type Ratio,
} from './measure-together.ts';

type Fn = () => unknown;

export interface AssertOptions {
  /** The largest difference that is allowed: a share, or a text such as `'5%'`. Without it 5 %: less may be a matter of how the code was compiled. */
  readonly by?: number | `${number}%`;
  /** Time for the measurement, ms; without it 2000. */
  readonly budget?: number;
}

/** Limits of the ratio of two functions' times are judged at quarters of the budget; `beyond` and `within` are certain at 97.5 %. */
export interface Judgement {
  readonly outcome: 'beyond' | 'within' | 'undecided';
  readonly ratio: Ratio;
  /** A sentence with the ratio, its interval, and how it was measured. */
  readonly sentence: string;
}

const defaultBy = 0.05;
const defaultBudgetMs = 2000;
/** Interim analyses, as shares of the budget. Each of them has its part of the error of 2.5 % to each side (Bonferroni). */
const looks = [0.4, 0.6, 0.8, 1];
const levelOfLook = 1 - 0.05 / looks.length;
/** 2^-8 is below the error of one side of an interim analysis, 2^-7 is not. */
const fewestBlocks = 8;

/**
 * Judges whether `f` is slower (or faster) than `g` by more than a share. Both are measured in this process, in blocks of a drawn order and its
 * reverse, until it is decided or the budget is used up.
 *
 * @returns a promise where one of the functions returns one
 * @throws RangeError for a `by` that is no share, or a budget that is not above 0
 */
export function judgeFunctions(
  [f, g]: readonly [Fn, Fn],
  direction: 'slower' | 'faster',
  options?: AssertOptions,
): Judgement | Promise<Judgement> {
  return judgeTogether([{ worker: functionWorker(f, '') }, { worker: functionWorker(g, '') }], direction, options);
}

/** As {@link judgeFunctions}, of workers, whose times are those of `clock`. */
export function judgeTogether(
  contestants: readonly [Contestant, Contestant],
  direction: 'slower' | 'faster',
  { by = defaultBy, budget = defaultBudgetMs, clock }: AssertOptions & { readonly clock?: Clock } = {},
): Judgement | Promise<Judgement> {
  const limit = limitOf(direction, shareOf(by));
  return decideTogether(contestants, { budget, clock, decide: (ratio) => outcomeOf(ratio, limit, direction) });
}

interface Decided<Outcome> extends Omit<Judgement, 'outcome'> {
  readonly outcome: Outcome | 'undecided';
}

function decideTogether<Outcome extends string>(
  contestants: readonly [Contestant, Contestant],
  options: {
    readonly budget: number;
    readonly clock?: Clock | undefined;
    readonly decide: (ratio: Ratio) => Outcome | 'undecided';
    /** The name of the option that gives more time, for the sentence. */
    readonly timeOption?: string | undefined;
  },
): Decided<Outcome> | Promise<Decided<Outcome>> {
  const { budget, clock, decide, timeOption = 'budget' } = options;
  if (!(budget > 0)) throw new RangeError(`budget must be a time above 0 ms, got ${String(budget)}`);
  let look = 0;

  function enough(measured: MeasuredTogether, used: number): boolean {
    if (used < (looks[look] ?? 1)) return false;
    while (used >= (looks[look] ?? Infinity)) look += 1;
    return judge(measured).outcome !== 'undecided';
  }

  function judge(measured: MeasuredTogether): Decided<Outcome> {
    const ratio = ratioOf(measured, [0, 1], levelOfLook);
    const outcome = decide(ratio);
    return { outcome, ratio, sentence: describe(measured, { ratio, outcome, budget, timeOption }) };
  }

  const measured = measureTogether(contestants, { budgetMs: budget, enough, clock });
  return isPromise(measured) ? measured.then(judge) : judge(measured);
}

/**
 * Compares two functions in this process, as {@link judgeFunctions} does: the ratio of the times of `b` to those of `a`, and whether b is slower or faster by more
 * than `by`, or surely neither.
 *
 * @throws RangeError as `judgeFunctions`
 */
export async function compareFunctions(
  [a, b]: readonly [Fn, Fn],
  { by = defaultBy, budget = defaultBudgetMs, timeOption }: AssertOptions & { readonly timeOption?: string } = {},
): Promise<Decided<'slower' | 'faster' | 'dead-heat'>> {
  const most = 1 + shareOf(by);
  return decideTogether([{ worker: functionWorker(b, '') }, { worker: functionWorker(a, '') }], {
    budget,
    timeOption,
    decide: ({ low, high }) => {
      if (low > most) return 'slower';
      if (high < 1 / most) return 'faster';
      return low >= 1 / most && high <= most ? 'dead-heat' : 'undecided';
    },
  });
}

/** The ratio of times above which (or, of `faster`, below which) a function is slower by more than a share. */
export function limitOf(direction: 'slower' | 'faster', share: number): number {
  return direction === 'slower' ? 1 + share : 1 - share;
}

export function outcomeOf({ low, high }: Ratio, limit: number, direction: 'slower' | 'faster'): Judgement['outcome'] {
  const [isAbove, isBelow] = [low > limit, high < limit];
  if (!isAbove && !isBelow) return 'undecided';
  return isAbove === (direction === 'slower') ? 'beyond' : 'within';
}

function shareOf(by: number | string): number {
  const share = typeof by === 'number' ? by : /^\d+(?:\.\d+)?%$/.test(by) ? Number.parseFloat(by) / 100 : Number.NaN;
  if (share >= 0 && share < 1) return share;
  throw new RangeError(`by must be a share in [0, 1) or a text such as '5%', got ${JSON.stringify(by)}`);
}

/** The ratio with its interval as people say it: by how much the first function is slower. */
export function ratioText({ estimate, low, high }: Pick<Ratio, 'estimate' | 'low' | 'high'>): string {
  return Number.isNaN(low) ? percent(estimate) : `${percent(estimate)} [${percent(low)}, ${percent(high)}]`;
}

/** How a ratio was measured; `units` are counted. */
export function howText({ blocks, metric }: Ratio, units = 'blocks in one process'): string {
  return `95 % interval, ${metric === 'cpu' ? 'CPU' : 'wall'} time, ${blocks} ${units}`;
}

function percent(ratio: number): string {
  if (!Number.isFinite(ratio)) return ratio > 0 ? '+inf' : '?';
  return `${ratio < 1 ? '' : '+'}${((ratio - 1) * 100).toFixed(1)} %`;
}

function describe(
  { slots }: MeasuredTogether,
  {
    ratio,
    outcome,
    budget,
    timeOption,
  }: { readonly ratio: Ratio; readonly outcome: string; readonly budget: number; readonly timeOption: string },
): string {
  if (ratio.blocks === 0)
    return `not even one round of both fits into ${budget} ms; give it more time with { ${timeOption} }`;
  const [received, expected] = slots.map((all) => formatTime(median(all.map((slot) => slot[ratio.metric]))));
  const typical = `${ratioText(ratio)}, ${received} against ${expected} a call`;
  const how = howText(ratio);
  if (outcome !== 'undecided') return `${typical} (${how})`;
  const more =
    ratio.blocks < fewestBlocks
      ? `${fewestBlocks} blocks are the fewest that can decide`
      : 'the interval holds the limit';
  return `${typical} (${how}), after ${budget} ms: ${more}; give it more time with { ${timeOption} }`;
}

/**
 * Asserts that `f` is not slower than `g` by more than `by`: passes only if such a slowdown is excluded.
 *
 * @param t the context of a test; that of `node:test` prints the result as a diagnostic
 *
 * @returns a promise where one of the functions returns one
 * @throws AssertionError if `f` is slower, or if the budget leaves it undecided; RangeError as `judgeFunctions`
 */
export function notSlower(t: object, f: Fn, g: Fn, options: AssertOptions = {}): void | Promise<void> {
  function settle({ outcome, sentence }: Judgement): void {
    if (outcome === 'within') (t as TestContext).diagnostic?.(sentence);
    else throw new AssertionError({ message: failure('slower', { outcome, sentence, by: options.by, isNot: true }) });
  }

  const judged = judgeFunctions([f, g], 'slower', options);
  return isPromise(judged) ? judged.then(settle) : settle(judged);
}

/** The message of an assertion that a function is (not) slower or faster by more than a share, which did not hold. */
export function failure(
  direction: 'slower' | 'faster',
  { outcome, sentence, by = defaultBy, isNot }: Pick<Judgement, 'outcome' | 'sentence'> & FailureFacts,
): string {
  const share = `${Number((shareOf(by) * 100).toPrecision(12))} %`;
  const expected = `Expected ${isNot ? 'not ' : ''}to be ${direction}${shareOf(by) === 0 ? '' : ` by more than ${share}`}`;
  return outcome === 'undecided'
    ? `${expected}, which is not certain: ${sentence}`
    : `${expected}, but was: ${sentence}`;
}

/** The part of the context of a test of `node:test` that is used. */
interface TestContext {
  readonly diagnostic?: (message: string) => void;
}

interface FailureFacts {
  readonly by?: AssertOptions['by'];
  readonly isNot: boolean;
}
