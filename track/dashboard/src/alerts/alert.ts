import { z } from 'zod';
import { commitRefSchema, methodSchema, paramsSchema } from '@deadheat/model';
import { triageStateSchema } from '@deadheat/history';

const eventShape = {
  /** Stable: the same event has the same id in every message. */
  id: z.string(),
  /** When it was found, ISO 8601. */
  foundAt: z.string(),
};

const ratioShape = {
  ratio: z.number().describe('1.02 = 2 % slower'),
  low: z.number(),
  high: z.number(),
  confidence: z.number().describe('Level of the interval from low to high.'),
};

/** A change of level of a series; `id` is that of the dashboard. */
const changeEventSchema = z.object({
  kind: z.literal('change'),
  ...eventShape,
  project: z.string(),
  benchmark: z.string(),
  params: paramsSchema,
  method: methodSchema,
  direction: z.enum(['slower', 'faster']),
  quantity: z
    .enum(['ratio', 'time', 'value'])
    .describe('What changed: B / A against one baseline, the time of B, or the value of another metric of B.'),
  ...ratioShape,
  after: commitRefSchema.nullable().describe('The last commit of the old level; null = not known.'),
  until: commitRefSchema.nullable().describe('The first commit of the new level; null = not known.'),
  experiment: z.string().describe('Id of the first experiment of the new level.'),
  measuredAt: z.string().describe('When that experiment began, ISO 8601.'),
  url: z.string().nullable().describe('Page of the change in the dashboard; null = no dashboard is configured.'),
  decision: z
    .object({ state: triageStateSchema, ticket: z.string().nullable(), by: z.string(), at: z.string() })
    .nullable()
    .describe('What was decided about the change, in digests; null = nothing.'),
});
export type ChangeEvent = Readonly<z.infer<typeof changeEventSchema>>;

/** A canary that fired: a workload on one machine that differed from itself, or whose time changed. */
const canaryEventSchema = z.object({
  kind: z.literal('canary'),
  ...eventShape,
  what: z
    .enum(['differs', 'level'])
    .describe('differs: comparisons of this machine cannot be trusted; level: the machine became faster or slower.'),
  hostname: z.string(),
  benchmark: z.string(),
  ...ratioShape,
  experiment: z.string(),
  measuredAt: z.string(),
});

/** A worker of a fleet whose lease or connection ended without its leaving. */
const workerEventSchema = z.object({
  kind: z.literal('worker'),
  ...eventShape,
  worker: z.string(),
  hostname: z.string(),
  seenAt: z.string(),
});

export const alertEventSchema = z.discriminatedUnion('kind', [changeEventSchema, canaryEventSchema, workerEventSchema]);
export type AlertEvent = Readonly<z.infer<typeof alertEventSchema>>;

/** The message that a webhook receives. */
export const alertMessageSchema = z.object({
  schema: z.literal('deadheat.alert/1'),
  kind: z.enum(['alert', 'digest', 'test']),
  id: z.string().describe('The same for every attempt to send the same events.'),
  at: z.string().describe('When the message was made, ISO 8601.'),
  channel: z.string().describe('Name of the channel in the file of alerts.'),
  subject: z.string().describe('The message in one line of plain text.'),
  text: z.string().describe('The message in plain text, as mail has it.'),
  events: z.array(alertEventSchema),
  digest: z
    .object({
      from: z.string(),
      to: z.string(),
      more: z.int().describe('Events of that time that are left out.'),
      decisions: z.record(triageStateSchema, z.int()).describe('All changes that are found now, by what was decided.'),
      workers: z
        .array(z.object({ id: z.string(), hostname: z.string(), state: z.enum(['idle', 'busy', 'gone', 'left']) }))
        .nullable()
        .describe('The workers of the fleet; null = no fleet is asked.'),
    })
    .nullable()
    .describe('The whole of a digest; null in other messages.'),
});
export type AlertMessage = Readonly<z.infer<typeof alertMessageSchema>>;
