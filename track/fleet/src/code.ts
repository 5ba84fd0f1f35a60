import { z } from 'zod';

const hashSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** Where the programs of an experiment come from, as a worker gets them. */
export const codeSchema = z.discriminatedUnion('kind', [
  /** Commands of programs that are installed on every machine. */
  z.object({ kind: z.literal('here') }),
  /** Container images; nothing is executed outside containers. */
  z.object({ kind: z.literal('images') }),
  /** A file in a commit: a worker reads from the commit itself what is to be executed. */
  z.object({
    kind: z.literal('commit'),
    repository: z.string().min(1),
    /** Whole hash. */
    commit: hashSchema,
    /** Whole hash of the commit in which side A is executed, as it describes it; absent = both sides are of `commit`. */
    base: hashSchema.optional(),
    /** From the root of the repository. */
    file: z.string().min(1),
    /** Shell command that prepares a checkout, executed once for a commit; `null` = none. */
    setup: z.string().nullable(),
    /** Changes of the file that were typed, in the form that the reader of files takes. */
    changes: z.record(z.string(), z.unknown()),
  }),
]);
export type Code = Readonly<z.infer<typeof codeSchema>>;
