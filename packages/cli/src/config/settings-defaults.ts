import { defaultSettings, type Method, type Settings, type Workload } from '@deadheat/model';

/** Iterations that a harness is asked for in a run, warm-up included. */
const harnessIterations = 40;

/** How a workload is measured and judged by a method where the file does not say. */
export function settingsDefaults(method: Method, workload: Workload): Settings {
  const settings = defaultSettings(method);
  switch (workload) {
    case 'command':
      return settings;
    case 'harness':
      return { ...settings, iterations: harnessIterations, warmup: { kind: 'first-half' } };
    case 'lines':
      return { ...settings, iterations: null, warmup: { kind: 'first-half' } };
  }
}

/** The method of a workload where the file does not say: a program that only prints cannot wait at a barrier. */
export function defaultMethod(workload: Workload): Method {
  return workload === 'lines' ? 'async-duet' : 'sync-duet';
}
