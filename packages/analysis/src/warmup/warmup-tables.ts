import { largest, median, smallest } from '@deadheat/stats';
import { count, number, text, type StudyFigure, type StudyTable } from '../study/study.ts';
import type { CompilationProgress } from './compilation-progress.ts';
import type { WarmupPoint } from './warmup-points.ts';

/** Warm-up of one benchmark in one run, by every definition; `null` = the run was not seen to be warm. */
export interface WarmupOfRun {
  /** Name and parameters. */
  readonly benchmark: string;
  /** Counted from 1. */
  readonly run: number;
  readonly iterations: number;
  readonly byVariation: WarmupPoint | null;
  readonly byStability: WarmupPoint | null;
  /** `null` = it was not profiled: only the criteria by times apply. */
  readonly progress: CompilationProgress | null;
}

type Definition = 'variation' | 'stability' | 'stable code' | 'last tier';

/** Those that apply: two of them are about code. */
function definitionsOf(runs: readonly WarmupOfRun[]): readonly Definition[] {
  const ofCode: readonly Definition[] = runs.some(({ progress }) => progress !== null)
    ? ['stable code', 'last tier']
    : [];
  return ['variation', 'stability', ...ofCode];
}

/** Below this number of samples a window says little: a share of 0.5 has a standard error of 0.09. */
const fewSamples = 30;

function pointOf(run: WarmupOfRun, definition: Definition): WarmupPoint | null {
  if (definition === 'variation') return run.byVariation;
  if (definition === 'stability') return run.byStability;
  return (definition === 'stable code' ? run.progress?.stable : run.progress?.lastTier) ?? null;
}

function secondsOf(point: WarmupPoint | null): number | null {
  return point === null ? null : point.timeNs / 1e9;
}

function spreadOf(values: readonly number[]): (number | null)[] {
  return values.length === 0 ? [null, null, null] : [median(values), smallest(values), largest(values)];
}

/**
 * Warm-up by every definition as two tables: over runs (median, least and most, of the runs that were seen to be warm), and run by run.
 *
 * @throws RangeError without runs.
 * Source: Antoch et al., OOPSLA'26, section 6.1, table 6.
 */
export function warmupTables(runs: readonly WarmupOfRun[], criterion: string): readonly StudyTable[] {
  if (runs.length === 0) throw new RangeError('warm-up needs at least 1 run, got 0');
  const source = "Antoch et al., OOPSLA'26, section 6.1, table 6; stability: Laaber et al., FSE'20";
  const definitions = definitionsOf(runs);
  const names = [...new Set(runs.map(({ benchmark }) => benchmark))];
  return [
    {
      title: `When a run is warm, by ${definitions.length === 2 ? 'two' : 'four'} criteria: median, least and most of the runs`,
      source,
      columns: [
        text('benchmark'),
        text('warm by'),
        count('runs'),
        count('warm'),
        number('s'),
        number('least s'),
        number('most s'),
        number('iterations'),
        count('least'),
        count('most'),
      ],
      rows: names.flatMap((name) => {
        const own = runs.filter(({ benchmark }) => benchmark === name);
        return definitions.map((definition) => {
          const points = own.map((run) => pointOf(run, definition)).filter((point) => point !== null);
          return [
            name,
            definition === 'stability' ? `${definition} (${criterion})` : definition,
            own.length,
            points.length,
            ...spreadOf(points.map(({ timeNs }) => timeNs / 1e9)),
            ...spreadOf(points.map(({ iterations }) => iterations)),
          ];
        });
      }),
      notes: notesOf(runs),
    },
    {
      title: 'Run by run',
      source,
      columns: [
        text('benchmark'),
        count('run'),
        count('made'),
        ...definitions.flatMap((definition) => [number(`${definition} s`), count(`${definition} iterations`)]),
      ],
      rows: runs.map((run) => [
        run.benchmark,
        run.run,
        run.iterations,
        ...definitions.flatMap((definition) => {
          const point = pointOf(run, definition);
          return [secondsOf(point), point?.iterations ?? null];
        }),
      ]),
      notes: [],
    },
  ];
}

/**
 * Kinds of code over the time of each run that was profiled: what stays before what is compiled again. Vertical lines are at the ends of
 * warm-up by code.
 *
 * Source: Antoch et al., OOPSLA'26, figure 10.
 */
export function warmupFigures(runs: readonly WarmupOfRun[]): readonly StudyFigure[] {
  const profiled = runs.flatMap(({ benchmark, run, progress }) =>
    progress === null ? [] : [{ benchmark, run, progress }],
  );
  return profiled.map(({ benchmark, run, progress: { endsNs, series, stable, lastTier } }, place) => ({
    name: `oopsla26-figure-10-code-${place + 1}`,
    title: `Kinds of code over time: ${benchmark}, run ${run}`,
    source: "Antoch et al., OOPSLA'26, figure 10",
    kind: 'areas',
    value: 'share of samples',
    unit: 'share',
    place: 'time since the first iteration, s',
    marks: Object.entries({ 'warm by stable code': stable, 'warm by the last tier': lastTier }).flatMap(
      ([name, point]) => (point === null ? [] : [{ name, x: point.timeNs / 1e9 }]),
    ),
    series: series.map(({ kind, replaced, shares }) => ({
      name: replaced ? `${kind} (replaced)` : kind,
      x: endsNs.map((end) => end / 1e9),
      values: shares,
    })),
  }));
}

function notesOf(runs: readonly WarmupOfRun[]): readonly string[] {
  const profiled = runs.flatMap(({ progress }) => (progress === null ? [] : [progress]));
  const never = runs.filter((run) =>
    definitionsOf(runs).some((definition) => pointOf(run, definition) === null),
  ).length;
  return [
    ...(profiled.length === 0 ? ['times begin with the first iteration of the benchmark'] : notesOfCode(profiled)),
    ...(never > 0
      ? [
          `a dash or fewer warm than runs: not warm by this criterion, in ${never} of ${runs.length} runs by at least one`,
        ]
      : []),
  ];
}

function notesOfCode(profiled: readonly CompilationProgress[]): readonly string[] {
  const windows = profiled.map(({ windowNs }) => windowNs / 1e9);
  const samples = median(profiled.flatMap((progress) => progress.samples));
  const isLate = ({ stable, lastTier, endsNs }: CompilationProgress): boolean =>
    [stable, lastTier].some((point) => point !== null && point.timeNs > endsNs.at(-1)! / 2);
  const late = profiled.filter(isLate).length;
  return [
    'times begin with the first iteration of the benchmark; those of code end with a window of ' +
      `${Math.min(...windows).toPrecision(3)} s${Math.max(...windows) > Math.min(...windows) ? ' and more' : ''}`,
    'profiling slows a program down: take the number of iterations over, and measure without it',
    ...(samples < fewSamples
      ? [
          `half of the windows have ${samples} samples or less, so that shares differ by chance: use longer windows (--window) and more iterations`,
        ]
      : []),
    ...(late > 0
      ? [
          `in ${late} of ${profiled.length} runs code was warm only in the second half: longer ones may show that it goes on; use more iterations`,
        ]
      : []),
  ];
}
