import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DeadheatError, methodFacts, sides, type Method, type Params, type Side } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import type { MeasuredEntry } from '@deadheat/recording';

/** Iterations of a pilot run of a program whose iterations are fitted to its time limit. */
export const pilotIterations = 3;

/** Where fewer runs than this fit a time limit, the iterations of a side that is slower than the other get shorter. */
const wantedRuns = 5;
/** Fewer runs make no interval. */
const fewestRuns = 2;
/** Shorter iterations than this, ns, would measure the barrier. */
const shortestNs = 1e6;
/** Sides whose iterations differ by less than this factor keep them. */
const similar = 1.5;

/** Duration of an iteration of a benchmark on each side, ns. */
type IterationNs = Readonly<Record<Side, number>>;

/**
 * Fits the runs of a program with several benchmarks to the time that is left: by their number alone, as with fewer iterations, or shorter ones, warm-up would be
 * measured. Where few runs fit, the iterations of a far slower side become as long as those of the faster one were, since the sides share their number of
 * invocations.
 *
 * @param times of the benchmarks in pilot runs.
 * @param limits.iterations number of iterations of a run.
 * @param limits.leftNs time that is left for all runs.
 * @returns the factor by which the invocations in an iteration of each benchmark change.
 * @throws DeadheatError `TIME_LIMIT_TOO_SHORT` where not even two runs fit.
 */
export function fitInvocations(
  times: readonly IterationNs[],
  limits: { readonly iterations: number; readonly leftNs: number; readonly method: Method },
): readonly number[] {
  const { iterations, leftNs, method } = limits;
  const isParallel = methodFacts[method].cpus === 'one-each';
  function runNs(factors: readonly number[]): number {
    const pairs = times.map(({ A, B }, k) => (factors[k] ?? 1) * (isParallel ? Math.max(A, B) : A + B));
    return iterations * pairs.reduce((sum, ns) => sum + ns, 0);
  }
  const asAgreed = times.map(() => 1);
  if (wantedRuns * runNs(asAgreed) <= leftNs) return asAgreed;
  const evened = times.map(({ A, B }) => {
    const [fast, slow] = [Math.min(A, B), Math.max(A, B)];
    return slow > similar * fast ? Math.min(1, Math.max(fast / slow, shortestNs / slow)) : 1;
  });
  const needed = runNs(evened);
  if (fewestRuns * needed <= leftNs) return evened;
  const fitting = Math.floor((times.length * leftNs) / (wantedRuns * needed));
  const only = fitting > 0 && fitting < times.length ? `, or choose about ${fitting} of them` : '';
  throw new DeadheatError(
    'TIME_LIMIT_TOO_SHORT',
    `The time limit leaves ${seconds(leftNs)}, and a run of ${times.length === 1 ? 'the benchmark' : `the ${times.length} benchmarks`} takes about ` +
      `${seconds(needed)} for ${iterations} iterations of each side. With fewer iterations warm-up would be measured. Allow ` +
      `${seconds(wantedRuns * needed)} or more${only}, or say how many iterations are enough.`,
  );
}

function seconds(ns: number): string {
  const s = Math.max(0, ns) / 1e9;
  return s < 10 ? `${s.toFixed(1)} s` : `${Math.ceil(s)} s`;
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
