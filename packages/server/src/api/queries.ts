import { usualLeastChange } from '@deadheat/analysis';
import { methodSchema, paramsSchema, verdictSchema } from '@deadheat/model';
import { z } from 'zod';

const part = {
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
};

/** Which of the newest comparisons are asked for, and in which order. */
export const benchmarksQuery = z.object({
  project: z.string().optional(),
  q: z.string().max(200).optional().describe('part of the name or the parameters of a benchmark'),
  verdict: verdictSchema.optional(),
  method: methodSchema.optional(),
  sort: z.enum(['worst', 'name', 'newest']).default('worst').describe('worst: by verdict, then the largest ratio'),
  ...part,
});

export const experimentsQuery = z.object({ project: z.string().optional(), ...part });

const paramsText = z
  .string()
  .max(10_000)
  .default('{}')
  .transform((text, context) => {
    try {
      const found = paramsSchema.safeParse(JSON.parse(text));
      if (found.success) return found.data;
    } catch {
      // told below
    }
    context.addIssue('is no JSON object of texts');
    return z.NEVER;
  });

/** What names a series. */
export const seriesNameQuery = z.object({
  project: z.string(),
  benchmark: z.string(),
  params: paramsText.describe('a JSON object of names and values'),
  method: methodSchema.optional().describe('default: that of its newest comparison'),
});

export const seriesQuery = seriesNameQuery.extend({
  of: z.enum(['ratio', 'time']).optional().describe('default: ratio where all have one commit as A, else time'),
  leastChange: z.coerce
    .number()
    .min(0)
    .lt(1)
    .default(usualLeastChange)
    .describe('smallest change of level that is shown, as a share: 0.01 = 1 %'),
  against: z.string().min(1).optional().describe('only comparisons with this commit as A'),
});

export const noQuery = z.object({});
