import { z } from 'zod';
import { methodSchema, paramsSchema } from '@deadheat/model';

/**
 * The decision about a change of level: `new` = nothing yet, `acknowledged` = somebody looks after it, `expected` = it was wanted or is
 * accepted, `ticket` = it is followed elsewhere.
 */
export const triageStateSchema = z.enum(['new', 'acknowledged', 'expected', 'ticket']);
export type TriageState = z.infer<typeof triageStateSchema>;

/** Longest texts of an entry, characters. */
export const mostTriageText = { ticket: 500, note: 2000, by: 100 } as const;

/** A decision about one change of level of a series: who made it, and when. */
export const changeTriageSchema = z.object({
  project: z.string(),
  benchmark: z.string(),
  params: paramsSchema,
  method: methodSchema,
  /** Id of the experiment that holds the first comparison of the new level. */
  experiment: z.string(),
  direction: z.enum(['slower', 'faster']),
  state: triageStateSchema,
  /** Address or number of the ticket; `null` = none. */
  ticket: z.string().max(mostTriageText.ticket).nullable(),
  note: z.string().max(mostTriageText.note),
  by: z.string().max(mostTriageText.by),
  /** ISO 8601. */
  at: z.string(),
});
export type ChangeTriage = Readonly<z.infer<typeof changeTriageSchema>>;
