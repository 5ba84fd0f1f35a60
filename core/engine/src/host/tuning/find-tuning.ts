import { accessSync, closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readOnlineCpus } from '../cpu-topology.ts';
import { readText } from '../read-text.ts';

const cpuFolder = '/sys/devices/system/cpu';

/**
 * The settings of a machine that tuning could change, with their present values, in the order in which they are written. They are
 * restored in reverse order: a value that the kernel moves along with a setting stands before it and so is restored after it,
 * and SMT, which takes CPUs and their files away, comes last and is restored first. Empty where the machine shows none, as
 * most virtual machines and containers.
 */
export function findTuning(files: SettingFiles, names: readonly TuningName[]): readonly TunedSetting[] {
  const cpus = readOnlineCpus(files.root) ?? [];
  return [
    ...(names.includes('governor') ? governors(files, cpus) : []),
    ...(names.includes('turbo') ? turbo(files, cpus) : []),
    ...(names.includes('smt') ? smt(files) : []),
  ];
}

function governors(files: SettingFiles, cpus: readonly number[]): readonly TunedSetting[] {
  return cpus.flatMap((cpu) => {
    const folder = `${cpuFolder}/cpu${cpu}/cpufreq`;
    const offered = (files.read(`${folder}/scaling_available_governors`) ?? '').split(' ');
    const governor = setting(files, {
      tuning: 'governor',
      path: `${folder}/scaling_governor`,
      wanted: offered.includes('performance') ? 'performance' : null,
    });
    if (governor.length === 0) return [];
    // intel_pstate and amd-pstate set both with the governor performance (Documentation/admin-guide/pm/intel_pstate).
    const alongside = [`${folder}/energy_performance_preference`, `${cpuFolder}/cpu${cpu}/power/energy_perf_bias`];
    return [...alongside.flatMap((path) => setting(files, { tuning: 'governor', path, wanted: null })), ...governor];
  });
}

function turbo(files: SettingFiles, cpus: readonly number[]): readonly TunedSetting[] {
  const intel = setting(files, { tuning: 'turbo', path: `${cpuFolder}/intel_pstate/no_turbo`, wanted: '1' });
  if (intel.length > 0) return intel;
  const whole = setting(files, { tuning: 'turbo', path: `${cpuFolder}/cpufreq/boost`, wanted: '0' });
  // The switch of the whole machine turns that of every CPU.
  const wanted = whole.length > 0 ? null : '0';
  return [
    ...cpus.flatMap((cpu) => setting(files, { tuning: 'turbo', path: `${cpuFolder}/cpu${cpu}/cpufreq/boost`, wanted })),
    ...whole,
  ];
}

/** Other states than `on` and `off` cannot be left again, or there is nothing to turn off. */
function smt(files: SettingFiles): readonly TunedSetting[] {
  const path = `${cpuFolder}/smt/control`;
  return setting(files, { tuning: 'smt', path, wanted: 'off' }).filter(
    ({ before }) => before === 'on' || before === 'off',
  );
}

function setting(files: SettingFiles, { tuning, path, wanted }: Omit<TunedSetting, 'before'>): readonly TunedSetting[] {
  const before = files.read(path);
  return before === null ? [] : [{ tuning, path, before, wanted }];
}

/** The files through which the kernel shows and takes settings. */
export interface SettingFiles {
  /** Folder that stands for `/`. */
  readonly root: string;
  /** The trimmed text of a file; `null` when it is missing, unreadable or empty. */
  read(path: string): string | null;
  /** Why a file cannot be written, as the code of the system (`EACCES`, `EROFS`, ...); `null` = it can. */
  whyNotWritable(path: string): string | null;
  /** Writes a setting. @throws the system's error when the kernel refuses the value */
  write(path: string, value: string): void;
}

/** Those of this machine, or of a tree that stands for it. */
export function settingFiles(root = '/'): SettingFiles {
  return {
    root,
    read: (path) => readText(root, path),
    whyNotWritable(path) {
      try {
        accessSync(join(root, path), constants.W_OK);
        return null;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'EIO';
      }
    },
    write(path, value) {
      // Never creates a file: what the kernel does not show is not there to be set.
      const descriptor = openSync(join(root, path), constants.O_WRONLY | constants.O_TRUNC);
      try {
        writeSync(descriptor, value);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

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
  /** The value before the first change. */
  readonly before: string;
  /** The value after the change; `null` = it is not written, but the kernel moves it along with the settings after it. */
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

/** True for the paths that tuning writes; nothing else is ever written, whatever a file of former values says. */
export function isTunable(path: string): boolean {
  return tunable.some((pattern) => pattern.test(path));
}
