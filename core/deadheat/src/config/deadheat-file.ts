import type { Waiver } from '@deadheat/model';
import { z } from 'zod';
import type { Amounts, Parsed } from '../settings/amounts.ts';
import { experimentTable, type OutermostOf } from '../settings/experiment-table.ts';
import { duration } from '../settings/kinds.ts';
import { describedShape } from '../settings/option.ts';
import {
  type MethodsOf,
  type ProgramOf,
  programTable,
  type SideOf,
  type WorkloadOf,
  workloadTable,
} from '../settings/program-table.ts';
import { lineSchema, mapSchema, textSchema } from '../settings/scalars.ts';
import { limit, settingsTable, timeoutShape, type SettingsOf } from '../settings/settings-table.ts';

/*
 * Content of a deadheat.yaml as it is written: an absent key is inherited from the level above, or is the default.
 * Durations are nanoseconds and shares are fractions here already.
 */

export type MethodsLayer = MethodsOf<Parsed>;
export type ProgramLayer = ProgramOf<Parsed>;
export type WorkloadLayer = WorkloadOf<Parsed>;

export type SideLayer = SideOf<Parsed>;

export interface BenchmarkOf<In extends Amounts> extends ProgramOf<In>, WorkloadOf<In>, SettingsOf<In> {
  readonly waiver?: Waiver | undefined;
  readonly A?: SideOf<In> | undefined;
  readonly B?: SideOf<In> | undefined;
}
export type BenchmarkLayer = BenchmarkOf<Parsed>;

/** A whole deadheat.yaml. */
export interface DeadheatFileOf<In extends Amounts> extends OutermostOf<In> {
  readonly benchmarks: Readonly<Record<string, BenchmarkOf<In> | null>>;
}
export type DeadheatFile = DeadheatFileOf<Parsed>;

const settings = describedShape(settingsTable);
const program = describedShape(programTable);
const workload = describedShape(workloadTable);

const sideMap = mapSchema({ name: textSchema.optional().describe('Name in reports.'), ...program });
/** A side's command alone stands for a map with nothing else. */
const side = z
  .union([lineSchema, sideMap], { error: 'a command or a map' })
  .transform((value) => (typeof value === 'string' ? { command: value } : value));

const benchmark = mapSchema({
  ...program,
  ...workload,
  ...settings,
  waiver: mapSchema({
    reason: lineSchema.describe('Why it may be slower for a while.'),
    expires: z.iso
      .date({ error: 'a day such as 2027-01-31' })
      .describe('Last day on which it may, such as 2027-01-31.'),
  })
    .optional()
    .describe('Excuses this benchmark from failing a pipeline.'),
  A: side.optional().describe('The baseline.'),
  B: side.optional().describe('The candidate; without it A is compared with itself.'),
});

const outermost = {
  ...describedShape(experimentTable),
  ...program,
  ...workload,
  ...settings,
  timeouts: mapSchema({
    ...timeoutShape(),
    experiment: limit(duration).schema.optional().describe('Longest time of the whole experiment: 2h, or none.'),
  })
    .optional()
    .describe('Longest times (default: none).'),
};

/** The keys of the outermost level besides the benchmarks. */
export const outermostSchema: z.ZodType<OutermostOf<Parsed>> = mapSchema(outermost) as unknown as z.ZodType<
  OutermostOf<Parsed>
>;

/** The schema of deadheat.yaml; its JSON Schema is made by `z.toJSONSchema` with `io: 'input'`. */
export const deadheatFileSchema: z.ZodType<DeadheatFile> = mapSchema({
  ...outermost,
  benchmarks: z
    .record(z.string(), z.union([z.null(), benchmark], { error: 'a map with the keys of a benchmark' }), {
      error: 'a map of names and benchmarks',
    })
    .refine((all) => Object.keys(all).length > 0, { error: 'at least one benchmark' })
    .describe('What is measured, by name.'),
}) as unknown as z.ZodType<DeadheatFile>;
