import type { IterationColumns } from '@deadheat/model';
import { largest, mean, median, quantiles, smallest } from '@deadheat/stats';
import { count, number, share, text, type StudyTable } from '@deadheat/analysis';
import { type StudyFigure } from '../study/study.ts';
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
  /** What the virtual machine did, from what the program recorded; absent = it recorded nothing of that. */
  readonly machine?: MachineShares;
}

/** Of a run or a part of it; `null` = not recorded. */
export interface MachineWork {
  /** Share of the CPU time of the process that threads beside the benchmark's own used: compilers, collectors, the program's others. */
  readonly otherThreads: number | null;
  /** Time of collections and of compilers over the time of the iterations; above 1 where several compilers worked at once. */
  readonly collectors: number | null;
  readonly compilers: number | null;
}

/** Work of a virtual machine in the first half of the iterations, and in the second. */
export interface MachineShares {
  readonly first: MachineWork;
  readonly second: MachineWork;
}

const millisecondNs = 1e6;

/**
 * What a virtual machine did beside the benchmark's thread, from metrics of iterations: `c` and `t` (CPU time of process and thread, ns),
 * `gcMs` and `compileMs`, as adapters of Java harnesses record them.
 *
 * @returns `undefined` where none of them was recorded, or there are fewer than two iterations.
 */
export function machineShares(iterations: IterationColumns): MachineShares | undefined {
  const half = Math.floor(iterations.length / 2);
  const known = (['t', 'gcMs', 'compileMs'] as const).some((key) => iterations.metric(key) !== null);
  if (half === 0 || !known) return undefined;
  const workBetween = (from: number, end: number): MachineWork => {
    const sumOf = (key: string): number | null => {
      const values = iterations
        .metric(key)
        ?.subarray(from, end)
        .filter((value) => !Number.isNaN(value));
      return values === undefined || values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
    };
    const { startsNs, endsNs } = iterations;
    const spanNs = endsNs.subarray(from, end).reduce((sum, endNs, i) => sum + endNs - (startsNs[from + i] ?? endNs), 0);
    const [processNs, threadNs] = [sumOf('c'), sumOf('t')];
    const ofSpan = (ms: number | null): number | null =>
      ms === null || spanNs === 0 ? null : (ms * millisecondNs) / spanNs;
    return {
      otherThreads: processNs === null || threadNs === null || processNs === 0 ? null : 1 - threadNs / processNs,
      collectors: ofSpan(sumOf('gcMs')),
      compilers: ofSpan(sumOf('compileMs')),
    };
  };
  return { first: workBetween(0, half), second: workBetween(half, iterations.length) };
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
/** In fewer samples none lies outside of a share of 95 % more often than not: 0.95 ^ 12 = 0.54, so that it shows as 100 %. */
const leastSamples = 13;

function pointOf(run: WarmupOfRun, definition: Definition): WarmupPoint | null {
  if (definition === 'variation') return run.byVariation;
  if (definition === 'stability') return run.byStability;
  return (definition === 'stable code' ? run.progress?.stable : run.progress?.lastTier) ?? null;
}

function spreadOf(values: readonly number[]): (number | null)[] {
  if (values.length === 0) return [null, null, null, null];
  return [median(values), mean(values), smallest(values), largest(values)];
}

/**
 * Warm-up by every definition as tables: over runs (median, mean, least and most, of the runs that were seen to be warm), run by run, and what was
 * executed in the profiled ones, by kinds of code.
 *
 * @throws RangeError without runs.
 * Source: Antoch et al., OOPSLA'26, section 6.1, table 6, whose numbers are means, and figure 10.
 */
export function warmupTables(runs: readonly WarmupOfRun[], criterion: string): readonly StudyTable[] {
  if (runs.length === 0) throw new RangeError('warm-up needs at least 1 run, got 0');
  const source = "Antoch et al., OOPSLA'26, section 6.1, table 6; stability: Laaber et al., FSE'20";
  const definitions = definitionsOf(runs);
  const names = [...new Set(runs.map(({ benchmark }) => benchmark))];
  return [
    {
      title: `When a run is warm, by ${definitions.length === 2 ? 'two' : 'four'} criteria: median, mean, least and most of the runs`,
      source,
      columns: [
        text('benchmark'),
        text('warm by'),
        count('runs'),
        count('warm'),
        number('s'),
        number('mean s'),
        number('least s'),
        number('most s'),
        number('iterations'),
        number('mean'),
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
          return [point === null ? null : point.timeNs / 1e9, point?.iterations ?? null];
        }),
      ]),
      notes: [],
    },
    ...executedTable(runs),
    ...machineTable(runs),
  ];
}

