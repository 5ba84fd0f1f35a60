import { type Method, methodFacts } from '@deadheat/model';
import { mean, type Random } from '@deadheat/stats';
import {
  at,
  meanInterval,
  concurrencySlowdown,
  placeEffect,
  fewestStudyRuns,
  hasRuns,
  studyGroups,
  studyLogRatios,
  studyTimes,
  type StudyBenchmark,
  type StudyGroup,
  type StudyRuns,
  count,
  ratio,
  studyRandom,
  text,
  type StudyOptions,
  type StudyTable,
} from '@deadheat/analysis';
import { largestRatioBehind, underestimationBound } from './costs.ts';
import { missingRuns, notItself, studyMetrics, type Study } from './study.ts';

const confidenceOfPlaces = 0.95;
/** ICPE'20's example of a difference, and a small one such as a comparison shows. */
const trueRatio = 2;
const shownRatio = 1.05;
const startedFirst = { A: 'A started first', B: 'B started first' };
const duets: readonly Method[] = ['sync-duet', 'async-duet'];

/** Runs that had it the same way, with the logarithms of their ratios. */
interface Level {
  readonly name: string;
  readonly logRatios: readonly number[];
}

/** What differs between runs, and how that shows: the runs of the first level against those of the second. */
interface Contrast {
  readonly group: string;
  readonly method: Method;
  readonly word: string;
  readonly levels: readonly Level[];
  /** What half of the distance between the two levels is. */
  readonly effect: string;
}

/** Levels in the given order; those without runs are left out. */
function levelsBy(names: readonly string[], keys: readonly string[], logRatios: Float64Array): readonly Level[] {
  return names
    .map((name) => ({ name, logRatios: keys.flatMap((key, r) => (key === name ? [at(logRatios, r)] : [])) }))
    .filter((level) => level.logRatios.length > 0);
}

function placesOf(a: number, b: number): string {
  return `A on CPU ${a}, B on CPU ${b}`;
}

function contrastsOf(group: StudyGroup, method: Method, runs: StudyRuns): readonly Contrast[] {
  return studyMetrics.flatMap(({ metric, word }) => {
    const times = studyTimes(runs, metric);
    if (times === null) return [];
    const logRatios = studyLogRatios(runs, times);
    const trials = runs.selection.runs.map(({ trial }) => trial);
    const common = { group: group.label, method, word };
    const places = trials.map(({ sides: { A, B } }) => placesOf(A.cpu, B.cpu));
    const cpus = [...new Set(trials.flatMap(({ sides: { A, B } }) => [A.cpu, B.cpu]))].toSorted((a, b) => a - b);
    const [low = 0, high = 0] = cpus;
    const traded = [placesOf(low, high), placesOf(high, low)];
    const orders = trials.map(({ order }) => (order === 'AB' ? startedFirst.A : startedFirst.B));
    return [
      ...(!methodFacts[method].together || cpus.length !== 2
        ? []
        : [{ ...common, levels: levelsBy(traded, places, logRatios), effect: `time on CPU ${high} over CPU ${low}` }]),
      {
        ...common,
        levels: levelsBy([startedFirst.A, startedFirst.B], orders, logRatios),
        effect: 'time of the side started second over the first',
      },
    ];
  });
}

function levelTable(
  contrasts: readonly Contrast[],
  { notes, random }: { readonly notes: readonly string[]; readonly random: Random },
): StudyTable {
  return {
    title: 'Ratio B / A by who ran where and who was started first',
    source: 'the split is ours; what trading cores and shuffling the order even out',
    columns: [
      text('benchmark'),
      text('method'),
      text('metric'),
      text('runs in which'),
      count('runs'),
      ratio('B / A'),
      ratio('at least'),
      ratio('at most'),
    ],
    rows: contrasts.flatMap(({ group, method, word, levels }) =>
      levels.map(({ name, logRatios }) => {
        const ends =
          logRatios.length < fewestStudyRuns
            ? null
            : meanInterval(logRatios, { kind: 't', confidence: confidenceOfPlaces, replicates: 0, random });
        const [low, high] = ends === null ? [null, null] : [Math.exp(ends.low), Math.exp(ends.high)];
        return [group, method, word, name, logRatios.length, Math.exp(mean(logRatios)), low, high];
      }),
    ),
    notes,
  };
}

