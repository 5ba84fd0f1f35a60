import type { Settings, WarmupRule } from '@deadheat/model';
import { z } from 'zod';
import { UsageError } from '../errors/usage-error.ts';
import type { Margin } from './amounts.ts';
import {
  parseChoice,
  parseConfidence,
  parseCount,
  parseDuration,
  parseMargin,
  parseShare,
  parseText,
  badValue,
} from './parse-values.ts';
import {
  confidenceSchema,
  countSchema,
  durationSchema,
  eitherSchema,
  flagSchema,
  lineSchema,
  marginSchema,
  mostCounted,
  precisionSchema,
  textSchema,
  wordSchema,
  type Text,
} from './scalars.ts';

/** A kind of value: how it is written in a file, and how it is typed behind a flag. Both ways read the same values. */
export interface Kind<Value> {
  /** Its `error` is what the value has to be: `a whole number of at least 1`. */
  readonly schema: z.ZodType<Value>;
  /** Makes the parser of what is typed behind a flag. `null` = nothing is typed: the flag alone stands for true. */
  readonly parse: ((flag: string) => (typed: string) => Value) | null;
}

/** A whole number from `least` to `most`. */
export function count(least: number, most: number = mostCounted): Kind<number> {
  return { schema: countSchema(least, most), parse: (flag) => parseCount(flag, least, most) };
}

/** Iterations and time, either or both; `null` = it sets no limit. */
export interface RunLength {
  readonly iterations: number | null;
  readonly timeNs: number | null;
}

/** The length of a run as it is written: `100`, `10min` or `100 or 10min`; `null` for anything else. */
export function readLength(written: number | string): RunLength | null {
  const [first = '', second, ...more] = String(written).split(' or ');
  const isCount = /^\d+$/.test(first);
  if (more.length > 0 || (second !== undefined && !isCount)) return null;
  const iterations = isCount ? Number(first) : null;
  if (iterations !== null && (iterations < 1 || iterations > mostCounted)) return null;
  const time = isCount ? second : first;
  if (time === undefined) return { iterations, timeNs: null };
  const timeNs = timeOf(time);
  return timeNs === null ? null : { iterations, timeNs };
}

/** Warm-up as it is written: `20`, `5min`, `first-half` or `none`; `null` for anything else. */
export function readWarmup(written: number | string): WarmupRule | null {
  const text = String(written);
  if (text === 'first-half' || text === 'none') return { kind: text };
  if (/^\d+$/.test(text)) return Number(text) <= mostCounted ? { kind: 'fixed', iterations: Number(text) } : null;
  const timeNs = timeOf(text);
  return timeNs === null ? null : { kind: 'time', timeNs };
}

/** With its unit: a plain number counts iterations. */
function timeOf(text: string): number | null {
  if (!/[a-zµ]$/.test(text)) return null;
  try {
    return parseDuration('')(text);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** A text or a number that `read` understands, kept as it is written. */
export function written(read: (value: number | string) => unknown, allowed: string): Kind<number | string> {
  return {
    schema: z
      .union([z.number(), z.string()], { error: allowed })
      .refine((value) => read(value) !== null, { error: allowed }),
    parse: (flag) => (typed) => {
      if (read(typed) === null) throw badValue(flag, typed, { allowed });
      return typed;
    },
  };
}

/** Whole nanoseconds, written `500ms`, `10s` or `2m`; a plain number is seconds. */
export const duration: Kind<number> = { schema: durationSchema, parse: parseDuration };

/** A level inside (0, 1), written `99%` or `0.99`. */
export const confidence: Kind<number> = { schema: confidenceSchema, parse: parseConfidence };

/** A relative difference from 0 to below 1, written `1%` or `0.01`, or a time, written `0.5ms`. */
export const margin: Kind<Margin> = { schema: marginSchema, parse: parseMargin };

/** A margin as settings have it. */
export function marginSettings(most: Margin): Required<Pick<Settings, 'margin' | 'marginNs'>> {
  return typeof most === 'number' ? { margin: most, marginNs: null } : { margin: 0, marginNs: most.ns };
}

/** A relative difference above 0 and below 1, written `0.5%` or `0.005`. */
export const share: Kind<number> = {
  schema: precisionSchema,
  parse: (flag) => parseShare(flag, { zero: 'refused', example: '0.5%' }),
};

/** A number above 0 and up to 1. */
export const rate: Kind<number> = numberKind('a number above 0 and up to 1', (schema, error) =>
  schema.gt(0, { error }).lte(1, { error }),
);

/** A number of at least 1. */
export const factor: Kind<number> = numberKind('a number of at least 1', (schema, error) =>
  schema.min(1, { error }).max(mostCounted, { error: `${error}, at most ${mostCounted}` }),
);

/** A number between 0 and 1, both excluded. */
export const threshold: Kind<number> = numberKind('a number between 0 and 1', (schema, error) =>
  schema.gt(0, { error }).lt(1, { error }),
);

function numberKind(allowed: string, within: (schema: z.ZodNumber, error: string) => z.ZodType<number>): Kind<number> {
  const schema = within(z.number({ error: allowed }), allowed);
  return {
    schema,
    parse: (flag) => (typed) => {
      const read = schema.safeParse(/^\d+(\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN);
      if (read.success) return read.data;
      throw badValue(flag, typed, { allowed });
    },
  };
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return { schema: wordSchema(words), parse: (flag) => parseChoice(flag, words) };
}

/** True or false; the flag alone stands for true. */
export const flagKind: Kind<boolean> = { schema: flagSchema, parse: null };

/** A command, a path or a name: a text that is not empty; `meaning` says what it is. */
export function line(meaning: string): Kind<string> {
  return { schema: lineSchema, parse: (flag) => parseText(flag, meaning) };
}

/** A text; in a file also a number, true or false, which are taken as they are written. */
export const anyText: Kind<Text> = { schema: textSchema, parse: (flag) => parseText(flag, 'a text') };

/** A value of `kind` or one of `words`; `error` says what both allow. */
export function orWord<Value, const Word extends string>(
  kind: Kind<Value>,
  words: readonly Word[],
  error: string,
): Kind<Value | Word> {
  const { parse } = kind;
  return {
    schema: eitherSchema(kind.schema, words.length === 1 ? z.literal(words) : wordSchema(words), error),
    parse: (flag) => (typed) => {
      const word = words.find((one) => one === typed);
      if (word !== undefined) return word;
      try {
        if (parse !== null) return parse(flag)(typed);
      } catch (problem) {
        if (!(problem instanceof UsageError)) throw problem;
        // The place of the mistake is that of the kind; what is allowed is more.
        const { excerpt, hint } = problem;
        throw new UsageError('BAD_VALUE', `${flag} must be ${error}, not '${typed}'`, { excerpt, hint });
      }
      throw badValue(flag, typed, { allowed: error });
    },
  };
}
