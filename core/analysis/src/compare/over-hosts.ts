import type { ExperimentConfig, HostEffects, Interval, JudgedQuantity, Outlook, Warning } from '@deadheat/model';
import { mean, meanInterval, standardDeviation, varianceComponents } from '@deadheat/stats';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';
import { decideByMean, decideQuantity, differenceOf, type Estimate } from './estimate.ts';
import { detectableBy, type Judgement, type Judging, outlookOfFixed, type Pace } from './judging.ts';
import { ratioOfLocation, tLocation } from '../interval/location.ts';
import { independent } from '../interval/rank-location.ts';
import type { JudgedTimes } from '../metric/iteration-times.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';
import { at } from '../internal/lists.ts';

/** Fewest hosts that carry an interval over hosts; docs/decisions/0007-hosts.md. */
export const fewestHosts = 8;

/** The level of variance that groups of runs are of, and how many of them carry an interval over them: a layout is drawn, machines are those that there are. */
const fewestGroups = { host: fewestHosts, layout: 2 } as const;

/** The level of variance of some groups. */
export function levelOf([first]: readonly HostGroup[]): HostGroup['level'] {
  return first?.level ?? 'host';
}

/** True where an interval over the groups speaks for others like them. */
export function carryInterval(hosts: readonly HostGroup[]): boolean {
  return hosts.length >= fewestGroups[levelOf(hosts)];
}

function valuesOf(hosts: readonly HostGroup[], values: Float64Array): readonly Float64Array[] {
  return hosts.map(({ units }) => Float64Array.from(units, (u) => at(values, u)));
}

/** A t interval of the mean of hosts. */
function intervalOf(values: readonly Float64Array[], confidence: number) {
  const { mean, standardError } = poolHosts(values);
  const { low, high } = meanInterval({ mean, variance: standardError ** 2, df: values.length - 1, level: confidence });
  return { mean, standardError, low, high };
}

/** The ratio of hosts by the t interval of their mean log ratio. */
function ratioOverHosts(
  hosts: readonly HostGroup[],
  { unitLogRatios, confidence }: { readonly unitLogRatios: Float64Array; readonly confidence: number },
): Interval {
  const { mean, low, high } = intervalOf(valuesOf(hosts, unitLogRatios), confidence);
  return {
    estimate: Math.exp(mean),
    low: Math.exp(low),
    high: Math.min(Math.exp(high), Number.MAX_VALUE),
    level: confidence,
    kind: 't',
    replicates: 0,
  };
}

/** An estimate with its intervals over hosts instead of over runs; what pairing brought stays that of the runs. */
function overHosts(
  estimate: Estimate,
  { hosts, config }: { readonly hosts: readonly HostGroup[]; readonly config: ExperimentConfig },
): Estimate {
  const { confidence } = config;
  const { unitLogRatios, unitDifferencesNs } = estimate;
  const { mean, standardError } = intervalOf(valuesOf(hosts, unitLogRatios), confidence);
  const pooled = {
    ...estimate,
    ...decideByMean(tLocation({ mean, standardError, degrees: hosts.length - 1 }, confidence), confidence),
    totalLog: estimate.totalOver(runsOf(hosts), confidence),
    interval: ratioOverHosts(hosts, { unitLogRatios, confidence }),
    difference: () => {
      const { mean: centre, ...ends } = intervalOf(valuesOf(hosts, unitDifferencesNs()), confidence);
      return differenceOf({ estimate: centre, ...ends });
    },
    standardDeviation: standardError * Math.sqrt(hosts.length),
    madeOf: { unit: levelOf(hosts), count: hosts.length },
    dependence: independent,
  };
  return decideQuantity(pooled, config);
}

function runsOf(hosts: readonly HostGroup[]): readonly (readonly number[])[] {
  return hosts.map(({ runs }) => runs);
}

/** Pooled values of several hosts. */
interface PooledHosts {
  /** Mean of the hosts' means. */
  readonly mean: number;
  readonly means: Float64Array;
  /** Standard error of the mean, with hosts - 1 degrees of freedom. */
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
export function poolHosts(hosts: readonly Float64Array[]): PooledHosts {
  const components = varianceComponents(hosts.map((values) => Array.from(values, (value) => [value])));
  return {
    mean: components.grandMean,
    means: components.runMeans,
    standardError: Math.sqrt((components.runMeanVariance ?? 0) / hosts.length),
    between: components.runVariance ?? 0,
    within: components.segmentVariance,
  };
}

/** Runs and conditions of one machine, or of one layout of the programs. */
export interface HostGroup {
  readonly level: 'host' | 'layout';
  readonly id: string;
  /** Places in the list of usable runs. */
  readonly runs: readonly number[];
  /** Places in the list of units. */
  readonly units: readonly number[];
}

/** The machines that runs were made on, in the order of their ids, or on one machine the layouts; `null` where there are fewer than two. */
export function hostGroups(runs: readonly UsableRun[], { members }: ResamplingUnits): readonly HostGroup[] | null {
  for (const level of ['host', 'layout'] as const) {
    const placeOf = (r: number): string | number => at(runs, r).trial[level] ?? 0;
    const places = [...new Set(runs.map((_, r) => placeOf(r)))].toSorted((a, b) => (a < b ? -1 : 1));
    if (places.length < 2) continue;
    return places.map((place) => ({
      level,
      id: typeof place === 'number' ? `layout ${place + 1}` : place,
      runs: runs.flatMap((_, r) => (placeOf(r) === place ? [r] : [])),
      // A unit never spans two machines or layouts.
      units: members.flatMap((unit, u) => (placeOf(at(unit, 0)) === place ? [u] : [])),
    }));
  }
  return null;
}

/** With two units t at 99 % reaches 64 standard errors, which says nothing. */
const fewestUnits = 3;

/** The ratio on one machine, by a t interval over its units; without bounds where there are too few. */
function ratioOf(logs: Float64Array, confidence: number): HostEffects['each'][number]['ratio'] {
  const centre = mean(logs);
  if (logs.length < fewestUnits) return { estimate: Math.exp(centre), low: 0, high: Number.MAX_VALUE };
  const variance = standardDeviation(logs) ** 2 / logs.length;
  const { low, high } = meanInterval({ mean: centre, variance, df: logs.length - 1, level: confidence });
  return { estimate: Math.exp(centre), low: Math.exp(low), high: Math.min(Math.exp(high), Number.MAX_VALUE) };
}

/** The ratio and the times on each machine, and how much machines differ. */
export function hostEffects(input: {
  readonly hosts: readonly HostGroup[];
  readonly estimate: Pick<Estimate, 'unitLogRatios' | 'madeOf'>;
  readonly times: JudgedTimes;
  readonly confidence: number;
}): HostEffects {
  const { hosts, times, confidence } = input;
  const { unitLogRatios, madeOf } = input.estimate;
  const logs = hosts.map(({ units }) => Float64Array.from(units, (u) => at(unitLogRatios, u)));
  const { between, within } = poolHosts(logs);
  const meanNs = (side: 'A' | 'B', runs: readonly number[]): number => mean(runs.map((r) => mean(times[side].at(r)!)));
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
    pooledOver: madeOf.unit === 'host' ? 'hosts' : madeOf.unit === 'layout' ? 'layouts' : 'runs',
  };
}

