import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A usage error for the one value of `flag`: names both, says what is allowed, points at character `offset`. */
export function badValue(
  flag: string,
  value: string,
  { allowed, offset = 0, hint = null }: { allowed: string; offset?: number; hint?: string | null },
): UsageError {
  const excerpt = createExcerpt([flag, value], { at: 1, offset });
  return new UsageError('BAD_VALUE', `${flag} must be ${allowed}, not '${value}'`, { excerpt, hint });
}
