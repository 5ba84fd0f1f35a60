import type { Side } from '@deadheat/model';
import { createExcerpt, UsageError } from 'deadheat/settings';

/**
 * The values of an option for several commands, in the order of the commands; given once it is for all of them, `null` where it is not
 * given.
 */
export function readEach(
  flag: string,
  { values = [], count }: { readonly values: readonly string[] | undefined; readonly count: number },
): readonly (string | null)[] {
  if (values.length === count) return values;
  if (values.length <= 1) return Array.from({ length: count }, () => values[0] ?? null);
  throw new UsageError(
    'BAD_VALUE',
    `${flag} can be given once for all ${count} commands or once for each, not ${values.length} times`,
    {
      excerpt: createExcerpt([flag, values.at(-1) ?? ''], { at: 1 }),
    },
  );
}

/** Values of an option given once for both sides or twice, A's first; not given: `null` for both. */
export function readSides(flag: string, values: readonly string[] = []): Readonly<Record<Side, string | null>> {
  const [a = null, b = a, third] = values;
  if (third === undefined) return { A: a, B: b };
  throw new UsageError(
    'BAD_VALUE',
    `${flag} can be given once for both commands or twice, not ${values.length} times`,
    {
      excerpt: createExcerpt([flag, third], { at: 1 }),
    },
  );
}
