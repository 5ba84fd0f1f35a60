import type { Params } from '@deadheat/model';
import type { Parameter } from './invocation.ts';

/** Every combination of the parameters' values; the last parameter changes fastest. No parameter: one empty one. */
export function expandParameters(parameters: readonly Parameter[]): readonly Params[] {
  return parameters.reduce<readonly Params[]>(
    (combinations, { name, values }) =>
      combinations.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );
}
