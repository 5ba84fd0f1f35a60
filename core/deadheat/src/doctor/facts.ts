import type { Disturbances, ExplainedSpread } from '@deadheat/analysis';
import type { MethodObstacle } from '@deadheat/engine';
import type { Machine } from '@deadheat/model';
import { formatShare } from '@deadheat/report';
import { monotonicNowNs } from '@deadheat/sync';
import type { WorkloadName } from '@deadheat/workloads';

/** Quantities that are counted in every run. */
const countNames = ['steal', 'throttled', 'cpu-pressure', 'memory-pressure', 'heat', 'frequency', 'time'] as const;
export type CountName = (typeof countNames)[number];

/** Facts that the findings are made from. */
export interface DoctorFacts {
  readonly machine: Machine;
  readonly cpus: readonly [number, number];
  /** Parts of the last ten seconds before the measuring in which some task waited; `null` = unknown. */
  readonly pressure: { readonly cpu: number | null; readonly memory: number | null };
  readonly clock: ClockCost;
  readonly obstacle: MethodObstacle | null;
  /** `null` = nothing was measured. */
  readonly disturbances: Disturbances<CountName> | null;
}

const readings = 20_000;

/** Properties of the clock. */
interface ClockCost {
  /** Time that one reading takes, ns. */
  readonly readNs: number;
  /** Smallest step between two readings that differ, ns. */
  readonly stepNs: number;
}

/** Reads the clock of the measurements again and again, some milliseconds long. */
export function measureClock(nowNs: () => number = monotonicNowNs): ClockCost {
  const began = nowNs();
  let last = began;
  let stepNs = Infinity;
  for (let reading = 0; reading < readings; reading++) {
    const now = nowNs();
    if (now > last) stepNs = Math.min(stepNs, now - last);
    last = now;
  }
  return { readNs: (last - began) / readings, stepNs: Number.isFinite(stepNs) ? stepNs : 0 };
}

/** Possible disturbance of a machine. */
type FindingCode =
  | 'LOAD'
  | 'STEAL'
  | 'CPU_QUOTA'
  | 'MEMORY_PRESSURE'
  | 'FREQUENCY'
  | 'HEAT'
  | 'CORE_SPEED'
  | 'DRIFT'
  | 'SHARED_CORE'
  | 'SHARED_MEMORY'
  | 'SMT'
  | 'CORES_DIFFER'
  | 'MEMORY_LAYOUT'
  | 'CLOCK'
  | 'NO_DUET';

/** Effect of a disturbance on the times of the artificial workloads. */
export interface Effect {
  /** `spread`: it makes runs differ, which hides differences; `shift`: it makes all alike slower, or one side of a pair. */
  readonly kind: 'spread' | 'shift';
  /** Relative: the standard deviation that it brings, or how far it shifts. */
  readonly share: number;
  /** Way in which the effect was found. */
  readonly how: string;
}

/** One thing that may disturb measurements here, and what to do about it. */
export interface Finding {
  readonly code: FindingCode;
  /** One sentence. */
  readonly title: string;
  /** `null` = no effect was measured: it is a known risk, or too small for the time spent. */
  readonly effect: Effect | null;
  /** Observations of the disturbance. */
  readonly evidence: string;
  readonly advice: {
    readonly withoutRoot: string;
    /** `null` = root of this machine can do no more. */
    readonly asRoot: string | null;
  };
  /** Name by which `deadheat doctor --apply` changes it, if it does. */
  readonly applies: 'governor,turbo' | 'smt' | null;
}

/** Several disturbances are held against the same times: one in a hundred may look like one by chance. */
const level = 0.01;
/** A smaller effect hides nothing that anybody looks for. */
export const leastShare = 0.001;

/** Mean of a count over the runs, 0 where there is none. */
export function meanOf(disturbances: Disturbances<CountName> | null, name: CountName): number {
  return disturbances?.counts.find((count) => count.name === name)?.mean ?? 0;
}

/** The effect of what was counted, when the times went along with it. */
export function effectOfCount(
  disturbances: Disturbances<CountName> | null,
  { name, sign }: { readonly name: CountName; readonly sign: Sign },
): Effect | null {
  return effectOf(disturbances?.counts.find((count) => count.name === name)?.explained ?? null, sign);
}

/** Direction in which more of it moves the times: longer, shorter, or either. */
type Sign = 'longer' | 'shorter' | 'either';

/** The effect of something that times go along with; `null` when they do not, or not in the direction expected. */
export function effectOf(explained: ExplainedSpread | null, sign: Sign): Effect | null {
  if (explained === null || explained.p >= level || explained.share < leastShare) return null;
  const { share, correlation, runs } = explained;
  if ((sign === 'longer' && correlation < 0) || (sign === 'shorter' && correlation > 0)) return null;
  return {
    kind: 'spread',
    share,
    how: `the times of ${runs} runs go along with it (correlation ${correlation.toFixed(2)})`,
  };
}

/** True if a p value is significant among the findings. */
export function isSignificant(p: number): boolean {
  return p < level;
}

/** A share as a percentage, and what is too small for one in words. */
export function percentOf(share: number): string {
  return share < 0.00005 ? '0 %' : formatShare(share);
}

/** True if a workload needs its core alone, neither caches nor memory that others use as well. */
export function isPure(name: WorkloadName): boolean {
  return name === 'integer' || name === 'float';
}
