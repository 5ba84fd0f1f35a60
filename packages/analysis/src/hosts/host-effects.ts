import type { HostEffects } from '@deadheat/model';
import { mean, meanInterval, standardDeviation } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import type { HostGroup } from './host-groups.ts';
import { poolHosts } from './pool-hosts.ts';

/** What is told of the machines of a comparison. */
export interface HostEffectsInput {
  readonly hosts: readonly HostGroup[];
  readonly unitLogRatios: Float64Array;
  readonly times: JudgedTimes;
  readonly confidence: number;
  readonly pooledOver: HostEffects['pooledOver'];
}

/** With two units t at 99 % reaches 64 standard errors, which tells nothing. */
const fewestUnits = 3;

/** The ratio on one machine, by a t interval over its units; without bounds where there are too few. */
const ratioOf = (logs: Float64Array, confidence: number): HostEffects['each'][number]['ratio'] => {
  const centre = mean(logs);
  if (logs.length < fewestUnits) return { estimate: Math.exp(centre), low: 0, high: Number.MAX_VALUE };
  const variance = standardDeviation(logs) ** 2 / logs.length;
  const { low, high } = meanInterval({ mean: centre, variance, df: logs.length - 1, level: confidence });
  return { estimate: Math.exp(centre), low: Math.exp(low), high: Math.min(Math.exp(high), Number.MAX_VALUE) };
};

/** The ratio and the times on each machine, and how much machines differ. */
export const hostEffects = (input: HostEffectsInput): HostEffects => {
  const { hosts, unitLogRatios, times, confidence, pooledOver } = input;
  const logs = hosts.map(({ units }) => Float64Array.from(units, (u) => at(unitLogRatios, u)));
  const { between, within } = poolHosts(logs);
  const meanNs = (side: 'A' | 'B', runs: readonly number[]): number => mean(runs.map((r) => mean(at(times[side], r))));
  const each = hosts.map(({ id, runs }, index) => ({
    id,
    runs: runs.length,
    ratio: ratioOf(at(logs, index), confidence),
    meanNs: { A: meanNs('A', runs), B: meanNs('B', runs) },
  }));
  return {
    each,
    between: Math.sqrt(between),
    within: within === null ? null : Math.sqrt(within),
    timesBetween: standardDeviation(each.map(({ meanNs: { A } }) => Math.log(A))),
    pooledOver,
  };
};
