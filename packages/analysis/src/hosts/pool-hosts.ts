import { varianceComponents } from '@deadheat/stats';

/** What the values of several hosts say together. */
export interface PooledHosts {
  /** Mean of the hosts' means. */
  readonly mean: number;
  readonly means: Float64Array;
  /** Of the mean, with hosts - 1 degrees of freedom. */
  readonly standardError: number;
  /** Variance between hosts, without what the values within them add to it; >= 0. */
  readonly between: number;
  /** Pooled variance within hosts; `null` where no host has two values. */
  readonly within: number | null;
}

/**
 * The mean of several hosts as a random sample of machines: each host has one vote, and the error comes from how much the
 * hosts' means differ, which holds both what differs between machines and what the runs scatter. With equally many
 * values a host and normal effects the t interval of it is exact.
 *
 * @param hosts values of each host, at least two hosts with at least one value each.
 * @throws RangeError for an empty host or values that are not finite.
 * Source of the components: Antoch et al., OOPSLA'26, section 4 and appendix A.2, with the host in the place of the run;
 * of the interval: docs/decisions/0007-hosts.md.
 */
export const poolHosts = (hosts: readonly Float64Array[]): PooledHosts => {
  const components = varianceComponents(hosts.map((values) => Array.from(values, (value) => [value])));
  return {
    mean: components.grandMean,
    means: components.runMeans,
    standardError: Math.sqrt((components.runMeanVariance ?? 0) / hosts.length),
    between: components.runVariance ?? 0,
    within: components.segmentVariance,
  };
};
