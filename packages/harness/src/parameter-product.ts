import { HarnessError } from './harness-error.ts';

/**
 * Every combination of one value each, the last parameter changing fastest. No parameters: one combination, empty.
 *
 * @throws HarnessError `BAD_BENCHMARK` for a parameter that is no array or has no value
 */
export function parameterProduct(
  lists: Readonly<Record<string, readonly unknown[]>>,
): readonly Readonly<Record<string, unknown>>[] {
  let combinations: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(lists)) {
    if (!Array.isArray(values) || values.length === 0) {
      throw new HarnessError('BAD_BENCHMARK', `params.${name} must be an array with at least one value`);
    }
    combinations = combinations.flatMap((chosen) => values.map((value: unknown) => ({ ...chosen, [name]: value })));
  }
  return combinations;
}
