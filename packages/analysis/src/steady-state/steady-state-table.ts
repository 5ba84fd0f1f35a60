import type { SteadyState } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { count, share, text } from '../study/study.ts';
import type { StudyTable } from '../study/study.ts';
import { classifyBenchmark } from './classify-benchmark.ts';
import { classNames } from './run-class.ts';
import type { ClassifiedRun, RunClass } from './run-class.ts';

/** One benchmark's classified runs. */
export interface ClassifiedBenchmark {
  readonly name: string;
  readonly runs: readonly (ClassifiedRun & {
    /** Repetitions of the run. */
    readonly repetitions: number;
  })[];
}

const columns: StudyTable['columns'] = [
  text('benchmark'),
  count('runs'),
  count('repetitions'),
  count('steady from'),
  share('flat'),
  share('warm-up'),
  share('slowdown'),
  share('not steady'),
  text('overall'),
];

/**
 * The classes of one benchmark's runs: repetitions a run and the repetition at which the steady state was reached (mean over the runs that
 * reached it), both rounded, the share of runs in each class and the class of the benchmark.
 *
 * @throws RangeError for a benchmark without runs.
 */
export const steadyStateOf = ({ name, runs }: ClassifiedBenchmark): SteadyState => {
  const steady = runs.flatMap(({ steadyFrom }) => (steadyFrom === null ? [] : [steadyFrom]));
  const shareOf = (wanted: RunClass): number => runs.filter((run) => run.class === wanted).length / runs.length;
  return {
    name,
    class: classifyBenchmark(runs.map((run) => run.class)),
    runs: runs.length,
    repetitions: Math.round(mean(runs.map(({ repetitions }) => repetitions))),
    steadyFrom: steady.length === 0 ? null : Math.round(mean(steady)),
    shares: {
      flat: shareOf('flat'),
      'warm-up': shareOf('warm-up'),
      slowdown: shareOf('slowdown'),
      'no-steady-state': shareOf('no-steady-state'),
    },
  };
};

/** What `steadyStateOf` found, a row a benchmark. Source: Antoch et al., OOPSLA'26, table 1. */
export const tableOfSteadyStates = (states: readonly SteadyState[], window: number): StudyTable => ({
  title: 'Which runs reach a steady state',
  source: "Antoch et al., OOPSLA'26, table 1",
  columns,
  rows: states.map(({ name, runs, repetitions, steadyFrom, shares, class: found }) => [
    name,
    runs,
    repetitions,
    steadyFrom,
    shares.flat,
    shares['warm-up'],
    shares.slowdown,
    shares['no-steady-state'],
    classNames[found],
  ]),
  notes: [`steady: nothing differs in the last ${window} repetitions by 5 % or more`],
});

/**
 * The classes of benchmarks as a table, a row for each (`steadyStateOf`).
 *
 * @throws RangeError for a benchmark without runs.
 * Source: Antoch et al., OOPSLA'26, table 1.
 */
export const steadyStateTable = (benchmarks: readonly ClassifiedBenchmark[], window: number): StudyTable =>
  tableOfSteadyStates(benchmarks.map(steadyStateOf), window);
