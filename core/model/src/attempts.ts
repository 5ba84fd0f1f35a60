import { z } from 'zod';
import { intervalSchema } from './intervals.ts';
import { verdictSchema } from './vocabulary.ts';

/*
 * The ledger of a loop of attempts: JSON lines, the first that of its start.
 */

/** A commit, with the shortest prefix of its hash and the first line of its message. */
const commitSchema = z.object({ id: z.string(), short: z.string(), subject: z.string() });

const startSchema = z.object({
  kind: z.literal('start'),
  schema: z.literal('deadheat.attempts/1'),
  name: z.string(),
  at: z.string(),
  /** The state that the final result is compared with, and the first best state. */
  baseline: commitSchema,
  /** Probability that the loop keeps anything that is not faster, at most. */
  error: z.number().gt(0).lt(1),
  /** The command, or the file of benchmarks. */
  subject: z.union([
    z.object({ file: z.string() }),
    z.object({ commands: z.array(z.record(z.string(), z.unknown())) }),
  ]),
  /** Settings of every comparison, as they were typed. */
  changes: z.object({
    typed: z.record(z.string(), z.unknown()),
    filter: z.array(z.string()),
    resources: z.array(z.string()),
  }),
  versions: z.object({
    setup: z.string().nullable(),
    bench: z.object({ from: z.enum(['head', 'base']), paths: z.array(z.string()) }).nullable(),
  }),
  /** Names of the benchmarks that are to become faster; empty = any of them. */
  targets: z.array(z.string()),
});

/** One measurement of an attempt, or of the whole loop. */
const judgedSchema = z.object({
  verdict: verdictSchema,
  /** Ratio B / A of the benchmark that decided, B being the attempt; `null` = nothing was measured. */
  interval: intervalSchema.nullable(),
  /** Name of that benchmark. */
  benchmark: z.string().nullable(),
  runs: z.int().nonnegative(),
  /** Time spent on measuring, ns. */
  wallNs: z.number().nonnegative(),
  /** Folder of the recording, from that of the ledger; `null` = none. */
  recording: z.string().nullable(),
});

/** Answer to an attempt. */
const answerSchema = z.enum(['keep', 'revert', 'not-yet']);
export type Answer = z.infer<typeof answerSchema>;

const attemptSchema = z.object({
  kind: z.literal('attempt'),
  number: z.int().positive(),
  at: z.string(),
  /** Hash of the changes against the best state. */
  diff: z.string(),
  /** The working tree, as a commit that no branch holds. */
  commit: commitSchema,
  /** The best state that it was compared with. */
  against: commitSchema,
  message: z.string().nullable(),
  answer: answerSchema,
  /** Why, in a sentence. */
  reason: z.string(),
  /** Confidence of its verdict; `null` = nothing was measured, and nothing spent. */
  confidence: z.number().nullable(),
  /** Why the gain was not believed at once and measured again; `null` = it was. */
  suspect: z.string().nullable(),
  first: judgedSchema,
  /** The second measurement of a suspect gain; else `null`. */
  again: judgedSchema.nullable(),
  environment: z.object({ host: z.string(), cpu: z.string(), cores: z.int(), node: z.string(), load: z.number() }),
});

const endSchema = z.object({
  kind: z.literal('end'),
  at: z.string(),
  final: commitSchema,
  /** The baseline against the final state, in runs that chose nothing; `null` = nothing was kept. */
  total: z.array(judgedSchema).nullable(),
});

/** A line of a ledger. */
export const ledgerEntrySchema = z.discriminatedUnion('kind', [startSchema, attemptSchema, endSchema]);
export type StartEntry = z.infer<typeof startSchema>;
export type AttemptEntry = z.infer<typeof attemptSchema>;
export type EndEntry = z.infer<typeof endSchema>;
export type Judged = z.infer<typeof judgedSchema>;
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type CommitOf = z.infer<typeof commitSchema>;
