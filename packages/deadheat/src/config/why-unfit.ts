import { methodFacts, type AskedMethod, type Workload } from '@deadheat/model';
import type { SettingsLayer } from './deadheat-file.ts';

/** What a benchmark is and how it is measured. */
export interface Subject {
  readonly method: AskedMethod;
  readonly workload: Workload;
  /** Why its iterations are not seen while it makes them, where it prints them; `null` = they are. */
  readonly unseen: string | null;
}

/** Why a setting does nothing for a workload and method; `null` when it does. */
export function whyUnfit(
  key: keyof SettingsLayer,
  value: SettingsLayer[keyof SettingsLayer],
  { method, workload, unseen }: Subject,
): string | null {
  const repeats = workload !== 'command' || method === 'async-duet';
  const hasBarrier = method === 'auto' || methodFacts[method].barrier;
  switch (key) {
    case 'iterations':
      if (value === 'program' && workload === 'command') return 'a command has no iterations of its own';
      return repeats ? null : `a run of ${method} is one execution of a command; only async-duet repeats it`;
    case 'warmup':
      if (repeats || value === 'none') return null;
      return `a run of ${method} is one execution of a command; warmup-runs says how many runs are warm-up`;
    case 'fill':
      if (value === false) return null;
      return workload === 'harness' && method === 'sync-duet' ? null : 'it is for a harness in sync-duet';
    case 'trade-every':
      if (value === 'never') return null;
      return workload === 'harness' && method === 'sync-duet' ? null : 'it is for a harness in sync-duet';
    case 'swap':
      return method === 'sync-duet' || method === 'async-duet' ? null : 'only the sides of a duet have cores to trade';
    case 'metric':
      return value === 'time' && method === 'tandem' ? 'in a tandem the wall time of a side is that of both' : null;
    case 'unpaired':
      return value === false || method === 'auto' || method === 'sequential' ? null : 'it is for sequential';
    case 'stable':
      if (value === 'never') return null;
      if (workload === 'lines') return unseen;
      return workload === 'harness' && hasBarrier
        ? null
        : 'it is for a harness in tandem or sync-duet, and for programs whose output a built-in parser reads';
    case 'minimum-overlap-rate':
      return method === 'async-duet' ? null : 'it is for async-duet';
    default:
      return null;
  }
}
