/** Groups of settings that can be changed: frequency governor, frequencies above the nominal one, threads of a core. */
export const tuningNames = ['governor', 'turbo', 'smt'] as const;
export type TuningName = (typeof tuningNames)[number];

/** Taken when none are named: SMT stays, because its way back is not exact for pinned programs (docs/doctor.md). */
export const defaultTuning: readonly TuningName[] = ['governor', 'turbo'];

/** A file of the kernel that a change touches. */
export interface TunedSetting {
  readonly tuning: TuningName;
  /** Below /sys. */
  readonly path: string;
  /** What it held before the first change. */
  readonly before: string;
  /** What it is set to; `null` = it is not written, but the kernel moves it along with the settings after it. */
  readonly wanted: string | null;
}

const cpu = String.raw`/sys/devices/system/cpu`;
const tunable: readonly RegExp[] = [
  `${cpu}/cpu\\d+/cpufreq/(?:scaling_governor|energy_performance_preference|boost)`,
  `${cpu}/cpu\\d+/power/energy_perf_bias`,
  `${cpu}/intel_pstate/no_turbo`,
  `${cpu}/cpufreq/boost`,
  `${cpu}/smt/control`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** Whether a path is one of those that tuning writes; nothing else is ever written, whatever a file of former values says. */
export function isTunable(path: string): boolean {
  return tunable.some((pattern) => pattern.test(path));
}
