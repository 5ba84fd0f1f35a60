import type { Ratio } from '@deadheat/model';
import { meanInterval } from '@deadheat/stats';
import { decideByMean, type Estimate } from '../compare/estimate.ts';
import { at } from '../internal/at.ts';
import { tLocation } from '../interval/location.ts';
import type { HostGroup } from './host-groups.ts';
import { poolHosts } from './pool-hosts.ts';

/** Fewest hosts that carry an interval over hosts; docs/decisions/0007-hosts.md. */
export const fewestHosts = 8;

const valuesOf = (hosts: readonly HostGroup[], values: Float64Array): readonly Float64Array[] =>
  hosts.map(({ units }) => Float64Array.from(units, (u) => at(values, u)));

/** A t interval of the mean of hosts. */
const intervalOf = (values: readonly Float64Array[], confidence: number) => {
  const { mean, standardError } = poolHosts(values);
  const { low, high } = meanInterval({ mean, variance: standardError ** 2, df: values.length - 1, level: confidence });
  return { mean, standardError, low, high };
};

/** The ratio of hosts by the t interval of their mean log ratio. */
export const ratioOverHosts = (
  hosts: readonly HostGroup[],
  { unitLogRatios, confidence }: { readonly unitLogRatios: Float64Array; readonly confidence: number },
): Ratio => {
  const { mean, low, high } = intervalOf(valuesOf(hosts, unitLogRatios), confidence);
  return {
    estimate: Math.exp(mean),
    low: Math.exp(low),
    high: Math.min(Math.exp(high), Number.MAX_VALUE),
    confidence,
    interval: 't',
    replicates: 0,
  };
};

/** An estimate with its intervals over hosts instead of over runs; what pairing brought stays that of the runs. */
export const overHosts = (
  estimate: Estimate,
  { hosts, confidence }: { readonly hosts: readonly HostGroup[]; readonly confidence: number },
): Estimate => {
  const { unitLogRatios, unitDifferencesNs } = estimate;
  const { mean, standardError } = intervalOf(valuesOf(hosts, unitLogRatios), confidence);
  return {
    ...estimate,
    ...decideByMean(tLocation({ mean, standardError, degrees: hosts.length - 1 }, confidence), confidence),
    ratio: ratioOverHosts(hosts, { unitLogRatios, confidence }),
    difference: () => {
      const difference = intervalOf(valuesOf(hosts, unitDifferencesNs()), confidence);
      return { estimateNs: difference.mean, lowNs: difference.low, highNs: difference.high };
    },
    standardDeviation: standardError * Math.sqrt(hosts.length),
    madeOf: { unit: 'host', count: hosts.length },
    inflation: 1,
  };
};
