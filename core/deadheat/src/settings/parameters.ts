import type { Params } from '@deadheat/model';
import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A parameter of benchmarks: its name and the texts that it stands for, in order. */
export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** Refuses a parameter name that could not stand between braces; `words` is the option with its values. */
export function checkParameterName(words: readonly string[], name: string): void {
  const wrong = /[^\p{L}\p{N}_.-]/u.exec(name);
  if (name !== '' && wrong === null) return;
  const excerpt = createExcerpt(words, { at: 1, offset: wrong?.index ?? 0 });
  const allowed = 'letters, digits, _, . and -';
  throw new UsageError('BAD_VALUE', `the name of a parameter holds only ${allowed}, not '${name}'`, { excerpt });
}

/** Every combination of the parameters' values; the last parameter changes fastest. No parameter: one empty combination. */
export function expandParameters(parameters: readonly Parameter[]): readonly Params[] {
  return parameters.reduce<readonly Params[]>(
    (combinations, { name, values }) =>
      combinations.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );
}