/** Which code profiled runs were in, and what the virtual machine did: a share of all samples for each kind; none without a profile. */
function executedTable(runs: readonly WarmupOfRun[]): readonly StudyTable[] {
  const profiled = runs.flatMap((run) => (run.progress === null ? [] : [{ ...run, progress: run.progress }]));
  if (profiled.length === 0) return [];
  const kinds = [...new Set(profiled.flatMap(({ progress }) => progress.series.map(({ kind }) => kind)))];
  return [
    {
      title: 'What was executed, as shares of the samples',
      source: "Antoch et al., OOPSLA'26, section 6.1, figure 10",
      columns: [
        text('benchmark'),
        count('run'),
        count('samples'),
        ...kinds.map((kind) => share(kind)),
        share('compiled again'),
      ],
      rows: profiled.map(({ benchmark, run, progress: { samples, series } }) => {
        const total = samples.reduce((sum, size) => sum + size, 0);
        const sharesOf = (of: (band: (typeof series)[number]) => boolean): number | null =>
          total === 0
            ? null
            : series
                .filter((band) => of(band))
                .reduce(
                  (sum, { shares }) => sum + shares.reduce((own, one, w) => own + one * (samples[w] ?? 0), 0),
                  0,
                ) / total;
        const ofKinds = kinds.map((kind) => sharesOf((band) => band.kind === kind));
        return [benchmark, run, total, ...ofKinds, sharesOf(({ replaced }) => replaced)];
      }),
      notes: ['all windows together; compiled again: the part of compiled code that was replaced later'],
    },
  ];
}

/** What the virtual machine did in recorded runs; none where nothing of it was recorded. */
function machineTable(runs: readonly WarmupOfRun[]): readonly StudyTable[] {
  const rows = runs.flatMap(({ benchmark, run, machine }) =>
    machine === undefined
      ? []
      : (['first', 'second'] as const).map((half) => {
          const { otherThreads, collectors, compilers } = machine[half];
          return [benchmark, run, half, otherThreads, collectors, compilers];
        }),
  );
  if (rows.length === 0) return [];
  return [
    {
      title: 'What the virtual machine did beside the benchmark, in each half of the iterations',
      source: "after Antoch et al., OOPSLA'26, section 6.1, figure 10; from metrics that the program recorded",
      columns: [
        text('benchmark'),
        count('run'),
        text('half'),
        share('CPU time of other threads'),
        share('collections'),
        share('compilers'),
      ],
      rows,
      notes: [
        'collections, compilers: their time over that of the iterations; compilers that still work in the second half: not warm',
      ],
    },
  ];
}

/** Vertical lines are at iterations in which more than one compilation ended; the top permille of times is left out, as in the paper. */
function shiftsFigure(
  { benchmark, run, progress: { durationsNs, compilations } }: Profiled,
  place: number,
): StudyFigure {
  const [top = 0] = quantiles(Float64Array.from(durationsNs), [0.999]);
  const shown = durationsNs.flatMap((duration, i) => (duration <= top ? [i] : []));
  return {
    name: `oopsla26-figure-9-shifts-${place + 1}`,
    title: `Performance beside compilations: ${benchmark}, run ${run}`,
    source: "Antoch et al., OOPSLA'26, figure 9: vertical lines at iterations in which more than one compilation ended",
    kind: 'points',
    value: 'time of an iteration, ms',
    unit: 'number',
    place: 'iteration',
    marks: compilations.flatMap((made, i) => (made > 1 ? [{ name: '', x: i + 1 }] : [])),
    series: [{ name: 'iterations', x: shown.map((i) => i + 1), values: shown.map((i) => (durationsNs[i] ?? 0) / 1e6) }],
  };
}

type Profiled = Pick<WarmupOfRun, 'benchmark' | 'run'> & { readonly progress: CompilationProgress };

/**
 * Of each run that was profiled the kinds of code over time, what stays before what is compiled again, with vertical lines at the ends of
 * warm-up by code; and its iterations beside compilations.
 *
 * Source: Antoch et al., OOPSLA'26, figures 9 and 10.
 */
export function warmupFigures(runs: readonly WarmupOfRun[]): readonly StudyFigure[] {
  const profiled = runs.flatMap(({ benchmark, run, progress }): readonly Profiled[] =>
    progress === null ? [] : [{ benchmark, run, progress }],
  );
  return [...profiled.map(codeFigure), ...profiled.map(shiftsFigure)];
}

function codeFigure(
  { benchmark, run, progress: { endsNs, series, stable, lastTier } }: Profiled,
  place: number,
): StudyFigure {
  return {
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
  };
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
  const sizes = profiled.flatMap((progress) => progress.samples);
  const samples = median(sizes);
  const poor = sizes.filter((size) => size < leastSamples).length;
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
    ...(poor > 0
      ? [
          `${poor} of ${sizes.length} windows hold fewer than ${leastSamples} samples, in which a share of 95 % shows as 100 % more often than not`,
        ]
      : []),
    ...(late > 0
      ? [
          `in ${late} of ${profiled.length} runs code was warm only in the second half: longer ones may show that it goes on; use more iterations`,
        ]
      : []),
  ];
}
