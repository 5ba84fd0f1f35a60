import type { Noise, Warning } from '@deadheat/model';
import { largest } from '@deadheat/stats';
import { stealTickNs } from './noise-probe.ts';

/** The facts of a run that the warnings need. */
export interface NoisyRun {
  /** Time over which the noise was taken, ns. */
  readonly wallNs: number;
  /** CPUs that it occupied. */
  readonly cpus: number;
  /** `true` = both sides shared one core at the same time. */
  readonly isTandem: boolean;
  readonly noise: Noise;
}

/** Share of the cores' time that may be stolen without a word. */
const toleratedSteal = 0.01;

/** Warnings about disturbances from outside, over all runs. Runs without a counter are left out of its warning. */
export function noiseWarnings(runs: readonly NoisyRun[]): readonly Warning[] {
  return [steal(runs), throttled(runs)].filter((warning) => warning !== null);
}

function steal(runs: readonly NoisyRun[]): Warning | null {
  const known = runs.filter(({ noise }) => noise.stealNs !== null);
  const stolenNs = sum(known, ({ noise }) => noise.stealNs ?? 0);
  const cpuNs = sum(known, ({ wallNs, cpus }) => wallNs * cpus);
  // The steal of each CPU is reported in whole ticks, so up to this much may be rounding.
  const roundingNs = largest(known.map(({ cpus }) => cpus)) * stealTickNs;
  if (stolenNs <= roundingNs || stolenNs <= toleratedSteal * cpuNs) return null;
  const what =
    `The hypervisor took ${percent(stolenNs / cpuNs)} of the cores' time during the runs (${seconds(stolenNs)} of ` +
    `${seconds(cpuNs)}).`;
  const message = known.every(({ isTandem }) => isTandem)
    ? `${what} It stops both sides of a tandem in turn, since they share the core, so that it makes runs longer and the ` +
      'interval little wider. Where the interval is too wide all the same, do more runs, or use a machine with dedicated cores; root inside ' +
      'this machine cannot change it.'
    : `${what} It stops one side while the other goes on, which wall times cannot be cleaned of. Judge by ` +
      'CPU time (--metric cpu; --method tandem) when the programs are CPU-bound, do more runs, or use a machine with dedicated ' +
      'cores; root inside this machine cannot change it.';
  return { code: 'STEAL', message };
}

function throttled(runs: readonly NoisyRun[]): Warning | null {
  const known = runs.filter(({ noise }) => noise.throttledNs !== null);
  const heldBackNs = sum(known, ({ noise }) => noise.throttledNs ?? 0);
  const affected = known.filter(({ noise }) => (noise.throttledNs ?? 0) > 0).length;
  if (affected === 0) return null;
  const what =
    `The control group had used up its CPU quota in ${affected} of ${known.length} runs and was stopped for ${seconds(heldBackNs)} ` +
    'in all.';
  const message = known.every(({ isTandem }) => isTandem)
    ? `${what} Both sides of a tandem are stopped at the same time, and CPU time leaves the stop out, so that it makes runs longer. ` +
      'Fewer tandems at once (--lanes 1) use less; or start the container or job with a higher limit, or as root raise cpu.max (v1: ' +
      'cpu.cfs_quota_us) of the group.'
    : `${what} A and B are then stopped by the quota, not by their own work, and wall times say little. Start the ` +
      'container or job with a higher limit (at least 2 CPUs) or none, or as root raise cpu.max (v1: ' +
      'cpu.cfs_quota_us) of the group; without either, judge by CPU time (--metric cpu) or use --method tandem or sequential.';
  return { code: 'CPU_THROTTLED', message };
}

function sum(runs: readonly NoisyRun[], of: (run: NoisyRun) => number): number {
  return runs.reduce((total, run) => total + of(run), 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function seconds(ns: number): string {
  return ns >= 1e9 ? `${(ns / 1e9).toFixed(2)} s` : `${(ns / 1e6).toFixed(1)} ms`;
}
