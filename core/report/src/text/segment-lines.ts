import { classNames } from '@deadheat/analysis';
import { segmentIntervalFacts, type Comparison, type SeriesSegments } from '@deadheat/model';
import type { Detail } from './details.ts';
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
  const details: readonly Detail[] = [
    ...runDetails(series, writing),
    ...classDetails(series, layout.window),
    ...componentDetails(series, writing),
    ...intervalDetails(series, writing),
    { label: 'chosen', text: chosenText(series) },
  ];
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

function runDetails({ runs }: SeriesSegments, writing: Writing): readonly Detail[] {
  const shown = runs.slice(0, mostRuns).map((run) => ({ label: `run ${run.run + 1}`, text: runText(run, writing) }));
  const rest = runs.length - mostRuns;
  return rest > 0
    ? [...shown, { label: '', text: `and ${countOf(rest, 'more run')}; --export json:- has all` }]
    : shown;
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

function classDetails({ unit, class: found, runs }: SeriesSegments, window: number): readonly Detail[] {
  if (unit === 'ratio') return [];
  if (found === null) {
    return [
      { label: 'class', text: `unknown: no run has the ${window} repetitions that must be steady (--steady-window)` },
    ];
  }
  const counts = new Map<string, number>();
  for (const run of runs) {
    const word = run.class === null ? 'too short' : classNames[run.class];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return [{ label: 'class', text: `${classNames[found]} (${parts.join(', ')}), last ${window} repetitions` }];
}

function componentDetails({ components }: SeriesSegments, { spread }: Writing): readonly Detail[] {
  if (components === null) return [];
  const { measurementVariance, segmentVariance, runVariance } = components;
  return [
    {
      label: 'spread',
      text:
        `standard deviation of runs ${spread(runVariance)} (root of Var(R)), of segments in a run ${spread(segmentVariance)} (Var(S)), ` +
        `of measurements in a segment ${spread(measurementVariance)} (Var(B))`,
    },
  ];
}

function intervalDetails({ intervals, chosen, unit }: SeriesSegments, writing: Writing): readonly Detail[] {
  return (['aware', 'ignorant'] as const).flatMap((segments) => {
    const interval = intervals.find((one) => one.segments === segments && one.kind === chosen.kind);
    if (interval === undefined) return [];
    const { estimate, low, high, level, runs, kind } = interval;
    const digits = unit === 'ratio' ? percentDigits({ low, high }) : 0;
    const [middle, from, to] = [estimate, low, high].map((value) => writing.value(value, digits));
    return [
      {
        label: segments,
        text: `${middle} [${from} … ${to}] ${formatChosenShare(level)} CI, ${countOf(runs, 'run')}, ${segmentIntervalFacts[kind].name}`,
      },
    ];
  });
}

function chosenText({ chosen: { segments, kind, reasons } }: SeriesSegments): string {
  return `segment-${segments}, ${segmentIntervalFacts[kind].name}: ${reasons.join('; ')}`;
}
