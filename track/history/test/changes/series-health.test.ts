import type { Verdict } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { seriesHealth } from '../../src/changes/series-health.ts';
import { seriesLevels } from '../../src/changes/series-levels.ts';
import type { HistoryPoint } from '../../src/history.ts';

/** One comparison of v1 with the commit `b` that takes `ratio` of its time. */
function pointOf(at: number, { b, verdict, ratio = 1 }: { b: string; verdict: Verdict; ratio?: number }): HistoryPoint {
  const ref = (id: string) => ({ id, label: id, committedAt: null });
  return {
    project: 'p',
    benchmark: 'parse',
    params: {},
    method: 'tandem',
    experiment: `e${at}`,
    startedAt: new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString(),
    commits: { A: ref('v1'), B: ref(b) },
    hostname: 'h',
    metric: 'cpu',
    ratio: { estimate: ratio, low: ratio * 0.99, high: ratio * 1.01, confidence: 0.99 },
    verdict,
    margin: 0,
    minimalDetectableSlowdown: 0.01 * (1 + (at % 3)),
    runs: 10,
    meanNs: { A: 1e6, B: 1e6 * ratio },
  };
}

function healthOf(points: readonly HistoryPoint[]) {
  return seriesHealth(points, seriesLevels(points));
}

describe('the health of a series', () => {
  it('counts as taken back what the next comparison of the same commits is certain not to find', () => {
    const said = [
      ['x', 'slower'],
      ['y', 'slower'],
      ['x', 'dead-heat'],
      ['y', 'slower'],
      ['z', 'faster'],
      ['z', 'undecided'],
      ['w', 'faster'],
      ['w', 'slower'],
      ['v', 'dead-heat'],
      ['v', 'slower'],
    ] as const;
    const points = said.map(([b, verdict], at) => pointOf(at, { b, verdict }));
    // x and w are taken back, y is confirmed, z is left open, v found nothing at first.
    expect(healthOf(points)).toMatchObject({ comparisons: 10, undecided: 1, repeated: 4, takenBack: 2 });
  });

  it('has the standard deviation about the levels as its spread, and the median of what comparisons could find', () => {
    const random = createRandom('spread');
    const points = Array.from({ length: 200 }, (_, at) =>
      pointOf(at, {
        b: `b${at}`,
        verdict: 'dead-heat',
        ratio: (at < 170 ? 1 : 1.3) * Math.exp(0.02 * random.normal()),
      }),
    );
    const { spread, smallestSlowdown, comparisons, repeated } = healthOf(points);
    expect({ smallestSlowdown, comparisons, repeated }).toEqual({
      smallestSlowdown: 0.02,
      comparisons: 60,
      repeated: 0,
    });
    expect(spread).toBeGreaterThan(0.014);
    expect(spread).toBeLessThan(0.026);
    expect(healthOf(points.slice(0, 3)).spread).toBeNull();
  });
});
