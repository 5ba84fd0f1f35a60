import { methodFacts, type Method, type Side } from '@deadheat/model';
import { coefficientOfVariation, mean } from '@deadheat/stats';
import {
  AnalysisError,
  at,
  iterationTimes,
  type TimeSpan,
  fewestStudyRuns,
  studyGroups,
  type StudyBenchmark,
  type StudyRuns,
  count,
  share,
  studyRandom,
  text,
  type StudyOptions,
  type StudyTable,
} from '@deadheat/analysis';
import { intervalTest, rankTest, type DetectionTest } from './change-tests.ts';
import {
  detectionCurve,
  falseAlarmRate,
  minimalDetectableSlowdownOf,
  type DetectionCurve,
  type FalseAlarmRate,
} from './detection-curve.ts';
import { pairSpans, type PairingOptions, type SpansOfRun } from './paired-run.ts';
import { notItself, type Study } from './study.ts';

/** More iterations of a side and run than this only take time. */
const mostIterations = 1000;
const powerOfStudy = 0.8;

/** How minimal detectable slowdowns are searched for. */
export interface MdsOptions extends StudyOptions {
  /** Wanted share of experiments that call B slower; inside (0, 1], default 0.8. */
  readonly power?: number;
  /** Relative slowdowns; default 0 to 15 % in steps of 1 %. */
  readonly slowdowns?: readonly number[];
  /** Sets of runs drawn for every slowdown, default 100. */
  readonly sets?: number;
  /** Random namings of the sides for the false alarm rate, default 200. */
  readonly splits?: number;
  /** Bootstrap replicates of the interval test, default 9 999. */
  readonly replicates?: number;
}

interface Test {
  readonly name: string;
  readonly test: DetectionTest;
}

interface Found {
  readonly label: string;
  readonly method: Method;
  readonly test: string;
  readonly runs: number;
  readonly curve: DetectionCurve;
  readonly alarms: FalseAlarmRate;
}

type Run = StudyRuns['selection']['runs'][number];

/** Ends of a side's iterations, ns; in a tandem, whose wall times are those of both sides, each is its CPU time after its start. */
function endsOf(run: Run, side: Side): ArrayLike<number> {
  const { startsNs, endsNs } = run.iterations[side];
  const cpuNs = methodFacts[run.trial.method].ownTime === 'cpu' ? iterationTimes(run, side, 'cpu') : null;
  return cpuNs === null ? endsNs : cpuNs.map((time, row) => at(startsNs, row) + time);
}

function spansOf(run: Run, side: Side, rows: Int32Array | null): TimeSpan[] {
  const { startsNs } = run.iterations[side];
  const endsNs = endsOf(run, side);
  const length = Math.min(rows?.length ?? startsNs.length, mostIterations);
  return Array.from({ length }, (_, k) => {
    const row = rows === null ? k : at(rows, k);
    return { s: at(startsNs, row), e: Math.max(at(startsNs, row) + 1, at(endsNs, row)) };
  });
}

/** Of sides that meet at a barrier only what is in pairs, so that pairs stay together by their places. */
function spansOfRun(run: Run, method: Method): SpansOfRun {
  const { pairs } = run;
  const rowsOf = (side: 'a' | 'b', { [side]: rows }: Run['pairs']): Int32Array | null =>
    methodFacts[method].barrier ? rows : null;
  return { A: spansOf(run, 'A', rowsOf('a', pairs)), B: spansOf(run, 'B', rowsOf('b', pairs)) };
}

function pairingOf(method: Method, { config }: StudyRuns): PairingOptions {
  const { pairs } = methodFacts[method];
  return pairs === 'overlapping' ? { by: 'overlap', minimumRate: config.minimumOverlapRate } : { by: 'place' };
}

function testsOf({ replicates = 9999 }: MdsOptions): readonly Test[] {
  return [
    { name: 'interval', test: (drawn, random) => intervalTest(drawn, { replicates, random }) },
    { name: 'Mann-Whitney', test: (drawn) => rankTest(drawn) },
  ];
}

