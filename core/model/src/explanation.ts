import { z } from 'zod';
import { verdictSchema } from './vocabulary.ts';

const bySide = z.object({ A: z.number(), B: z.number() }).readonly();

/** A function where a sample was taken. */
const frameSchema = z
  .object({
    name: z.string(),
    /** Path of the source, name of the class file or of the library; empty where the runtime does not say. */
    file: z.string(),
    /** Line at which the function begins; `null` = not known. */
    line: z.int().nullable(),
  })
  .readonly();
export type Frame = z.infer<typeof frameSchema>;

const alignedFields = {
  /** The function in A and in B; `null` = no sample was taken in it there. */
  A: frameSchema.nullable(),
  B: frameSchema.nullable(),
};

const alignedFunctionSchema = z
  .object({
    ...alignedFields,
    /** Its relation: the same, the same under another name, or of one side only. */
    kind: z.enum(['both', 'renamed', 'A only', 'B only']),
  })
  .readonly();
/** A function of one side or of both. */
export type AlignedFunction = z.infer<typeof alignedFunctionSchema>;

/** Times in s of a run, with their interval. */
const differenceSchema = z.object({ estimate: z.number(), low: z.number(), high: z.number() }).readonly();
export type CostDifference = z.infer<typeof differenceSchema>;

const functionCostSchema = z
  .object({
    /** `others` = all functions with too few samples for an interval of their own. */
    kind: z.enum([...alignedFunctionSchema.unwrap().shape.kind.options, 'others']),
    ...alignedFields,
    /** CPU time of the function itself, s a run. */
    selfSeconds: bySide,
    /** With everything that it called. */
    totalSeconds: bySide,
    /** Self time, B - A; the interval is for all functions at once. */
    difference: differenceSchema,
    /** Its part of the difference of the whole; `null` where that is not clear of 0. */
    shareOfWhole: z.number().nullable(),
    /** The interval excludes 0. */
    isClear: z.boolean(),
  })
  .readonly();
export type FunctionCost = z.infer<typeof functionCostSchema>;

/** A place in the call tree of both sides: number of its function (-1 = none, the root), own CPU time in A and in B, ns a run, and the places below. */
export type CalledPlace = readonly [fn: number, A: number, B: number, ...CalledPlace[]];
const calledPlaceSchema: z.ZodType<CalledPlace> = z.lazy(() =>
  z.tuple([z.int().min(-1), z.number(), z.number()], calledPlaceSchema),
);

/** The functions behind a difference: what `deadheat explain` finds and a recording keeps. */
export const explanationSchema = z
  .object({
    schema: z.literal('deadheat.explain/1'),
    benchmark: z.string(),
    /** Command lines. */
    commands: z.object({ A: z.string(), B: z.string() }).readonly(),
    runtime: z.string(),
    sampler: z.string(),
    pairs: z.int().positive(),
    /** Executions in each run of a pair. */
    executions: z.int().positive(),
    /** Samples in a run of one side, mean. */
    samples: z.number(),
    /** Time between two samples. */
    intervalNs: z.number(),
    confidence: z.number(),
    /** The verdict of the comparison that is explained; `null` = it has none. */
    verdict: z
      .object({ verdict: verdictSchema, ratio: z.number(), low: z.number(), high: z.number() })
      .readonly()
      .nullable(),
    /** CPU time of the process a run, s. Its interval is for itself alone. */
    whole: z.object({ A: z.number(), B: z.number(), difference: differenceSchema }).readonly(),
    /** Those whose difference is clear of 0 first, each part by the size of the difference. */
    functions: z.array(functionCostSchema).readonly(),
    /** All functions, by their numbers in the tree. */
    table: z.array(alignedFunctionSchema).readonly(),
    tree: calledPlaceSchema,
  })
  .readonly();
export type Explanation = z.infer<typeof explanationSchema>;
