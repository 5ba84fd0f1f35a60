import { z } from 'zod';
import type { HistoryNote } from '@deadheat/history';
import { alertEventSchema } from './alert.ts';

/**
 * A line of the log that a history keeps of its alerts. The order of the lines counts:
 *
 * - `event`: something was found. `mark` identifies it, and what has its mark among `near` is the same.
 * - `gone`: the worker with this mark was gone for the first time, and for too short a time yet.
 * - `channel`: a channel needs none of the first `upTo` events any more; `null` = it begins here.
 * - `digest`: a channel had its digest.
 * - `looked`: all changes of this revision of the history are in the log.
 */
const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), mark: z.string(), near: z.array(z.string()), event: alertEventSchema }),
  z.object({ kind: z.literal('gone'), at: z.string(), mark: z.string() }),
  z.object({ kind: z.literal('channel'), at: z.string(), channel: z.string(), upTo: z.int().min(0).nullable() }),
  z.object({ kind: z.literal('digest'), at: z.string(), channel: z.string() }),
  z.object({ kind: z.literal('looked'), revision: z.string() }),
]);
export type AlertEntry = Readonly<z.infer<typeof entrySchema>>;
/** Something that was found, and what it is known by. */
export type Found = Extract<AlertEntry, { readonly kind: 'event' }>;

/** The topic of the notes that are the log; each holds several lines. */
export const alertTopic = 'alerts';

/** The state of a history's alerts by the lines of its log. */
export class AlertLog {
  readonly events: readonly Found[];
  /** The revision of the history whose changes are all in the log; `null` = none. */
  readonly revision: string | null = null;
  readonly #marks = new Set<string>();
  readonly #gone = new Map<string, string>();
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
