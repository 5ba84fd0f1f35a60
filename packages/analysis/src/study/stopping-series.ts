import type { IterationColumns, MeasuredRun, Side } from '@deadheat/model';
import { canReplay } from './stopping-outcome.ts';
import type { StoppingSeries } from './stopping-outcome.ts';
import { labelOf } from './study-group.ts';
import type { StudyBenchmark } from './study-group.ts';

const sides: readonly Side[] = ['A', 'B'];

/** A side of a benchmark in one recording: one time an iteration, the mean over its invocations; of a tandem CPU time as far as it was recorded. */
const seriesOf = (
  runs: readonly MeasuredRun[],
  side: Side,
  name: Pick<StoppingSeries, 'project' | 'label'>,
): StoppingSeries => {
  const columns = runs.map(({ iterations }): IterationColumns => iterations[side]);
  const timesNs = runs.map(({ trial, iterations: { [side]: own } }) => {
    // The wall time of a side in a tandem is that of both.
    const cpuNs = trial.method === 'tandem' ? own.metric('c') : null;
    return own.endsNs.map((end, i) => cpuNs?.[i] || end - own.startsNs[i]!);
  });
  const forks = columns.map((column, f) => {
    const invocations = column.metric('n');
    return Array.from(timesNs[f]!, (time, i) => {
      const count = invocations?.[i] ?? 1;
      return count > 0 ? time / count : time;
    });
  });
  return { ...name, forks, timesNs };
};

/**
 * Every side of every benchmark of a recording, as far as it can be replayed: sound measured runs with at least four iterations, warm-up
 * included.
 *
 * @param project what the recording is called.
 */
export const stoppingSeries = (
  benchmarks: readonly StudyBenchmark[],
  project: string,
): { readonly series: readonly StoppingSeries[]; readonly tooShort: readonly string[] } => {
  const all = benchmarks.flatMap(({ benchmark, runs }) => {
    const sound = runs.filter(({ trial }) => trial.status === 'ok' && trial.phase === 'measure');
    const methods = [...new Set(sound.map(({ trial }) => trial.method))];
    return methods.flatMap((method) =>
      sides.map((side) =>
        seriesOf(
          sound.filter(({ trial }) => trial.method === method),
          side,
          { project, label: [labelOf(benchmark), ...(methods.length > 1 ? [method] : []), side].join(' ') },
        ),
      ),
    );
  });
  const measured = all.filter(({ forks }) => forks.length > 0);
  return {
    series: measured.filter((one) => canReplay(one)),
    tooShort: measured.filter((one) => !canReplay(one)).map(({ label }) => label),
  };
};
