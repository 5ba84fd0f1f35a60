/** Largest time, size or count that is read, in any unit: far above what is measured, and sums of squares stay finite. */
export const largestAmount = 1e19;

/** Nanoseconds in a unit of time. */
export const nsPer = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 } as const;

const names: ReadonlyMap<string, number> = new Map([
  ['ps', 1e-3],
  ['ns', 1],
  ['nsec', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['usec', 1e3],
  ['ms', 1e6],
  ['msec', 1e6],
  ['s', 1e9],
  ['sec', 1e9],
  ['min', 60e9],
  ['m', 60e9],
  ['hr', 3600e9],
  ['day', 86_400e9],
]);

/** Nanoseconds in a unit as tools write it; `null` for any other text. */
export function nsPerUnit(unit: string): number | null {
  return names.get(unit) ?? null;
}

/** The conversion of a score to the time of one operation. */
export interface ScoreUnit {
  /** The score is operations in a time: more is better. */
  readonly isRate: boolean;
  readonly nsPerUnit: number;
}

/** Reads `ns/op`, `ops/ms` and the like; `null` for a unit that is neither a time an operation nor a rate. */
export function scoreUnit(unit: string): ScoreUnit | null {
  const [top = '', bottom = ''] = unit.split('/');
  if (bottom === 'op') {
    const ns = nsPerUnit(top);
    return ns === null ? null : { isRate: false, nsPerUnit: ns };
  }
  if (top !== 'ops' && top !== 'op') return null;
  const ns = nsPerUnit(bottom);
  return ns === null ? null : { isRate: true, nsPerUnit: ns };
}
