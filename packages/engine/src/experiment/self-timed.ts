import type { ExperimentConfig, WarmupRule } from '@deadheat/model';
import type { SelfTimed } from '../run/index.ts';

/** More iterations than a run makes: the runner ends it. The most that the protocol's clients read. */
const untilStop = 999_999_999;

/**
 * What a program that times itself is told in a run, by the settings of its benchmark. Where warm-up cannot be followed it is as
 * long as it may be.
 */
export function toSelfTimed(
  { iterations, warmup, stable, fill, tradeEvery }: ExperimentConfig,
  places: Pick<SelfTimed, 'files' | 'calibration' | 'steering' | 'ending'>,
): SelfTimed {
  const common = { ...places, fill, tradeEvery };
  if (stable === null) return { ...common, iterations, warmup: warmupIterations(warmup, iterations) };
  if (places.ending !== null) return { ...common, iterations: null, warmup: null };
  if (places.steering !== null) return { ...common, iterations: untilStop, warmup: 0 };
  const most = Math.floor(stable.mostWarmup * stable.liftCaps);
  return { ...common, iterations: most + stable.measured, warmup: most };
}

/** `null` = it cannot be said before the run is over. */
function warmupIterations(rule: WarmupRule, iterations: number | null): number | null {
  if (rule.kind === 'none') return 0;
  if (rule.kind === 'fixed') return rule.iterations;
  return iterations === null ? null : Math.floor(iterations / 2);
}