function findingsOf(
  { label, method, runs }: { readonly label: string; readonly method: Method; readonly runs: StudyRuns },
  options: MdsOptions,
): Found[] {
  const spans = runs.selection.runs.map((run) => spansOfRun(run, method));
  const pairing = pairingOf(method, runs);
  const paired = spans.map((run) => pairSpans(run, pairing)).filter(({ pairs }) => pairs.length > 0);
  return testsOf(options).map(({ name, test }) => {
    const random = (purpose: string) => studyRandom(options, 'mds', label, method, name, purpose);
    const { slowdowns, sets, splits } = options;
    return {
      label,
      method,
      test: name,
      runs: spans.length,
      curve: detectionCurve(spans, {
        pairing,
        test,
        random: random('curve'),
        ...(slowdowns === undefined ? {} : { slowdowns }),
        ...(sets === undefined ? {} : { sets }),
      }),
      alarms: falseAlarmRate(paired, {
        test,
        random: random('alarms'),
        by: methodFacts[method].together ? 'swap' : 'regroup',
        ...(splits === undefined ? {} : { splits }),
      }),
    };
  });
}

function percent(slowdown: number): string {
  return `${Number((100 * slowdown).toPrecision(6))} %`;
}

function summaryTable(
  found: readonly Found[],
  options: { readonly power: number; readonly notes: readonly string[] },
): StudyTable {
  return {
    title: `Smallest slowdown that is called slower with a power of ${percent(options.power)}, and false alarms`,
    source: 'Drozdik 2023, sections 4.4, 5.2.3 and 5.2.4, figures 5.6 to 5.9',
    columns: [
      text('benchmark'),
      text('method'),
      text('test'),
      count('runs'),
      share('detectable slowdown'),
      share('false alarms'),
      share('at least'),
      share('at most'),
    ],
    rows: found.map(({ label, method, test, runs, curve, alarms }) => [
      label,
      method,
      test,
      runs,
      minimalDetectableSlowdownOf(curve, { power: options.power }),
      alarms.rate,
      alarms.low,
      alarms.high,
    ]),
    notes: options.notes,
  };
}

function curveTable(found: readonly Found[], slowdowns: readonly number[]): StudyTable {
  return {
    title: 'Share of experiments in which a slowdown is called slower',
    source: 'Drozdik 2023, section 5.2.4; the drawing of experiments is ours',
    columns: [
      text('benchmark'),
      text('method'),
      text('test'),
      ...slowdowns.map((slowdown) => share(percent(slowdown))),
    ],
    rows: found.map(({ label, method, test, curve }) => [
      label,
      method,
      test,
      ...curve.points.map(({ slower }) => slower),
    ]),
    notes: ['sets of the recorded runs drawn with replacement; slowed is the one or the other side, as a coin says'],
  };
}

function benchmarkTable(found: readonly Found[], slowdowns: readonly number[]): StudyTable {
  const kinds = new Map<string, Found[]>();
  for (const one of found) {
    const key = `${one.method} ${one.test}`;
    kinds.set(key, [...(kinds.get(key) ?? []), one]);
  }
  return {
    title: 'Share of benchmarks in which no change is detected in the runs as recorded',
    source: 'Drozdik 2023, figures 5.6 to 5.9',
    columns: [
      text('method'),
      text('test'),
      count('benchmarks'),
      ...slowdowns.map((slowdown) => share(percent(slowdown))),
    ],
    rows: [...kinds.values()].map((group) => [
      at(group, 0).method,
      at(group, 0).test,
      group.length,
      ...slowdowns.map((_, k) => group.filter(({ curve }) => !at(curve.points, k).asMeasured).length / group.length),
    ]),
    notes: [],
  };
}

/** How much times vary by each method, and how wide the interval of the mean paired difference is. */
interface Variation {
  readonly label: string;
  readonly method: Method;
  readonly runs: number;
  readonly cv: number;
  readonly width: number;
  /** Ends of the interval over the mean of all times of both sides. */
  readonly interval: readonly [low: number, high: number];
}

function variationOf(
  { label, method, runs }: { readonly label: string; readonly method: Method; readonly runs: StudyRuns },
  options: MdsOptions,
): Variation {
  const pairing = pairingOf(method, runs);
  const paired = runs.selection.runs
    .map((run) => pairSpans(spansOfRun(run, method), pairing))
    .filter(({ pairs }) => pairs.length > 0);
  const random = studyRandom(options, 'mds', label, method, 'width');
  const { low, high } = intervalTest(paired, { replicates: options.replicates ?? 9999, random });
  const sides = (['A', 'B'] as const).map((side) => paired.flatMap((run) => Array.from(run[side])));
  const centre = mean(sides.flat());
  return {
    label,
    method,
    interval: [low / centre, high / centre],
    runs: paired.length,
    cv: mean(sides.map((times) => coefficientOfVariation(times))),
    width: (high - low) / centre,
  };
}

