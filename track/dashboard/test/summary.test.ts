import { describe, expect, it } from 'vitest';
import { summarise, type MeasuredCommit } from '../src/source/summary.ts';

const commits: readonly MeasuredCommit[] = [0, 1, 2, 3, 4].map((at) => ({
  commit: { id: `c${at}`, label: `c${at}`, committedAt: null },
  at: `2026-03-0${at + 1}T12:00:00.000Z`,
}));

function rounded(series: Parameters<typeof summarise>[0], of: readonly MeasuredCommit[] = commits) {
  const { base, points, ...rest } = summarise(series, of);
  return {
    ...rest,
    base: base?.commit?.id,
    scores: points.map(({ score }) => Number(score.toFixed(6))),
    measured: points.map(({ measured }) => measured),
  };
}

describe('the summary score', () => {
  it('is the geometric mean of all series against the first commit that all were measured at', () => {
    expect(
      rounded([
        { values: [10, 10, 40], commits: [0, 1, 2] },
        { values: [3, 3], commits: [1, 2] },
      ]),
      // sqrt(4 x 1) at c2; the second series is filled in at c0 with its first value
    ).toEqual({ series: 2, isBaseCommon: true, base: 'c1', scores: [1, 1, 2], measured: [1, 2, 2] });
  });

  it('fills in on the line between the logarithms of the neighbours, and moves with no benchmark that begins or ends', () => {
    expect(
      rounded([
        { values: [1, 1, 1, 1, 1], commits: [0, 1, 2, 3, 4] },
        // 2 to 16 in three steps: 4 and 8 between them, then 16
        { values: [2, 16], commits: [0, 3] },
      ]).scores,
    ).toEqual([1, Math.SQRT2, 2, 2 * Math.SQRT2, 2 * Math.SQRT2].map((score) => Number(score.toFixed(6))));
    expect(
      rounded([
        { values: [5, 5, 5], commits: [0, 1, 2] },
        { values: [900, 900], commits: [3, 4] },
      ]),
    ).toEqual({ series: 2, isBaseCommon: false, base: 'c0', scores: [1, 1, 1, 1, 1], measured: [1, 1, 1, 1, 1] });
  });

  it('orders commits by their time, takes the mean of several values of one, and leaves out what is no number above 0', () => {
    const backwards = commits.toReversed();
    expect(rounded([{ values: [2, 8, 1], commits: [1, 1, 4] }], backwards)).toMatchObject({
      base: 'c0',
      scores: [1, 4],
      measured: [1, 1],
    });
    expect(
      rounded([
        { values: [0, 0], commits: [0, 1] },
        { values: [1, 2], commits: [0, 1] },
      ]),
    ).toMatchObject({ series: 1, scores: [1, 2] });
    expect(rounded([])).toEqual({ series: 0, isBaseCommon: false, base: undefined, scores: [], measured: [] });
  });
});
