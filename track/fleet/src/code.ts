import { z } from 'zod';

/** Where the programs of an experiment come from, as a worker gets them. */
export type Code =
  /** Commands of programs that are installed on every machine. */
  | { readonly kind: 'here' }
  /** Container images; nothing is executed outside containers. */
  | { readonly kind: 'images' }
  /** A file in a commit: a worker reads from the commit itself what is to be executed. */
  | {
      readonly kind: 'commit';
      readonly repository: string;
      /** Whole hash. */
      readonly commit: string;
      /** Whole hash of the commit in which side A is executed, as it describes it; absent = both sides are of `commit`. */
      readonly base?: string | undefined;
      /** From the root of the repository. */
      readonly file: string;
      /** Shell command that prepares a checkout, executed once for a commit; `null` = none. */
      readonly setup: string | null;
      /** Restrictions of the command line on the file, in the form that the reader of files takes. */
      readonly narrowing: Readonly<Record<string, unknown>>;
    };

const hashSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

export const codeSchema: z.ZodType<Code> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('here') }),
  z.object({ kind: z.literal('images') }),
  z.object({
    kind: z.literal('commit'),
    repository: z.string().min(1),
    commit: hashSchema,
    base: hashSchema.optional(),
    file: z.string().min(1),
    setup: z.string().nullable(),
    narrowing: z.record(z.string(), z.unknown()),
  }),
]);
