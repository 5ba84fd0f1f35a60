import { z } from 'zod';
import { methodSchema } from './methods.ts';
import { paramsSchema, verdictSchema } from './vocabulary.ts';

/**
 * Control of false alarms over all benchmarks of an experiment (Holm 1979; Benjamini and Hochberg 1995); `none`
 * leaves every benchmark its own level.
 */
export const correctionSchema = z.enum(['holm', 'benjamini-hochberg', 'none']);
export type FamilyCorrection = z.infer<typeof correctionSchema>;

/** Why a benchmark may be slower for a while. */
export const waiverSchema = z.object({
  /** Why the benchmark may be slower for a while. */
  reason: z.string(),
  /** Last day on which it counts, YYYY-MM-DD, UTC. */
  expires: z.iso.date(),
});
export type Waiver = z.infer<typeof waiverSchema>;

/** The difference that a gate is against: of B. */
export const gatedDifferenceSchema = z.enum(['slower', 'faster', 'changed']);
export type GatedDifference = z.infer<typeof gatedDifferenceSchema>;

/** The policy of a gate for what was not measured: it ends with that, it passes, or it passes where no larger difference than this share was missed. */
export type UndecidedPolicy = 'fail' | 'pass' | number;

const gatedSchema = z.object({
  /** Name of the benchmark. */
  benchmark: z.string(),
  /** Values of its parameters by their names. */
  params: paramsSchema,
  /** The method by which it was measured. */
  method: methodSchema,
  /** By itself, uncorrected. */
  verdict: verdictSchema,
  /** One-sided p value that B is not slower; of a control two-sided that A does not differ from itself. */
  p: z.number().min(0).max(1),
  /** The same, corrected for the family. */
  adjustedP: z.number().min(0).max(1),
});

/** The gate: the result of all comparisons together for a pipeline. */
export const gateSchema = z.object({
  /**
   * Result for the pipeline: every benchmark excludes a difference beyond its bound, one differs, neither is known of one, or no result is given.
   */
  outcome: z.enum(['passed', 'failed', 'not-measured', 'abstained']),
  /** The difference of B that the gate is against. */
  against: gatedDifferenceSchema,
  /**
   * There where the gate abstained: A differs from itself, so that nothing that was measured beside it can be trusted, or no
   * benchmark was judged.
   */
  reason: z.enum(['control-fired', 'nothing-judged']).optional(),
  /** The correction for the number of benchmarks. */
  correction: correctionSchema,
  /** Largest adjusted p value that counts as slower: half of 1 - confidence. */
  level: z.number().gt(0).lt(1),
  /** Each comparison that counts. */
  benchmarks: z.array(
    gatedSchema.extend({
      /** Still slower after the correction. */
      slower: z.boolean(),
      /** Still faster after the correction. */
      faster: z.boolean(),
      /** Largest difference that counts as none: the margin, or 2 % where that is 0. */
      bound: z.number().positive(),
      /**
       * The slowdown and the speedup, relative, above which B's is excluded, each one-sided at the confidence of its interval; the
       * largest double where nothing is excluded.
       */
      excluded: z.object({
        /** The slowdown: 0.013 = B may be 1.3 % slower. */
        slower: z.number().nonnegative(),
        /** The speedup: 0.013 = A may take 1.3 % longer than B. */
        faster: z.number().nonnegative(),
      }),
      /** Result of this benchmark: it passes, fails, is excused, was not measured well enough for either, or so and let pass all the same. */
      outcome: z.enum(['passed', 'failed', 'waived', 'not-measured', 'let-pass']),
      /** There where the difference may be one of layout alone (LAYOUT_SUSPECTED). */
      layoutSuspected: z.literal(true).optional(),
      /** The waiver that is in force today; `null` = none. */
      waiver: waiverSchema.nullable(),
    }),
  ),
  /** The A/A comparisons beside the others; `null` = none was asked for. */
  control: z
    .object({
      /** A differs from itself in at least one of them. */
      fired: z.boolean(),
      /** Largest adjusted p value that counts as a difference: 1 - confidence. */
      level: z.number().gt(0).lt(1),
      /** Each comparison of A with itself. */
      benchmarks: z.array(
        gatedSchema.extend({
          /** A differs from itself here after the correction. */
          differs: z.boolean(),
        }),
      ),
    })
    .nullable(),
});
export type Gate = z.infer<typeof gateSchema>;
