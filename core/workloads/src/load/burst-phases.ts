import { createRandom } from '@deadheat/stats';

/** An interval in which the load is busy, in ns since the start of the load. */
export interface Phase {
  readonly startNs: number;
  /** Infinity: until the load ends. */
  readonly endNs: number;
}

/** Settings of a load. */
export type LoadPlan =
  | { readonly mode: 'idle' | 'busy' }
  | {
      readonly mode: 'bursts';
      readonly seed: string;
      /** Mean length of a busy and of an idle stretch; both lengths are exponential. */
      readonly busyMeanNs: number;
      readonly idleMeanNs: number;
    };

/** Smallest mean length of a stretch. The delay of timers would distort shorter ones. */
export const leastMeanNs = 1e6;

/**
 * The busy phases of a load in order of time; an endless sequence for bursts. Bursts begin with an idle stretch. The
 * same plan gives the same phases, so that every core that follows it is busy at the same moments.
 *
 * @throws RangeError, at the first phase, when a mean is below {@link leastMeanNs}
 */
export function* burstPhases(plan: LoadPlan): Generator<Phase, void, undefined> {
  if (plan.mode === 'busy') yield { startNs: 0, endNs: Infinity };
  if (plan.mode !== 'bursts') return;
  if (!(plan.busyMeanNs >= leastMeanNs && plan.idleMeanNs >= leastMeanNs)) {
    throw new RangeError(`the mean lengths of a burst and of a pause must be at least ${leastMeanNs} ns`);
  }
  const random = createRandom(plan.seed);

  function draw(mean: number): number {
    return Math.round(-Math.log(1 - random.next()) * mean);
  }

  for (let at = 0; ;) {
    const startNs = at + draw(plan.idleMeanNs);
    const endNs = startNs + draw(plan.busyMeanNs);
    yield { startNs, endNs };
    at = endNs;
  }
}
