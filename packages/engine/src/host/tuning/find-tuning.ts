import { readOnlineCpus } from '../cpu-topology.ts';
import type { SettingFiles } from './setting-files.ts';
import type { TunedSetting, TuningName } from './tuned-setting.ts';

const cpuFolder = '/sys/devices/system/cpu';

/**
 * The settings of a machine that tuning could change, as they are now, in the order in which they are written. The other
 * way round they are put back: what the kernel moves along with a setting stands before it and so comes after it then,
 * and SMT, which takes CPUs and their files away, comes last and is put back first. Empty where the machine shows none, as
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
