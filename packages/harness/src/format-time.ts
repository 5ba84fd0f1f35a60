const units = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
] as const;

type Unit = (typeof units)[number];

/** The largest unit in which a time is at least 1; nanoseconds below that. */
export function unitOf(ns: number): Unit {
  return units.find((unit) => Math.abs(ns) >= unit.ns) ?? units[3];
}

/** A time in a unit, four digits and at most three of them behind the point. */
export function formatTime(ns: number, unit: Unit = unitOf(ns)): string {
  return `${formatIn(ns, unit)} ${unit.name}`;
}

/** As {@link formatTime}, without the unit. */
export function formatIn(ns: number, unit: Unit): string {
  const value = ns / unit.ns;
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3;
  return value.toFixed(digits);
}
