import type { IterationColumns } from '@deadheat/model';
import type { Adapter } from '../adapter.ts';
import { oneSided, runOf, unnamed } from '../imported-file.ts';
import { ImportError } from '../import-error.ts';
import { hasKeys } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import { nsPer } from '../units.ts';

/** Id of the format. */
export const steadyStateFormat = 'steady-state';
const advice = 'Expected is {"benchmark": NAME, "unit": "s", "series": [[SECONDS, ...], ...]}, a list a fork.';
/** Duration of an iteration of the published data, s. */
const iterationSeconds = 0.1;

/**
 * The published series of the steady-state study, a benchmark a file: the mean time of an invocation in every iteration of 100 ms, so
 * that an iteration holds 0.1 s / time invocations, rounded up. Source: the replication package of Traini et al., EMSE 28:13 (2022).
 */
export const steadyState: Adapter = {
  id: steadyStateFormat,
  describe: 'JSON of steady-state series (Traini et al.), plain or gzip',
  reads: 'a fork is a run; an iteration is the mean time of its invocations',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE'],
  holdsWarmup: true,
  detect: (head) => head.first === '{' && hasKeys(head, 'series') && /"series"\s*:\s*\[\s*\[/.test(head.text),
  read: async (source) => {
    const { path } = source;
    const root = await readJson(source, { advice });
    const unit = root.maybe('unit')?.text() ?? 's';
    if (unit !== 's') {
      throw new ImportError('BAD_SERIES', `${path} has the unit ${JSON.stringify(unit)}, not "s". ${advice}`, { path });
    }
    const forks = root.get('series').items();
    const runs = forks.map((fork, run) => {
      const times = fork.amounts();
      if (times.length === 0) throw fork.error('times of at least one iteration');
      return runOf(String(run), times, (seconds, iteration) => {
        if (seconds === 0) {
          const what = `${path} has 0 as series[${run}][${iteration}], which is no time above 0`;
          throw new ImportError('BAD_SERIES', `${what}. ${advice}`, { path });
        }
        const invocations = Math.ceil(iterationSeconds / seconds);
        return { durationNs: seconds * nsPer.s * invocations, invocations };
      });
    });
    return { benchmarks: [oneSided({ name: root.maybe('benchmark')?.text() ?? unnamed, runs })] };
  },
};

/** The project of a benchmark's name: the part before the first `#`, as owner and name of a repository. */
export function projectOf(name: string): string {
  return name.replace(/#.*$/s, '').replace('__', '/');
}

/** Mean time of an invocation in every iteration of a run, ns. */
export function forkTimes(iterations: IterationColumns): Float64Array {
  const held = iterations.metric('n');
  return (iterations.metric('w') ?? new Float64Array(0)).map((ns, row) => ns / (held?.[row] ?? 1));
}
