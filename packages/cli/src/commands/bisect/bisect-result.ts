import type { Bisection, BisectionOutcome } from '@deadheat/analysis';
import type { Commit } from '@deadheat/engine';
import type { Method } from '@deadheat/model';

/** What was found of one commit. */
export interface BisectStep {
  readonly commit: Commit;
  readonly outcome: BisectionOutcome;
  /** Of its time and GOOD's, with the interval that holds at every look; `null` when it was not measured. */
  readonly ratio: {
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
    readonly confidence: number;
  } | null;
  readonly runs: number | null;
  /** Folder of the recording; `null` when there is none. */
  readonly recording: string | null;
  /** Why it was skipped or stayed undecided; else `null`. */
  readonly reason: string | null;
}

/** What a search found; what `--export-json` writes. */
export interface BisectResult {
  readonly schema: 'deadheat.bisect/1';
  readonly seed: string;
  /** By which every step was measured, and why where pilot runs of the first chose it; `null` = nothing was measured. */
  readonly method: { readonly name: Method; readonly reason: string | null } | null;
  readonly good: Commit;
  readonly bad: Commit;
  /** Commits from the first after GOOD to BAD. */
  readonly commits: number;
  /** Whether BAD is slower than GOOD. */
  readonly verdict: 'slower' | 'not-slower' | 'undecided';
  /** Slowdown against GOOD beyond which a commit is bad. */
  readonly threshold: number;
  /** The first bad commit is one of these, in order; empty unless BAD is slower. */
  readonly suspects: readonly Commit[];
  /** Last commit that is good; that before the suspects. */
  readonly lastGood: Commit | null;
  /** At least so probable it is that no step was wrong. */
  readonly confidence: number;
  readonly steps: readonly BisectStep[];
}

export function bisectResult(facts: {
  readonly range: { readonly good: Commit; readonly commits: readonly Commit[] };
  readonly bisection: Pick<Bisection, 'interval' | 'confidence'>;
  readonly steps: readonly BisectStep[];
  readonly threshold: number;
  readonly method: BisectResult['method'];
  readonly seed: string;
}): BisectResult {
  const { range, bisection, steps, threshold, method, seed } = facts;
  const { good, commits } = range;
  const { interval, confidence } = bisection;
  const first = steps[0]?.outcome;
  return {
    schema: 'deadheat.bisect/1',
    seed,
    method,
    good,
    bad: commits.at(-1) ?? good,
    commits: commits.length,
    verdict: interval !== null ? 'slower' : first === 'good' ? 'not-slower' : 'undecided',
    threshold,
    suspects: interval === null ? [] : commits.slice(interval.good + 1, interval.bad + 1),
    lastGood: interval === null ? null : (commits[interval.good] ?? good),
    confidence,
    steps,
  };
}
