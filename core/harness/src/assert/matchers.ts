import { isPromise } from '../work.ts';
import { takingPart } from '../session.ts';
import {
  failure,
  judgeFunctions,
  limitOf,
  outcomeOf,
  ratioText,
  type AssertOptions,
  type Judgement,
} from './assert.ts';
import type { Ratio } from './measure-together.ts';

/** A benchmark's result in vitest 5. */
interface BenchResult {
  readonly latency: { readonly mean: number };
}

/** Benchmarks that were measured against each other. */
export interface MeasuredResults {
  /** The ratio of the times of the first to those of the second, with its interval of 95 %. */
  readonly ratio: (pair: readonly [number, number]) => Ratio;
  readonly how: (ratio: Ratio) => string;
}

/** The benchmarks among which a result was measured, and its number. */
interface Place {
  readonly measured: MeasuredResults;
  readonly index: number;
}

/** Results of benchmarks that were measured against each other. */
export const measuredResults: WeakMap<object, Place> = new WeakMap<object, Place>();

interface MatcherContext {
  readonly isNot?: boolean | undefined;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

type Direction = 'slower' | 'faster';

/** Options of a matcher: those of functions, and `delta` of results of vitest 5. */
export type MatcherOptions = AssertOptions & { readonly delta?: number };

function match(
  direction: Direction,
  { isNot = false }: MatcherContext,
  {
    received,
    expected,
    options,
  }: { readonly received: unknown; readonly expected: unknown; readonly options: MatcherOptions },
): MatcherResult | Promise<MatcherResult> {
  /** Without `not` it must be certain that the difference is there, with `not` that it is not. */
  function settle(judged: Pick<Judgement, 'outcome' | 'sentence'>, by: AssertOptions['by']): MatcherResult {
    const pass = isNot ? judged.outcome !== 'within' : judged.outcome === 'beyond';
    return { pass, message: () => failure(direction, { ...judged, by, isNot }) };
  }

  if (typeof received === 'function' && typeof expected === 'function') {
    const judged = judgeFunctions([received as () => unknown, expected as () => unknown], direction, options);
    return isPromise(judged) ? judged.then((one) => settle(one, options.by)) : settle(judged, options.by);
  }
  if (!isResult(received) || !isResult(expected)) {
    throw new TypeError('expected two functions, or two results of benchmarks of vitest 5');
  }
  const { delta = 0 } = options;
  // A side of an experiment measures little, and the experiment decides.
  if (takingPart()) return { pass: !isNot, message: () => '' };
  return settle(judgeResults(direction, [received, expected], delta), delta);
}

function isResult(value: unknown): value is BenchResult {
  return typeof (value as Partial<BenchResult> | null)?.latency?.mean === 'number';
}

function judgeResults(
  direction: Direction,
  [received, expected]: readonly [BenchResult, BenchResult],
  delta: number,
): Pick<Judgement, 'outcome' | 'sentence'> {
  const [one, other] = [measuredResults.get(received), measuredResults.get(expected)];
  const limit = limitOf(direction, delta);
  if (one === undefined || one.measured !== other?.measured) {
    // vitest's own rule.
    const estimate = received.latency.mean / expected.latency.mean;
    const sentence = `${ratioText({ estimate, low: Number.NaN, high: Number.NaN })} by the means alone: the two were not measured by one bench.compare`;
    return { outcome: (direction === 'slower' ? estimate > limit : estimate < limit) ? 'beyond' : 'within', sentence };
  }
  const ratio = one.measured.ratio([one.index, other.index]);
  const sentence = `${ratioText(ratio)} (${one.measured.how(ratio)})`;
  return { outcome: outcomeOf(ratio, limit, direction), sentence };
}

/**
 * Matchers for `expect.extend` of vitest and jest. Of two functions they measure both, as `judgeFunctions`; of two results of one `bench.compare` of vitest
 * 5 that deadheat's provider measured they judge the interval of the ratio. Their result is a promise where a function returns one.
 */
export const matchers: Readonly<
  Record<
    'toBeSlowerThan' | 'toBeFasterThan',
    (
      this: MatcherContext,
      received: unknown,
      expected: unknown,
      options?: MatcherOptions,
    ) => MatcherResult | Promise<MatcherResult>
  >
> = {
  toBeSlowerThan(received, expected, options = {}) {
    return match('slower', this, { received, expected, options });
  },
  toBeFasterThan(received, expected, options = {}) {
    return match('faster', this, { received, expected, options });
  },
};
