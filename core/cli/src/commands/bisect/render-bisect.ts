import { countOf, formatDifference, formatShare, percentDigits } from '@deadheat/report';
import { type BisectResult, type BisectStep, titleOf } from 'deadheat/internals';

/** Suspects that are listed by name. */
const mostListed = 20;

/** A step on one line: what was measured, and what that makes of the commit. */
export function renderStep({ commit, outcome, interval, runs, reason }: BisectStep, number: number): string {
  const measured =
    interval === null || runs === null
      ? ''
      : ` ${formatInterval(interval)}, ${formatShare(interval.level)} CI, ${countOf(runs, 'run')}`;
  const why = reason === null ? '' : ` (${reason.split('\n')[0] ?? ''})`;
  return `step ${number}: ${titleOf(commit)}:${measured} ${outcome}${why}`;
}

/** What a search found, as text for a terminal or a log, ending in a line break. */
export function renderBisect(result: BisectResult): string {
  const { stopped } = result;
  const lines = [...headline(result), ...(stopped === undefined ? gaps(result) : [`The search stopped: ${stopped}`])];
  const { good, bad, steps, confidence, threshold, method } = result;
  const tried = steps.map(
    ({ commit, outcome, interval }) =>
      `    ${outcome.padEnd(9)}  ${interval === null ? 'not measured' : formatInterval(interval)}  ${titleOf(commit)}`,
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
  const interval = steps[0]?.interval ?? null;
  const how = interval === null ? '' : `: ${formatInterval(interval)}`;
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
