import type { Execution, SyncError, TaskObservation } from '@deadheat/sync';
import type { ExceededLimit } from '../describe-failure.ts';

/** What a side did in a run. */
export interface SideEnd {
  readonly executions: readonly Execution[];
  /** Executions that left something running behind them. */
  readonly strays: number;
  /** End of what was written to standard error. */
  readonly stderr: string;
  readonly stderrBytes: number;
  readonly exceeded: ExceededLimit | null;
  /** How its tasks used CPUs, in pilot runs where that can be seen; else `null`. */
  readonly observed: TaskObservation | null;
  /** What went wrong besides the program; `null` = nothing. */
  readonly error: SyncError | null;
}

/** The program of one side in one run. */
export interface SideProgram {
  /** Does everything that need not be timed. */
  ready(): Promise<void>;
  execute(): Promise<SideEnd>;
  /** Gives free what it took, once its container is removed. */
  close(): void;
}
