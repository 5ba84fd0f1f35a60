import type { PlannedDimensions } from '@deadheat/analysis';
import type { CalibratedProgram } from '../../calibration/read-calibration.ts';

/** A program and how it is to be measured. */
export interface PlannedProgram {
  readonly program: CalibratedProgram;
  readonly dimensions: PlannedDimensions;
  /** Iterations before the measured ones, in every run. */
  readonly warmup: number;
  readonly confidence: number;
  /** Runs that are made at the same time. */
  readonly lanes: number;
}
