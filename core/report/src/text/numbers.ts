import type { Interval } from '@deadheat/model';

/** Digits of a whole number with thousands in groups, from five digits on: `10 000`. */
export function groupDigits(digits: string): string {
  return digits.replace('-', '').length > 4 ? digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ') : digits;
}

/** `1 run`, `40 runs`, `10 000 replicates`: thousands in groups from five digits on. */
export function countOf(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${groupDigits(`${count}`)} ${count === 1 ? singular : plural}`;
}

const mostDigits = 4;
/** A ratio above this value means that there is no bound. */
const mostShown = 1e9;

/** Decimals of a percentage that show the ends of an interval apart from each other and from zero; 1 to 4. */
export function percentDigits({ low, high }: Pick<Interval, 'low' | 'high'>): number {
  const wanted = [high - low, ...(low > 1 || high < 1 ? [Math.min(Math.abs(low - 1), Math.abs(high - 1))] : [])];
  const least = Math.min(...wanted.filter((share) => share > 0)) * 100;
  if (!Number.isFinite(least) || least >= 0.1) return 1;
  return Math.min(mostDigits, Math.ceil(-Math.log10(least)));
}

/** From this ratio on, +400 %, a difference is a multiple. */
export const leastMultiple = 5;

/** Above this nobody needs the digits of an end that says nothing. */
const mostMultiple = 1e5;

/** A large ratio as a multiple: `6.2x`, `171x`, at most `over 100 000x`. */
export function formatMultiple(ratio: number): string {
  if (ratio > mostMultiple) return `over ${groupDigits(String(mostMultiple))}x`;
  return `${groupDigits(ratio.toFixed(ratio < 99.95 ? 1 : 0))}x`;
}

/** A ratio as a signed difference: 1.024 is `+2.4 %`, 0.9931 is `-0.7 %`, and 6.21 `6.2x`; `no bound` where it has none. */
export function formatDifference(ratio: number, digits: number): string {
  if (ratio > mostShown) return 'no bound';
  if (ratio >= leastMultiple) return formatMultiple(ratio);
  const percent = ((ratio - 1) * 100).toFixed(digits);
  const zero = Number(percent) === 0;
  return `${percent.startsWith('-') && !zero ? '' : '+'}${zero ? percent.replace('-', '') : percent} %`;
}

/** A ratio and the ends of its interval as signed differences, with the decimals that distinguish them. */
export function formatInterval({
  estimate,
  low,
  high,
}: Pick<Interval, 'estimate' | 'low' | 'high'>): Readonly<Record<'estimate' | 'low' | 'high', string>> {
  const digits = percentDigits({ low, high });
  return {
    estimate: formatDifference(estimate, digits),
    low: formatDifference(low, digits),
    high: formatDifference(high, digits),
  };
}

/** The interval of {@link formatInterval} in one text: `+2.4 % [+1.9 % … +3.0 %]`. */
export function formatRatio(ratio: Pick<Interval, 'estimate' | 'low' | 'high'>): string {
  const { estimate, low, high } = formatInterval(ratio);
  return `${estimate} [${low} … ${high}]`;
}

/** A share without sign and without zeros at the end: 0.99 is `99 %`, 0.009 is `0.9 %`. Two significant digits below 1 %. */
export function formatShare(share: number): string {
  if (share > mostShown) return '∞ %';
  const percent = share * 100;
  const text = percent >= 1 ? percent.toFixed(1) : percent.toPrecision(2);
  return `${Number(text)} %`;
}

/** A share that was chosen, not measured, with every digit: 0.9999 is `99.99 %`. */
export function formatChosenShare(share: number): string {
  return `${Number((share * 100).toPrecision(10))} %`;
}

/** The margin of a comparison as it was given: `1%`, `0.5ms`. */
export function formatMargin({
  margin,
  marginNs,
}: {
  readonly margin: number;
  readonly marginNs?: number | undefined;
}): string {
  if (marginNs === undefined) return formatChosenShare(margin).replace(' ', '');
  const [unit, ns] =
    marginNs >= 1e9 ? ['s', 1e9] : marginNs >= 1e6 ? ['ms', 1e6] : marginNs >= 1e3 ? ['us', 1e3] : ['ns', 1];
  return `${Number((marginNs / ns).toPrecision(10))}${unit}`;
}

/** The margin as a share for people, and as the time that was given. */
export function formatMarginShare(comparison: {
  readonly margin: number;
  readonly marginNs?: number | undefined;
}): string {
  const { margin, marginNs } = comparison;
  return marginNs === undefined ? formatChosenShare(margin) : `${formatMargin(comparison)} (${formatShare(margin)})`;
}

/** A unit of time for a column of numbers. */
export interface TimeUnit {
  readonly name: 'ns' | 'µs' | 'ms' | 's';
  readonly perSecond: number;
}

const units: readonly TimeUnit[] = [
  { name: 's', perSecond: 1 },
  { name: 'ms', perSecond: 1e3 },
  { name: 'µs', perSecond: 1e6 },
  { name: 'ns', perSecond: 1e9 },
];
/** The unit of this name. */
export function timeUnitOf(name: TimeUnit['name']): TimeUnit {
  return units.find((unit) => unit.name === name) ?? nanosecond;
}

const nanosecond: TimeUnit = { name: 'ns', perSecond: 1e9 };

/** The largest unit in which `seconds` is at least 1; nanoseconds below that. */
export function chooseTimeUnit(seconds: number): TimeUnit {
  return units.find(({ perSecond }) => Math.abs(seconds) * perSecond >= 1) ?? nanosecond;
}

/** The unit that was asked for, or that of the larger one of two times in seconds, unless the smaller one would vanish in it. */
export function unitOfBoth(times: readonly [number, number], asked: TimeUnit['name'] | null = null): TimeUnit {
  if (asked !== null) return timeUnitOf(asked);
  const [small, large] = [Math.min(...times), Math.max(...times)];
  return chooseTimeUnit(small > 0 && small * 1000 < large ? small : large);
}

/** Seconds in a unit, with four digits, or fewer where the clock is less precise. */
export function formatTime(seconds: number, { name, perSecond }: TimeUnit): string {
  const value = seconds * perSecond;
  const size = Math.abs(value);
  const digits = name === 'ns' || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return `${value.toFixed(digits)} ${name}`;
}

/** A stretch of time in words for people: `0.4 s`, `12 s`, `4 min`, `2 h 10 min`. */
export function formatStretch(ns: number): string {
  const seconds = ns / 1e9;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${seconds.toFixed(0)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
