import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { methodFacts, sides, type Method, type Params, type Side } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import type { MeasuredEntry } from '@deadheat/recording';

/** Iterations of a pilot run of a program whose iterations are fitted to its time limit. */
export const pilotIterations = 3;

/**
 * Rather more runs of fewer iterations: runs differ by more than iterations of one (Antoch et al., OOPSLA'26, section 7). At 95 % no verdict
 * is safe before 10 runs, and what starting the programs takes is not counted.
 */
const wantedRuns = 20;
/** Half of them are warm-up. */
const fewestIterations = 4;
/** Shorter iterations than this, ns, would measure the barrier. */
const shortestNs = 1e6;
/** Sides whose iterations differ by less than this factor keep them. */
const similar = 1.5;

/** Duration of an iteration of a benchmark on each side, ns. */
type IterationNs = Readonly<Record<Side, number>>;

/** Number of iterations of a run, and the factor by which the invocations in an iteration of each benchmark change. */
export interface FittedIterations {
  readonly iterations: number;
  readonly factors: readonly number[];
}

/**
 * Fits the runs of a program with several benchmarks to the time that is left. The iterations of the slower side become as long as
 * those of the faster one were, since the sides share their number of invocations; then there are fewer iterations; and where
 * that is not enough, shorter ones.
 *
 * @param times of the benchmarks in pilot runs.
 * @param limits.iterations most iterations of a run.
 * @param limits.leftNs time that is left for all runs.
 */
export function fitIterations(
  times: readonly IterationNs[],
  limits: { readonly iterations: number; readonly leftNs: number; readonly method: Method },
): FittedIterations {
  const { iterations, leftNs, method } = limits;
  const isParallel = methodFacts[method].cpus === 'one-each';
  const evened = times.map(({ A, B }) => {
    const [fast, slow] = [Math.min(A, B), Math.max(A, B)];
    const factor = slow > similar * fast ? Math.min(1, Math.max(fast / slow, shortestNs / slow)) : 1;
    return { factor, pairNs: factor * (isParallel ? slow : A + B), fastNs: factor * fast };
  });
  const pairsNs = evened.reduce((sum, { pairNs }) => sum + pairNs, 0);
  const runNs = Math.max(0, leftNs) / wantedRuns;
  const fitting = Math.min(iterations, Math.max(fewestIterations, Math.floor(runNs / pairsNs)));
  const shorter = Math.min(1, runNs / (fitting * pairsNs));
  const factors = evened.map(({ factor, fastNs }) => factor * Math.min(1, Math.max(shorter, shortestNs / fastNs)));
  return { iterations: fitting, factors };
}

/** Mean times of the iterations of pilot runs but the first of each, in which a program is compiled, ns. */
export function iterationTimes({ runs }: Pick<MeasuredEntry, 'runs'>): IterationNs | null {
  const times: Record<Side, number[]> = { A: [], B: [] };
  for (const { iterations } of runs) {
    for (const side of sides) {
      const { startsNs, endsNs, length } = iterations[side];
      for (let row = Math.min(1, length - 1); row < length; row++)
        times[side].push((endsNs[row] ?? 0) - (startsNs[row] ?? 0));
    }
  }
  if (times.A.length === 0 || times.B.length === 0) return null;
  const found = { A: mean(times.A), B: mean(times.B) };
  return found.A > 0 && found.B > 0 ? found : null;
}

/** Changes the numbers of invocations on which the sides have agreed (docs/formats/protocol.md), before anything is measured by them. */
export function changeInvocations(
  folder: string,
  changes: readonly { readonly benchmark: string; readonly params: Params; readonly factor: number }[],
): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const path = join(folder, file);
    const agreed = JSON.parse(readFileSync(path, 'utf8')) as {
      benchmark: string;
      params?: Params;
      invocations: number;
    };
    const change = changes.find(
      ({ benchmark, params }) => benchmark === agreed.benchmark && isDeepStrictEqual(params, agreed.params ?? {}),
    );
    if (change === undefined || change.factor === 1) continue;
    const invocations = Math.max(1, Math.round(change.factor * agreed.invocations));
    writeFileSync(path, `${JSON.stringify({ ...agreed, invocations })}\n`);
  }
}
