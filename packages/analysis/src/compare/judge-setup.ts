import type { ExperimentConfig, Method } from '@deadheat/model';
import type { Random } from '@deadheat/stats';
import type { UsableRun } from '../pairing/usable-run.ts';
import type { RunDesign } from '../interval/rank-location.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';

/** What the estimates of one benchmark's metrics have in common. */
export interface JudgeSetup extends Pick<ExperimentConfig, 'confidence' | 'replicates' | 'interval'> {
  readonly method: Method;
  /** Whether the runs of `sequential` are judged as two independent samples. */
  readonly unpaired: boolean;
  readonly runs: readonly UsableRun[];
  readonly units: ResamplingUnits;
  /** The same for rank procedures, which tell cores apart. */
  readonly design: RunDesign;
  /** The random stream of a purpose. */
  readonly random: (purpose: string) => Random;
}
