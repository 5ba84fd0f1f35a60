import { z } from 'zod';

/** A map with these keys and no others. The error of an unknown key lists those that are known. */
export function mapSchema<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? known.join(' ') : 'a map'),
  });
}
