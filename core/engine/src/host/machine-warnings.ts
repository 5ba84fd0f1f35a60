import type { Machine, Warning, Noise } from '@deadheat/model';
import { formatCpuList } from './cpu-topology.ts';
import { stealTickNs } from './noise-probe.ts';

export interface MachineWarningsOptions {
  /** CPUs of the experiment: A's and B's. */
  readonly cpus: readonly number[];
  /** `true` = the sides surely run on a core each; otherwise warnings that only concern this are left out. */
  readonly hasDuet: boolean;
}

/** Load average above which others are working as much as one whole core. */
const busyLoad = 1;

/** Clock sources that tick coarsely or are read through a slow device (Linux: drivers/clocksource, arch/x86/kernel/hpet.c). */
const slowClockSources: ReadonlySet<string> = new Set(['jiffies', 'refined-jiffies', 'acpi_pm', 'hpet', 'pit']);

/** Warnings about settings of this machine that disturb runs on `cpus`, before any run. Facts that are `null` give no warning. */
export function machineWarnings(machine: Machine, options: MachineWarningsOptions): readonly Warning[] {
  return [
    options.hasDuet ? smtSiblings(machine, options.cpus) : null,
    options.hasDuet ? cpuQuota(machine) : null,
    load(machine, options),
    governor(machine, options),
    clockResolution(machine),
  ].filter((warning) => warning !== null);
}

function smtSiblings(machine: Machine, cpus: readonly number[]): Warning | null {
  const [first, second] = cpus;
  if (first === undefined || second === undefined || first === second) return null;
  const siblings = machine.smtSiblings[first] ?? [];
  if (!siblings.includes(second)) return null;
  const elsewhere = machine.usableCpus.find((cpu) => !siblings.includes(cpu));
  const advice =
    elsewhere === undefined
      ? 'No other core is usable here: give this process CPUs of two cores, use a machine with more, or compare with ' +
        '--method tandem or --method sequential.'
      : `Use another core: --cpus ${first},${elsewhere}.`;
  return {
    code: 'SMT_SIBLINGS',
    message:
      `CPUs ${first} and ${second} are threads of one core (siblings ${formatCpuList(siblings)}). A and B then share its ` +
      'execution units and first caches, so each is slower by what the other happens to do, and a difference between ' +
      `them is blurred. ${advice} As root SMT can be turned off: echo off > /sys/devices/system/cpu/smt/control.`,
  };
}

function cpuQuota(machine: Machine): Warning | null {
  const quota = machine.cpuQuota;
  if (quota === null || quota >= 2) return null;
  const otherwise =
    quota >= 1
      ? '--method tandem and --method sequential need only 1.'
      : 'no method is free of it, but CPU time (--metric cpu) suffers least where the programs are CPU-bound.';
  return {
    code: 'CPU_QUOTA',
    message:
      `The control group may use ${rounded(quota)} CPUs, but a duet keeps 2 busy. The kernel will stop A and B ` +
      'for parts of every period, and not both at the same time. Start the container or job with at least 2 CPUs ' +
      '(--cpus=2, limits.cpu: 2), or as root of the host lift cpu.max (v1: cpu.cfs_quota_us) of the group; without ' +
      `either, ${otherwise}`,
  };
}

function load(machine: Machine, { hasDuet }: MachineWarningsOptions): Warning | null {
  if (machine.load1 <= busyLoad) return null;
  const how = hasDuet
    ? 'In a duet it disturbs both sides alike only when it hits both cores at once.'
    : 'In a tandem it takes time from both sides alike, which CPU time leaves out, so that runs get longer and the interval little ' +
      'wider; the wall times of programs that wait hold it.';
  return {
    code: 'LOAD',
    message:
      `The load average is ${rounded(machine.load1)} on ${machine.onlineCpus} CPUs before the first run: other work ` +
      `competes for the cores. ${how} Stop it ` +
      'or wait (an experiment that ended less than a minute ago counts too); as root other work can be kept off two ' +
      `cores with cpuset groups or isolcpus=. What cannot be stopped asks for ${hasDuet ? 'more runs: --runs, --precision' : 'more time'}.`,
  };
}

function governor(machine: Machine, { cpus, hasDuet }: MachineWarningsOptions): Warning | null {
  if (machine.governor === null || machine.governor === 'performance') return null;
  const how = hasDuet
    ? 'A and B may run at different speeds, above all in short runs'
    : 'runs are made at different speeds, above all short ones; the sides of a tandem share one clock, those of other methods do not';
  const further = hasDuet ? ', and leave --swap at pair, so that both sides get both cores' : '';
  return {
    code: 'GOVERNOR',
    message:
      `The frequency governor of CPUs ${formatCpuList(cpus)} is ${machine.governor}, not performance: the clock of each core ` +
      `follows its own load, so ${how}. As root: deadheat doctor --apply, or cpupower frequency-set -g performance. ` +
      `Without root: choose the power profile 'performance', plug in the charger${further}.`,
  };
}

