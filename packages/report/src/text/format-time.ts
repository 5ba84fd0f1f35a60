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
const nanosecond: TimeUnit = { name: 'ns', perSecond: 1e9 };

/** The largest unit in which `seconds` is at least 1; nanoseconds below that. */
export function chooseTimeUnit(seconds: number): TimeUnit {
  return units.find(({ perSecond }) => Math.abs(seconds) * perSecond >= 1) ?? nanosecond;
}

/** Seconds in a unit, with four digits where that is no false precision of the clock. */
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
