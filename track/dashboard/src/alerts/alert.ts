import { type HistoryNote, triageStateSchema } from '@deadheat/history';
import { commitRefSchema, methodSchema, paramsSchema } from '@deadheat/model';
import { z } from 'zod';

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
    .enum(['ratio', 'pairs', 'time', 'value'])
    .describe(
      'What changed: B / A against one baseline, B / A of pairs of commits, the time of B, or the value of another metric of B.',
    ),
  basis: z
    .enum(['levels', 'pair', 'confirmed'])
    .describe('What shows it: several comparisons on either side, one comparison of both commits, or several of them.'),
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

/**
 * A line of the log that a history keeps of its alerts. The order of the lines counts:
 *
 * - `event`: something was found. `mark` identifies it, and what has its mark among `near` is the same.
 * - `gone`: the worker with this mark was gone for the first time, and for too short a time yet.
 * - `channel`: a channel needs none of the first `upTo` events any more; `null` = it begins here.
 * - `digest`: a channel had its digest.
 * - `looked`: all changes of this revision of the history are in the log.
 * - `course`: what became of the change with this mark; `by` = the commit with which the level returned.
 * - `issue`: the issue of a change in a tracker. It is `opening` before the tracker is asked, so that whoever goes on looks for it first.
 */
const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), mark: z.string(), near: z.array(z.string()), event: alertEventSchema }),
  z.object({ kind: z.literal('gone'), at: z.string(), mark: z.string() }),
  z.object({ kind: z.literal('channel'), at: z.string(), channel: z.string(), upTo: z.int().min(0).nullable() }),
  z.object({ kind: z.literal('digest'), at: z.string(), channel: z.string() }),
  z.object({ kind: z.literal('looked'), revision: z.string() }),
  z.object({
    kind: z.literal('course'),
    mark: z.string(),
    is: z.enum(['unconfirmed', 'confirmed', 'returned', 'gone']),
    by: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('issue'),
    at: z.string(),
    channel: z.string(),
    mark: z.string(),
    state: z.enum(['opening', 'open', 'closed']),
    number: z.string().nullable(),
  }),
]);
export type AlertEntry = Readonly<z.infer<typeof entrySchema>>;
/** Something that was found, and what it is known by. */
export type Found = Extract<AlertEntry, { readonly kind: 'event' }>;
/** The course of a change after it was found. */
export type Course = Pick<Extract<AlertEntry, { readonly kind: 'course' }>, 'is' | 'by'>;
/** The newest line about an issue. */
export type IssueEntry = Extract<AlertEntry, { readonly kind: 'issue' }>;

/** The topic of the notes that are the log; each holds several lines. */
export const alertTopic = 'alerts';

/** The state of a history's alerts by the lines of its log. */
export class AlertLog {
  readonly events: readonly Found[];
  /** The revision of the history whose changes are all in the log; `null` = none. */
  readonly revision: string | null = null;
  readonly #marks = new Set<string>();
  readonly #gone = new Map<string, string>();
  readonly #courses = new Map<string, Course>();
  readonly #issues = new Map<string, IssueEntry>();
  readonly #channels = new Map<string, { upTo: number; digestAt: string; digestFrom: number }>();

  constructor(notes: readonly HistoryNote[]) {
    const events: Found[] = [];
    for (const line of notes.flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []))) {
      const { data: entry } = entrySchema.safeParse(line);
      if (entry?.kind === 'event' && !this.knows(entry)) {
        events.push(entry);
        this.#marks.add(entry.mark);
      } else if (entry?.kind === 'gone') this.#gone.set(entry.mark, entry.at);
      else if (entry?.kind === 'looked') this.revision = entry.revision;
      else if (entry?.kind === 'course') this.#courses.set(entry.mark, entry);
      else if (entry?.kind === 'issue') this.#issues.set(`${entry.channel} ${entry.mark}`, entry);
      else if (entry?.kind === 'channel') {
        const known = this.#channels.get(entry.channel);
        const upTo = entry.upTo ?? events.length;
        if (known === undefined) this.#channels.set(entry.channel, { upTo, digestAt: entry.at, digestFrom: upTo });
        else if (entry.upTo !== null) known.upTo = Math.max(known.upTo, upTo);
      } else if (entry?.kind === 'digest') {
        const known = this.#channels.get(entry.channel);
        if (known !== undefined) [known.digestAt, known.digestFrom] = [entry.at, events.length];
      }
    }
    this.events = events;
  }

  /** True when no channel has begun: what is found now was there before. */
  get isNew(): boolean {
    return this.#channels.size === 0;
  }

  /** Checks whether something is in the log, perhaps a few comparisons away. */
  knows({ near }: Pick<Found, 'near'>): boolean {
    return near.some((mark) => this.#marks.has(mark));
  }

  /** When a worker was found to be gone, ISO 8601. */
  goneSince(mark: string): string | undefined {
    return this.#gone.get(mark);
  }

  /** The course of a change, as far as is known. */
  courseOf({ mark, event }: Found): Course {
    const isPair = event.kind === 'change' && event.basis === 'pair';
    return this.#courses.get(mark) ?? { is: isPair ? 'unconfirmed' : 'confirmed', by: null };
  }

  issueOf(channel: string, { mark }: Found): IssueEntry | undefined {
    return this.#issues.get(`${channel} ${mark}`);
  }

  has(channel: string): boolean {
    return this.#channels.has(channel);
  }

  /** The events that a channel has neither received nor dropped. */
  pending(channel: string): readonly Found[] {
    return this.events.slice(this.#channels.get(channel)?.upTo ?? Infinity);
  }

  /** When a channel had its last digest, or began, and what was found since; `null` = it has not begun. */
  sinceDigest(channel: string): { readonly at: string; readonly events: readonly Found[] } | null {
    const found = this.#channels.get(channel);
    return found === undefined ? null : { at: found.digestAt, events: this.events.slice(found.digestFrom) };
  }
}