/** Half of the distance between two levels, as a ratio. */
function effectRow({ group, method, word, levels, effect }: Contrast): readonly (string | number | null)[][] {
  const [first, second] = levels;
  if (levels.length !== 2 || first === undefined || second === undefined) return [];
  if (first.logRatios.length < fewestStudyRuns || second.logRatios.length < fewestStudyRuns) return [];
  const {
    ratio: half,
    low,
    high,
  } = placeEffect([first.logRatios, second.logRatios], { confidence: confidenceOfPlaces });
  return [[group, method, word, effect, half, low, high]];
}

function effectTable(contrasts: readonly Contrast[]): StudyTable {
  return {
    title: 'What the place costs',
    source: 'half of the distance, on the log scale, between the two kinds of runs above; ours',
    columns: [
      text('benchmark'),
      text('method'),
      text('metric'),
      text('effect'),
      ratio('ratio'),
      ratio('at least'),
      ratio('at most'),
    ],
    rows: contrasts.flatMap((contrast) => effectRow(contrast)),
    notes: [
      'an interval without 1: the place matters here, and only runs that trade cores (--swap pair) keep it out of the result',
      `a row needs ${fewestStudyRuns} runs of either kind; with --swap never there is only one kind`,
    ],
  };
}

function concurrencyTable(groups: readonly StudyGroup[], options: StudyOptions): StudyTable {
  return {
    title: 'Time beside a copy of itself over time alone',
    source: "Bulej et al., ICPE'20, section 4.4, figure 7",
    columns: [
      text('benchmark'),
      text('method'),
      text('metric'),
      ratio('slowdown'),
      ratio('at least'),
      ratio('at most'),
      ratio(`a true ${trueRatio} shows as`),
      ratio(`behind a shown ${shownRatio} is`),
    ],
    rows: groups.flatMap((group) =>
      duets.flatMap((method) =>
        studyMetrics.flatMap(({ metric, word }) => {
          const [duet, alone] = [group.methods.get(method), group.methods.get('sequential')];
          if (duet === undefined || alone === undefined) return [];
          if (!hasRuns(group, method) || !hasRuns(group, 'sequential')) return [];
          const [concurrent, isolated] = [studyTimes(duet, metric), studyTimes(alone, metric)];
          if (concurrent === null || isolated === null) return [];
          const { estimate, low, high } = concurrencySlowdown(
            { concurrent: [...concurrent.A, ...concurrent.B], isolated: [...isolated.A, ...isolated.B] },
            { random: studyRandom(options, 'concurrency', group.label, method, word) },
          );
          const bounds = [
            underestimationBound(trueRatio, { concurrency: estimate }),
            largestRatioBehind(shownRatio, { concurrency: estimate }),
          ];
          return [[group.label, method, word, estimate, low, high, ...bounds]];
        }),
      ),
    ),
    notes: [
      'the last two are bounds for sides that stop when they are done; a side that goes on until the other is done ' +
        '(fill) shows the true ratio. Percentile interval of 99 %, both sides pooled',
      ...missingRuns(groups, 'sequential'),
    ],
  };
}

/**
 * What A/A runs show of the machine: whether the ratio depends on who sat on which core and who was started first, and how
 * much longer the work takes beside a copy of itself. Intervals of the ratios are t intervals of 95 % over runs, on the log
 * scale; Welch's for the effects.
 *
 * @param benchmarks A/A runs of any method; with runs of `sequential` and of a duet also the concurrency slowdown.
 * @throws AnalysisError as `overlaps`.
 * Source: Bulej et al., ICPE'20, section 4.4, for concurrency; the split by place is ours.
 */
export function asymmetryStudy(benchmarks: readonly StudyBenchmark[], options: StudyOptions): Study {
  const groups = studyGroups(benchmarks);
  const contrasts = groups.flatMap((group) =>
    [...group.methods].flatMap(([method, runs]) =>
      runs.selection.runs.length < fewestStudyRuns ? [] : contrastsOf(group, method, runs),
    ),
  );
  const few = groups.filter(({ methods }) =>
    [...methods.values()].every(({ selection: { runs } }) => runs.length < fewestStudyRuns),
  );
  const notes = [
    't intervals of 95 % over runs',
    ...(few.length > 0
      ? [
          `fewer than ${fewestStudyRuns} usable runs: ${few.map(({ label }) => label).join(', ')}; measure more (--runs)`,
        ]
      : []),
    ...notItself(groups),
  ];
  return {
    kind: 'asymmetry',
    tables: [
      levelTable(contrasts, { notes, random: studyRandom(options, 'levels') }),
      effectTable(contrasts),
      concurrencyTable(groups, options),
    ],
  };
}
