import type { HistoryNote } from '@deadheat/history';
import { type WatchNote, watchNoteSchema } from './watch-note.ts';

/** Topic of the notes of collectors. */
export const watchTopic = 'watch';

type Lease = Extract<WatchNote, { readonly kind: 'lease' }>;

/** A commit that could not be measured, and when that was tried. */
export interface FailedCommit {
  /** The number of attempts. */
  readonly times: number;
  /** When it may be tried again, ISO 8601; `null` = never. */
  readonly again: string | null;
  readonly message: string;
}

const hourMs = 3_600_000;
/** A commit that cannot be built or does not run is tried again after these times, and not any more then. */
const retryAfterMs = [hourMs, 24 * hourMs] as const;
/** Most times that a commit is tried. */
export const mostTries: number = retryAfterMs.length + 1;

/** The state of a project by its notes. */
export class WatchNotes {
  readonly failures: ReadonlyMap<string, FailedCommit>;
  readonly #leases: ReadonlyMap<string, Lease>;

  /** @param notes all of the topic, in their order; those of other projects and versions are left out */
  constructor(notes: readonly HistoryNote[], project: string) {
    const failures = new Map<string, FailedCommit>();
    const leases = new Map<string, Lease>();
    for (const { at, content } of notes) {
      const { data } = watchNoteSchema.safeParse(content);
      if (data === undefined || data.project !== project) continue;
      if (data.kind === 'failure') {
        const times = (failures.get(data.commit)?.times ?? 0) + 1;
        const waitMs = retryAfterMs[times - 1];
        const again = waitMs === undefined ? null : new Date(Date.parse(at) + waitMs).toISOString();
        failures.set(data.commit, { times, again, message: data.message });
      } else if (mayTake(leases.get(data.work), { holder: data.holder, at })) leases.set(data.work, data);
    }
    this.failures = failures;
    this.#leases = leases;
  }

  /** Who has reserved some work at a time; `null` = nobody. */
  holderOf(work: string, at: string): string | null {
    const lease = this.#leases.get(work);
    return lease !== undefined && Date.parse(lease.until) > Date.parse(at) ? lease.holder : null;
  }

  /**
   * Commits that failed and are not to be tried at a time, and work that somebody else has reserved.
   *
   * @param isGone whether a holder is known to have ended
   */
  closedFor(
    holder: string,
    { at, isGone }: { readonly at: string; readonly isGone: (holder: string) => boolean },
  ): ReadonlySet<string> {
    const now = Date.parse(at);
    const failed = [...this.failures].filter(([, { again }]) => again === null || Date.parse(again) > now);
    const taken = [...this.#leases.keys()].filter((work) => {
      const other = this.holderOf(work, at);
      return other !== null && other !== holder && !isGone(other);
    });
    return new Set([...failed.map(([commit]) => commit), ...taken]);
  }
}

/** Checks whether a note of a lease counts: the work was free then, or the same collector's. All who read the notes in their order agree on it. */
function mayTake(held: Lease | undefined, { holder, at }: { readonly holder: string; readonly at: string }): boolean {
  return held === undefined || held.holder === holder || Date.parse(held.until) <= Date.parse(at);
}
