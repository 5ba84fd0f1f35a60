import { z } from 'zod';

/** Where the programs of an experiment come from, as a worker gets them. */
export type Code =
  /** Commands as they are, of programs that are on every machine. */
  | { readonly kind: 'here' }
  /** Images; nothing is executed outside of their containers. */
  | { readonly kind: 'images' }
  /** A file in a commit: a worker reads from the commit itself what is to be executed. */
  | {
      readonly kind: 'commit';
      readonly repository: string;
      /** Whole hash. */
      readonly commit: string;
      /** From the root of the repository. */
      readonly file: string;
      /** Shell command that makes a checkout ready, carried out once for a commit; `null` = none. */
      readonly setup: string | null;
      /** What the command line narrowed the file to, as the reader of files understands it. */
      readonly narrowing: Readonly<Record<string, unknown>>;
    };

export const codeSchema: z.ZodType<Code> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('here') }),
  z.object({ kind: z.literal('images') }),
  z.object({
    kind: z.literal('commit'),
    repository: z.string().min(1),
    commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
    file: z.string().min(1),
    setup: z.string().nullable(),
    narrowing: z.record(z.string(), z.unknown()),
  }),
]);
