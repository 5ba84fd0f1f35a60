import type { B } from 'mitata';
import { HarnessError } from '../harness-error.ts';

/** A benchmark of mitata with the group that it is in. */
export interface Registered {
  readonly benchmark: B;
  readonly group: string | null;
}

/** What mitata keeps of a benchmark. */
export interface Definition {
  readonly f: (...args: unknown[]) => unknown;
  readonly _name: string;
  readonly _args: Readonly<Record<string, readonly unknown[]>>;
  readonly _gc: boolean | 'once' | 'inner';
  readonly _highlight: false | string;
  readonly flags: number;
}

/**
 * The inner side of a benchmark of mitata, which has no public one.
 *
 * @throws HarnessError `BAD_BENCHMARK` when this release of mitata keeps something else
 */
export function definitionOf(benchmark: B): Definition {
  const inner = benchmark as unknown as Partial<Definition>;
  if (typeof inner.f !== 'function' || typeof inner._name !== 'string' || typeof inner._args !== 'object') {
    throw new HarnessError('BAD_BENCHMARK', 'this release of mitata is not understood; use mitata 1.0.34');
  }
  return inner as Definition;
}

/** How mitata calls a function: by itself, with a state to iterate over, or as a generator that yields the function. */
export function kindOf(fn: (...args: never[]) => unknown): 'fn' | 'iter' | 'yield' {
  if (/^(Async)?GeneratorFunction$/.test(fn.constructor.name)) return 'yield';
  return fn.length === 0 ? 'fn' : 'iter';
}
