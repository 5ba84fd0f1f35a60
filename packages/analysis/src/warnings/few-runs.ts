import type { Ratio, Warning } from '@deadheat/model';
import type { ResamplingUnits } from '../units/resampling-units.ts';

/** Fewer units than this make every interval a rough one. */
const FEWEST_UNITS = 10;

/** FEW_RUNS, below ten units; says so when the t interval had to stand in for the bootstrap. */
export const fewRuns = (
  units: ResamplingUnits,
  options: { readonly asked: Ratio['interval']; readonly used: Ratio['interval'] },
): Warning[] => {
  const count = units.members.length;
  if (count >= FEWEST_UNITS) return [];
  const runs = units.members.reduce((sum, members) => sum + members.length, 0);
  const what = units.unit === 'run' ? `${count} runs` : `${runs} runs in ${count} blocks that traded cores`;
  const stand =
    options.asked === options.used
      ? 'the interval is rough'
      : `too few for the ${options.asked} interval to hold its level, so a t interval, which assumes normal log ratios, stands in`;
  const enough = units.unit === 'run' ? FEWEST_UNITS : 2 * FEWEST_UNITS;
  return [{ code: 'FEW_RUNS', message: `only ${what}: ${stand}; give it ${enough} runs or more (--runs ${enough})` }];
};
