import { groupDigits } from '../text/group-digits.ts';

/** Round numbers on an axis, ascending, and how they are written. */
export interface AxisTicks {
  readonly values: readonly number[];
  /** Decimals that tell them apart. */
  readonly decimals: number;
}

/** Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, about `count` of them; none where `high` is not above `low`. */
export function axisTicks([low, high]: readonly [number, number], count: number): AxisTicks {
  const wanted = (high - low) / count;
  if (!(wanted > 0) || !Number.isFinite(wanted)) return { values: [], decimals: 0 };
  const { digit, power } = roundStep(wanted);
  const scale = 10 ** Math.abs(power);
  // Below 1 by whole numbers: 3 times 0.1 is not 0.3, and 0.3 divided by 0.1 is not 3.
  const valueOf = (multiple: number): number => (power < 0 ? (multiple * digit) / scale : multiple * digit * scale);
  const multipleOf = (value: number): number => (power < 0 ? (value * scale) / digit : value / digit / scale);
  const [first, last] = [Math.ceil(multipleOf(low)), Math.floor(multipleOf(high))];
  const values: number[] = [];
  for (let multiple = first; multiple <= last; multiple++) values.push(multiple === 0 ? 0 : valueOf(multiple));
  return { values, decimals: Math.max(0, -power) };
}

/** A number beside an axis: thousands in groups. */
export function formatTick(value: number, decimals: number): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

/** The digit and the power of ten whose product is nearest to a step above 0, by its logarithm. */
function roundStep(wanted: number): { readonly digit: number; readonly power: number } {
  const power = Math.floor(Math.log10(wanted));
  const times = wanted / 10 ** power;
  if (times >= Math.sqrt(50)) return { digit: 1, power: power + 1 };
  return { digit: times >= Math.sqrt(10) ? 5 : times >= Math.sqrt(2) ? 2 : 1, power };
}
