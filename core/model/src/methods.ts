import { z } from 'zod';
import type { TimeMetric } from './metrics.ts';
import type { AskedInterval } from './intervals.ts';

/** Methods by which the two sides are executed against each other (ICPE'20 section 3; thesis chapter 4; `tandem`, `alone` and `async-tandem` are our own). */
export const methodSchema = z.enum(['tandem', 'alone', 'async-tandem', 'sync-duet', 'async-duet', 'sequential']);
export type Method = z.infer<typeof methodSchema>;

/** A method, or `auto`: pilot runs choose it. */
export const askedMethodSchema = z.enum(['auto', ...methodSchema.options]);
export type AskedMethod = z.infer<typeof askedMethodSchema>;

/** Properties of a method: all that the rest of deadheat asks of it. */
export interface MethodFacts {
  /** Meaning of the name, after the name. */
  readonly meaning: string;
  /** Both sides run at the same time. */
  readonly together: boolean;
  /** A barrier starts the sides together, so that iterations of the same index are a pair. */
  readonly barrier: boolean;
  /** CPUs of the sides: one for both, one each, or all CPUs of the experiment for each side. */
  readonly cpus: 'one-shared' | 'one-each' | 'all';
  /** Iterations of a run that are a pair: those of the same index, those that overlap in time, or none. */
  readonly pairs: 'same-index' | 'overlapping' | 'none';
  /** The time of a side that neither the other side nor, on a core drawn for both, other work has a part in. */
  readonly ownTime: TimeMetric;
  /** Value of a side in a run: the mean of its iterations, or their lower quartile where some hold turns of the other side on the core. */
  readonly valueOfRun: 'mean' | 'lower-quartile';
  /** Executions of a command in one run where the user does not say; above 1 a run may repeat it. */
  readonly executions: number;
  /** Defaults of the interval. Levels: ICPE'20 section 3 for the duet; Drozdik's thesis section 4.3.2 for the others. */
  readonly interval: {
    readonly confidence: number;
    readonly interval: AskedInterval;
    readonly replicates: number;
  };
  /** Name of the method in tables and result files of duetbench; `tandem`, `alone` and `async-tandem` are additions to them. */
  readonly duetbench: string;
}

/** The rank estimates: docs/decisions/0010-rank-estimates.md. */
const byRankAt99 = { confidence: 0.99, interval: 'rank', replicates: 10_000 } as const;
const byRankAt95 = { confidence: 0.95, interval: 'rank', replicates: 9_999 } as const;

export const methodFacts: Readonly<Record<Method, MethodFacts>> = {
  tandem: {
    meaning: 'both sides on one core at the same time',
    together: true,
    barrier: true,
    cpus: 'one-shared',
    pairs: 'same-index',
    ownTime: 'cpu',
    valueOfRun: 'mean',
    executions: 1,
    interval: byRankAt99,
    duetbench: 'tandem',
  },
  alone: {
    meaning: 'one side after the other, each alone on the same core',
    together: false,
    barrier: false,
    cpus: 'one-shared',
    pairs: 'none',
    ownTime: 'cpu',
    valueOfRun: 'mean',
    executions: 1,
    interval: byRankAt99,
    duetbench: 'alone',
  },
  'async-tandem': {
    meaning: 'both sides on one core at the same time, each at its own pace',
    together: true,
    barrier: false,
    cpus: 'one-shared',
    pairs: 'none',
    ownTime: 'time',
    valueOfRun: 'lower-quartile',
    executions: 1,
    interval: byRankAt95,
    duetbench: 'asynctandem',
  },
  'sync-duet': {
    meaning: 'a core each at the same time',
    together: true,
    barrier: true,
    cpus: 'one-each',
    pairs: 'same-index',
    ownTime: 'time',
    valueOfRun: 'mean',
    executions: 1,
    interval: byRankAt99,
    duetbench: 'syncduet',
  },
  'async-duet': {
    meaning: 'a core each, each at its own pace',
    together: true,
    barrier: false,
    cpus: 'one-each',
    pairs: 'overlapping',
    ownTime: 'time',
    valueOfRun: 'mean',
    executions: 10,
    interval: byRankAt95,
    duetbench: 'duet',
  },
  sequential: {
    meaning: 'one side after the other',
    together: false,
    barrier: false,
    cpus: 'all',
    pairs: 'none',
    ownTime: 'time',
    valueOfRun: 'mean',
    executions: 1,
    interval: byRankAt95,
    duetbench: 'seqn',
  },
};

/** True if both sides are on one core at the same time, whose caches they share. */
export function sharesCore(method: Method): boolean {
  const { together, cpus } = methodFacts[method];
  return together && cpus === 'one-shared';
}

/** Runs of a method that are made at the same time where the experiment has `lanes`: only those whose sides share a core. */
export function lanesOf(method: Method, lanes: number): number {
  return sharesCore(method) ? lanes : 1;
}

/** The sides start together on a core each: they can trade cores within a run, and one can wait busily for the other. */
export function meetsOnOwnCores(method: AskedMethod): boolean {
  return method !== 'auto' && methodFacts[method].barrier && methodFacts[method].cpus === 'one-each';
}
