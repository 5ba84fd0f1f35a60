import type { IterationColumns } from '@deadheat/model';
import type { FormatReader } from '@deadheat/readers';

/** krun's JSON: a process execution is a run. Crashed and timed out ones are left out. Source: `krun/results.py`. */
export const krun: FormatReader = {
  reads: 'a process execution is a run; the key `bench:vm:variant` gives name and parameters',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  read: async (source, _, { readJson, runOf, oneSided, entriesLeftOut, nsPer }) => {
    const root = await readJson(source, {
      advice: 'It is the file of results that krun writes, unpacked with bunzip2.',
    });
    let failed = 0;
    const benchmarks = root
      .get('wallclock_times')
      .entries()
      .map(([key, executions]) => {
        const [name = key, vm = '', variant = ''] = key.split(':');
        const flags = root.maybe('pexec_flags', key)?.items() ?? [];
        const runs = executions.items().flatMap((execution, index) => {
          const flag = flags[index]?.textOrNull() ?? 'C';
          if (flag !== 'C') failed += 1;
          const times = execution.amounts();
          if (flag !== 'C' || times.length === 0) return [];
          return [runOf(String(index), times, (seconds) => ({ durationNs: seconds * nsPer.s }))];
        });
        return oneSided({
          name,
          params: { ...(vm === '' ? {} : { vm }), ...(variant === '' ? {} : { variant }) },
          runs,
        });
      });
    return { benchmarks, limits: entriesLeftOut(failed, 'krun says that they crashed or took too long') };
  },
};

const required = ['process_exec_idx', 'bench_name'];

/** warmup_stats' table: a row a process execution, a column an iteration, seconds. Source: its README. */
export const warmupStatsCsv: FormatReader = {
  reads: 'a row is a run, its columns are the iterations',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: true,
  read: async (source, _, { BenchmarkSet, readCsv, nsPer }) => {
    const set = new BenchmarkSet(source.path);
    const advice = 'It is the table that warmup_stats reads: process_exec_idx, bench_name, 0, 1, 2, ...';
    await readCsv(source, { separator: [','], advice, required }, (row) => {
      const iterations = set.run({ name: row.text('bench_name') }, row.text('process_exec_idx'));
      for (const column of row.columns.slice(required.length)) {
        if (row.text(column) !== '') iterations.push({ durationNs: row.amount(column) * nsPer.s });
      }
    });
    return { benchmarks: set.benchmarks() };
  },
};

/** Id of the format of {@link steadyState}. */
export const steadyStateFormat = 'steady-state';
/** Duration of an iteration of the published data, s. */
const iterationSeconds = 0.1;

/**
 * The published series of the steady-state study, a benchmark a file: the mean time of an invocation in every iteration of 100 ms, so
 * that an iteration holds 0.1 s / time invocations, rounded up. Source: the replication package of Traini et al., EMSE 28:13 (2022).
 */
export const steadyState: FormatReader = {
  reads: 'a fork is a run; an iteration is the mean time of its invocations',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE'],
  holdsWarmup: true,
  read: async (source, _, { ImportError, readJson, runOf, oneSided, unnamed, nsPer }) => {
    const { path } = source;
    const advice = 'Expected is {"benchmark": NAME, "unit": "s", "series": [[SECONDS, ...], ...]}, a list a fork.';
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
