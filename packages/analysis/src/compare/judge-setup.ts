import { methodFacts, type Benchmark, type ExperimentConfig, type Method } from '@deadheat/model';
import { analysisRandom } from '../analysis-random.ts';
import { coreAssignments, resamplingUnits, tradedBlocks } from '../units/resampling-units.ts';
import type { Random } from '@deadheat/stats';
import type { UsableRun } from '../pairing/usable-run.ts';
import type { RunDesign } from '../interval/rank-location.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';

/** What the estimates of one benchmark's metrics have in common. */
export interface JudgeSetup extends Pick<ExperimentConfig, 'confidence' | 'margin' | 'replicates' | 'interval'> {
  readonly method: Method;
  /** Whether the runs of `sequential` are judged as two independent samples. */
  readonly unpaired: boolean;
  /** Whether a run has executions of both sides, in the order in which runs were made; not so in files that hold one side each. */
  readonly takesTurns: boolean;
  readonly runs: readonly UsableRun[];
  /** Those with iterations of both sides. */
  readonly bothSided: readonly UsableRun[];
  readonly units: ResamplingUnits;
  /** The same for rank procedures, which tell cores apart. */
  readonly design: RunDesign;
  /** The random stream of a purpose. */
  readonly random: (purpose: string) => Random;
}

/**
 * What all estimates of a benchmark's usable runs share.
 *
 * @param options.unpaired whether the sides are independent samples, of which each may have runs of its own.
 */
export function judgeSetup(
  runs: readonly UsableRun[],
  options: {
    readonly method: Method;
    readonly unpaired: boolean;
    readonly takesTurns: boolean;
    readonly benchmark: Pick<Benchmark, 'name' | 'params'>;
    readonly config: ExperimentConfig;
  },
): JudgeSetup {
  const { method, unpaired, takesTurns, benchmark, config } = options;
  const bothSided = runs.filter(({ iterations }) => iterations.A.length > 0 && iterations.B.length > 0);
  const units = resamplingUnits(bothSided, { swap: config.swap });
  return {
    method,
    unpaired,
    takesTurns,
    runs,
    bothSided,
    units,
    design: {
      units,
      assignments: methodFacts[method].cpus === 'one-each' ? coreAssignments(bothSided) : null,
      blocks: tradedBlocks(bothSided),
    },
    confidence: config.confidence,
    margin: config.margin,
    replicates: config.replicates,
    interval: config.interval,
    random: (purpose) => analysisRandom(config.seed, benchmark, purpose),
  };
}
