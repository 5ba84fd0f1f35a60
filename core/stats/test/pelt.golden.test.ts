import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { kneePenalty, pelt, penaltyPath } from '../src/index.ts';
import { dataFolder } from './data.ts';
import { close, golden } from './golden.ts';

const file = golden('07-pelt');
/** The variance of a segment of equal values in the reference, whatever the unit. */
const zeroVariance = 1e-11;

/** The cost of a segmentation from its definition: two passes over each segment. */
function directCost(x: readonly number[], changepoints: readonly number[], logLength: boolean): number {
  let total = 0;
  let from = 0;
  for (const last of [...changepoints, x.length - 1]) {
    const part = x.slice(from, last + 1);
    const m = part.length;
    const mean = part.reduce((a, b) => a + b, 0) / m;
    const s2 = part.reduce((a, b) => a + (b - mean) ** 2, 0) / m;
    const variance = part.every((v) => v === part[0]) ? zeroVariance : s2;
    total += m * (Math.log(2 * Math.PI) + Math.log(variance) + 1) + (logLength ? Math.log(m) : 0);
    from = last + 1;
  }
  return total;
}

/** Equal change points, or a tie: the penalised cost is as expected, and the expected change points have no smaller one. */
function sameOptimum(
  x: readonly number[],
  ours: readonly number[],
  expected: readonly number[],
  penalty: number,
  expectedCost: number,
  mbic = false,
): void {
  if (ours.join() === expected.join()) return;
  const what = `${ours.join()} instead of ${expected.join()}`;
  const slack = 1e-6 * Math.max(1, Math.abs(expectedCost));
  close(directCost(x, ours, mbic) + penalty * ours.length, expectedCost, 0, slack, what);
  close(directCost(x, expected, mbic) + penalty * expected.length, expectedCost, 0, slack, `the expectation, ${what}`);
}

describe('07: change points of synthetic series', () => {
  for (const c of file.synthetic) {
    const x: number[] = c.input.x;
    for (const run of c.runs) {
      test(`${c.id}: ${run.penalty} ${run.penalty_value}, segments of at least ${run.minseglen}`, () => {
        const penalty = run.penalty === 'Manual' ? run.penalty_value : run.penalty.toLowerCase();
        const result = pelt(x, { penalty, minSegmentLength: run.minseglen, zeroVariance });
        close(result.penalty, run.penalty_value, 1e-12, 0, 'penalty');
        sameOptimum(
          x,
          [...result.changepoints],
          run.changepoints,
          result.penalty,
          run.penalised_cost,
          run.cost === 'mbic',
        );
        close(result.cost, run.total_cost, 1e-9, 1e-9, 'cost');
        close(result.penalisedCost, run.penalised_cost, 1e-9, 1e-9, 'penalised cost');
      });
    }
    if (!c.crops) continue;
    test(`${c.id}: all penalties`, () => {
      const [from, to] = c.crops.range;
      const path = penaltyPath(x, { from, to, zeroVariance });
      expect(path.map((step) => step.changepoints.length)).toEqual(c.crops.ncpts);
      path.forEach((step, i) => close(step.penalty, c.crops.penalties[i], 1e-6, 0, `step ${i}`));
      const knee = kneePenalty(
        path.map((step) => step.penalty),
        path.map((step) => step.changepoints.length),
      );
      const penalty = knee?.penalty ?? (path.length === 1 ? path[0]!.penalty : 15 * Math.log(x.length));
      close(penalty, c.crops.knee_penalty, 1e-6, 0, 'knee');
    });
  }
});

const data = join(dataFolder, 'steady-state');
const present = existsSync(data);
describe.skipIf(!present)(
  `07: forks of the steady-state data${present ? '' : ' (skipped: the data folder is absent)'}`,
  () => {
    for (const c of file.real_forks) {
      test(`${c.file} fork ${c.fork}`, () => {
        const set = JSON.parse(gunzipSync(readFileSync(join(data, c.file))).toString());
        const outliers = new Set(set.outliers[c.fork]);
        const x: number[] = set.series[c.fork].filter((_: number, i: number) => !outliers.has(i));
        expect(x).toHaveLength(c.n_after_outlier_removal);
        for (const run of c.runs) {
          const penalty = run.penalty === 'MBIC' ? 'mbic' : run.penalty === 'BIC' ? 'bic' : run.penalty_value;
          const result = pelt(x, { penalty, zeroVariance });
          const ours = [...result.changepoints];
          if (run.accept_filtered) {
            const accepted: number[][] = run.accept_filtered;
            for (const a of accepted) {
              sameOptimum(x, ours, a, run.penalty_value, directCost(x, ours, false) + run.penalty_value * ours.length);
            }
          } else {
            sameOptimum(x, ours, run.changepoints_filtered, result.penalty, run.penalised_cost, run.penalty === 'MBIC');
          }
        }
      });
    }
  },
);
