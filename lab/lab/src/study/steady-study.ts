import { methodFacts, type Side } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import {
  at,
  iterationTimes,
  processCpuOf,
  classifyRun,
  classNames,
  steadyStateOfRun,
  steadyStateTable,
  labelOf,
  type StudyBenchmark,
  count,
  number,
  studyRandom,
  text,
  type StudyTable,
} from '@deadheat/analysis';
import { type Study } from '../study/study.ts';
import { steadyFigures } from './steady-figures.ts';
import type { ClassifiedSeries, SteadySeries } from './steady-series.ts';
import { type ProfiledRun, usualMetrics, verticalProfile, verticalTable } from './vertical-profile.ts';

/** Settings of a classification. */
export interface SteadyStudyOptions extends Pick<Parameters<typeof steadyStateOfRun>[1], 'window' | 'penalty'> {
  readonly seed: string;
  /** Metrics that are set beside changes of performance; default `usualMetrics`. */
  readonly metrics?: readonly string[];
}

const usualWindow = 500;

/**
 * The sides of benchmarks as they can be classified: sound measured runs with the window, of a tandem in CPU time. One side is enough.
 *
 * @param window repetitions at the end of a run that must be steady; default 500.
 */
export function steadySeries(
  benchmarks: readonly StudyBenchmark[],
  { window = usualWindow, metrics = usualMetrics }: Pick<SteadyStudyOptions, 'window' | 'metrics'>,
): { readonly series: readonly SteadySeries[]; readonly tooShort: readonly string[] } {
  const all = benchmarks.flatMap(({ benchmark, runs }) => {
    const sound = runs.filter(({ trial }) => trial.status === 'ok' && trial.phase === 'measure');
    const methods = [...new Set(sound.map(({ trial }) => trial.method))];
    const told = (['A', 'B'] as const).filter((side) => sound.some(({ iterations }) => iterations[side].length > 0));
    return methods.flatMap((method) =>
      told.map((side: Side) => ({
        label: [labelOf(benchmark), ...(methods.length > 1 ? [method] : []), ...(told.length > 1 ? [side] : [])].join(
          ' ',
        ),
        runs: sound
          .filter(({ trial, iterations }) => trial.method === method && iterations[side].length >= window)
          .flatMap((run) => {
            const { trial, iterations } = run;
            const usable = { trial, iterations, pairs: noPairs, processCpuNs: processCpuOf(run, benchmark.workload) };
            const timesNs = iterationTimes(usable, side, methodFacts[method].ownTime);
            const held = run.iterations[side].metric('n');
            const recorded = metrics.flatMap((key) => {
              const values = run.iterations[side].metric(key);
              return values === null ? [] : [[key, values] as const];
            });
            const facts = { invocations: held === null ? 1 : mean(held), metrics: Object.fromEntries(recorded) };
            return timesNs === null ? [] : [{ timesNs, ...facts }];
          }),
      })),
    );
  });
  return {
    series: all.filter(({ runs }) => runs.length > 0),
    tooShort: all.filter(({ runs }) => runs.length === 0).map(({ label }) => label),
  };
}

/** Classifies every run of a series (`steadyStateOfRun`). */
export function classifySeries({ label, runs }: SteadySeries, options: SteadyStudyOptions): ClassifiedSeries {
  const { seed, ...rules } = options;
  return {
    label,
    runs: runs.map(({ timesNs, invocations }, run) => {
      const randomOf = (name: string) => studyRandom({ seed }, name, label, `${run}`);
      const found = steadyStateOfRun(timesNs, { ...rules, invocations, random: randomOf('steady') });
      const tied =
        found.tied === undefined
          ? found.class
          : classifyRun(timesNs, found.tied, { ...rules, random: randomOf('tied') }).class;
      return { ...found, repetitions: timesNs.length, ...(tied === found.class ? {} : { tiedClass: tied }) };
    }),
  };
}

function runTable(series: readonly ClassifiedSeries[]): StudyTable {
  return {
    title: 'Every run: its class and what it was cut into',
    source: "Antoch et al., OOPSLA'26, section 2; Traini et al., EMSE 28:13 (2022)",
    columns: [
      text('benchmark'),
      count('run'),
      count('repetitions'),
      text('class'),
      text('or'),
      count('steady from'),
      count('change points'),
      count('outliers'),
      number('penalty'),
    ],
    rows: series.flatMap(({ label, runs }) =>
      runs.map((run, place) => [
        label,
        place + 1,
        run.repetitions,
        classNames[run.class],
        run.tiedClass === undefined ? null : classNames[run.tiedClass],
        run.steadyFrom,
        run.changepoints.length,
        run.outliers.length,
        run.penalty,
      ]),
    ),
    notes: ['or: the class by the other segmentation, with more change points, that costs the same at the knee'],
  };
}

/**
 * Which runs reach a steady state, a row a benchmark and side, and every run by itself.
 *
 * @param tooShort series of which no run has the window; they are named.
 * @param measured the same series as they were measured, for figures and for the metrics beside changes; absent = neither.
 * Source: Antoch et al., OOPSLA'26, table 1.
 */
export function steadyStudy(
  series: readonly ClassifiedSeries[],
  {
    window = usualWindow,
    tooShort,
    measured = [],
  }: Pick<SteadyStudyOptions, 'window'> & {
    readonly tooShort: readonly string[];
    readonly measured?: readonly SteadySeries[];
  },
): Study {
  const table = steadyStateTable(
    series.map(({ label, runs }) => ({ name: label, runs })),
    window,
  );
  const notes = [
    ...table.notes,
    ...(tooShort.length === 0
      ? []
      : [
          `no run has ${window} repetitions: ${tooShort.join(', ')}; make runs longer, or the window shorter (--steady-window)`,
        ]),
  ];
  return {
    kind: 'steady',
    tables: [{ ...table, notes }, runTable(series), ...verticalTable(profiledRuns(measured, series))],
    figures: steadyFigures(measured, series),
  };
}

function profiledRuns(
  measured: readonly SteadySeries[],
  classified: readonly ClassifiedSeries[],
): readonly ProfiledRun[] {
  return measured.flatMap(({ label, runs }, k) =>
    runs.map(({ timesNs, metrics }, run) => {
      const { changepoints } = at(at(classified, k).runs, run);
      const changes = verticalProfile(metrics, { changepoints });
      const times = changes.length === 0 ? [] : verticalProfile({ time: timesNs }, { changepoints });
      return { label, run: run + 1, changes, times };
    }),
  );
}

const noPairs = { length: 0, a: new Int32Array(0), b: new Int32Array(0) };
