/** Keys and indices from the root of a file down to a value. */
export type Path = readonly (string | number)[];

/** Something in a configuration that cannot be carried out. */
export interface Problem {
  readonly path: Path;
  /** What is marked: the value, or the key that it belongs to. */
  readonly at: 'key' | 'value';
  readonly message: string;
  /** What to do next, one sentence; `null` when the message says it. */
  readonly hint: string | null;
}

/** Collects what is wrong, so that everything is told at once. One place is told once. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  add(
    path: Path,
    message: string,
    { hint = null, at = 'value' }: { readonly hint?: string | null; readonly at?: Problem['at'] } = {},
  ): void {
    const key = `${at} ${JSON.stringify(path)}`;
    if (!this.#found.has(key)) this.#found.set(key, { path, at, message, hint });
  }

  get found(): readonly Problem[] {
    return [...this.#found.values()];
  }
}
