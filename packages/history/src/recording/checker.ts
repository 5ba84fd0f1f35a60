interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A schema, as far as reading needs it. */
export interface Checker<Value> {
  readonly safeParse: (
    value: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}
