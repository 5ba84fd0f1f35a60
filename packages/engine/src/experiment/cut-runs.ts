import type { Benchmark, Warning } from '@deadheat/model';
import type { RunOutcome } from '../run/index.ts';

/** Whether nothing but its time limit kept a run from its end, and the benchmark lets what there is count. */
export function isCutByLimit({ containers }: Pick<Benchmark, 'containers'>, { failures }: RunOutcome): boolean {
  return containers?.countsCut === true && failures.length > 0 && failures.every(({ code }) => code === 'TIMEOUT');
}

/**
 * Tells of runs that their limit ended. The same for every run of a benchmark that it happens to, so that it can be told
 * once.
 *
 * @param options.isRead whether iterations were found in what such a run had recorded
 */
export function cutWarning(
  { name, workload }: Pick<Benchmark, 'name' | 'workload'>,
  { isRead }: { readonly isRead: boolean },
): Warning {
  const what = isRead
    ? 'the iterations until then count'
    : workload === 'command'
      ? 'they are timed as a whole and do not count'
      : 'no iterations were found in what they had written, so that they do not count';
  return {
    code: 'RUNS_CUT',
    message: `${name}: runs were ended by their time limit; ${what}. Raise timeout, or have them do less.`,
  };
}
