import { median, medianAbsoluteDeviation } from '@deadheat/stats';
import type { Warning } from '@deadheat/model';
import { at } from '../internal/at.ts';

/** Turns a median absolute deviation into the standard deviation of a normal distribution. */
const NORMAL = 1.4826;
const FAR = 5;
/** With fewer units the middle half says too little about the spread. */
const FEWEST_UNITS = 5;
const NAMED = 6;

/**
 * RUN_FAR_OFF: units whose log ratio lies beyond five robust standard deviations from the median. They stay in the result.
 *
 * @param units log ratio of every unit and the run numbers it holds.
 */
export const runFarOff = (units: {
  readonly logRatios: ArrayLike<number>;
  readonly runNumbers: readonly (readonly number[])[];
}): Warning[] => {
  const { logRatios, runNumbers } = units;
  if (logRatios.length < FEWEST_UNITS) return [];
  const centre = median(logRatios);
  const spread = medianAbsoluteDeviation(logRatios, { scale: NORMAL });
  if (spread === 0) return [];
  const far = runNumbers.flatMap((numbers, u) =>
    Math.abs(at(logRatios, u) - centre) > FAR * spread ? [numbers.join(' and ')] : [],
  );
  if (far.length === 0) return [];
  const named = far.slice(0, NAMED).join(', ');
  const more = far.length > NAMED ? ` and ${far.length - NAMED} more` : '';
  const which = far.length === 1 && !named.includes(' ') ? `run ${named} is` : `runs ${named}${more} are`;
  return [
    {
      code: 'RUN_FAR_OFF',
      message:
        `${which} more than ${FAR} robust standard deviations from the median ratio; kept in the result. ` +
        'Look what else ran on the machine then, or give it a few --warmup runs if they are the first',
    },
  ];
};
