import { classNames } from '@deadheat/analysis';
import { segmentIntervalFacts, type Comparison, type SeriesSegments } from '@deadheat/model';
import { type Fact, present } from './details.ts';
import { type Colors, detailLines } from './layout.ts';
import {
  chooseTimeUnit,
  countOf,
  formatChosenShare,
  formatDifference,
  formatShare,
  formatTime,
  percentDigits,
  type TimeUnit,
} from './numbers.ts';

/** Rows that are shown of long lists; the JSON has all of it. */
const mostRuns = 10;
const mostSegments = 6;

type Run = SeriesSegments['runs'][number];

/** Text of values of a series. */
interface Writing {
  readonly value: (value: number, digits: number) => string;
  /** A standard deviation, from a variance. */
  readonly spread: (variance: number | null) => string;
}

/** The segments of a comparison, a block a series; nothing where they were not asked for. */
export function segmentLines(
  { segments }: Comparison,
  layout: { readonly width: number; readonly colors: Colors },
): readonly string[] {
  if (segments === undefined) return [];
  const { sides, ratio, window } = segments;
  return [
    ...seriesLines('A', sides.A, { ...layout, window }),
    ...seriesLines('B', sides.B, { ...layout, window }),
    ...seriesLines('B / A', ratio, { ...layout, window }),
  ];
}

function seriesLines(
  name: string,
  series: SeriesSegments,
  layout: { readonly width: number; readonly colors: Colors; readonly window: number },
): readonly string[] {
  const writing = writingOf(series);
  const details = present([
    ...runDetails(series, writing),
    ['class', classText(series, layout.window)],
    ['spread', series.components && spreadText(series.components, writing)],
    ...intervalDetails(series, writing),
    ['chosen', chosenText(series)],
  ]);
  return ['', layout.colors.bold(`segments of ${name}`), ...detailLines(details, layout)];
}

function writingOf({ unit, runs, intervals }: SeriesSegments): Writing {
  if (unit === 'ratio') {
    return {
      value: (ratio, digits) => formatDifference(ratio, digits),
      spread: (variance) => (variance === null ? 'unknown' : formatShare(Math.sqrt(variance))),
    };
  }
  const least = Math.min(
    ...runs.flatMap(({ segments }) => segments.map(({ mean }) => mean)),
    ...intervals.map(({ low }) => low),
  );
  const timeUnit: TimeUnit = chooseTimeUnit(Math.max(least, 1) / 1e9);
  return {
    value: (ns) => formatTime(ns / 1e9, timeUnit),
    spread: (variance) => {
      if (variance === null) return 'unknown';
      const seconds = Math.sqrt(variance) / 1e9;
      return formatTime(seconds, chooseTimeUnit(seconds));
    },
  };
}

function runDetails({ runs }: SeriesSegments, writing: Writing): readonly Fact[] {
  const rest = runs.length - mostRuns;
  return [
    ...runs.slice(0, mostRuns).map((run): Fact => [`run ${run.run + 1}`, runText(run, writing)]),
    ['', rest > 0 ? `and ${countOf(rest, 'more run')}; --export json:- has all` : null],
  ];
}

function runText({ segments, class: found, steadyFromIteration }: Run, { value }: Writing): string {
  const shown = segments
    .slice(0, mostSegments)
    .map(({ firstIteration, lastIteration, mean }) => `${firstIteration}-${lastIteration}: ${value(mean, 2)}`);
  const rest = segments.length - mostSegments;
  const parts = rest > 0 ? [...shown, countOf(rest, 'more segment')] : shown;
  if (found === null) return parts.join(', ');
  const from = steadyFromIteration === null || steadyFromIteration === 0 ? '' : `, steady from ${steadyFromIteration}`;
  return `${parts.join(', ')} (${classNames[found]}${from})`;
}

function classText({ unit, class: found, runs }: SeriesSegments, window: number): string | null {
  if (unit === 'ratio') return null;
  if (found === null) return `unknown: no run has the ${window} repetitions that must be steady (--steady-window)`;
  const counts = new Map<string, number>();
  for (const run of runs) {
    const word = run.class === null ? 'too short' : classNames[run.class];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return `${classNames[found]} (${parts.join(', ')}), last ${window} repetitions`;
}

function spreadText(components: NonNullable<SeriesSegments['components']>, { spread }: Writing): string {
  const { measurementVariance, segmentVariance, runVariance } = components;
  return (
    `standard deviation of runs ${spread(runVariance)} (root of Var(R)), of segments in a run ${spread(segmentVariance)} (Var(S)), ` +
    `of measurements in a segment ${spread(measurementVariance)} (Var(B))`
  );
}

function intervalDetails({ intervals, chosen, unit }: SeriesSegments, writing: Writing): readonly Fact[] {
  return (['aware', 'ignorant'] as const).map((segments) => {
    const interval = intervals.find((one) => one.segments === segments && one.kind === chosen.kind);
    if (interval === undefined) return [segments, null];
    const { estimate, low, high, level, runs, kind } = interval;
    const digits = unit === 'ratio' ? percentDigits({ low, high }) : 0;
    const [middle, from, to] = [estimate, low, high].map((value) => writing.value(value, digits));
    const procedure = `${countOf(runs, 'run')}, ${segmentIntervalFacts[kind].name}`;
    return [segments, `${middle} [${from} … ${to}] ${formatChosenShare(level)} CI, ${procedure}`];
  });
}

function chosenText({ chosen: { segments, kind, reasons } }: SeriesSegments): string {
  return `segment-${segments}, ${segmentIntervalFacts[kind].name}: ${reasons.join('; ')}`;
}
