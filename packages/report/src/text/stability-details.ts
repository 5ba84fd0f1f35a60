import { sides, type Comparison, type Stability } from '@deadheat/model';
import { countOf } from './count-of.ts';
import type { Detail } from './detail.ts';

/** More runs than these are shown as a range. */
const mostListed = 12;

/** Where warm-up ended, and whether the runs were stable together; nothing where their number was fixed. */
export function stabilityDetails({ stability }: Pick<Comparison, 'stability'>): readonly Detail[] {
  if (stability === null || stability.runs.length === 0) return [];
  const { overRuns } = stability;
  return [
    {
      label: 'warm-up',
      text: `${warmupText(stability)}, by ${criteriaText(stability)}${isApart(stability) ? ', each by itself' : ' on both sides'}`,
    },
    ...(overRuns === null
      ? []
      : [
          {
            label: 'stopped',
            text: `${overRuns.stable ? '' : 'not '}stable after ${countOf(overRuns.runs, 'run')}, by ${criteriaText(stability)} on both sides`,
          },
        ]),
  ];
}

function warmupText(stability: Stability): string {
  const { runs } = stability;
  if (!isApart(stability)) return endsText(runs);
  return sides.map((side) => `${side} ${endsText(runs.flatMap(({ apart }) => apart?.[side] ?? []))}`).join('; ');
}

/** Whether each side's warm-up ends where it does, whatever the other does. */
function isApart({ runs }: Stability): boolean {
  return runs.every(({ apart }) => apart !== null);
}

function endsText(runs: readonly { readonly decidedAfter: number; readonly stable: boolean }[]): string {
  const unstable = runs.filter(({ stable }) => !stable).length;
  const ends = runs.map(({ decidedAfter, stable }) => `${decidedAfter}${stable ? '' : '*'}`);
  const counts = runs.map(({ decidedAfter }) => decidedAfter);
  const where =
    runs.length <= mostListed
      ? `ended after ${ends.join(', ')} iterations of the runs`
      : `ended after ${Math.min(...counts)} to ${Math.max(...counts)} iterations of the runs`;
  if (unstable === 0) return `${where}, stable`;
  const mark = runs.length <= mostListed ? ' (*)' : '';
  return `${where}, not stable in ${unstable} of ${countOf(runs.length, 'run')}${mark}`;
}

function criteriaText({ criteria, combine, like, liftCaps }: Stability): string {
  const names = criteria.join(combine === 'all' ? ' and ' : ' or ');
  const reading = like === 'paper' ? '' : ` like ${like}`;
  return `${names}${reading}${liftCaps === 1 ? '' : `, caps times ${liftCaps}`}`;
}
