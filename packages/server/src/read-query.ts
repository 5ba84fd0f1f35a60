import type { z } from 'zod';
import { RequestError } from './request-error.ts';

/**
 * Parameters of a URL as they are meant; what is empty is as if it were not there, as in a form that was not filled in.
 *
 * @throws RequestError `BAD_REQUEST`, which names the parameter
 */
export const readQuery = <Schema extends z.ZodType>(
  found: Readonly<Record<string, string>>,
  schema: Schema,
): z.output<Schema> => {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')));
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new RequestError('BAD_REQUEST', `A parameter of the URL cannot be used: ${told}.`);
};
