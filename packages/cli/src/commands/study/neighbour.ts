import type { Language, LoadOptions } from '@deadheat/workloads';

/** `none`: nobody; `both`: bursts on the cores of both sides at the same moments; `one`: on one of the two cores. */
export const neighbours = ['none', 'both', 'one'] as const;
export type Neighbour = (typeof neighbours)[number];

/** The parameter of a benchmark that says beside which neighbour it was measured. */
export const neighbourParameter = 'neighbour';

/** Mean length of a burst and of a pause, ns: as `deadheat workload load` has them. */
const meanNs = 200e6;
/** A burst leaves the measured program half of a core, and half of the time is bursts. */
const loadedSpeed = 0.75;

/** The load that a neighbour is, on the cores of sides A and B; `null` for none. */
export function neighbourLoad(
  neighbour: Neighbour,
  {
    cpus,
    seed,
    language,
  }: { readonly cpus: readonly [number, number]; readonly seed: string; readonly language: Language },
): LoadOptions | null {
  if (neighbour === 'none') return null;
  return {
    plan: { mode: 'bursts', seed, busyMeanNs: meanNs, idleMeanNs: meanNs },
    cpus: neighbour === 'one' ? [cpus[0]] : [...new Set(cpus)],
    language,
    work: 'integer',
    priority: 'normal',
  };
}

/** How many times as long work is expected to take beside a neighbour. */
export function neighbourSlowdown(neighbour: Neighbour): number {
  return neighbour === 'none' ? 1 : 1 / loadedSpeed;
}
