/** First step of the path of what was typed, which stands in no file. */
export const typedRoot = '--';

/** Keys and indices from the root of a file down to a value. */
export type Path = readonly (string | number)[];

/** Something in a configuration that cannot be carried out. */
export interface Problem {
  readonly path: Path;
  /** Marked part of the file: the value, or the key that it belongs to. */
  readonly at: 'key' | 'value';
  readonly message: string;
  /** Remedy, one sentence; `null` when the message holds it. */
  readonly hint: string | null;
  /** The error that it comes from, with a code of its own; `null` = none. */
  readonly cause: Error | null;
}

/** Collects problems, so that all are reported at once. One place is reported once. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  add(
    path: Path,
    message: string,
    { hint = null, at = 'value', cause = null }: Partial<Pick<Problem, 'hint' | 'at' | 'cause'>> = {},
  ): void {
    const key = `${at} ${JSON.stringify(path)}`;
    if (!this.#found.has(key)) this.#found.set(key, { path, at, message, hint, cause });
  }

  get found(): readonly Problem[] {
    return [...this.#found.values()];
  }
}