function clockResolution(machine: Machine): Warning | null {
  if (machine.clockSource === null || !slowClockSources.has(machine.clockSource)) return null;
  return {
    code: 'CLOCK_RESOLUTION',
    message:
      `The kernel's clock source is ${machine.clockSource}: reading the time is slow or coarse, which adds an error to ` +
      'both ends of every execution that can exceed the difference of short programs. As root, when tsc is listed in ' +
      '/sys/devices/system/clocksource/clocksource0/available_clocksource: write tsc to current_clocksource beside it. ' +
      'Without root: let every execution do more work, many milliseconds at least.',
  };
}

function rounded(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** The facts of a run that the warnings need. */
export interface NoisyRun {
  /** Time over which the noise was taken, ns. */
  readonly wallNs: number;
  /** CPUs that it occupied. */
  readonly cpus: number;
  /** `true` = both sides were on one core. */
  readonly isOnOneCore: boolean;
  readonly noise: Noise;
}

/** Share of the cores' time that may be stolen without a word. */
const toleratedSteal = 0.01;

/** Warnings about disturbances from outside, over all runs. Runs without a counter are left out of its warning. */
export function noiseWarnings(runs: Iterable<NoisyRun>): readonly Warning[] {
  const [stolen, held] = [new Disturbed(), new Disturbed()];
  for (const run of runs) {
    stolen.add(run.noise.stealNs, run);
    held.add(run.noise.throttledNs, run);
  }
  return [steal(stolen), throttled(held)].filter((warning) => warning !== null);
}

/** Sums over the runs in which a disturbance was measured. */
class Disturbed {
  lostNs = 0;
  cpuNs = 0;
  /** Most CPUs that a run occupied. */
  cpus = -Infinity;
  runs = 0;
  /** Runs that were disturbed. */
  affected = 0;
  isOnOneCore = true;

  add(lostNs: number | null, { wallNs, cpus, isOnOneCore }: NoisyRun): void {
    if (lostNs === null) return;
    this.lostNs += lostNs;
    this.cpuNs += wallNs * cpus;
    this.cpus = Math.max(this.cpus, cpus);
    this.runs++;
    if (lostNs > 0) this.affected++;
    this.isOnOneCore &&= isOnOneCore;
  }
}

function steal({ lostNs: stolenNs, cpuNs, cpus, isOnOneCore }: Disturbed): Warning | null {
  // The steal of each CPU is reported in whole ticks, so up to this much may be rounding.
  const roundingNs = cpus * stealTickNs;
  if (stolenNs <= roundingNs || stolenNs <= toleratedSteal * cpuNs) return null;
  const what =
    `The hypervisor took ${((stolenNs / cpuNs) * 100).toFixed(1)} % of the cores' time during the runs (${seconds(stolenNs)} of ` +
    `${seconds(cpuNs)}).`;
  const message = isOnOneCore
    ? `${what} It stops both sides alike, which are on the same core, so that it makes runs longer and the ` +
      'interval little wider. Where the interval is too wide all the same, do more runs, or use a machine with dedicated cores; root inside ' +
      'this machine cannot change it.'
    : `${what} It stops one side while the other goes on, which wall times cannot be cleaned of. Judge by ` +
      'CPU time (--metric cpu; --method tandem) when the programs are CPU-bound, do more runs, or use a machine with dedicated ' +
      'cores; root inside this machine cannot change it.';
  return { code: 'STEAL', message };
}

function throttled({ lostNs: heldBackNs, runs, affected, isOnOneCore }: Disturbed): Warning | null {
  if (affected === 0) return null;
  const what =
    `The control group had used up its CPU quota in ${affected} of ${runs} runs and was stopped for ${seconds(heldBackNs)} ` +
    'in all.';
  const message = isOnOneCore
    ? `${what} Both sides on one core are stopped alike, and CPU time leaves the stop out, so that it makes runs longer. ` +
      'Fewer tandems at once (--lanes 1) use less; or start the container or job with a higher limit, or as root raise cpu.max (v1: ' +
      'cpu.cfs_quota_us) of the group.'
    : `${what} A and B are then stopped by the quota, not by their own work, and wall times say little. Start the ` +
      'container or job with a higher limit (at least 2 CPUs) or none, or as root raise cpu.max (v1: ' +
      'cpu.cfs_quota_us) of the group; without either, judge by CPU time (--metric cpu) or use --method tandem or sequential.';
  return { code: 'CPU_THROTTLED', message };
}

function seconds(ns: number): string {
  return ns >= 1e9 ? `${(ns / 1e9).toFixed(2)} s` : `${(ns / 1e6).toFixed(1)} ms`;
}
