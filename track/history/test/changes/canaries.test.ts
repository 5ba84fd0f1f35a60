import type { Verdict } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { canariesOf, firedCanaries } from '../../src/changes/canaries.ts';
import { canaryProject, type HistoryPoint } from '../../src/history.ts';

interface Told {
  readonly host?: string;
  readonly timeNs?: number;
  readonly verdict?: Verdict;
  readonly project?: string;
}

/** A canary of one day. */
function point(day: number, { host = 'h1', timeNs = 1e6, verdict = 'dead-heat', project }: Told): HistoryPoint {
  return {
    project: project ?? canaryProject,
    benchmark: 'integer',
    params: { host },
    method: 'tandem',
    experiment: `${host} ${day}`,
    startedAt: new Date(Date.UTC(2026, 2, 1 + day)).toISOString(),
    commits: { A: null, B: null },
    hostname: 'name of the machine that asked',
    metric: 'cpu',
    ratio: { estimate: 1, low: 0.999, high: 1.001, confidence: 0.99 },
    verdict,
    margin: 0.01,
    minimalDetectableSlowdown: 0.01,
    runs: 20,
    meanNs: { A: timeNs, B: timeNs },
  };
}

/** 40 days of a host with noise of 0.1 %, 2 % slower from `at` on. */
function days(host: string, at: number): readonly HistoryPoint[] {
  const random = createRandom(host);
  return Array.from({ length: 40 }, (_, day) =>
    point(day, { host, timeNs: 1e6 * (day >= at ? 1.02 : 1) * Math.exp(0.001 * random.normal()) }),
  );
}

describe('canaries', () => {
  it('are told apart by host, and other projects are left out', () => {
    const points = [...days('h2', 40), ...days('h1', 25), point(0, { project: 'parser' })];
    expect(canariesOf(points).map(({ host, points: own, changes }) => [host, own.length, changes.length])).toEqual([
      ['h1', 40, 1],
      ['h2', 40, 0],
    ]);
  });

  it('fire when the level of their time changed', () => {
    const [alarm, ...others] = firedCanaries(days('h1', 25));
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ kind: 'level', host: 'h1', point: { experiment: 'h1 25' } });
    expect(alarm?.ratio.ratio).toBeCloseTo(1.02, 3);
    expect(alarm?.near).toContain('h1 24');
  });

  it('fire when the workload differed from itself', () => {
    const points = days('h1', 40).map((one, day) => (day === 7 ? { ...one, verdict: 'faster' as const } : one));
    expect(firedCanaries(points).map(({ kind, point: { experiment } }) => [kind, experiment])).toEqual([
      ['differs', 'h1 7'],
    ]);
  });

  it('are asked since a time, the newest first', () => {
    const points = [
      ...days('h1', 25),
      ...days('h2', 40).map((one, day) => (day % 20 === 10 ? { ...one, verdict: 'slower' as const } : one)),
    ];
    const told = (since: string | null): readonly string[] =>
      firedCanaries(points, since).map(({ point: { experiment } }) => experiment);
    expect(told(null)).toEqual(['h2 30', 'h1 25', 'h2 10']);
    expect(told('2026-03-26T00:00:00.000Z')).toEqual(['h2 30', 'h1 25']);
    expect(told('2026-03-26T00:00:00.001Z')).toEqual(['h2 30']);
    expect(new Set(firedCanaries(points).map(({ id }) => id)).size).toBe(3);
  });
});
