import { z } from 'zod';
import { fileNameSchema } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import type { Margin } from './amounts.ts';
import { listWords, parseConfidence, parseDuration, parseMargin, parseShare, toBytes } from './parse-values.ts';

/** A text; what YAML takes for a number or for true and false is a text too. */
export type Text = string | number | boolean;

/*
 * The `error` of every schema is what the value has to be: `a map`, `true or false`. `explainIssues` makes sentences
 * of it. Texts that the command line reads too are read by its parsers.
 */

export const textSchema: z.ZodType<Text, Text> = z.union(
  [z.string().regex(/^[^\0]*$/, { error: 'a text without NUL characters' }), z.number(), z.boolean()],
  { error: 'a text' },
);

/** A command, a name or a path: not empty. */
export const lineSchema: z.ZodType<string, string> = z
  .string({ error: 'a text' })
  .regex(/\S/, { error: 'a text that is not empty' })
  .regex(/^[^\0]*$/, { error: 'a text without NUL characters' });

/** Commands by the name of the file that keeps what they print. */
export const artifactsSchema: z.ZodType<Record<string, string>, Record<string, string>> = z.record(
  fileNameSchema,
  lineSchema,
  { error: 'a map of names and commands' },
);

/** Nanoseconds. */
export const durationSchema: z.ZodType<number, string | number> = parsed(
  parseDuration(''),
  'a duration such as 500ms, 10s, 2m or 1h',
);

export const confidenceSchema: z.ZodType<number, string | number> = parsed(
  parseConfidence(''),
  'a level between 0 and 1 such as 0.99 or 99%',
);

/** A share, 0 among them. */
export const shareSchema: z.ZodType<number, string | number> = parsed(
  parseShare('', { zero: 'allowed', example: '1%' }),
  'a share such as 1% or 0.01',
);

export const marginSchema: z.ZodType<Margin, string | number> = parsed(
  parseMargin(''),
  'a share such as 1% or 0.01, or a time such as 0.5ms',
);

export const precisionSchema: z.ZodType<number, string | number> = parsed(
  parseShare('', { zero: 'refused', example: '0.5%' }),
  'a share such as 0.5% or 0.005',
);

export const flagSchema: z.ZodType<boolean, boolean> = z.boolean({ error: 'true or false' });

/** Bytes, as `toBytes` reads them. */
export const memorySchema: z.ZodType<number, string | number> = z
  .union([z.string(), z.number()], { error: 'an amount of memory such as 512m or 2g' })
  .transform((value, context) => {
    const bytes = toBytes(String(value));
    if (bytes !== null) return bytes;
    context.addIssue({ code: 'custom', message: 'an amount of memory such as 512m or 2g', input: value });
    return z.NEVER;
  });

/** Largest number of runs, iterations and the like: at one a microsecond, 17 minutes. */
export const mostCounted = 1e9;

/** A whole number from `least` to `most`. */
export function countSchema(least: number, most: number = mostCounted): z.ZodType<number, number> {
  const error = `a whole number of at least ${least}`;
  return z
    .int({ error })
    .min(least, { error })
    .max(most, { error: `${error} and at most ${most}` });
}

/** One of a few words. */
export function wordSchema<const Word extends string>(words: readonly Word[]): z.ZodType<Word, Word> {
  return z.enum(words as readonly [Word, ...Word[]], { error: listWords(words) });
}

/** Either of two; `error` says what both allow. */
export function eitherSchema<A, InputA, B, InputB>(
  a: z.ZodType<A, InputA>,
  b: z.ZodType<B, InputB>,
  error: string,
): z.ZodType<A | B, InputA | InputB> {
  return z.union([a, b], { error });
}

/** A map with these keys and no others. The error of an unknown key lists those that are known. */
export function mapSchema<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? known.join(' ') : 'a map'),
  });
}

/** A text or number read as the command line reads an option's value. */
function parsed<Value>(parse: (value: string) => Value, error: string): z.ZodType<Value, string | number> {
  return z.union([z.string(), z.number()], { error }).transform((value, context) => {
    try {
      return parse(String(value));
    } catch (problem) {
      if (!(problem instanceof UsageError)) throw problem;
      const hint = problem.hint?.replaceAll(/ {2,}/g, ' ') ?? null;
      context.addIssue({
        code: 'custom',
        message: problem.message.trim(),
        input: value,
        params: { whole: true, hint },
      });
      return z.NEVER;
    }
  });
}
