import type { Bisection, BisectionOutcome } from '@deadheat/analysis';
import type { Commit } from '@deadheat/engine';
import type { Comparison, ExperimentConfig, Method } from '@deadheat/model';
import { countOf, formatDifference, formatShare, formatStretch, percentDigits } from '@deadheat/report';
import { titleOf } from 'deadheat/internals';

/** What was found of one commit. */
export interface BisectStep {
  readonly commit: Commit;
  readonly outcome: BisectionOutcome;
  /** Of its time and GOOD's, with the interval that holds at every interim analysis; `null` when it was not measured. */
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
  /** Why the search ended before it had tried every commit that might have helped, and what to change; absent = it did not. */
  readonly stopped?: string;
}

export function bisectResult(facts: {
  readonly range: { readonly good: Commit; readonly commits: readonly Commit[] };
  readonly bisection: Pick<Bisection, 'interval' | 'confidence'>;
  readonly steps: readonly BisectStep[];
  readonly threshold: number;
  readonly method: BisectResult['method'];
  readonly seed: string;
  readonly stopped: string | null;
}): BisectResult {
  const { range, bisection, steps, threshold, method, seed, stopped } = facts;
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
    ...(stopped === null ? {} : { stopped }),
  };
}

/** Suspects that are listed by name. */
const mostListed = 20;

/** A step on one line: what was measured, and what that makes of the commit. */
export function renderStep({ commit, outcome, ratio, runs, reason }: BisectStep, number: number): string {
  const measured =
    ratio === null || runs === null
      ? ''
      : ` ${formatInterval(ratio)}, ${formatShare(ratio.confidence)} CI, ${countOf(runs, 'run')}`;
  const why = reason === null ? '' : ` (${reason.split('\n')[0] ?? ''})`;
  return `step ${number}: ${titleOf(commit)}:${measured} ${outcome}${why}`;
}

/** What a search found, as text for a terminal or a log, ending in a line break. */
export function renderBisect(result: BisectResult): string {
  const { stopped } = result;
  const lines = [...headline(result), ...(stopped === undefined ? gaps(result) : [`The search stopped: ${stopped}`])];
  const { good, bad, steps, confidence, threshold, method } = result;
  const tried = steps.map(
    ({ commit, outcome, ratio }) =>
      `    ${outcome.padEnd(9)}  ${ratio === null ? 'not measured' : formatInterval(ratio)}  ${titleOf(commit)}`,
  );
  return `${[
    ...lines,
    '',
    `confidence  at least ${formatShare(confidence)} over all steps together, if what is bad stays bad`,
    ...(method === null ? [] : [`method      ${method.name}${method.reason === null ? '' : `: ${method.reason}`}`]),
    `bad         is what is more than ${formatShare(threshold)} slower than GOOD, ${titleOf(good)}`,
    `steps       against GOOD, the first is BAD, ${titleOf(bad)}`,
    ...tried,
  ].join('\n')}\n`;
}

function headline(result: BisectResult): readonly string[] {
  const { verdict, suspects, lastGood, steps, good, bad } = result;
  const ratio = steps[0]?.ratio ?? null;
  const how = ratio === null ? '' : `: ${formatInterval(ratio)}`;
  switch (verdict) {
    case 'not-slower':
      return [`BAD, ${titleOf(bad)}, is not slower than GOOD, ${titleOf(good)}${how}: there is nothing to search.`];
    case 'undecided':
      return [
        `Whether BAD, ${titleOf(bad)}, is slower than GOOD, ${titleOf(good)}, stays undecided${how}.`,
        ...(result.stopped === undefined ? ['Give a step more time, --max-time 5m, or a larger --margin.'] : []),
      ];
    case 'slower': {
      const [only] = suspects;
      if (suspects.length === 1 && only !== undefined) return [`The first slow commit is ${titleOf(only)}`];
      const listed = suspects.slice(0, mostListed).map((commit) => `    ${titleOf(commit)}`);
      const more = suspects.length - listed.length;
      return [
        `The first slow commit is one of ${suspects.length}, after ${lastGood === null ? 'GOOD' : titleOf(lastGood)}`,
        ...listed,
        ...(more > 0 ? [`    and ${more} more, up to ${titleOf(suspects.at(-1) ?? bad)}`] : []),
      ];
    }
  }
}

/** Why no fewer commits are left. */
function gaps({ suspects, steps }: BisectResult): readonly string[] {
  if (suspects.length < 2) return [];
  const among = steps.filter(({ commit }) => suspects.some(({ id }) => id === commit.id));
  const count = (outcome: BisectStep['outcome']): number => among.filter((step) => step.outcome === outcome).length;
  const reasons = [
    ...(count('skipped') > 0 ? [`${countOf(count('skipped'), 'commit')} could not be built or did not run`] : []),
    ...(count('undecided') > 0
      ? [`${countOf(count('undecided'), 'commit')} stayed undecided; more --max-time may help`]
      : []),
  ];
  return reasons.length === 0 ? [] : [`because ${reasons.join(', and ')}`];
}

function formatInterval({
  estimate,
  low,
  high,
}: {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}): string {
  const digits = percentDigits({ low, high });
  const [a, b, c] = [estimate, low, high].map((value) => formatDifference(value, digits));
  return `${a} [${b} … ${c}]`;
}

/** What would decide the steps of a search, none of which can be decided with as many runs as one had. */
export function adviceAfter(
  { runs, time }: Pick<Comparison, 'runs' | 'time'>,
  facts: {
    /** Runs that a step needs. */
    readonly needed: number;
    readonly confidence: number;
    readonly config: Pick<ExperimentConfig, 'maxTimeNs' | 'iterations'>;
  },
): string {
  const { needed, confidence, config } = facts;
  const { maxTimeNs, iterations } = config;
  const neededNs = (time.wallNs / Math.max(1, runs)) * needed;
  const fewer = maxTimeNs === null || iterations === null ? 0 : Math.floor((0.8 * iterations * maxTimeNs) / neededNs);
  return [
    `at the level of a step, ${formatShare(confidence)}, a verdict needs about ${countOf(needed, 'run')}, which take ${formatStretch(neededNs)}, and a step had ${runs}.`,
    'No other step would be decided either. Give a step',
    `more time, --max-time ${Math.ceil((1.2 * neededNs) / 1e9)}s,`,
    ...(fewer < 2 ? [] : [`or its runs fewer iterations, --iterations ${fewer},`]),
    'or the search a lower --confidence or a larger --margin.',
  ].join(' ');
}
