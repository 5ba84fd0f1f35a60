import { defaultSettings, type AskedMethod, type Settings, type Workload } from '@deadheat/model';

/** How a workload is measured and judged by a method where the file does not say. */
export function settingsDefaults(method: AskedMethod, workload: Workload): Settings {
  const settings = defaultSettings(method, workload);
  // A program that only prints does as many iterations as it does.
  return workload === 'lines' ? { ...settings, iterations: null } : settings;
}

/** The method of a workload where the file does not say: a program that only prints cannot wait at a barrier. */
export function defaultMethod(workload: Workload): AskedMethod {
  return workload === 'lines' ? 'async-duet' : 'auto';
}
