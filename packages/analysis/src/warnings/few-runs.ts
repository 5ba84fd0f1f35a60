import type { Comparison, IntervalKind, Ratio, Warning } from '@deadheat/model';
import { intervalName } from '../interval/interval-name.ts';

/** Fewer units than this make every interval a rough one. */
const FEWEST_UNITS = 10;

/** FEW_RUNS, below ten units; says so when the t interval had to stand in for the one that was asked for. */
export const fewRuns = (
  madeOf: Comparison['resampled'],
  options: { readonly runs: number; readonly asked: IntervalKind; readonly used: Ratio['interval'] },
): Warning[] => {
  const { unit, count } = madeOf;
  if (count >= FEWEST_UNITS) return [];
  const { runs, asked, used } = options;
  const what = unit === 'traded-block' ? `${runs} runs in ${count} blocks that traded cores` : `${count} runs`;
  const name = asked === 'rank' ? 'rank' : intervalName(asked);
  const stand =
    used === 't' && asked !== 't'
      ? `too few for the ${name} interval to hold its level, so a t interval, which assumes normal log ratios, stands in`
      : 'the interval is rough';
  const enough = unit === 'traded-block' ? 2 * FEWEST_UNITS : FEWEST_UNITS;
  return [{ code: 'FEW_RUNS', message: `only ${what}: ${stand}; give it ${enough} runs or more (--runs ${enough})` }];
};
