import type { Noise, Warning } from '@deadheat/model';
import { stealTickNs } from './steal-tick.ts';

/** What the warnings need of a run; a trial of a recording fits. */
export interface NoisyRun {
  /** Time over which the noise was taken, ns. */
  readonly wallNs: number;
  readonly noise: Noise;
}

/** A duet keeps two cores. */
const coresOfDuet = 2;

/** Share of the cores' time that may be stolen without a word. */
const toleratedSteal = 0.01;

/** The steal of two CPUs is told in whole ticks, so up to this much may be rounding. */
const stealRoundingNs = coresOfDuet * stealTickNs;

/** What disturbed the runs from outside, over all of them. Runs without a counter are left out of its warning. */
export function noiseWarnings(runs: readonly NoisyRun[]): readonly Warning[] {
  return [steal(runs), throttled(runs)].filter((warning) => warning !== null);
}

function steal(runs: readonly NoisyRun[]): Warning | null {
  let stolenNs = 0;
  let cpuNs = 0;
  for (const { noise, wallNs } of runs) {
    if (noise.stealNs === null) continue;
    stolenNs += noise.stealNs;
    cpuNs += wallNs * coresOfDuet;
  }
  if (stolenNs <= stealRoundingNs || stolenNs <= toleratedSteal * cpuNs) return null;
  return {
    code: 'STEAL',
    message:
      `The hypervisor took ${percent(stolenNs / cpuNs)} of the two cores' time during the runs (${seconds(stolenNs)} of ` +
      `${seconds(cpuNs)}). It stops one side while the other goes on, which wall times cannot be cleaned of. Judge by ` +
      'CPU time (--metric cpu) when the programs are CPU-bound, do more runs, or use a machine with dedicated cores; ' +
      'root inside this machine cannot change it.',
  };
}

function throttled(runs: readonly NoisyRun[]): Warning | null {
  let heldBackNs = 0;
  let known = 0;
  let affected = 0;
  for (const { noise } of runs) {
    if (noise.throttledNs === null) continue;
    known += 1;
    heldBackNs += noise.throttledNs;
    if (noise.throttledNs > 0) affected += 1;
  }
  if (affected === 0) return null;
  return {
    code: 'CPU_THROTTLED',
    message:
      `The control group had used up its CPU quota in ${affected} of ${known} runs and was stopped for ${seconds(heldBackNs)} ` +
      'in all. A and B are then stopped by the quota, not by their own work, and wall times say little. Start the ' +
      'container or job with a higher limit (at least 2 CPUs) or none, or as root raise cpu.max (v1: ' +
      'cpu.cfs_quota_us) of the group; without either, judge by CPU time (--metric cpu) or use --method sequential.',
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function seconds(ns: number): string {
  return ns >= 1e9 ? `${(ns / 1e9).toFixed(2)} s` : `${(ns / 1e6).toFixed(1)} ms`;
}
