import type { Side } from '@deadheat/model';
import { createExcerpt, UsageError } from 'deadheat/settings';

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
