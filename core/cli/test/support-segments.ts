import type { ComparisonSegments, SeriesSegments } from '@deadheat/model';

type Run = SeriesSegments['runs'][number];

const interval = (changes: Partial<SeriesSegments['intervals'][number]>): SeriesSegments['intervals'][number] => ({
  segments: 'aware',
  kind: 't',
  estimate: 12.4e6,
  low: 12.1e6,
  high: 12.7e6,
  level: 0.99,
  standardError: 1e5,
  runs: 12,
  replicates: 0,
  ...changes,
});

const aRun = (run: number, means: readonly number[], changes: Partial<Run> = {}): Run => ({
  run,
  repetitions: 600,
  measurements: 600,
  outliers: 3,
  penalty: 96,
  penaltyChosenBy: 'knee',
  segments: means.map((mean, s) => ({
    firstIteration: 100 * s,
    lastIteration: 100 * s + 99,
    measurements: 100,
    mean,
    standardDeviation: 3e4,
  })),
  class: 'flat',
  steadyFromIteration: 0,
  ...changes,
});

/** A side of twelve runs, one of many segments, and a steady side that is too short for a class. */
export function someSegments(): ComparisonSegments {
  const runs = Array.from({ length: 12 }, (_, run) => aRun(run, [12.3e6 + 1e4 * run]));
  const shifting = runs.with(
    1,
    aRun(1, [13e6, 12e6, 13e6, 12e6, 13e6, 12e6, 13e6, 12e6], { class: 'no-steady-state', steadyFromIteration: null }),
  );
  return {
    window: 500,
    sides: {
      A: {
        unit: 'ns',
        runs: shifting.with(2, aRun(2, [14e6, 12e6], { class: 'warm-up', steadyFromIteration: 100 })),
        class: 'bad-inconsistent',
        components: { measurementVariance: 9e8, segmentVariance: 2.5e11, runVariance: 0 },
        chosen: { segments: 'aware', kind: 't', reasons: ['segments matter', 'there are few runs'] },
        intervals: [interval({}), interval({ segments: 'ignorant', estimate: 12.38e6, low: 12.2e6 })],
      },
      B: {
        unit: 'ns',
        runs: [aRun(0, [12e6], { class: null, steadyFromIteration: null })],
        class: null,
        components: { measurementVariance: 9e8, segmentVariance: null, runVariance: null },
        chosen: { segments: 'ignorant', kind: 't', reasons: ['there are none', 'there is one run'] },
        intervals: [],
      },
    },
    ratio: {
      unit: 'ratio',
      runs: [],
      class: null,
      components: null,
      chosen: { segments: 'aware', kind: 'resampling', reasons: ['segments matter', 'there are enough runs'] },
      intervals: [
        interval({ kind: 'resampling', estimate: 1.02, low: 1.012, high: 1.031, replicates: 33_000 }),
        interval({ kind: 't', estimate: 1.02, low: 1.01, high: 1.03 }),
      ],
    },
  };
}
