import { alertEntrySchema, type AlertEntry, type AlertEvent } from './alert.ts';
import type { HistoryNote } from '@deadheat/history';

export type EventEntry = Extract<AlertEntry, { readonly kind: 'event' }>;

/** Something that was found, and what it is known by. */
export type Found = Pick<EventEntry, 'mark' | 'near'> & { readonly event: AlertEvent };

interface ChannelState {
  /** Number of events when it began. */
  readonly from: number;
  /** When it had its last digest, or began, and the number of events then. */
  digestAt: string;
  digestFrom: number;
  /** Marks of the events that it needs nothing more of. */
  readonly done: Set<string>;
}

/** The topic of the notes that are the log. */
export const alertTopic = 'alerts';

/** The entries of notes, each of which has several; what this version does not know is left out. */
export function entriesOf(notes: readonly HistoryNote[]): readonly AlertEntry[] {
  return notes
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly unknown[]) : []))
    .flatMap((entry) => alertEntrySchema.safeParse(entry).data ?? []);
}

type Lease = Extract<AlertEntry, { readonly kind: 'lease' }>;

/** The state of a history's alerts by the entries of its log. */
export class AlertLog {
  readonly events: readonly EventEntry[];
  /** The revision of the history whose changes are all in the log; `null` = none. */
  readonly revision: string | null;
  /** Who may send now; `null` = nobody ever did. */
  readonly lease: Lease | null;
  readonly #marks: ReadonlySet<string>;
  readonly #channels = new Map<string, ChannelState>();

  constructor(entries: readonly AlertEntry[]) {
    const events: EventEntry[] = [];
    let revision: string | null = null;
    let lease: Lease | null = null;
    for (const entry of entries) {
      if (entry.kind === 'event') events.push(entry);
      else if (entry.kind === 'looked') ({ revision } = entry);
      else if (entry.kind === 'lease') {
        if (entry.after === (lease?.id ?? null)) lease = entry;
      } else if (entry.kind === 'channel') {
        if (!this.has(entry.channel)) {
          const from = events.length;
          this.#channels.set(entry.channel, { from, digestAt: entry.at, digestFrom: from, done: new Set() });
        }
      } else {
        const channel = this.#channels.get(entry.channel);
        if (channel === undefined) continue;
        if (entry.kind === 'done') for (const mark of entry.marks) channel.done.add(mark);
        else [channel.digestAt, channel.digestFrom] = [entry.at, events.length];
      }
    }
    this.events = events;
    this.revision = revision;
    this.lease = lease;
    this.#marks = new Set(events.map(({ mark }) => mark));
  }

  /** Checks whether something is in the log, perhaps a few comparisons away. */
  knows({ near }: Pick<Found, 'near'>): boolean {
    return near.some((mark) => this.#marks.has(mark));
  }

  has(channel: string): boolean {
    return this.#channels.has(channel);
  }

  /** The events that a channel has neither received nor dropped. */
  pending(channel: string): readonly EventEntry[] {
    const found = this.#channels.get(channel);
    return found === undefined ? [] : this.events.slice(found.from).filter(({ mark }) => !found.done.has(mark));
  }

  /** When a channel had its last digest, or began, and what was found since; `null` = it has not begun. */
  sinceDigest(channel: string): { readonly at: string; readonly events: readonly EventEntry[] } | null {
    const found = this.#channels.get(channel);
    return found === undefined ? null : { at: found.digestAt, events: this.events.slice(found.digestFrom) };
  }
}
