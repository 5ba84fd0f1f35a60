import type { ExperimentConfig, Side, WarmupRule } from '@deadheat/model';
import type { SelfTimed } from './run/index.ts';

/** What a program that times itself is told in a run, by the settings of its benchmark. */
export function toSelfTimed(
  { iterations, warmup, fill, tradeEvery }: ExperimentConfig,
  places: { readonly files: Readonly<Record<Side, string>>; readonly calibration: string },
): SelfTimed {
  return { ...places, iterations, warmup: warmupIterations(warmup, iterations), fill, tradeEvery };
}

/** `null` = it cannot be said before the run is over. */
function warmupIterations(rule: WarmupRule, iterations: number | null): number | null {
  if (rule.kind === 'none') return 0;
  if (rule.kind === 'fixed') return rule.iterations;
  return iterations === null ? null : Math.floor(iterations / 2);
}
