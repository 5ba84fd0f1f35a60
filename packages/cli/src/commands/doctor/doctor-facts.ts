import type { Disturbances } from '@deadheat/analysis';
import type { MethodObstacle } from '@deadheat/engine';
import type { Machine } from '@deadheat/model';
import type { ClockCost } from './clock-cost.ts';

/** What is counted in every run. */
export const countNames = [
  'steal',
  'throttled',
  'cpu-pressure',
  'memory-pressure',
  'heat',
  'frequency',
  'time',
] as const;
export type CountName = (typeof countNames)[number];

/** What the findings are made from. */
export interface DoctorFacts {
  readonly machine: Machine;
  readonly cpus: readonly [number, number];
  /** Parts of the last ten seconds before the measuring in which some task waited; `null` = not told. */
  readonly pressure: { readonly cpu: number | null; readonly memory: number | null };
  readonly clock: ClockCost;
  readonly obstacle: MethodObstacle | null;
  /** `null` = nothing was measured. */
  readonly disturbances: Disturbances<CountName> | null;
}