function variationTable(variations: readonly Variation[]): StudyTable {
  return {
    title: 'Variation and width of the interval by method',
    source: 'Drozdik 2023, sections 4.3.2 and 5.2.3, equation 4.2, figures 5.3 and 5.5',
    columns: [text('benchmark'), text('method'), count('runs'), share('CV'), share('relative width')],
    rows: variations.map(({ label, method, runs, cv, width }) => [label, method, runs, cv, width]),
    notes: [
      'CV: mean of both sides; relative width: 95 % interval of the mean paired difference over the mean of all times of both sides ' +
        '(equation 4.2 prints the mean of the differences, which is about 0)',
    ],
  };
}

/**
 * What slowdowns the interval test and the Mann-Whitney test would see in experiments like the recorded ones, and how often
 * they see one where there is none. Wall time; of each run at most the first 1 000 iterations of a side.
 *
 * @param benchmarks A/A runs of any method; those without two usable runs are named in the notes.
 * @throws AnalysisError `ITERATIONS_OUT_OF_ORDER` as `overlaps`; RangeError as `detectionCurve`, `falseAlarmRate` and
 *   `minimalDetectableSlowdownOf`.
 * Source: Drozdik 2023, sections 4.3.2, 4.3.3, 4.4, 5.2.3 and 5.2.4.
 */
export function mdsStudy(benchmarks: readonly StudyBenchmark[], options: MdsOptions): Study {
  const groups = studyGroups(benchmarks);
  const found: Found[] = [];
  const variations: Variation[] = [];
  const failed: string[] = [];
  for (const { label, methods } of groups) {
    for (const [method, runs] of methods) {
      try {
        found.push(...findingsOf({ label, method, runs }, options));
        variations.push(variationOf({ label, method, runs }, options));
      } catch (error) {
        if (!(error instanceof AnalysisError) || error.code !== 'TOO_FEW_RUNS') throw error;
        failed.push(`${label}, ${method}: ${error.message}`);
      }
    }
  }
  const isCut = groups.some(({ methods }) =>
    [...methods.values()].some(({ selection }) =>
      selection.runs.some(({ iterations: { A, B } }) => Math.max(A.length, B.length) > mostIterations),
    ),
  );
  const without = groups.filter(({ methods }) => methods.size === 0).map(({ label }) => label);
  const slowdowns = at([...found.map(({ curve }) => curve.points.map(({ slowdown }) => slowdown)), []], 0);
  const power = options.power ?? powerOfStudy;
  const largest = slowdowns.at(-1);
  const notes = [
    ...(found.some(({ curve }) => minimalDetectableSlowdownOf(curve, { power }) === null) && largest !== undefined
      ? [`no figure: also ${percent(largest)} is called slower less often than that`]
      : []),
    'wall time; false alarms: of random namings of the sides, with the range that their number leaves open; both tests are made for 5 %',
    ...(isCut ? [`of runs with more, the first ${mostIterations} iterations of a side`] : []),
    ...failed,
    ...(without.length > 0 ? [`no usable runs: ${without.join(', ')}; needs at least ${fewestStudyRuns}`] : []),
    ...notItself(groups),
  ];
  return {
    kind: 'mds',
    tables: [
      summaryTable(found, { power, notes }),
      curveTable(found, slowdowns),
      benchmarkTable(found, slowdowns),
      variationTable(variations),
    ],
    figures: [
      {
        name: 'thesis-figure-5.10-intervals',
        title: 'Interval of the mean paired difference of each benchmark, over its mean time',
        source: 'Drozdik 2023, section 4.3.2, figure 5.10, which has seconds',
        kind: 'intervals',
        value: 'mean paired difference',
        unit: 'share',
        place: null,
        series: variations.map(({ label, method, interval }) => ({
          name: `${label} ${method}`,
          x: null,
          values: interval,
        })),
      },
    ],
  };
}
