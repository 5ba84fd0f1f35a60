import type { Machine, Warning } from '@deadheat/model';
import { formatCpuList } from './cpu-topology.ts';

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