/** An interval of an interim analysis, widened to hold that over layouts, since more runs of the same builds say nothing of others. */
export function widenByLayouts(
  anytime: AnytimeRatio,
  {
    runs,
    setup,
    unitLogRatios,
  }: {
    readonly runs: readonly UsableRun[];
    readonly setup: ResamplingUnits;
    readonly unitLogRatios: () => Float64Array;
  },
): AnytimeRatio {
  const layouts = hostGroups(runs, setup);
  if (layouts === null || levelOf(layouts) !== 'layout') return anytime;
  return widenByHosts(anytime, ratioOverHosts(layouts, { unitLogRatios: unitLogRatios(), confidence: anytime.level }));
}

/**
 * An interval over runs that holds at every interim analysis, widened to hold that of the hosts too. More runs on the same machines bring
 * the first together, but not the second: a verdict needs both.
 */
function widenByHosts(anytime: AnytimeRatio, { low, high }: Pick<Interval, 'low' | 'high'>): AnytimeRatio {
  return {
    ...anytime,
    low: Math.min(anytime.low, low),
    high: Math.max(anytime.high, high),
    log: {
      ...anytime.log,
      low: Math.min(anytime.log.low, Math.log(low)),
      high: Math.max(anytime.log.high, Math.log(high)),
    },
  };
}

/** The outlook where the interval is over hosts: it narrows with their number, and each brings as many runs as so far. */
function outlookOverHosts(
  { verdict, opposition, ...estimate }: Judgement,
  {
    config,
    hosts,
    level,
    ...facts
  }: Pace & { readonly config: ExperimentConfig; readonly hosts: number; readonly level: HostGroup['level'] },
): Outlook | null {
  if (verdict !== 'undecided' || opposition !== null) return null;
  const runsPerHost = Math.ceil(facts.runs / hosts);
  const pace = { ...facts, runs: hosts, timeNsPerRun: runsPerHost * facts.timeNsPerRun, step: 1 };
  const found = outlookOfFixed({ ...estimate, slow: null }, { config, pace });
  if (found === null) return null;
  const more = level === 'host' ? { moreHosts: found.moreRuns } : { moreLayouts: found.moreRuns };
  return { moreRuns: found.moreRuns * runsPerHost, moreTimeNs: found.moreTimeNs, ...more };
}

/**
 * Judges by the interval over hosts: a fixed number of runs by that alone, and with interim analyses by the wider end of both.
 *
 * @param judgeRuns how the same runs are judged on one host.
 */
export function judgeOverHosts(
  judgeRuns: Judging,
  { hosts, config }: { readonly hosts: readonly HostGroup[]; readonly config: ExperimentConfig },
): Judging {
  return (overRuns, { pace, anytimeAt }) => {
    const { unitLogRatios, totalOver } = overRuns;
    const estimate = overHosts(overRuns, { hosts, config });
    const pooledAt = (confidence: number, quantity: JudgedQuantity): Pick<Interval, 'low' | 'high'> => {
      const total = quantity === 'total' ? totalOver(runsOf(hosts), confidence) : null;
      return total === null ? ratioOverHosts(hosts, { unitLogRatios, confidence }) : ratioOfLocation(total, confidence);
    };
    const judgement = judgeRuns(estimate, {
      pace,
      anytimeAt: (level, quantity) => widenByHosts(anytimeAt(level, quantity), pooledAt(level, quantity)),
    });
    return {
      ...judgement,
      detectable: Math.max(judgement.detectable, detectableBy(estimate, config)),
      outlook: outlookOverHosts(judgement, { config, ...pace, hosts: hosts.length, level: levelOf(hosts) }),
      intervalWarnings: [],
      verdictWarnings: [],
    };
  };
}

/** FEW_HOSTS, where several machines are too few to speak for others. */
export function fewHosts(hosts: readonly HostGroup[] | null): Warning[] {
  if (hosts === null || carryInterval(hosts)) return [];
  return [
    {
      code: 'FEW_HOSTS',
      message:
        `only ${hosts.length} hosts: the interval is over runs and holds for these machines, not for others like them; ` +
        `give it ${fewestHosts} hosts or more`,
    },
  ];
}
