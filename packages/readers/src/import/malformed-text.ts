import { ImportError } from './import-error.ts';

/** A place in a file. */
export interface TextPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The error `MALFORMED_FILE` at a line and column; `what` has no full stop, `advice` is a sentence. */
export const malformedText = (
  { path, line, column }: TextPlace,
  { what, advice }: { readonly what: string; readonly advice: string },
): ImportError =>
  new ImportError('MALFORMED_FILE', `${path}:${line}:${column}: ${what}. ${advice}`, { path, line, column });
