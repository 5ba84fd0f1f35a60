import { z } from 'zod';

/** Notes that collectors (`deadheat history watch`) keep in a history as notes of the topic `watch`. */
export const watchNoteSchema = z.discriminatedUnion('kind', [
  /** Work that is reserved for one collector. */
  z.object({
    kind: z.literal('lease'),
    project: z.string(),
    /** The whole hash of a commit, or the canary of a host. */
    work: z.string(),
    holder: z.string(),
    /** End of the reservation, ISO 8601; work that is given back has the time of that here. */
    until: z.string(),
  }),
  /** A commit that could not be built or run. */
  z.object({
    kind: z.literal('failure'),
    project: z.string(),
    /** Whole hash. */
    commit: z.string(),
    code: z.string(),
    message: z.string(),
  }),
]);
export type WatchNote = Readonly<z.infer<typeof watchNoteSchema>>;
