/** What may disturb a machine. */
export type FindingCode =
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

/** What a disturbance did to the times of the artificial workloads. */
export interface Effect {
  /** `spread`: it makes runs differ, which hides differences; `shift`: it makes all alike slower, or one side of a pair. */
  readonly kind: 'spread' | 'shift';
  /** Relative: the standard deviation that it brings, or how far it shifts. */
  readonly share: number;
  /** How that was found. */
  readonly how: string;
}

/** One thing that may disturb measurements here, and what to do about it. */
export interface Finding {
  readonly code: FindingCode;
  /** One sentence. */
  readonly title: string;
  /** `null` = no effect was measured: it is a known risk, or too small for the time spent. */
  readonly effect: Effect | null;
  /** What was seen of it. */
  readonly evidence: string;
  readonly advice: {
    readonly withoutRoot: string;
    /** `null` = root of this machine can do no more. */
    readonly asRoot: string | null;
  };
  /** Whether `deadheat doctor --apply` changes it, and by which name. */
  readonly applies: 'governor,turbo' | 'smt' | null;
}
