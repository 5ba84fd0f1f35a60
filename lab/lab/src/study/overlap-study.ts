import type { IterationColumns, Method, Side } from '@deadheat/model';
import { quantiles } from '@deadheat/stats';
import {
  at,
  joined,
  overlappingRows,
  overlapShare,
  overlapTimes,
  type TimeSpan,
  fewestStudyRuns,
  hasRuns,
  studyGroups,
  type StudyBenchmark,
  type StudyGroup,
  type StudyRuns,
  count,
  ratio,
  share,
  studyRandom,
  text,
  type StudyOptions,
  type StudyTable,
} from '@deadheat/analysis';
import { intervalTest } from './change-tests.ts';
import { pairSpans } from './paired-run.ts';
import { runtimeSavings, type SpanOfRun } from './costs.ts';
import { missingRuns, type Study } from './study.ts';

const probabilities = [0.1, 0.25, 0.5, 0.75, 0.9];
/** The minimum rates of figure 5.2. */
const minimumRates = Array.from({ length: 10 }, (_, tenth) => tenth / 10);

interface Measured {
  readonly group: StudyGroup;
  readonly runs: StudyRuns;
}

/** The overlap rate of every two iterations that overlap at all. */
function ratesOf(run: Record<Side, Parameters<typeof overlappingRows>[0]>): Float64Array {
  const pairs = overlappingRows(run.A, run.B, 0);
  const times = overlapTimes(run.A, run.B, pairs);
  const length = (side: Side, row: number): number => at(run[side].endsNs, row) - at(run[side].startsNs, row);
  return times.map((time, k) => time / Math.max(length('A', at(pairs.a, k)), length('B', at(pairs.b, k))));
}

function pairTable(measured: readonly Measured[], groups: readonly StudyGroup[]): StudyTable {
  return {
    title: 'Iterations of the asynchronous duet that overlap',
    source: 'Drozdik 2023, equations 4.1 and 5.2, section 5.2.2',
    columns: [
      text('benchmark'),
      count('runs'),
      count('iterations A'),
      count('iterations B'),
      share('minimum rate'),
      count('pairs'),
      share('unpaired'),
      share('relative overlap time'),
      ...probabilities.map((p) => share(`rate ${100 * p} %`)),
    ],
    rows: measured.map(({ group, runs: { selection, config } }) => {
      const iterations = (side: Side): number => selection.measured.reduce((sum, run) => sum + run[side].length, 0);
      const all = iterations('A') + iterations('B');
      const rates = joined(selection.measured.map((run) => ratesOf(run)));
      return [
        group.label,
        selection.measured.length,
        iterations('A'),
        iterations('B'),
        config.minimumOverlapRate,
        selection.measured.reduce((sum, { pairs }) => sum + pairs.length, 0),
        all === 0 ? null : selection.unpaired / all,
        overlapShare(selection.measured),
        ...(rates.length === 0 ? probabilities.map(() => null) : quantiles(rates, probabilities)),
      ];
    }),
    notes: [
      'a pair overlaps by more than the minimum rate; the quantiles are of every two iterations that overlap at all',
      ...missingRuns(groups, 'async-duet'),
    ],
  };
}

function rateTable(measured: readonly Measured[]): StudyTable {
  return {
    title: 'Relative overlap time by minimum overlap rate',
    source: 'Drozdik 2023, equation 5.2, figure 5.2',
    columns: [text('benchmark'), ...minimumRates.map((rate) => share(`above ${rate}`))],
    rows: measured.map(({ group, runs }) => [
      group.label,
      ...minimumRates.map((rate) =>
        overlapShare(runs.selection.measured.map(({ A, B }) => ({ A, B, pairs: overlappingRows(A, B, rate) }))),
      ),
    ]),
    notes: [],
  };
}

/**
 * From the first start to the last end of each side's iterations, warm-up included, over the number of iterations, since
 * methods may make a different number of them in a run.
 */
