import type { Estimate } from './estimate.ts';
import { estimateDuet, type Measured } from './estimate-duet.ts';
import { estimateSequential } from './estimate-sequential.ts';
import type { JudgeSetup } from './judge-setup.ts';

/** The estimate that fits how the runs were made. */
export function estimateOf(setup: JudgeSetup, measured: Measured): Estimate {
  return setup.unpaired ? estimateSequential(setup, measured) : estimateDuet(setup, measured);
}
