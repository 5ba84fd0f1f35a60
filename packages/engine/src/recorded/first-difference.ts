/** Where two values are not the same. */
export interface Difference {
  /** Keys from the outermost, joined by dots. */
  readonly path: string;
  /** As JSON; `nothing` = absent. */
  readonly left: string;
  readonly right: string;
}

const longest = 120;

/** The first place at which two JSON values differ, in the order of keys; `null` = they are the same. */
export function firstDifference(left: unknown, right: unknown, path: readonly string[] = []): Difference | null {
  if (isGroup(left) && isGroup(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    for (const key of keys) {
      const found = firstDifference(left[key], right[key], [...path, key]);
      if (found !== null) return found;
    }
    return null;
  }
  return Object.is(left, right) ? null : { path: path.join('.'), left: shown(left), right: shown(right) };
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
