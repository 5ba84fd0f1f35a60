import { z } from 'zod';
import type { HistoryNote } from '../history-point.ts';

/** Topic of the notes that are the leases of a folder. */
export const leaseTopic = 'leases';

const leaseNoteSchema = z.object({
  name: z.string(),
  holder: z.string(),
  /** ISO 8601; a lease that is given back has the time of that here. */
  until: z.string(),
  renews: z.boolean(),
});
export type LeaseNote = Readonly<z.infer<typeof leaseNoteSchema>>;

/**
 * The last note that counts of every lease, by name: one that takes the lease while it is free, over or the same holder's, or renews it before
 * anybody else has taken it. All who read the notes in their order agree on it.
 */
export function lastLeases(notes: readonly HistoryNote[]): ReadonlyMap<string, LeaseNote> {
  const leases = new Map<string, LeaseNote>();
  for (const { at, content } of notes) {
    const { data } = leaseNoteSchema.safeParse(content);
    if (data === undefined) continue;
    const held = leases.get(data.name);
    const isOwn = held?.holder === data.holder;
    const isFree = held === undefined || Date.parse(held.until) <= Date.parse(at);
    if (isOwn || (isFree && !data.renews)) leases.set(data.name, data);
  }
  return leases;
}

/** The holders of the leases that are not over at a time, by name. */
export function holdersOf(notes: readonly HistoryNote[], at: string): ReadonlyMap<string, string> {
  const held = [...lastLeases(notes).values()].filter(({ until }) => Date.parse(until) > Date.parse(at));
  return new Map(held.map(({ name, holder }) => [name, holder]));
}
