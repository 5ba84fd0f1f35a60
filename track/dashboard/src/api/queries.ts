import { z } from 'zod';
import { methodSchema, paramsSchema, verdictSchema } from '@deadheat/model';
import { nameOf, verdictOrder } from '@deadheat/report';
import { RequestError } from '../errors.ts';
import { directionOf, type FoundChange } from '../source/change-search.ts';
import type { CommitRow } from '../source/commit-comparison.ts';
import type { TriageView } from '../source/triage-shelf.ts';
import {
  usualLeastChange,
  triageStateSchema,
  type ChangeTriage,
  type HistoryPoint,
  type SeriesName,
} from '@deadheat/history';

/**
 * Parses the parameters of a URL. An empty parameter counts as absent, like an empty field of a form.
 *
 * @throws RequestError `BAD_REQUEST`, which names the parameter
 */
export function readQuery<Schema extends z.ZodType>(
  found: Readonly<Record<string, string>>,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new RequestError('BAD_REQUEST', `A parameter of the URL cannot be used: ${problems}.`);
}

const part = {
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
};

/** Query for the newest comparisons: a filter and an order. */
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
      // reported below
    }
    context.addIssue('is no JSON object of texts');
    return z.NEVER;
  });

/** Query that names a series. */
export const seriesNameQuery = z.object({
  project: z.string(),
  benchmark: z.string(),
  params: paramsText.describe('a JSON object of names and values'),
  method: methodSchema.optional().describe('default: that of its newest comparison'),
});

export const seriesQuery = seriesNameQuery.extend({
  metric: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('what is followed, such as rss or allocs/op; default: what decided each comparison'),
  of: z
    .enum(['ratio', 'time', 'value'])
    .optional()
    .describe('default: ratio where all have one commit as A, else the time or the value of B'),
  leastChange: z.coerce
    .number()
    .min(0)
    .lt(1)
    .default(usualLeastChange)
    .describe('smallest change of level that is shown, as a share: 0.01 = 1 %'),
  against: z.string().min(1).optional().describe('only comparisons with this commit as A'),
  host: z.string().min(1).optional().describe('only comparisons that were measured on this machine'),
});

const seriesKeys = z.array(z.string().max(10_000)).max(100);

/** A query that names several series by their keys, in the parameter `series` as a JSON array of them. */
export const seriesListQuery = seriesQuery.pick({ metric: true, of: true, leastChange: true, host: true }).extend({
  series: z
    .string()
    .default('[]')
    .transform((text, context) => {
      try {
        return seriesKeys.parse(JSON.parse(text)).map(seriesWithKey);
      } catch {
        context.addIssue('is no key of a series: a JSON array of project, benchmark, parameters and method');
        return z.NEVER;
      }
    }),
});

const seriesKeySchema = z.tuple([z.string(), z.string(), z.string(), methodSchema]);

function seriesWithKey(key: string): SeriesName {
  const [project, benchmark, params, method] = seriesKeySchema.parse(JSON.parse(key));
  return { project, benchmark, params: paramsSchema.parse(JSON.parse(params)), method };
}

export const noQuery = z.object({});

/** The number of a part of a list on a page. */
export const pageNumber = { page: z.coerce.number().int().min(1).default(1) };

/** Query for changes of level. */
export const changesQuery = z.object({
  project: z.string().optional(),
  q: z.string().max(200).optional().describe('part of the name or the parameters of a benchmark'),
  direction: z.enum(['slower', 'faster']).optional(),
  state: z
    .enum(['open', ...triageStateSchema.options])
    .optional()
    .describe('what was decided; open = anything but expected'),
  ...part,
});

export const decisionQuery = z.object({
  state: triageStateSchema,
  ticket: z.string().optional().describe('address or number; needed by the state ticket'),
  note: z.string().optional(),
  by: z.string().optional().describe('who decides; default: the name of the token'),
});

/** Query for the health of the benchmarks. */
export const healthQuery = changesQuery.pick({ project: true, q: true, offset: true, limit: true });

/** The series that fit a query, in their order. */
export function selectHealth<Series extends SeriesName>(
  all: readonly Series[],
  { project, q }: Pick<z.output<typeof healthQuery>, 'project' | 'q'>,
): readonly Series[] {
  const part = q?.trim().toLowerCase() ?? '';
  return all.filter(
    (one) =>
      (project === undefined || one.project === project) && (part === '' || nameOf(one).toLowerCase().includes(part)),
  );
}

/** Query for the summary score of a project. */
export const summaryQuery = z.object({
  project: z.string().min(1),
  method: methodSchema.optional().describe('only series of this method; default: all'),
});

/** Query for two commits over all benchmarks. */
export const compareQuery = z.object({
  from: z.string().min(1).max(200).describe('the earlier commit: its label, its hash, or how that begins'),
  to: z.string().min(1).max(200).describe('the later commit'),
  project: z.string().optional(),
  q: z.string().max(200).optional().describe('part of the name or the parameters of a benchmark'),
  show: z.enum(['certain', 'all']).default('certain').describe('certain = only what is slower or faster for certain'),
  ...part,
});

/** The benchmarks of two commits that fit a query, in their order. */
export function selectRows(
  rows: readonly CommitRow[],
  { q, show }: Pick<z.output<typeof compareQuery>, 'show'> & { readonly q?: string | undefined },
): readonly CommitRow[] {
  const part = q?.trim().toLowerCase() ?? '';
  return rows.filter(
    (row) =>
      (show === 'all' || row.verdict !== 'undecided') && (part === '' || nameOf(row).toLowerCase().includes(part)),
  );
}

/** A change with the decision about it. */
export interface TriagedChange {
  readonly change: FoundChange;
  readonly decided: ChangeTriage | undefined;
}

/** The changes that fit a query, in their order. */
export function selectChanges(
  changes: readonly FoundChange[],
  {
    triage,
    query: { project, q, direction, state },
  }: { readonly triage: TriageView; readonly query: Omit<z.output<typeof changesQuery>, 'offset' | 'limit'> },
): readonly TriagedChange[] {
  const part = q?.trim().toLowerCase() ?? '';
  return changes
    .filter(
      (change) =>
        (project === undefined || change.project === project) &&
        (direction === undefined || directionOf(change) === direction) &&
        (part === '' || nameOf(change).toLowerCase().includes(part)),
    )
    .map((change) => ({ change, decided: triage.of(change)[0] }))
    .filter(({ decided }) => {
      const found = decided?.state ?? 'new';
      return state === undefined || (state === 'open' ? found !== 'expected' : found === state);
    });
}

type Selection = Omit<z.output<typeof benchmarksQuery>, 'offset' | 'limit'>;

/** The newest comparisons that fit a query, in its order. */
export function selectBenchmarks(
  latest: readonly HistoryPoint[],
  { project, q, verdict, method, sort }: Selection,
): readonly HistoryPoint[] {
  const part = q?.trim().toLowerCase() ?? '';
  const found = latest.filter(
    (point) =>
      (project === undefined || point.project === project) &&
      (verdict === undefined || point.verdict === verdict) &&
      (method === undefined || point.method === method) &&
      (part === '' || nameOf(point).toLowerCase().includes(part)),
  );
  switch (sort) {
    case 'name':
      return found;
    case 'newest':
      return found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0));
    case 'worst':
      return worstFirst(found);
  }
}

/** By verdict, then the largest ratio. */
export function worstFirst(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  return points.toSorted(
    (a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) || b.ratio.estimate - a.ratio.estimate,
  );
}
