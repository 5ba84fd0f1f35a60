import { z } from 'zod';
import { commitRefSchema, methodSchema, paramsSchema } from '@deadheat/model';
import { triageStateSchema } from '@deadheat/history';

/** Events that a channel can receive: changes of level by direction, A/A comparisons that differ, and workers that are gone. */
export const alertTopics = ['slower', 'faster', 'canary', 'worker'] as const;
export type AlertTopic = (typeof alertTopics)[number];

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

const alertEventSchema = z.discriminatedUnion('kind', [changeEventSchema, canaryEventSchema, workerEventSchema]);
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

/**
 * A line of the log that a history keeps of its alerts. The order of the lines counts:
 *
 * - `event`: something was found. `mark` says what it is, and what has its mark among `near` is the same.
 * - `channel`: a channel begins here. It receives the events behind this line.
 * - `done`: a channel needs nothing more of these events, and why.
 * - `digest`: a channel had its digest.
 * - `looked`: all changes of this revision of the history are in the log.
 * - `lease`: `holder` has the lease, or nobody when it is `null`. It counts where `after` is the `id` of the last lease that counts, `null`
 *   for the first: of several that saw the same one, the first in the log.
 */
export const alertEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    at: z.string(),
    mark: z.string(),
    near: z.array(z.string()),
    event: alertEventSchema,
  }),
  z.object({ kind: z.literal('channel'), at: z.string(), channel: z.string() }),
  z.object({
    kind: z.literal('done'),
    at: z.string(),
    channel: z.string(),
    marks: z.array(z.string()),
    outcome: z.enum(['sent', 'decided', 'unwanted', 'withdrawn']),
  }),
  z.object({ kind: z.literal('digest'), at: z.string(), channel: z.string() }),
  z.object({ kind: z.literal('looked'), at: z.string(), revision: z.string() }),
  z.object({
    kind: z.literal('lease'),
    at: z.string(),
    id: z.string(),
    holder: z.string().nullable(),
    after: z.string().nullable(),
  }),
]);
export type AlertEntry = Readonly<z.infer<typeof alertEntrySchema>>;

/** An HTTP address that messages are sent to as JSON. */
export interface WebhookTarget {
  readonly kind: 'webhook';
  readonly url: string;
  /** Key of the signature; `null` = messages are not signed. */
  readonly key: Uint8Array | null;
}

/** A program that gets each message as text on its standard input. */
export interface CommandTarget {
  readonly kind: 'command';
  /** The program and its arguments; no shell reads them. */
  readonly words: readonly string[];
  /** Headers of a mail (RFC 5322) that stand before the text; `null` = the text alone. */
  readonly mail: { readonly to: readonly string[]; readonly from: string | null } | null;
}

/** A receiver of alerts and the events that it receives. */
export interface AlertChannel {
  readonly name: string;
  readonly target: WebhookTarget | CommandTarget;
  readonly on: readonly AlertTopic[];
  /** Names of projects, in which `*` stands for any text; empty = all. */
  readonly projects: readonly string[];
  /** Smallest change that is sent, as a share. */
  readonly leastChange: number;
  readonly digest: 'day' | 'week' | null;
}

/** A file of alerts. */
export interface AlertSettings {
  /** Address of the dashboard, ending in `/`; `null` = messages have no links. */
  readonly dashboard: string | null;
  /** Pause of the dashboard between two looks, ns. */
  readonly everyNs: number;
  /** Time that a worker is gone before an alert, ns. */
  readonly workerGraceNs: number;
  /** Hour from which the digest of a day is due, UTC; that of a week on Monday. */
  readonly digestHour: number;
  readonly channels: readonly AlertChannel[];
}