function spansOf({ raw }: StudyRuns): SpanOfRun[] {
  return raw.flatMap(({ iterations: { A, B } }) => {
    if (A.length === 0 || B.length === 0) return [];
    const iterations = Math.max(A.length, B.length);
    const span = ({ startsNs, endsNs, length }: IterationColumns): TimeSpan => ({
      s: at(startsNs, 0) / iterations,
      e: at(endsNs, length - 1) / iterations,
    });
    return [{ A: span(A), B: span(B) }];
  });
}

/**
 * Whether the interval test reports no change in the runs as recorded, by the minimum overlap rate: the sweep that chose 0.4.
 */
function detectionTable(measured: readonly Measured[], options: StudyOptions): StudyTable {
  return {
    title: 'A/A runs in which no change is detected, by minimum overlap rate',
    source: 'Drozdik 2023, section 5.2.3, figure 5.4',
    columns: [text('benchmark'), ...minimumRates.map((rate) => share(`above ${rate}`))],
    rows: measured.map(({ group, runs }) => {
      const spans = runs.selection.measured.map(({ A, B }) => ({ A: spansOfSide(A), B: spansOfSide(B) }));
      return [
        group.label,
        ...minimumRates.map((rate) => {
          const paired = spans
            .map((run) => pairSpans(run, { by: 'overlap', minimumRate: rate }))
            .filter(({ pairs }) => pairs.length > 0);
          if (paired.length < fewestStudyRuns) return null;
          const random = studyRandom(options, 'overlap', group.label, `${rate}`);
          return intervalTest(paired, { random }).detected ? 0 : 1;
        }),
      ];
    }),
    notes: ['100 %: no change is reported, 0 %: one is; a cell is empty where fewer than two runs have pairs'],
  };
}

function spansOfSide({ startsNs, endsNs }: Pick<IterationColumns, 'startsNs' | 'endsNs'>): readonly TimeSpan[] {
  return Array.from(startsNs, (s, row) => ({ s, e: at(endsNs, row) }));
}

function savingsTable(groups: readonly StudyGroup[]): StudyTable {
  const duets: readonly Method[] = ['async-duet', 'sync-duet'];
  return {
    title: 'What running both sides at once saves',
    source: 'Drozdik 2023, section 5.2.1, equation 5.1',
    columns: [
      text('benchmark'),
      text('method'),
      count('runs'),
      count('sequential runs'),
      ratio('speedup'),
      share('saved'),
    ],
    rows: groups.flatMap((group) =>
      duets.flatMap((method) => {
        const [duet, sequential] = [group.methods.get(method), group.methods.get('sequential')];
        if (duet === undefined || sequential === undefined) return [];
        const spans = { duet: spansOf(duet), sequential: spansOf(sequential) };
        if (spans.duet.length === 0 || spans.sequential.length === 0) return [];
        const { speedup, saved } = runtimeSavings(spans);
        return [[group.label, method, spans.duet.length, spans.sequential.length, speedup, saved]];
      }),
    ),
    notes: [
      'time an iteration: from the first start to the last end in a run, warm-up and what lies between iterations included, ' +
        'over their number; a duet takes two cores for it',
      ...missingRuns(groups, 'sequential'),
    ],
  };
}

/**
 * How the iterations of asynchronous duets overlap, and what time the duets save.
 *
 * @param benchmarks runs of `async-duet`; with runs of `sequential` also the savings. What is missing is said in the notes.
 * @throws AnalysisError as `overlaps`.
 * Source: Drozdik 2023, sections 5.2.1 and 5.2.2.
 */
export function overlapStudy(
  benchmarks: readonly StudyBenchmark[],
  options: StudyOptions = { seed: 'overlap' },
): Study {
  const groups = studyGroups(benchmarks);
  const measured = groups.flatMap((group) => {
    const runs = group.methods.get('async-duet');
    return runs === undefined || !hasRuns(group, 'async-duet') ? [] : [{ group, runs }];
  });
  return {
    kind: 'overlap',
    tables: [pairTable(measured, groups), rateTable(measured), savingsTable(groups), detectionTable(measured, options)],
  };
}
